/* SPDX-License-Identifier: MIT */
/*
 * Digests by SHA-1, from which providers derive their ids; there are no other
 * functions of cryptography.
 */
#ifndef EVNT_WINCRYPT_H
#define EVNT_WINCRYPT_H

#include "windows.h"

EVNT_BEGIN_DECLS

typedef ULONG_PTR HCRYPTPROV;
typedef ULONG_PTR HCRYPTHASH;
typedef ULONG_PTR HCRYPTKEY;
typedef unsigned int ALG_ID;

#define PROV_RSA_FULL		1u
#define PROV_RSA_AES		24u
#define CRYPT_VERIFYCONTEXT	0xf0000000u
#define CALG_SHA1		0x8004u
#define CALG_SHA		CALG_SHA1
#define HP_ALGID		1u
#define HP_HASHVAL		2u
#define HP_HASHSIZE		4u
#define NTE_BAD_HASH		((LONG)0x80090002)
#define NTE_BAD_ALGID		((LONG)0x80090008)
#define NTE_BAD_TYPE		((LONG)0x8009000a)

BOOL CryptAcquireContextA(HCRYPTPROV *to, LPCSTR container, LPCSTR name,
			  DWORD type, DWORD flags);
BOOL CryptAcquireContextW(HCRYPTPROV *to, LPCWSTR container, LPCWSTR name,
			  DWORD type, DWORD flags);
BOOL CryptReleaseContext(HCRYPTPROV context, DWORD flags);
BOOL CryptCreateHash(HCRYPTPROV context, ALG_ID algorithm, HCRYPTKEY key,
		     DWORD flags, HCRYPTHASH *to);
BOOL CryptHashData(HCRYPTHASH hash, const BYTE *data, DWORD size, DWORD flags);
BOOL CryptGetHashParam(HCRYPTHASH hash, DWORD parameter, BYTE *to, DWORD *size,
		       DWORD flags);
BOOL CryptDestroyHash(HCRYPTHASH hash);

EVNT_END_DECLS

#ifdef UNICODE
#define CryptAcquireContext	CryptAcquireContextW
#else
#define CryptAcquireContext	CryptAcquireContextA
#endif

#endif /* EVNT_WINCRYPT_H */
