/* SPDX-License-Identifier: MIT */
/*
 * GUIDs: the type is in evntbase.h.
 *
 * Each inclusion makes DEFINE_GUID() declare GUIDs from there on, or define them
 * if INITGUID is defined; initguid.h defines it.
 */
#include <evntbase.h>

#ifndef EVNT_GUIDDEF_H
#define EVNT_GUIDDEF_H

typedef GUID IID, CLSID, FMTID, UUID;
typedef GUID *LPIID, *LPCLSID;

#ifdef __cplusplus
extern "C++" {

typedef const GUID &REFGUID, &REFIID, &REFCLSID, &REFFMTID;

inline int IsEqualGUID(REFGUID a, REFGUID b)
{
	return !memcmp(&a, &b, sizeof(GUID));
}

inline bool operator==(REFGUID a, REFGUID b)
{
	return IsEqualGUID(a, b);
}

inline bool operator!=(REFGUID a, REFGUID b)
{
	return !IsEqualGUID(a, b);
}

}
#else
typedef const GUID *REFGUID, *REFIID, *REFCLSID, *REFFMTID;

#define IsEqualGUID(a, b)	(!memcmp(a, b, sizeof(GUID)))
#endif

#define InlineIsEqualGUID(a, b)	IsEqualGUID(a, b)
#define IsEqualIID(a, b)	IsEqualGUID(a, b)
#define IsEqualCLSID(a, b)	IsEqualGUID(a, b)

#endif /* EVNT_GUIDDEF_H */

#include <evntguid.h>
