/* SPDX-License-Identifier: GPL-2.0 */
/* Log files in newfile mode, as the tests start them: DIR/1.etl, ... */
#ifndef EVNT_TEST_SERIES_H
#define EVNT_TEST_SERIES_H

#include "selftests/evntprov/common/device.h"

/**
 * struct series - arguments of a session in EVNTRACE_MODE_NEWFILE
 * @arg: the files after the first
 * @name: name that @arg refers to
 * @fd: the first file
 */
struct series {
	struct evntrace_newfile arg;
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
	s->arg = (struct evntrace_newfile) {
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
