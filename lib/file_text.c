// SPDX-License-Identifier: MIT
/*
 * What is told of a file that the process has mapped, as the module tells it.
 *
 * The name is what the kernel says; the build id is read from the file of that name,
 * if it still is the one that is mapped.  No memory is allocated.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_text.h"
#include "internal.h"

static u32 read_file(void *file, u64 at, u8 *to, u32 len)
{
	ssize_t n = pread(*(const int *)file, to, len, at);

	return n > 0 ? n : 0;
}

/* The file system may say another device than is mapped: layers of them do */
static int open_mapped(const char *path, u64 inode)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_ino == inode)
		return fd;
	close(fd);
	return -1;
}

static char *put_hex(char *to, const u8 *from, u32 len)
{
	static const char digits[] = "0123456789abcdef";

	for (; len; len--, from++) {
		*to++ = digits[*from >> 4];
		*to++ = digits[*from & 15];
	}
	*to = 0;
	return to + 1;
}

/**
 * evnt_file_describe() - write down what is told of a file
 * @s: room for what is read
 * @path: its name
 * @inode: its number
 * @text: room for EVNT_FILE_TEXT_MAX bytes: the build id in hexadecimal, which is
 *	empty when there is none, and the name, which is empty when it is too long;
 *	each with its nul
 *
 * Return: how many bytes that is.
 */
u32 evnt_file_describe(struct evnt_elf_scratch *s, const char *path,
		       u64 inode, char *text)
{
	const size_t len = strlen(path);
	const u8 *id = NULL;
	u32 id_len = 0;
	char *to;
	int fd;

	fd = open_mapped(path, inode);
	if (fd >= 0) {
		id_len = evnt_file_build_id(s, read_file, &fd, &id);
		close(fd);
	}
	to = put_hex(text, id, id_len);
	if (len >= PATH_MAX) {
		*to = 0;
		return to + 1 - text;
	}
	memcpy(to, path, len + 1);
	return to + len + 1 - text;
}
