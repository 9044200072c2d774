/* SPDX-License-Identifier: MIT */
/*
 * Keywords and attributes of Windows' compilers.
 *
 * What mc.exe has generated for twenty years relies on each of these:
 *
 * - __int64 is a macro, as unsigned may stand before it.
 * - DECLSPEC_NOINLINE __inline is one function in each file: C's inline has none
 *   to link with, and GNU's has one too many.
 * - __declspec(selectany) is a definition in each file, of which one is taken,
 *   even without a value, and behind an extern that would make a declaration of
 *   it: the latter is given a variable that nobody defines, and the definition
 *   begins anew.
 */
#ifndef EVNT_DECL_H
#define EVNT_DECL_H

#include <evntbase.h>

#define __int8			char
#define __int16			short
#define __int32			int
#define __int64			long long

#define __stdcall
#define __cdecl
#define __fastcall
#define __thiscall
#define __vectorcall
#define __ptr32
#define __ptr64
#define __unaligned
#define __w64
#define CALLBACK
#define APIENTRY
#define WINAPIV
#define PASCAL
#define STDAPICALLTYPE
#define STDMETHODCALLTYPE
#define UNALIGNED
#define FAR
#define NEAR
#ifndef CONST
#define CONST			const
#endif
#ifndef IN
#define IN
#endif
#ifndef OUT
#define OUT
#endif
#ifndef OPTIONAL
#define OPTIONAL
#endif

/* A compiler that knows it as a keyword is not asked */
#define __declspec(attribute)	EVNT_DECLSPEC_##attribute
#define EVNT_DECLSPEC_dllexport	__attribute__((__visibility__("default")))
#define EVNT_DECLSPEC_dllimport
#define EVNT_DECLSPEC_noinline	__attribute__((__noinline__))
#define EVNT_DECLSPEC_noreturn	__attribute__((__noreturn__))
#define EVNT_DECLSPEC_nothrow	__attribute__((__nothrow__))
#define EVNT_DECLSPEC_novtable
#define EVNT_DECLSPEC_restrict
#define EVNT_DECLSPEC_thread	__thread
#define EVNT_DECLSPEC_naked	__attribute__((__naked__))
#define EVNT_DECLSPEC_align(n)	__attribute__((__aligned__(n)))
#define EVNT_DECLSPEC_allocate(section)
#define EVNT_DECLSPEC_code_seg(section)
#define EVNT_DECLSPEC_deprecated(...)
#define EVNT_DECLSPEC_uuid(id)
#define EVNT_DECLSPEC_property(...)

#if __cplusplus >= 201703L
#define EVNT_DECLSPEC_selectany	EVNT_ANEW inline
#define DECLSPEC_CACHEALIGN	__attribute__((__aligned__(64)))
#define DECLSPEC_NOINLINE	__attribute__((__noinline__))
#elif defined(__cplusplus)
/* A constant without extern would be a file's own */
#define EVNT_DECLSPEC_selectany	__attribute__((__weak__))
#define DECLSPEC_CACHEALIGN \
	EVNT_ANEW __attribute__((__weak__, __aligned__(64)))
#define DECLSPEC_NOINLINE	__attribute__((__noinline__))
#else
#define EVNT_DECLSPEC_selectany	EVNT_ANEW __attribute__((__weak__))
#define DECLSPEC_CACHEALIGN	__attribute__((__aligned__(64)))
#define DECLSPEC_NOINLINE	static __attribute__((__unused__))
#endif
/* Generated headers define it as __inline where it is undefined */
#if !defined(__cplusplus) && !defined(ETW_INLINE)
#define ETW_INLINE		DECLSPEC_NOINLINE __inline
#endif
#define EVNT_ANEW		EVNT_ANEW_(__LINE__)
#define EVNT_ANEW_(line)	EVNT_ANEW__(line)
#define EVNT_ANEW__(line) \
	__attribute__((__weak__)) int evnt_not_defined_##line;

#define __forceinline		__inline __attribute__((__always_inline__))
#define FORCEINLINE		__forceinline
#define CFORCEINLINE		__forceinline
#define DECLSPEC_NORETURN	__attribute__((__noreturn__))
#define DECLSPEC_ALIGN(n)	__attribute__((__aligned__(n)))
#define DECLSPEC_NOTHROW
#define DECLSPEC_NOVTABLE
#define DECLSPEC_DEPRECATED
#define DECLSPEC_IMPORT
#define EXTERN_C_START		EVNT_BEGIN_DECLS
#define EXTERN_C_END		EVNT_END_DECLS

/* Its words are expanded, as those of #pragma are by Windows' compiler */
#define __pragma(...)		EVNT_PRAGMA(__VA_ARGS__)
#define EVNT_PRAGMA(...)	_Pragma(#__VA_ARGS__)
#define __noop(...)		((void)0)
#define __assume(condition)	((void)0)
#define __debugbreak()		__builtin_trap()
#define DebugBreak()		__builtin_trap()
#define UNREFERENCED_PARAMETER(p)	((void)(p))
#define DBG_UNREFERENCED_PARAMETER(p)	((void)(p))
#define C_ASSERT(condition)	typedef char evnt_assert[(condition) ? 1 : -1] \
					__attribute__((__unused__))

#endif /* EVNT_DECL_H */
