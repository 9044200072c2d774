// SPDX-License-Identifier: MIT
/*
 * The functions of COM that programs with ITraceRelogger use.
 */
#include <stdlib.h>

#include "lib/relog/relog_objects.h"

/* Number of CoInitializeEx() without CoUninitialize(), and their threading model */
static __thread struct {
	u32 count;
	DWORD model;
} apartment;

/**
 * CoInitializeEx() - prepare the thread for COM
 * @Reserved: NULL
 * @Model: COINIT_MULTITHREADED or COINIT_APARTMENTTHREADED, and further flags,
 *	which have no effect
 *
 * Objects may be created and used by any thread, whether it has called this
 * function or not.
 *
 * Return: S_OK; S_FALSE if the thread has called it before; RPC_E_CHANGED_MODE if
 * that was with another model; E_INVALIDARG.
 *
 * https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-coinitializeex
 */
EVNT_PUBLIC HRESULT CoInitializeEx(LPVOID Reserved, DWORD Model)
{
	DWORD known = COINIT_APARTMENTTHREADED | COINIT_DISABLE_OLE1DDE |
		      COINIT_SPEED_OVER_MEMORY;

	if (Reserved || Model & ~known)
		return E_INVALIDARG;
	Model &= COINIT_APARTMENTTHREADED;
	if (apartment.count && apartment.model != Model)
		return RPC_E_CHANGED_MODE;
	apartment.model = Model;
	return apartment.count++ ? S_FALSE : S_OK;
}

/**
 * CoUninitialize() - end what a successful CoInitializeEx() has begun
 *
 * https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-couninitialize
 */
EVNT_PUBLIC void CoUninitialize(void)
{
	if (apartment.count)
		apartment.count--;
}

/**
 * CoCreateInstance() - create an object
 * @Class: CLSID_TraceRelogger
 * @Outer: NULL
 * @Context: flags with CLSCTX_INPROC_SERVER
 * @Interface: IID_ITraceRelogger or IID_IUnknown
 * @Object: out: the object, with a reference; NULL on failure
 *
 * Return: S_OK; E_POINTER if @Object is NULL; REGDB_E_CLASSNOTREG for another class
 * or context; CLASS_E_NOAGGREGATION if @Outer is not NULL; E_NOINTERFACE;
 * E_OUTOFMEMORY.
 *
 * https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cocreateinstance
 */
EVNT_PUBLIC HRESULT CoCreateInstance(REFCLSID Class, LPUNKNOWN Outer,
				     DWORD Context, REFIID Interface,
				     LPVOID *Object)
{
	if (!Object)
		return E_POINTER;
	*Object = NULL;
	if (!IsEqualCLSID(Class, &CLSID_CTraceRelogger) ||
	    !(Context & CLSCTX_INPROC_SERVER))
		return REGDB_E_CLASSNOTREG;
	return Outer ? CLASS_E_NOAGGREGATION :
		       relogger_create(Interface, Object);
}

HRESULT relog_query(IUnknown *object, REFIID id, const GUID *own, void **found)
{
	if (!found)
		return E_POINTER;
	*found = NULL;
	if (!IsEqualIID(id, &IID_IUnknown) && !IsEqualIID(id, own))
		return E_NOINTERFACE;
	object->lpVtbl->AddRef(object);
	*found = object;
	return S_OK;
}

/**
 * SysAllocStringLen() - allocate a BSTR
 * @Text: NULL, or the text to copy
 * @Length: length in WCHARs, to which a nul is added
 *
 * Return: the string, or NULL without memory.
 *
 * https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-sysallocstringlen
 */
EVNT_PUBLIC BSTR SysAllocStringLen(const OLECHAR *Text, UINT Length)
{
	u64 size = Length * (u64)sizeof(OLECHAR);
	u32 *prefix = NULL;

	if (size <= UINT32_MAX)
		prefix = calloc(1, sizeof(*prefix) + size + sizeof(OLECHAR));
	if (!prefix)
		return NULL;
	*prefix++ = size;
	return Text ? memcpy(prefix, Text, size) : (BSTR)prefix;
}

/**
 * SysAllocString() - allocate a BSTR of a text with a nul
 * @Text: the text, or NULL
 *
 * Return: the string; NULL without memory, or if @Text is NULL.
 *
 * https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-sysallocstring
 */
EVNT_PUBLIC BSTR SysAllocString(const OLECHAR *Text)
{
	return Text ? SysAllocStringLen(Text, evnt_wcslen(Text)) : NULL;
}

/**
 * SysStringLen() - return the length of a BSTR
 * @Text: the string; NULL has the length 0
 *
 * Return: the length in WCHARs, without the nul.
 *
 * https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-sysstringlen
 */
EVNT_PUBLIC UINT SysStringLen(BSTR Text)
{
	return Text ? ((u32 *)Text)[-1] / sizeof(OLECHAR) : 0;
}

/**
 * SysFreeString() - free a BSTR
 * @Text: the string, or NULL
 *
 * https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-sysfreestring
 */
EVNT_PUBLIC void SysFreeString(BSTR Text)
{
	if (Text)
		free((u32 *)Text - 1);
}
