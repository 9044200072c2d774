/* SPDX-License-Identifier: GPL-2.0 */
/* The module's parameters of rings. */
#ifndef EVNT_TEST_RING_PARAMETERS_H
#define EVNT_TEST_RING_PARAMETERS_H

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#define PARAMETERS	"/sys/module/evntprov/parameters/"

static inline bool set_parameter(const char *path, char value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = write(fd, &value, 1) == 1;

	close(fd);
	return done;
}

static inline bool set_rings(char value)
{
	return set_parameter(PARAMETERS "rings", value);
}

static inline bool set_rings_tsc(char value)
{
	return set_parameter(PARAMETERS "rings_tsc", value);
}

static inline char get_rings(void)
{
	int fd = open(PARAMETERS "rings", O_RDONLY | O_CLOEXEC);
	char value = 0;

	if (read(fd, &value, 1) != 1)
		value = 0;
	close(fd);
	return value;
}

#endif /* EVNT_TEST_RING_PARAMETERS_H */
