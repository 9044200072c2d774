// SPDX-License-Identifier: MIT
/*
 * Digests by SHA-1.
 */
#include "compat.h"
#include <wincrypt.h>

/* The archive is linked with each kind of the library, which has the function */
#define evnt_sha1	evnt_compat_sha1
#include "lib/base/sha1.c"

#define DIGEST_SIZE	20

/**
 * struct hash - a digest
 * @data: all data that was added
 * @len: length of @data in bytes
 */
struct hash {
	BYTE *data;
	size_t len;
};

/* The only context, which is not zero */
#define CONTEXT		1

/* https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-cryptacquirecontexta */
BOOL CryptAcquireContextA(HCRYPTPROV *to, LPCSTR container, LPCSTR name,
			  DWORD type, DWORD flags)
{
	(void)container;
	(void)name;
	(void)type;
	if (!to)
		return fail_with(ERROR_INVALID_PARAMETER);
	/* There are no keys */
	if (!(flags & CRYPT_VERIFYCONTEXT))
		return fail_with(ERROR_NOT_SUPPORTED);
	*to = CONTEXT;
	return TRUE;
}

BOOL CryptAcquireContextW(HCRYPTPROV *to, LPCWSTR container, LPCWSTR name,
			  DWORD type, DWORD flags)
{
	(void)container;
	(void)name;
	return CryptAcquireContextA(to, NULL, NULL, type, flags);
}

BOOL CryptReleaseContext(HCRYPTPROV context, DWORD flags)
{
	(void)flags;
	return context == CONTEXT ? TRUE : fail_with(ERROR_INVALID_PARAMETER);
}

/* https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-cryptcreatehash */
BOOL CryptCreateHash(HCRYPTPROV context, ALG_ID algorithm, HCRYPTKEY key,
		     DWORD flags, HCRYPTHASH *to)
{
	struct hash *hash;

	(void)flags;
	if (context != CONTEXT || key || !to)
		return fail_with(ERROR_INVALID_PARAMETER);
	if (algorithm != CALG_SHA1)
		return fail_with((DWORD)NTE_BAD_ALGID);
	hash = calloc(1, sizeof(*hash));
	if (!hash)
		return fail_with(ERROR_NOT_ENOUGH_MEMORY);
	*to = (HCRYPTHASH)hash;
	return TRUE;
}

/* https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-crypthashdata */
BOOL CryptHashData(HCRYPTHASH handle, const BYTE *data, DWORD size, DWORD flags)
{
	struct hash *hash = (struct hash *)handle;
	BYTE *more;

	(void)flags;
	if (!hash || (!data && size))
		return fail_with(ERROR_INVALID_PARAMETER);
	if (!size)
		return TRUE;
	more = realloc(hash->data, hash->len + size);
	if (!more)
		return fail_with(ERROR_NOT_ENOUGH_MEMORY);
	memcpy(more + hash->len, data, size);
	hash->data = more;
	hash->len += size;
	return TRUE;
}

/* https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-cryptgethashparam */
BOOL CryptGetHashParam(HCRYPTHASH handle, DWORD parameter, BYTE *to, DWORD *size,
		       DWORD flags)
{
	const struct hash *hash = (const struct hash *)handle;
	const DWORD digest_size = DIGEST_SIZE;
	const ALG_ID algorithm = CALG_SHA1;
	uint8_t digest[DIGEST_SIZE];
	const void *value = digest;
	DWORD needed = DIGEST_SIZE;

	(void)flags;
	if (!hash || !size)
		return fail_with(ERROR_INVALID_PARAMETER);
	switch (parameter) {
	case HP_HASHVAL:
		evnt_sha1(hash->data, hash->len, digest);
		break;
	case HP_HASHSIZE:
		value = &digest_size;
		needed = sizeof(digest_size);
		break;
	case HP_ALGID:
		value = &algorithm;
		needed = sizeof(algorithm);
		break;
	default:
		return fail_with((DWORD)NTE_BAD_TYPE);
	}
	if (to && *size < needed) {
		*size = needed;
		return fail_with(ERROR_MORE_DATA);
	}
	*size = needed;
	if (to)
		memcpy(to, value, needed);
	return TRUE;
}

BOOL CryptDestroyHash(HCRYPTHASH handle)
{
	struct hash *hash = (struct hash *)handle;

	if (!hash)
		return fail_with(ERROR_INVALID_PARAMETER);
	free(hash->data);
	free(hash);
	return TRUE;
}
