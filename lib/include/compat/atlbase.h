/* SPDX-License-Identifier: MIT */
/*
 * The part of ATL that programs with ITraceRelogger use: CComPtr, a counted
 * reference to an object, and CComBSTR, a string of COM.
 *
 * https://learn.microsoft.com/cpp/atl/reference/ccomptr-class
 * https://learn.microsoft.com/cpp/atl/reference/ccombstr-class
 */
#ifndef EVNT_ATLBASE_H
#define EVNT_ATLBASE_H

#include "objbase.h"

#ifdef __cplusplus
extern "C++" {
namespace ATL {

template <class T> class CComPtr {
public:
	CComPtr() : p(NULL) {}
	CComPtr(T *from) : p(from)
	{
		if (p)
			p->AddRef();
	}
	CComPtr(const CComPtr &from) : CComPtr(from.p) {}
	~CComPtr()
	{
		if (p)
			p->Release();
	}

	/* The copy keeps the object if both refer to it alone */
	T *operator=(T *from)
	{
		CComPtr copy(from);

		Attach(copy.Detach());
		return p;
	}
	T *operator=(const CComPtr &from) { return *this = from.p; }

	operator T *() const { return p; }
	T &operator*() const { return *p; }
	T **operator&() { return &p; }
	T *operator->() const { return p; }
	bool operator!() const { return !p; }

	void Attach(T *from)
	{
		Release();
		p = from;
	}
	T *Detach()
	{
		T *object = p;

		p = NULL;
		return object;
	}
	void Release()
	{
		T *object = Detach();

		if (object)
			object->Release();
	}
	HRESULT CopyTo(T **to)
	{
		if (!to)
			return E_POINTER;
		*to = p;
		if (p)
			p->AddRef();
		return S_OK;
	}
	HRESULT CoCreateInstance(REFCLSID from, LPUNKNOWN outer = NULL,
				 DWORD context = CLSCTX_ALL)
	{
		return ::CoCreateInstance(from, outer, context, __uuidof(T),
					  (void **)&p);
	}
	template <class Q> HRESULT QueryInterface(Q **to) const
	{
		return p->QueryInterface(__uuidof(Q), (void **)to);
	}

	T *p;
};

class CComBSTR {
public:
	CComBSTR() : m_str(NULL) {}
	CComBSTR(LPCOLESTR from) : m_str(SysAllocString(from)) {}
	CComBSTR(int length, LPCOLESTR from)
		: m_str(SysAllocStringLen(from, length)) {}
	CComBSTR(const CComBSTR &from) : m_str(from.Copy()) {}
	/* In UTF-8 */
	CComBSTR(LPCSTR from) : m_str(NULL)
	{
		int size = from ? MultiByteToWideChar(CP_UTF8, 0, from, -1,
						      NULL, 0) : 0;

		if (size)
			m_str = SysAllocStringLen(NULL, size - 1);
		if (m_str)
			MultiByteToWideChar(CP_UTF8, 0, from, -1, m_str, size);
	}
	~CComBSTR() { SysFreeString(m_str); }

	CComBSTR &operator=(const CComBSTR &from)
	{
		Attach(from.Copy());
		return *this;
	}

	operator BSTR() const { return m_str; }
	BSTR *operator&() { return &m_str; }
	bool operator!() const { return !m_str; }
	unsigned int Length() const { return SysStringLen(m_str); }
	BSTR Copy() const
	{
		return m_str ? SysAllocStringLen(m_str, Length()) : NULL;
	}
	void Attach(BSTR from)
	{
		if (m_str != from)
			SysFreeString(m_str);
		m_str = from;
	}
	BSTR Detach()
	{
		BSTR text = m_str;

		m_str = NULL;
		return text;
	}
	void Empty() { Attach(NULL); }

	BSTR m_str;
};

} /* namespace ATL */
#ifndef _ATL_NO_AUTOMATIC_NAMESPACE
using namespace ATL;
#endif
} /* extern "C++" */
#endif

#endif /* EVNT_ATLBASE_H */
