// SPDX-License-Identifier: MIT
/*
 * Processes: handles of them, and their files and memory as /proc shows them.
 *
 * A handle keeps the folder of its process open, in which no file is found after
 * its end, even if another process has its id.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <unistd.h>

#include "compat.h"
#include <psapi.h>

struct process {
	DWORD id;
	int folder;
};

static void release(void *data)
{
	struct process *p = data;

	close(p->folder);
	free(p);
}

void evnt_set_proc_error(int err, DWORD none)
{
	switch (err) {
	case EACCES:
	case EPERM:
		SetLastError(ERROR_ACCESS_DENIED);
		break;
	case EMFILE:
	case ENFILE:
		SetLastError(ERROR_TOO_MANY_OPEN_FILES);
		break;
	case ENOMEM:
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		break;
	default:
		SetLastError(none);
	}
}

/* Read a file of /proc from its beginning; false with errno */
static bool read_file(int folder, const char *name, char *to, size_t size)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC), err;
	ssize_t n;

	*to = 0;
	if (fd < 0)
		return false;
	n = read(fd, to, size - 1);
	err = n ? errno : ESRCH;
	close(fd);
	errno = err;
	to[n < 0 ? 0 : n] = 0;
	return n > 0;
}

/* Check whether a folder is of a thread; if that is hidden, it is of a process */
static bool is_thread(int folder, DWORD id)
{
	char status[4096];
	const char *group;

	if (!read_file(folder, "status", status, sizeof(status)))
		return false;
	group = strstr(status, "\nTgid:");
	return group && strtoul(group + 6, NULL, 10) != id;
}

/* Open the folder of a process; -1 with errno */
static int open_process(DWORD id)
{
	char path[32];
	int folder;

	snprintf(path, sizeof(path), "/proc/%u", id);
	folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	/* Threads have folders, too, which lists of /proc omit */
	if (folder < 0 || !is_thread(folder, id))
		return folder;
	close(folder);
	errno = ESRCH;
	return -1;
}

