/* SPDX-License-Identifier: MIT */
/* Names of processes and users, and first lines of files */
#ifndef EVNT_PROCESS_H
#define EVNT_PROCESS_H

#include <stddef.h>

#include <linux/evntrace.h>

/* Return the name of a process: "?" if it has exited, "kernel" for 0 */
char *process_name(unsigned int pid, char *text, size_t size);
/*
 * Return the name of the process that has registered a provider, "kernel" or
 * "elsewhere"
 */
char *registrant_name(const struct evntrace_registration *registration,
		      char *text, size_t size);
/*
 * Return "process PID (COMMAND)", "the kernel", or "a process of another
 * namespace"
 */
char *registrant_text(const struct evntrace_registration *registration,
		      char *text, size_t size);
/* Return a user's name, or the uid if it has none */
char *user_name(unsigned int uid, char *text, size_t size);

/*
 * Read a file's first line without the newline. @text stays unchanged if the
 * file cannot be read.
 */
void first_line(const char *path, char *text, size_t size);

#endif /* EVNT_PROCESS_H */
