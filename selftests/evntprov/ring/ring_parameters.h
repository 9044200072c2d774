/* SPDX-License-Identifier: GPL-2.0 */
/* The module's parameters of rings. */
#ifndef EVNT_TEST_RING_PARAMETERS_H
#define EVNT_TEST_RING_PARAMETERS_H

#include "selftests/evntprov/common/write_file.h"

#define PARAMETERS	"/sys/module/evntprov/parameters/"

static inline bool set_parameter(const char *path, char value)
{
	const char text[] = { value, 0 };

	return write_file(path, text);
}

static inline bool set_rings(char value)
{
	return set_parameter(PARAMETERS "rings", value);
}

static inline bool set_rings_counter(char value)
{
	return set_parameter(PARAMETERS "rings_counter", value);
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
