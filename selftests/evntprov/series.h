/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Log files that follow each other, as the tests start them: DIR/1.etl, ...
 */
#ifndef EVNT_TEST_SERIES_H
#define EVNT_TEST_SERIES_H

#include "door.h"

/**
 * struct series - what a session of EVNTRACE_MODE_NEWFILE is started with
 * @arg: what follows the first
 * @name: what @arg names
 * @fd: the first file
 */
struct series {
	struct evntrace_series arg;
	__u16 name[EVNTRACE_MAX_NAME];
	int fd;
};

static inline void series_path(char *path, const char *dir, unsigned int n)
{
	sprintf(path, "%s/%u.etl", dir, n);
}

static inline void series_init(struct series *s, const char *dir)
{
	static const char pattern[] = "%d.etl";
	char path[64];
	__u32 i;

	series_path(path, dir, 1);
	for (i = 0; pattern[i]; i++)
		s->name[i] = pattern[i];
	s->fd = new_log(path);
	s->arg = (struct evntrace_series) {
		.size = sizeof(s->arg), .file = (uintptr_t)pattern,
		.name = (uintptr_t)s->name, .file_len = i, .name_len = i,
		.dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC),
	};
}

static inline void series_close(const struct series *s)
{
	close(s->fd);
	close(s->arg.dir_fd);
}

#endif /* EVNT_TEST_SERIES_H */
