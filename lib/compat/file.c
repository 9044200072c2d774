// SPDX-License-Identifier: MIT
/*
 * Files, and the standard streams of the program, as handles.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static HANDLE streams[3];
static const DWORD stream_ids[3] = {
	STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE,
};

/* A descriptor is the data of its handle, plus 1, as NULL is no data */
static void release(void *data)
{
	close((int)(LONG_PTR)data - 1);
}

/* Return the descriptor of a handle; -1 with the last error */
static int fd_of(HANDLE file)
{
	return (int)(LONG_PTR)evnt_handle_data(file, release) - 1;
}

static HANDLE new_file(int fd)
{
	return evnt_handle_new((void *)((LONG_PTR)fd + 1), release);
}

static void set_error(void)
{
	switch (errno) {
	case ENOENT:
		SetLastError(ERROR_FILE_NOT_FOUND);
		break;
	case ENOTDIR:
		SetLastError(ERROR_PATH_NOT_FOUND);
		break;
	case EEXIST:
		SetLastError(ERROR_FILE_EXISTS);
		break;
	case ENOSPC:
		SetLastError(ERROR_DISK_FULL);
		break;
	case EPIPE:
		SetLastError(ERROR_BROKEN_PIPE);
		break;
	default:
		evnt_set_proc_error(errno, ERROR_ACCESS_DENIED);
	}
}

/* A stream that the program was started without has no handle */
static void open_streams(void)
{
	int i, fd;

	for (i = 0; i < 3; i++) {
		fd = fcntl(i, F_DUPFD_CLOEXEC, 3);
		if (fd >= 0)
			streams[i] = new_file(fd);
	}
}

/* https://learn.microsoft.com/windows/console/getstdhandle */
HANDLE GetStdHandle(DWORD id)
{
	int i;

	pthread_once(&once, open_streams);
	for (i = 0; i < 3; i++) {
		if (id == stream_ids[i])
			return streams[i];
	}
	SetLastError(ERROR_INVALID_HANDLE);
	return INVALID_HANDLE_VALUE;
}

/* https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-createfilea */
HANDLE CreateFileA(LPCSTR name, DWORD access, DWORD share,
		   LPSECURITY_ATTRIBUTES attributes, DWORD disposition,
		   DWORD flags, HANDLE model)
{
	static const int dispositions[] = {
		[CREATE_NEW] = O_CREAT | O_EXCL,
		[CREATE_ALWAYS] = O_CREAT | O_TRUNC,
		[OPEN_EXISTING] = 0,
		[OPEN_ALWAYS] = O_CREAT,
		[TRUNCATE_EXISTING] = O_TRUNC,
	};
	int mode = O_RDONLY, fd;
	HANDLE file;

	(void)share;
	(void)attributes;
	(void)flags;
	(void)model;
	if (!disposition || disposition >= ARRAYSIZE(dispositions)) {
		SetLastError(ERROR_INVALID_PARAMETER);
		return INVALID_HANDLE_VALUE;
	}
	if (access & GENERIC_WRITE)
		mode = access & GENERIC_READ ? O_RDWR : O_WRONLY;
	fd = open(name, mode | O_CLOEXEC | dispositions[disposition], 0666);
	if (fd < 0) {
		set_error();
		return INVALID_HANDLE_VALUE;
	}
	file = new_file(fd);
	return file ? file : INVALID_HANDLE_VALUE;
}

HANDLE CreateFileW(LPCWSTR name, DWORD access, DWORD share,
		   LPSECURITY_ATTRIBUTES attributes, DWORD disposition,
		   DWORD flags, HANDLE model)
{
	char *narrow = evnt16_to_utf8_new(name);
	HANDLE file;

	if (!narrow) {
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		return INVALID_HANDLE_VALUE;
	}
	file = CreateFileA(narrow, access, share, attributes, disposition,
			   flags, model);
	free(narrow);
	return file;
}

/* Return the result of a transfer, whose size is reported */
static BOOL transferred(ssize_t n, LPDWORD done)
{
	if (done)
		*done = n < 0 ? 0 : (DWORD)n;
	if (n < 0)
		set_error();
	return n >= 0;
}

/* https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-readfile */
BOOL ReadFile(HANDLE file, LPVOID to, DWORD size, LPDWORD done,
	      struct _OVERLAPPED *overlapped)
{
	int fd = fd_of(file);

	if (overlapped)
		return fail_with(ERROR_INVALID_PARAMETER);
	return fd >= 0 && transferred(read(fd, to, size), done);
}

/* https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-writefile */
BOOL WriteFile(HANDLE file, LPCVOID from, DWORD size, LPDWORD done,
	       struct _OVERLAPPED *overlapped)
{
	int fd = fd_of(file);

	if (overlapped)
		return fail_with(ERROR_INVALID_PARAMETER);
	return fd >= 0 && transferred(write(fd, from, size), done);
}

BOOL GetFileSizeEx(HANDLE file, PLARGE_INTEGER to)
{
	int fd = fd_of(file);
	struct stat status;

	if (fd < 0)
		return FALSE;
	if (fstat(fd, &status)) {
		set_error();
		return FALSE;
	}
	to->QuadPart = status.st_size;
	return TRUE;
}

DWORD GetFileType(HANDLE file)
{
	int fd = fd_of(file);
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		return FILE_TYPE_UNKNOWN;
	if (S_ISCHR(status.st_mode))
		return FILE_TYPE_CHAR;
	return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) ?
		       FILE_TYPE_PIPE : FILE_TYPE_DISK;
}

/* https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-getfileattributesa */
DWORD GetFileAttributesA(LPCSTR name)
{
	struct stat status;
	DWORD attributes;

	if (stat(name, &status)) {
		set_error();
		return INVALID_FILE_ATTRIBUTES;
	}
	attributes = status.st_mode & 0222 ? 0 : FILE_ATTRIBUTE_READONLY;
	if (S_ISDIR(status.st_mode))
		attributes |= FILE_ATTRIBUTE_DIRECTORY;
	return attributes ? attributes : FILE_ATTRIBUTE_NORMAL;
}

BOOL DeleteFileA(LPCSTR name)
{
	if (!unlink(name))
		return TRUE;
	set_error();
	return FALSE;
}

/* https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-movefile */
BOOL MoveFileA(LPCSTR from, LPCSTR to)
{
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return TRUE;
	if (errno == EEXIST)
		return fail_with(ERROR_ALREADY_EXISTS);
	set_error();
	return FALSE;
}

DWORD GetFileAttributesW(LPCWSTR name)
{
	char *narrow = evnt16_to_utf8_new(name);
	DWORD attributes = INVALID_FILE_ATTRIBUTES;

	if (narrow)
		attributes = GetFileAttributesA(narrow);
	else
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
	free(narrow);
	return attributes;
}

BOOL DeleteFileW(LPCWSTR name)
{
	char *narrow = evnt16_to_utf8_new(name);
	BOOL deleted = narrow ? DeleteFileA(narrow) :
				fail_with(ERROR_NOT_ENOUGH_MEMORY);

	free(narrow);
	return deleted;
}

BOOL MoveFileW(LPCWSTR from, LPCWSTR to)
{
	char *narrow = evnt16_to_utf8_new(from);
	char *target = evnt16_to_utf8_new(to);
	BOOL moved = narrow && target ? MoveFileA(narrow, target) :
					fail_with(ERROR_NOT_ENOUGH_MEMORY);

	free(narrow);
	free(target);
	return moved;
}
