// SPDX-License-Identifier: MIT
/*
 * Memory mappings of the process, and descriptions of the files that are mapped,
 * in the module's format.  No memory is allocated.
 *
 * Mappings and names come from /proc/self/maps.  The build id is read from the
 * file of that name if it still is the mapped one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/private/maps.h"

/*
 * Start reading the mappings.  Thread cancellation is disabled until
 * evnt_maps_close(), because callers hold locks while they read.  Return false,
 * with cancellation restored, if the file cannot be opened.
 */
bool evnt_maps_open(struct evnt_maps *maps)
{
	maps->start = 0;
	maps->end = 0;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &maps->cancel);
	maps->fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (maps->fd < 0)
		pthread_setcancelstate(maps->cancel, NULL);
	return maps->fd >= 0;
}

/* Read more text behind the unparsed rest; false at the end of the file */
static bool read_more(struct evnt_maps *maps)
{
	ssize_t n;

	memmove(maps->text, maps->text + maps->start, maps->end - maps->start);
	maps->end -= maps->start;
	maps->start = 0;
	do {
		n = read(maps->fd, maps->text + maps->end,
			 sizeof(maps->text) - maps->end);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	maps->end += n;
	return true;
}

/* Decode newlines in a file name, which the kernel writes as "\012" */
static void unescape(char *name)
{
	char *to = name;

	while (*name) {
		if (!strncmp(name, "\\012", 4)) {
			*to++ = '\n';
			name += 4;
		} else {
			*to++ = *name++;
		}
	}
	*to = 0;
}

/* Parse a line: START-END PERMS OFFSET MAJOR:MINOR INODE NAME */
static bool parse(char *line, struct evnt_map *map)
{
	char *at, *perms;

	map->base = strtoull(line, &at, 16);
	if (*at++ != '-')
		return false;
	map->size = strtoull(at, &at, 16) - map->base;
	perms = at + 1;
	if (strlen(at) < 6)
		return false;
	map->executable = perms[2] == 'x';
	map->offset = strtoull(perms + 4, &at, 16);
	strtoul(at, &at, 16);
	if (*at++ != ':')
		return false;
	strtoul(at, &at, 16);
	map->inode = strtoull(at, &at, 10);
	while (*at == ' ')
		at++;
	unescape(at);
	map->path = at;
	return true;
}

/* Get the next mapping in address order; return false at the end */
bool evnt_maps_next(struct evnt_maps *maps, struct evnt_map *map)
{
	char *line, *end;

	for (;;) {
		line = maps->text + maps->start;
		end = memchr(line, '\n', maps->end - maps->start);
		if (end)
			break;
		if (!read_more(maps))
			return false;
	}
	*end = 0;
	maps->start = end + 1 - maps->text;
	return parse(line, map);
}

void evnt_maps_close(struct evnt_maps *maps)
{
	close(maps->fd);
	pthread_setcancelstate(maps->cancel, NULL);
}

static u32 read_file(void *file, u64 at, u8 *to, u32 len)
{
	ssize_t n = pread(*(const int *)file, to, len, at);

	return n > 0 ? n : 0;
}

/* Compare only the inode: layered file systems report another device */
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

/**
 * evnt_mapped_file_info() - describe a mapped file
 * @s: memory for what is read
 * @path: name of the file
 * @inode: its inode number
 * @text: out: EVNT_FILE_TEXT_MAX bytes: the build id in hexadecimal, empty if
 *	there is none, and the name, empty if it is too long; each with its nul
 *
 * Return: number of bytes used at @text.
 */
u32 evnt_mapped_file_info(struct evnt_elf_scratch *s, const char *path,
			  u64 inode, char *text)
{
	static const char digits[] = "0123456789abcdef";
	const size_t len = strlen(path);
	const u8 *id = NULL;
	u32 i, id_len = 0;
	char *to = text;
	int fd;

	fd = open_mapped(path, inode);
	if (fd >= 0) {
		id_len = evnt_file_build_id(s, read_file, &fd, &id);
		close(fd);
	}
	for (i = 0; i < id_len; i++) {
		*to++ = digits[id[i] >> 4];
		*to++ = digits[id[i] & 15];
	}
	*to++ = 0;
	if (len >= PATH_MAX) {
		*to = 0;
		return to + 1 - text;
	}
	memcpy(to, path, len + 1);
	return to + len + 1 - text;
}
