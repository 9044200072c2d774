/* SPDX-License-Identifier: GPL-2.0 */
/* State of a process, from /proc. */
#ifndef EVNT_TEST_PROCESS_H
#define EVNT_TEST_PROCESS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Return the letter of the state; 0 if there is no such process */
static inline char state_of(pid_t pid)
{
	char path[32], text[256] = "", *end;
	int fd;

	sprintf(path, "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	end = strrchr(text, ')');
	return end ? end[2] : 0;
}

/* Wait for one of @states, up to @tries hundredths of a second */
static inline bool comes_to(pid_t pid, const char *states, unsigned int tries)
{
	char state;

	for (; tries; tries--) {
		state = state_of(pid);
		if (state && strchr(states, state))
			return true;
		usleep(10000);
	}
	return false;
}

#endif /* EVNT_TEST_PROCESS_H */
