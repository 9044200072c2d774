/* SPDX-License-Identifier: MIT */
/* Progress of a verb that reads long files, shown on a terminal */
#ifndef EVNT_PROGRESS_H
#define EVNT_PROGRESS_H

#include <stdbool.h>

/**
 * struct progress - state of the progress; must be zeroed initially
 * @total: number of buffers according to the files; set by the verb
 * @done: number of buffers read
 * @is_reported: progress is shown
 * @is_shown: a message is on the terminal
 * @next: time of the next update, in ms
 */
struct progress {
	unsigned long long total;
	unsigned long long done;
	bool is_reported;
	bool is_shown;
	long long next;
};

/*
 * Begin to show progress. Progress is never shown if stderr is no terminal, nor
 * if @prints is set, for a verb that prints while it reads, and stdout is no
 * regular file.
 */
void progress_begin(struct progress *p, bool prints);

/* Count a buffer. The first message appears after half a second. */
void progress_step(struct progress *p);

/* Remove the message from the terminal */
void progress_end(struct progress *p);

#endif /* EVNT_PROGRESS_H */