/* https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-openprocess */
HANDLE OpenProcess(DWORD access, BOOL inherit, DWORD id)
{
	struct process *p = malloc(sizeof(*p));

	(void)access;
	(void)inherit;
	if (!p) {
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	p->id = id;
	p->folder = open_process(id);
	if (p->folder < 0) {
		evnt_set_proc_error(errno, ERROR_INVALID_PARAMETER);
		free(p);
		return NULL;
	}
	return evnt_handle_new(p, release);
}

DWORD GetProcessId(HANDLE process)
{
	struct process *p;

	if (process == GetCurrentProcess())
		return GetCurrentProcessId();
	p = evnt_handle_data(process, release);
	return p ? p->id : 0;
}

static bool is_own(HANDLE process)
{
	return process == GetCurrentProcess() ||
	       GetProcessId(process) == GetCurrentProcessId();
}

/* Return the folder of a process, to be closed, or -1 */
static int open_folder(HANDLE process)
{
	struct process *p = NULL;
	int folder;

	if (process != GetCurrentProcess()) {
		p = evnt_handle_data(process, release);
		if (!p)
			return -1;
	}
	folder = p ? fcntl(p->folder, F_DUPFD_CLOEXEC, 0) :
		     open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		evnt_set_proc_error(errno, ERROR_INVALID_HANDLE);
	return folder;
}

bool evnt_image_path(int folder, const char *exe, char path[PATH_MAX])
{
	static const char mark[] = " (deleted)";
	ssize_t n = readlinkat(folder, exe, path, PATH_MAX - 1);

	if (n < 0)
		return false;
	path[n] = 0;
	/* The kernel marks a path that no longer is the program's */
	n -= sizeof(mark) - 1;
	if (n > 0 && !strcmp(path + n, mark) && access(path, F_OK))
		path[n] = 0;
	return true;
}

/* Read the path of the program of a process */
static bool image_of(HANDLE process, char path[PATH_MAX])
{
	int folder = open_folder(process);
	bool good;

	if (folder < 0)
		return false;
	good = evnt_image_path(folder, "exe", path);
	if (!good)
		evnt_set_proc_error(errno, ERROR_FILE_NOT_FOUND);
	close(folder);
	return good;
}

/* Copy a path that fits; return its length */
static DWORD copy_path(const char *path, LPSTR to, DWORD size)
{
	size_t n = strlen(path);

	if (!to || n >= size)
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	memcpy(to, path, n + 1);
	return (DWORD)n;
}

static DWORD copy_path_wide(const char *path, LPWSTR to, DWORD size)
{
	WCHAR *wide = evnt16_from_utf8_new(path);
	size_t n = wide ? evnt16_wcslen(wide) : 0;
	bool fits = wide && to && n < size;

	if (fits)
		memcpy(to, wide, (n + 1) * sizeof(*to));
	free(wide);
	return fits ? (DWORD)n : (DWORD)fail_with(ERROR_INSUFFICIENT_BUFFER);
}

/* Paths are paths of Linux, as there are no devices with names of Windows */
DWORD GetProcessImageFileNameA(HANDLE process, LPSTR to, DWORD size)
{
	char path[PATH_MAX];

	return image_of(process, path) ? copy_path(path, to, size) : 0;
}

DWORD GetProcessImageFileNameW(HANDLE process, LPWSTR to, DWORD size)
{
	char path[PATH_MAX];

	return image_of(process, path) ? copy_path_wide(path, to, size) : 0;
}

/* https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-queryfullprocessimagenamea */
BOOL QueryFullProcessImageNameA(HANDLE process, DWORD flags, LPSTR to,
				LPDWORD size)
{
	DWORD n = GetProcessImageFileNameA(process, to, *size);

	(void)flags;
	if (n)
		*size = n;
	return n;
}

BOOL QueryFullProcessImageNameW(HANDLE process, DWORD flags, LPWSTR to,
				LPDWORD size)
{
	DWORD n = GetProcessImageFileNameW(process, to, *size);

	(void)flags;
	if (n)
		*size = n;
	return n;
}

/* Read the path of a module of the program, or of a process' program */
static bool module_path(HANDLE process, HMODULE module, char path[PATH_MAX])
{
	struct link_map *map;

	if (!module)
		return image_of(process, path);
	if (!is_own(process) || dlinfo(module, RTLD_DI_LINKMAP, &map))
		return fail_with(ERROR_INVALID_HANDLE);
	if (!*map->l_name)
		return image_of(process, path);
	return !strncpy_s(path, PATH_MAX, map->l_name, _TRUNCATE);
}

/*
 * Unlike the other functions, these shorten a path that does not fit
 *
 * https://learn.microsoft.com/windows/win32/api/psapi/nf-psapi-getmodulefilenameexa
 */
DWORD GetModuleFileNameExA(HANDLE process, HMODULE module, LPSTR to, DWORD size)
{
	char path[PATH_MAX];

	if (!module_path(process, module, path))
		return 0;
	if (!to || !size)
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	strncpy_s(to, size, path, _TRUNCATE);
	return (DWORD)strlen(to);
}

DWORD GetModuleFileNameExW(HANDLE process, HMODULE module, LPWSTR to,
			   DWORD size)
{
	char path[PATH_MAX];
	WCHAR *wide;

	if (!module_path(process, module, path))
		return 0;
	wide = evnt16_from_utf8_new(path);
	if (!wide || !to || !size) {
		free(wide);
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	}
	wcsncpy_s(to, size, wide, _TRUNCATE);
	free(wide);
	return (DWORD)evnt16_wcslen(to);
}

/* https://learn.microsoft.com/windows/win32/api/psapi/nf-psapi-enumprocesses */
BOOL EnumProcesses(DWORD *ids, DWORD size, LPDWORD needed)
{
	DIR *proc = opendir("/proc");
	DWORD id, count = 0;

	if (!proc) {
		evnt_set_proc_error(errno, ERROR_ACCESS_DENIED);
		return FALSE;
	}
	while (count < size / sizeof(*ids) && (id = evnt_next_id(proc)))
		ids[count++] = id;
	closedir(proc);
	*needed = count * sizeof(*ids);
	return TRUE;
}

/* Name of a module of the program, in a list */
struct module_name {
	struct module_name *next;
	char text[];
};

/* Append a module to the list whose end @context points to */
static int add_module(struct dl_phdr_info *info, size_t size, void *context)
{
	const size_t len = strlen(info->dlpi_name);
	struct module_name ***end = context, *name;

	(void)size;
	/* The kernel's module has a name alone, and no file */
	if (len && !strchr(info->dlpi_name, '/'))
		return 0;
	name = malloc(sizeof(*name) + len + 1);
	if (!name)
		return 1;
	name->next = NULL;
	memcpy(name->text, info->dlpi_name, len + 1);
	**end = name;
	*end = &name->next;
	return 0;
}

/*
 * The handles equal the handles of LoadLibrary(), and are valid until the module
 * is removed
 *
 * https://learn.microsoft.com/windows/win32/api/psapi/nf-psapi-enumprocessmodules
 */
BOOL EnumProcessModules(HANDLE process, HMODULE *modules, DWORD size,
			LPDWORD needed)
{
	struct module_name *first = NULL, *name, **end = &first;
	DWORD count = 0;
	HMODULE module;

	if (!is_own(process))
		return fail_with(ERROR_NOT_SUPPORTED);
	dl_iterate_phdr(add_module, &end);
	while (first) {
		name = first;
		module = dlopen(*name->text ? name->text : NULL,
				RTLD_LAZY | RTLD_NOLOAD);
		first = name->next;
		free(name);
		if (!module)
			continue;
		dlclose(module);
		if (count < size / sizeof(*modules))
			modules[count] = module;
		count++;
	}
	*needed = count * sizeof(*modules);
	return TRUE;
}

/* Read a line of a process' status, in KiB */
static SIZE_T status_of(const char *status, const char *name)
{
	const char *line = strstr(status, name);

	return line ? 1024 * strtoull(line + strlen(name), NULL, 10) : 0;
}

static DWORD faults_of(const char *stat)
{
	unsigned long minor = 0, major = 0;
	const char *end = strrchr(stat, ')');

	if (end)
		sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %lu %*u %lu",
		       &minor, &major);
	return (DWORD)(minor + major);
}

