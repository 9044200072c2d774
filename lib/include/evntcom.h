/* SPDX-License-Identifier: MIT */
/*
 * The part of COM that ITraceRelogger needs: interfaces, strings, and the creation
 * of an object.
 *
 * An interface is a structure whose first member points to a table of functions.
 * That is an abstract class of C++, and a member lpVtbl in C; the macros of Windows
 * below declare both.
 *
 * https://learn.microsoft.com/windows/win32/com/the-component-object-model
 */
#ifndef EVNTCOM_H
#define EVNTCOM_H

#include "compat/guiddef.h"
#include "compat/winerror.h"

#ifndef STDMETHODCALLTYPE
#define STDMETHODCALLTYPE
#endif

#if defined(__has_declspec_attribute) && defined(__cplusplus)
#if __has_declspec_attribute(uuid)
#define EVNT_HAS_UUIDOF
#endif
#endif

/* Declaration of an interface, for which the program defines INTERFACE in C */
#ifdef __cplusplus
#define STDMETHOD_(type, method)	virtual type STDMETHODCALLTYPE method
#define PURE				= 0
#define THIS_
#define THIS				void
#define DECLARE_INTERFACE(name)		struct name
#define DECLARE_INTERFACE_(name, base)	struct name : public base
#else
#define STDMETHOD_(type, method)	type (STDMETHODCALLTYPE *method)
#define PURE
#define THIS_				INTERFACE *This,
#define THIS				INTERFACE *This
#define DECLARE_INTERFACE(name)						\
	typedef struct name { const struct name##Vtbl *lpVtbl; } name;	\
	typedef struct name##Vtbl name##Vtbl;				\
	struct name##Vtbl
#define DECLARE_INTERFACE_(name, base)	DECLARE_INTERFACE(name)
#endif
#define STDMETHOD(method)		STDMETHOD_(HRESULT, method)
/* Definition of a method */
#define STDMETHODIMP_(type)		type STDMETHODCALLTYPE
#define STDMETHODIMP			STDMETHODIMP_(HRESULT)

/*
 * EVNT_UUID() declares a GUID of a type, and in C++ the result of __uuidof(), whose
 * argument is a type or an object.  INITGUID does not define these GUIDs, which
 * programs may define themselves; libevntcompat.a contains them.
 */
#ifdef __cplusplus
extern "C++" {
/* With clang's own operator, types of a program, too, have a GUID */
#ifdef EVNT_HAS_UUIDOF
template <typename T> struct evnt_uuid {
	static const GUID &get() { return __uuidof(T); }
};
#else
template <typename T> struct evnt_uuid;
#endif
template <typename T> struct evnt_uuid<const T> : evnt_uuid<T> {};
template <typename T> struct evnt_uuid<T *> : evnt_uuid<T> {};
template <typename T> struct evnt_uuid<T &> : evnt_uuid<T> {};
}
#define __uuidof(...)	(evnt_uuid<__typeof__(__VA_ARGS__)>::get())
#define EVNT_UUIDOF(type, l, w1, w2, ...)				\
	extern "C++" template <> struct evnt_uuid<type> {		\
		static const GUID &get()				\
		{							\
			static const GUID id = { l, w1, w2,		\
						 { __VA_ARGS__ } };	\
			return id;					\
		}							\
	};
#else
#define EVNT_UUIDOF(type, ...)
#endif
#ifdef EVNT_DEFINE_UUIDS
#define EVNT_DEFINE_UUID(name, l, w1, w2, ...)				\
	EXTERN_C const GUID name __attribute__((__weak__));		\
	const GUID name = { l, w1, w2, { __VA_ARGS__ } }
#else
#define EVNT_DEFINE_UUID(name, ...)	EXTERN_C const GUID name
#endif
#define EVNT_UUID(type, name, ...)					\
	EVNT_UUIDOF(type, __VA_ARGS__)					\
	EVNT_DEFINE_UUID(name, __VA_ARGS__)

#undef INTERFACE
#define INTERFACE IUnknown
DECLARE_INTERFACE(IUnknown)
{
	STDMETHOD(QueryInterface)(THIS_ REFIID riid, void **ppvObject) PURE;
	STDMETHOD_(ULONG, AddRef)(THIS) PURE;
	STDMETHOD_(ULONG, Release)(THIS) PURE;
};
#undef INTERFACE
typedef IUnknown *LPUNKNOWN;

EVNT_UUID(IUnknown, IID_IUnknown, 0x00000000, 0x0000, 0x0000,
	  0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46);

/* Methods that an interface inherits, which have their places in tables of C */
#ifdef __cplusplus
#define EVNT_UNKNOWN_METHODS
#else
#define EVNT_UNKNOWN_METHODS						\
	STDMETHOD(QueryInterface)(THIS_ REFIID riid, void **ppvObject);	\
	STDMETHOD_(ULONG, AddRef)(THIS);				\
	STDMETHOD_(ULONG, Release)(THIS);
#endif

#if !defined(__cplusplus) && defined(COBJMACROS)
#define IUnknown_QueryInterface(This, riid, object) \
	(This)->lpVtbl->QueryInterface(This, riid, object)
#define IUnknown_AddRef(This)	(This)->lpVtbl->AddRef(This)
#define IUnknown_Release(This)	(This)->lpVtbl->Release(This)
#endif

/* A string with its length in bytes in front of it, followed by a nul */
typedef WCHAR OLECHAR, *LPOLESTR, *BSTR;
typedef const WCHAR *LPCOLESTR;

/* Contexts of CoCreateInstance(): objects of this process are supported */
typedef enum tagCLSCTX {
	CLSCTX_INPROC_SERVER	= 0x01,
	CLSCTX_INPROC_HANDLER	= 0x02,
	CLSCTX_LOCAL_SERVER	= 0x04,
	CLSCTX_REMOTE_SERVER	= 0x10
} CLSCTX;
#define CLSCTX_INPROC		(CLSCTX_INPROC_SERVER | CLSCTX_INPROC_HANDLER)
#define CLSCTX_SERVER		(CLSCTX_INPROC_SERVER | CLSCTX_LOCAL_SERVER | \
				 CLSCTX_REMOTE_SERVER)
