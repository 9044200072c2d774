/* SPDX-License-Identifier: MIT */
/*
 * DEFINE_GUID(), which declares a GUID or, with INITGUID, defines it, as a weak
 * symbol so that several files can contain the definition.
 *
 * No guard: each inclusion replaces the macro, so that a program can define
 * INITGUID, or undefine it, between two inclusions of guiddef.h.
 */
#ifndef DECLSPEC_SELECTANY
#define DECLSPEC_SELECTANY	__attribute__((weak))
#endif
#undef DEFINE_GUID
#ifdef INITGUID
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)	\
	EXTERN_C const GUID DECLSPEC_SELECTANY name;			\
	const GUID name = { l, w1, w2,					\
			    { b1, b2, b3, b4, b5, b6, b7, b8 } }
#else
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)	\
	EXTERN_C const GUID name
#endif
