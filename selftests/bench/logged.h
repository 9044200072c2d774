/* SPDX-License-Identifier: MIT */
/* Sessions with the given buffers and a log in memory, and events for them. */
#ifndef EVNT_BENCH_LOGGED_H
#define EVNT_BENCH_LOGGED_H

#include <stdbool.h>
#include <stdio.h>

#include <linux/evntrace.h>

/* Size of an event's payload, and of its record in a buffer */
#define LOGGED_PAYLOAD	64u
#define LOGGED_RECORD	144u

#define LOGGED_MAX_CPUS	64u

/**
 * struct logged - a session
 * @path: its log
 * @fd: the log, to read
 * @session: descriptor of the session
 * @info: its state; see logged_query() and logged_stop()
 */
struct logged {
	char path[32];
	int fd;
	int session;
	struct evntrace_session info;
};

/* Set up once. These functions return whether they succeeded. */
bool logged_begin(void);
/* Start with this maximum number of buffers; 0: the default */
bool logged_start(struct logged *l, unsigned int kib, unsigned int buffers,
		  unsigned int flush_ms);
bool logged_query(struct logged *l);
bool logged_stop(struct logged *l);
void logged_close(struct logged *l);

/* Write events to all sessions; returns the number of errors */
unsigned int logged_write(unsigned int events);

/* flush.c: measure flush timers; returns whether they work as expected */
bool flush_measure(FILE *out, const char *kernel, unsigned int cpus);

#endif /* EVNT_BENCH_LOGGED_H */
