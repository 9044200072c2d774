/* SPDX-License-Identifier: MIT */
/*
 * The recorded command, and the signals that end a recording. These signals are
 * blocked and waited for synchronously, so none interrupts other work.
 */
#ifndef EVNT_CHILD_H
#define EVNT_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct child - the command
 * @pid: process id; 0 if no command runs
 * @status: exit status in the encoding of a shell
 * @interrupted: number of requests to end by the user
 * @deadline: time at which the recording ends, in ms of the monotonic clock; 0:
 *   none
 * @is_ended: the command was requested to end at @deadline
 */
struct child {
	pid_t pid;
	int status;
	int interrupted;
	int64_t deadline;
	bool is_ended;
};

/* Block the signals. Must be called first. */
void child_block_signals(void);

/* Restore the signals, so that they normally end the program at once */
void child_unblock_signals(void);

/* Run @command. Return false after reporting an error. */
bool child_start(struct child *child, char *const *command);

/*
 * End the recording after @seconds, unless that is 0: SIGTERM ends a command,
 * which then counts as successful; otherwise the user's request is simulated.
 * Must follow child_start().
 */
void child_limit(struct child *child, unsigned int seconds);

/* End the recording now, as if its time were over */
void child_end(struct child *child);

/* Wait until a command of the user has ended, which child_wait() does not do */
void child_finish(struct child *child);

/* Wait for a signal, for the end of the time, or for @ms milliseconds */
void child_wait(struct child *child, int ms);

#endif /* EVNT_CHILD_H */
