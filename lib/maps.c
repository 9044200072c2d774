// SPDX-License-Identifier: MIT
/*
 * What is mapped in the process, as the kernel says.  No memory is allocated.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "maps.h"

/*
 * @maps has room for two lines; false when there is nothing to be read.  Until they
 * are closed the thread cannot be cancelled: who looks at them holds locks.
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

/* Read on; false at the end */
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

/* The next line, without its end; or NULL */
static char *next_line(struct evnt_maps *maps)
{
	char *line, *end;

	for (;;) {
		line = maps->text + maps->start;
		end = memchr(line, '\n', maps->end - maps->start);
		if (end)
			break;
		if (!read_more(maps))
			return NULL;
	}
	*end = 0;
	maps->start = end + 1 - maps->text;
	return line;
}

/* The kernel writes the end of a line that is in a name as "\012" */
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

/* START-END PERMS OFFSET MAJOR:MINOR INODE NAME */
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

/* The next one, by addresses; false when there is none */
bool evnt_maps_next(struct evnt_maps *maps, struct evnt_map *map)
{
	char *line = next_line(maps);

	return line && parse(line, map);
}

void evnt_maps_close(struct evnt_maps *maps)
{
	close(maps->fd);
	pthread_setcancelstate(maps->cancel, NULL);
}
