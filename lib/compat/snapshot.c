// SPDX-License-Identifier: MIT
/*
 * Snapshots of the machine's processes and threads, read from /proc.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "compat.h"
#include <tlhelp32.h>

#define NORMAL_PRIORITY	8

/**
 * struct snapshot - lists of a snapshot
 * @processes: processes in the order of /proc
 * @process_count: number of @processes
 * @next_process: index of the next process that is returned
 * @threads: threads; the threads of a process are adjacent
 * @thread_count: number of @threads
 * @next_thread: index of the next thread that is returned
 */
struct snapshot {
	PROCESSENTRY32 *processes;
	size_t process_count;
	size_t next_process;
	THREADENTRY32 *threads;
	size_t thread_count;
	size_t next_thread;
};

static void release(void *data)
{
	struct snapshot *s = data;

	free(s->processes);
	free(s->threads);
	free(s);
}

DWORD evnt_next_id(DIR *folder)
{
	struct dirent *entry;

	while ((entry = readdir(folder))) {
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			return (DWORD)strtoul(entry->d_name, NULL, 10);
	}
	return 0;
}

/* The name of the program's file, or of a process that has none */
static void set_name(PROCESSENTRY32 *to, const char *name, size_t len)
{
	char path[64], file[PATH_MAX];
	const char *slash;

	snprintf(path, sizeof(path), "/proc/%u/exe", to->th32ProcessID);
	if (evnt_image_path(AT_FDCWD, path, file)) {
		slash = strrchr(file, '/');
		name = slash ? slash + 1 : file;
		len = strlen(name);
	}
	snprintf(to->szExeFile, sizeof(to->szExeFile), "%.*s", (int)len, name);
}

/* Describe a process, unless it has ended since its id was read */
static bool add_process(struct snapshot *s, DWORD id)
{
	char path[64], stat[1024];
	PROCESSENTRY32 *list, *to;
	char *name, *end;
	FILE *file;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%u/stat", id);
	file = fopen(path, "re");
	if (!file)
		return true;
	n = fread(stat, 1, sizeof(stat) - 1, file);
	fclose(file);
	stat[n] = 0;
	name = strchr(stat, '(');
	end = strrchr(stat, ')');
	if (!name || !end || end < name)
		return true;
	list = realloc(s->processes, (s->process_count + 1) * sizeof(*list));
	if (!list)
		return false;
	s->processes = list;
	to = &list[s->process_count++];
	memset(to, 0, sizeof(*to));
	to->dwSize = sizeof(*to);
	to->th32ProcessID = id;
	to->pcPriClassBase = NORMAL_PRIORITY;
	sscanf(end, ") %*c %u %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %u",
	       &to->th32ParentProcessID, &to->cntThreads);
	set_name(to, name + 1, end - name - 1);
	return true;
}

static bool add_thread(struct snapshot *s, DWORD process, DWORD id)
{
	THREADENTRY32 *list = realloc(s->threads, (s->thread_count + 1) *
				      sizeof(*list));

	if (!list)
		return false;
	s->threads = list;
	list[s->thread_count++] = (THREADENTRY32) {
		.dwSize = sizeof(*list),
		.th32ThreadID = id,
		.th32OwnerProcessID = process,
		.tpBasePri = NORMAL_PRIORITY,
	};
	return true;
}

static bool add_threads(struct snapshot *s, DWORD process)
{
	char path[64];
	DIR *folder;
	bool good = true;
	DWORD id;

	snprintf(path, sizeof(path), "/proc/%u/task", process);
	folder = opendir(path);
	if (!folder)
		return true;
	while (good && (id = evnt_next_id(folder)))
		good = add_thread(s, process, id);
	closedir(folder);
	return good;
}

static HANDLE fail_to_make(DWORD code)
{
	SetLastError(code);
	return INVALID_HANDLE_VALUE;
}