#define CLSCTX_ALL		(CLSCTX_INPROC_HANDLER | CLSCTX_SERVER)

/* Threading models of CoInitializeEx(), which make no difference here */
typedef enum tagCOINIT {
	COINIT_MULTITHREADED		= 0x0,
	COINIT_APARTMENTTHREADED	= 0x2,
	COINIT_DISABLE_OLE1DDE		= 0x4,
	COINIT_SPEED_OVER_MEMORY	= 0x8
} COINIT;

#define RPC_E_CHANGED_MODE		((HRESULT)0x80010106)
#define CLASS_E_NOAGGREGATION		((HRESULT)0x80040110)
#define REGDB_E_CLASSNOTREG		((HRESULT)0x80040154)

EVNT_BEGIN_DECLS

HRESULT CoInitializeEx(LPVOID Reserved, DWORD Model);
void CoUninitialize(void);
HRESULT CoCreateInstance(REFCLSID Class, LPUNKNOWN Outer, DWORD Context,
			 REFIID Interface, LPVOID *Object);
BSTR SysAllocString(const OLECHAR *Text);
BSTR SysAllocStringLen(const OLECHAR *Text, UINT Length);
UINT SysStringLen(BSTR Text);
void SysFreeString(BSTR Text);

EVNT_END_DECLS

static inline HRESULT CoInitialize(LPVOID Reserved)
{
	return CoInitializeEx(Reserved, COINIT_APARTMENTTHREADED);
}

#ifdef __cplusplus
extern "C++" {

/* Check that the variable points to an interface */
template <typename T> inline void **IID_PPV_ARGS_Helper(T **object)
{
	(void)sizeof(static_cast<IUnknown *>(*object));
	return reinterpret_cast<void **>(object);
}

}
#define IID_PPV_ARGS(object)	__uuidof(**(object)), IID_PPV_ARGS_Helper(object)
#endif

#endif /* EVNTCOM_H */
