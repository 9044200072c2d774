// SPDX-License-Identifier: MIT
/*
 * Files of a directory that match a pattern.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include "compat.h"

#define TICKS_PER_SECOND	10000000ull
/* Seconds from 1601 to 1970 */
#define EPOCH_SECONDS		11644473600ull

struct search {
	DIR *folder;
	char pattern[];		/* for names in the directory */
};

static FILETIME filetime_of(struct timespec t)
{
	ULONGLONG ticks = (t.tv_sec + EPOCH_SECONDS) * TICKS_PER_SECOND +
			  t.tv_nsec / 100;

	return (FILETIME) { (DWORD)ticks, (DWORD)(ticks >> 32) };
}

/* Describe a file; false if it no longer exists */
static bool describe(const struct search *s, const char *name,
		     WIN32_FIND_DATAA *to)
{
	struct stat st;

	if (fstatat(dirfd(s->folder), name, &st, 0))
		return false;
	memset(to, 0, sizeof(*to));
	to->dwFileAttributes = S_ISDIR(st.st_mode) ? FILE_ATTRIBUTE_DIRECTORY :
						     FILE_ATTRIBUTE_NORMAL;
	to->ftCreationTime = filetime_of(st.st_ctim);
	to->ftLastAccessTime = filetime_of(st.st_atim);
	to->ftLastWriteTime = filetime_of(st.st_mtim);
	to->nFileSizeHigh = (DWORD)((ULONGLONG)st.st_size >> 32);
	to->nFileSizeLow = (DWORD)st.st_size;
	strncpy_s(to->cFileName, sizeof(to->cFileName), name, _TRUNCATE);
	return true;
}

/* Match a name; *.* matches all names, even without a dot */
static bool fits(const struct search *s, const char *name)
{
	return !strcmp(s->pattern, "*.*") ||
	       !fnmatch(s->pattern, name, FNM_NOESCAPE | FNM_CASEFOLD);
}

/* https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-findnextfilea */
BOOL FindNextFileA(HANDLE search, WIN32_FIND_DATAA *to)
{
	struct search *s = search;
	struct dirent *entry;

	if (!s || s == INVALID_HANDLE_VALUE)
		return fail_with(ERROR_INVALID_HANDLE);
	while ((entry = readdir(s->folder))) {
		if (fits(s, entry->d_name) && describe(s, entry->d_name, to))
			return TRUE;
	}
	return fail_with(ERROR_NO_MORE_FILES);
}

BOOL FindClose(HANDLE search)
{
	struct search *s = search;

	if (!s || s == INVALID_HANDLE_VALUE)
		return fail_with(ERROR_INVALID_HANDLE);
	closedir(s->folder);
	free(s);
	return TRUE;
}

static HANDLE fail_to_find(DWORD code)
{
	SetLastError(code);
	return INVALID_HANDLE_VALUE;
}

/* https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-findfirstfilea */
HANDLE FindFirstFileA(LPCSTR pattern, WIN32_FIND_DATAA *to)
{
	const char *slash = pattern ? strrchr(pattern, '/') : NULL, *name;
	struct search *s;
	char *folder;

	if (!pattern || !to)
		return fail_to_find(ERROR_INVALID_PARAMETER);
	name = slash ? slash + 1 : pattern;
	s = calloc(1, sizeof(*s) + strlen(name) + 1);
	folder = slash ? strndup(pattern, name - pattern) : strdup(".");
	if (s && folder) {
		memcpy(s->pattern, name, strlen(name));
		s->folder = opendir(folder);
	}
	free(folder);
	if (!s || !s->folder) {
		free(s);
		return fail_to_find(ERROR_PATH_NOT_FOUND);
	}
	if (FindNextFileA(s, to))
		return s;
	FindClose(s);
	return fail_to_find(ERROR_FILE_NOT_FOUND);
}

static void widen(const WIN32_FIND_DATAA *from, WIN32_FIND_DATAW *to)
{
	memset(to, 0, sizeof(*to));
	to->dwFileAttributes = from->dwFileAttributes;
	to->ftCreationTime = from->ftCreationTime;
	to->ftLastAccessTime = from->ftLastAccessTime;
	to->ftLastWriteTime = from->ftLastWriteTime;
	to->nFileSizeHigh = from->nFileSizeHigh;
	to->nFileSizeLow = from->nFileSizeLow;
	MultiByteToWideChar(CP_UTF8, 0, from->cFileName, -1, to->cFileName,
			    MAX_PATH);
}

HANDLE FindFirstFileW(LPCWSTR pattern, WIN32_FIND_DATAW *to)
{
	char *bytes = pattern ? evnt16_to_utf8_new(pattern) : NULL;
	WIN32_FIND_DATAA found;
	HANDLE search;

	if (!to)
		search = fail_to_find(ERROR_INVALID_PARAMETER);
	else
		search = FindFirstFileA(bytes, &found);
	if (search != INVALID_HANDLE_VALUE)
		widen(&found, to);
	free(bytes);
	return search;
}

BOOL FindNextFileW(HANDLE search, WIN32_FIND_DATAW *to)
{
	WIN32_FIND_DATAA found;

	if (!FindNextFileA(search, &found))
		return FALSE;
	widen(&found, to);
	return TRUE;
}
