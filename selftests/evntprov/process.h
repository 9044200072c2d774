/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a process is doing, as /proc has it.
 */
#ifndef EVNT_TEST_PROCESS_H
#define EVNT_TEST_PROCESS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* The letter of its state; 0: there is none */
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

/* Whether it gets into one of the states in a hundredth of a second times @tries */
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
