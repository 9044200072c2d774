/* SPDX-License-Identifier: MIT */
/*
 * GUIDs: the type and DEFINE_GUID() are in evntbase.h.
 *
 * DEFINE_GUID() declares a GUID, or defines it if INITGUID is defined.
 * Including initguid.h, or this header again, switches to definitions from there on.
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

#ifdef INITGUID
#undef DEFINE_GUID
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)	\
	EXTERN_C const GUID DECLSPEC_SELECTANY name;			\
	const GUID name = { l, w1, w2,					\
			    { b1, b2, b3, b4, b5, b6, b7, b8 } }
#endif
