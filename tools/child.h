/* SPDX-License-Identifier: MIT */
/*
 * The command that is recorded, and the signals that end a recording.  The
 * signals are blocked and waited for, so none is handled half-way.
 */
#ifndef EVNT_CHILD_H
#define EVNT_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct child - the command
 * @pid: its process; 0: none, or it has ended
 * @status: its exit status as a shell would say it
 * @interrupted: how many times the user asked to end
 */
struct child {
	pid_t pid;
	int status;
	int interrupted;
};

/* To be called first */
void child_block_signals(void);

/* They have their old effect again: to end us at once, as a rule */
void child_unblock_signals(void);

/* Runs @command; false, and the user was told, if that cannot be done */
bool child_start(struct child *child, char **command);

/* Waits until something happened, or @ms have passed */
void child_wait(struct child *child, int ms);

#endif /* EVNT_CHILD_H */