/* https://learn.microsoft.com/windows/win32/api/tlhelp32/nf-tlhelp32-createtoolhelp32snapshot */
HANDLE CreateToolhelp32Snapshot(DWORD flags, DWORD process)
{
	struct snapshot *s;
	bool good = true;
	HANDLE handle;
	DIR *proc;
	DWORD id;

	/* Lists of processes and threads are of all processes */
	(void)process;
	if (!(flags & (TH32CS_SNAPPROCESS | TH32CS_SNAPTHREAD)))
		return fail_to_make(flags & (TH32CS_SNAPMODULE |
					     TH32CS_SNAPHEAPLIST) ?
				    ERROR_NOT_SUPPORTED :
				    ERROR_INVALID_PARAMETER);
	proc = opendir("/proc");
	if (!proc) {
		evnt_set_proc_error(errno, ERROR_ACCESS_DENIED);
		return INVALID_HANDLE_VALUE;
	}
	s = calloc(1, sizeof(*s));
	if (!s) {
		closedir(proc);
		return fail_to_make(ERROR_NOT_ENOUGH_MEMORY);
	}
	while (good && (id = evnt_next_id(proc))) {
		if (flags & TH32CS_SNAPPROCESS)
			good = add_process(s, id);
		if (good && flags & TH32CS_SNAPTHREAD)
			good = add_threads(s, id);
	}
	closedir(proc);
	if (!good) {
		release(s);
		return fail_to_make(ERROR_NOT_ENOUGH_MEMORY);
	}
	handle = evnt_handle_new(s, release);
	return handle ? handle : INVALID_HANDLE_VALUE;
}

BOOL Process32Next(HANDLE snapshot, LPPROCESSENTRY32 to)
{
	struct snapshot *s = evnt_handle_data(snapshot, release);

	if (!s)
		return FALSE;
	if (to->dwSize < sizeof(*to))
		return fail_with(ERROR_BAD_LENGTH);
	if (s->next_process >= s->process_count)
		return fail_with(ERROR_NO_MORE_FILES);
	*to = s->processes[s->next_process++];
	return TRUE;
}

/* https://learn.microsoft.com/windows/win32/api/tlhelp32/nf-tlhelp32-process32first */
BOOL Process32First(HANDLE snapshot, LPPROCESSENTRY32 to)
{
	struct snapshot *s = evnt_handle_data(snapshot, release);

	if (s)
		s->next_process = 0;
	return Process32Next(snapshot, to);
}

static BOOL widen(HANDLE snapshot, LPPROCESSENTRY32W to,
		  BOOL (*get)(HANDLE, LPPROCESSENTRY32))
{
	PROCESSENTRY32 from = { .dwSize = sizeof(from) };

	if (to->dwSize < sizeof(*to))
		return fail_with(ERROR_BAD_LENGTH);
	if (!get(snapshot, &from))
		return FALSE;
	*to = (PROCESSENTRY32W) {
		.dwSize = sizeof(*to),
		.th32ProcessID = from.th32ProcessID,
		.cntThreads = from.cntThreads,
		.th32ParentProcessID = from.th32ParentProcessID,
		.pcPriClassBase = from.pcPriClassBase,
	};
	MultiByteToWideChar(CP_UTF8, 0, from.szExeFile, -1, to->szExeFile,
			    MAX_PATH);
	return TRUE;
}

BOOL Process32FirstW(HANDLE snapshot, LPPROCESSENTRY32W to)
{
	return widen(snapshot, to, Process32First);
}

BOOL Process32NextW(HANDLE snapshot, LPPROCESSENTRY32W to)
{
	return widen(snapshot, to, Process32Next);
}

BOOL Thread32Next(HANDLE snapshot, LPTHREADENTRY32 to)
{
	struct snapshot *s = evnt_handle_data(snapshot, release);

	if (!s)
		return FALSE;
	if (to->dwSize < sizeof(*to))
		return fail_with(ERROR_BAD_LENGTH);
	if (s->next_thread >= s->thread_count)
		return fail_with(ERROR_NO_MORE_FILES);
	*to = s->threads[s->next_thread++];
	return TRUE;
}

/* https://learn.microsoft.com/windows/win32/api/tlhelp32/nf-tlhelp32-thread32first */
BOOL Thread32First(HANDLE snapshot, LPTHREADENTRY32 to)
{
	struct snapshot *s = evnt_handle_data(snapshot, release);

	if (s)
		s->next_thread = 0;
	return Thread32Next(snapshot, to);
}
