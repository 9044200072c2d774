// SPDX-License-Identifier: MIT
/*
 * Libraries that programs load: the names of Windows libraries, in which
 * programs look up functions of ETW, stand for the program and what it is
 * linked with.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <link.h>

#include "compat.h"

static bool is_of_windows(const char *name)
{
	static const char * const names[] = {
		"advapi32", "kernel32", "ntdll", "tdh", "sechost", "ole32",
		"rpcrt4", "user32", "api-ms-win-eventing-provider-l1-1-0",
	};
	const char *dot = strrchr(name, '.');
	size_t i, n = strlen(name);

	if (dot && !strcasecmp(dot, ".dll"))
		n = dot - name;
	for (i = 0; i < ARRAYSIZE(names); i++) {
		if (strlen(names[i]) == n && !strncasecmp(names[i], name, n))
			return true;
	}
	return false;
}

static HMODULE open_library(const char *name, int flags)
{
	HMODULE module = name ?
		dlopen(is_of_windows(name) ? NULL : name, flags) : NULL;

	if (!module)
		SetLastError(name ? ERROR_MOD_NOT_FOUND :
				    ERROR_INVALID_PARAMETER);
	return module;
}

static HMODULE open_wide(LPCWSTR wide, int flags)
{
	char *name = wide ? evnt16_to_utf8_new(wide) : NULL;
	HMODULE module = open_library(name, flags);

	free(name);
	return module;
}

/* https://learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-loadlibraryexa */
HMODULE LoadLibraryExA(LPCSTR name, HANDLE reserved, DWORD flags)
{
	(void)reserved;
	(void)flags;
	return open_library(name, RTLD_NOW);
}

HMODULE LoadLibraryExW(LPCWSTR name, HANDLE reserved, DWORD flags)
{
	(void)reserved;
	(void)flags;
	return open_wide(name, RTLD_NOW);
}

HMODULE LoadLibraryA(LPCSTR name)
{
	return open_library(name, RTLD_NOW);
}

HMODULE LoadLibraryW(LPCWSTR name)
{
	return open_wide(name, RTLD_NOW);
}

/* NULL is the program; libraries that are not loaded are not found */
HMODULE GetModuleHandleA(LPCSTR name)
{
	return name ? open_library(name, RTLD_NOW | RTLD_NOLOAD) :
		      dlopen(NULL, RTLD_NOW);
}

HMODULE GetModuleHandleW(LPCWSTR name)
{
	return name ? open_wide(name, RTLD_NOW | RTLD_NOLOAD) :
		      dlopen(NULL, RTLD_NOW);
}

FARPROC GetProcAddress(HMODULE module, LPCSTR name)
{
	FARPROC function;
	void *p = module && name ? dlsym(module, name) : NULL;

	if (!p)
		SetLastError(ERROR_PROC_NOT_FOUND);
	memcpy(&function, &p, sizeof(function));
	return function;
}

BOOL FreeLibrary(HMODULE module)
{
	if (!module || dlclose(module))
		return fail_with(ERROR_INVALID_HANDLE);
	return TRUE;
}

/* Return the module that contains an address, with a reference */
static HMODULE open_by_address(const void *address, int flags)
{
	struct link_map *map;
	HMODULE module = NULL;
	Dl_info info;

	if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP))
		module = dlopen(*map->l_name ? map->l_name : NULL, flags);
	if (!module)
		SetLastError(ERROR_MOD_NOT_FOUND);
	return module;
}

/* https://learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-getmodulehandleexa */
BOOL GetModuleHandleExA(DWORD flags, LPCSTR name, HMODULE *module)
{
	bool pin = flags & GET_MODULE_HANDLE_EX_FLAG_PIN;
	bool lend = flags & GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
	bool by_address = flags & GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS;
	int how = RTLD_NOW | RTLD_NOLOAD | (pin ? RTLD_NODELETE : 0);

	*module = NULL;
	if ((pin && lend) || flags & ~7u)
		return fail_with(ERROR_INVALID_PARAMETER);
	*module = by_address ? open_by_address(name, how) :
		  name ? open_library(name, how) : dlopen(NULL, RTLD_NOW);
	if (*module && lend)
		dlclose(*module);
	return !!*module;
}

BOOL GetModuleHandleExW(DWORD flags, LPCWSTR name, HMODULE *module)
{
	char *narrow;
	BOOL found;

	if (!name || flags & GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS)
		return GetModuleHandleExA(flags, (LPCSTR)name, module);
	*module = NULL;
	narrow = evnt16_to_utf8_new(name);
	if (!narrow)
		return fail_with(ERROR_NOT_ENOUGH_MEMORY);
	found = GetModuleHandleExA(flags, narrow, module);
	free(narrow);
	return found;
}

/* Return the path of a module, the program by default */
DWORD GetModuleFileNameA(HMODULE module, LPSTR to, DWORD size)
{
	char program[PATH_MAX];
	const char *path = program;
	struct link_map *map;
	ssize_t n;

	if (!size)
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	if (module && dlinfo(module, RTLD_DI_LINKMAP, &map))
		return fail_with(ERROR_MOD_NOT_FOUND);
	n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (n < 0)
		return fail_with(ERROR_FILE_NOT_FOUND);
	program[n] = 0;
	if (module && *map->l_name) {
		path = map->l_name;
		n = strlen(path);
	}
	if (!strncpy_s(to, size, path, n))
		return (DWORD)n;
	strncpy_s(to, size, path, _TRUNCATE);
	SetLastError(ERROR_INSUFFICIENT_BUFFER);
	return size;
}

DWORD GetModuleFileNameW(HMODULE module, LPWSTR to, DWORD size)
{
	char path[PATH_MAX];
	WCHAR *wide;
	DWORD n;

	if (!GetModuleFileNameA(module, path, sizeof(path)))
		return 0;
	wide = evnt16_from_utf8_new(path);
	if (!wide || !size) {
		free(wide);
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	}
	n = (DWORD)evnt16_wcslen(wide);
	if (n >= size) {
		n = size;
		SetLastError(ERROR_INSUFFICIENT_BUFFER);
	}
	wcsncpy_s(to, size, wide, _TRUNCATE);
	free(wide);
	return n;
}
