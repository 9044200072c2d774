/* SPDX-License-Identifier: MIT */
/* How far a verb is that reads long files: told on a terminal. */
#ifndef EVNT_PROGRESS_H
#define EVNT_PROGRESS_H

#include <stdbool.h>

/**
 * struct progress - how far we are; zeroed in the beginning
 * @total: buffers to be read, as far as files say; the verb's to set
 * @done: buffers that were read
 * @is_told: somebody is there to be told
 * @is_shown: something stands on the terminal
 * @next: when it is told again, in ms
 */
struct progress {
	unsigned long long total;
	unsigned long long done;
	bool is_told;
	bool is_shown;
	long long next;
};

/*
 * @prints: the verb prints meanwhile; then nothing is told where that goes to the
 * terminal, too, or to a pager.  Nothing is told where stderr is no terminal.
 */
void progress_begin(struct progress *p, bool prints);

/* A buffer was read.  What takes less than half a second is not told of. */
void progress_step(struct progress *p);

/* The terminal is as before */
void progress_end(struct progress *p);

#endif /* EVNT_PROGRESS_H */