/* https://learn.microsoft.com/windows/win32/api/psapi/nf-psapi-getprocessmemoryinfo */
BOOL GetProcessMemoryInfo(HANDLE process, PPROCESS_MEMORY_COUNTERS to,
			  DWORD size)
{
	PROCESS_MEMORY_COUNTERS_EX all = { .cb = size };
	char status[4096], stat[1024];
	int folder;
	bool good;

	if (!to || size < sizeof(*to))
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	folder = open_folder(process);
	if (folder < 0)
		return FALSE;
	good = read_file(folder, "status", status, sizeof(status)) &&
	       read_file(folder, "stat", stat, sizeof(stat));
	if (!good)
		evnt_set_proc_error(errno, ERROR_INVALID_HANDLE);
	close(folder);
	if (!good)
		return FALSE;
	all.PageFaultCount = faults_of(stat);
	all.PeakWorkingSetSize = status_of(status, "\nVmHWM:");
	all.WorkingSetSize = status_of(status, "\nVmRSS:");
	all.PrivateUsage = status_of(status, "\nRssAnon:") +
			   status_of(status, "\nVmSwap:");
	all.PagefileUsage = all.PrivateUsage;
	all.PeakPagefileUsage = all.PrivateUsage;
	memcpy(to, &all, size < sizeof(all) ? size : sizeof(all));
	return TRUE;
}
