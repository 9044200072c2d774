/* SPDX-License-Identifier: MIT */
/*
 * Text form of security identifiers, such as S-1-22-1-1000.
 */
#ifndef SDDL_H
#define SDDL_H

#include "securitybaseapi.h"

typedef HANDLE HLOCAL;

EVNT_BEGIN_DECLS

/*
 * These functions return FALSE on failure and set the last error.  The caller
 * frees the results with LocalFree(), which returns NULL.
 */
BOOL WINAPI ConvertSidToStringSidW(PSID Sid, LPWSTR *StringSid);
BOOL WINAPI ConvertSidToStringSidA(PSID Sid, LPSTR *StringSid);
BOOL WINAPI ConvertStringSidToSidW(LPCWSTR StringSid, PSID *Sid);
BOOL WINAPI ConvertStringSidToSidA(LPCSTR StringSid, PSID *Sid);
HLOCAL WINAPI LocalFree(HLOCAL Memory);

EVNT_END_DECLS

#ifdef UNICODE
#define ConvertSidToStringSid			ConvertSidToStringSidW
#define ConvertStringSidToSid			ConvertStringSidToSidW
#else
#define ConvertSidToStringSid			ConvertSidToStringSidA
#define ConvertStringSidToSid			ConvertStringSidToSidA
#endif

#endif /* SDDL_H */
