/* SPDX-License-Identifier: MIT */
/*
 * Sessions with buffers as they are asked for and a log in memory, and the
 * events that are written to them.
 */
#ifndef EVNT_BENCH_LOGGED_H
#define EVNT_BENCH_LOGGED_H

#include <stdbool.h>
#include <stdio.h>

#include <linux/evntprov.h>

/* Of an event: what it brings, and what it is in a buffer */
#define LOGGED_PAYLOAD	64u
#define LOGGED_RECORD	144u

#define LOGGED_MAX_CPUS	64u

/**
 * struct logged - a session
 * @path: its log
 * @fd: the log, to read
 * @handle: the session
 * @info: what it says of itself; see logged_query() and logged_stop()
 */
struct logged {
	char path[32];
	int fd;
	__u64 handle;
	struct evntrace_session info;
};

/* Everything that is done once.  These return whether it could be done. */
bool logged_begin(void);
/* With so many buffers at most, or as many as there are by default */
bool logged_start(struct logged *l, unsigned int kib, unsigned int buffers,
		  unsigned int flush_ms);
bool logged_query(struct logged *l);
bool logged_stop(struct logged *l);
void logged_close(struct logged *l);

/* So many events to all sessions; returns how often that was an error */
unsigned int logged_write(unsigned int events);

/* flush.c: what flush timers do; returns whether it is what they should */
bool flush_measure(FILE *out, const char *kernel, unsigned int cpus);

#endif /* EVNT_BENCH_LOGGED_H */
