/* SPDX-License-Identifier: MIT */
/* Make DEFINE_GUID() define GUIDs from here on. */
#ifndef INITGUID
#define INITGUID
#endif
#include "guiddef.h"

#undef DEFINE_GUID
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)	\
	EXTERN_C const GUID DECLSPEC_SELECTANY name;			\
	const GUID name = { l, w1, w2,					\
			    { b1, b2, b3, b4, b5, b6, b7, b8 } }
