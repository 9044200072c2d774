/* SPDX-License-Identifier: MIT */
/* What processes and users are called. */
#ifndef EVNT_PROCESS_H
#define EVNT_PROCESS_H

#include <stddef.h>

#include <linux/evntprov.h>

/* The command's name, or "?" when the process is gone; that of 0 is "kernel" */
char *process_name(unsigned int pid, char *text, size_t size);
/* The command's name of what has registered a provider; or "kernel", or "elsewhere" */
char *registrant_name(const struct evntrace_registration *registration,
		      char *text, size_t size);
/* "process PID (COMMAND)", "the kernel", or "a process of another namespace" */
char *registrant_text(const struct evntrace_registration *registration,
		      char *text, size_t size);
/* The user's name, or the number */
char *user_name(unsigned int uid, char *text, size_t size);

#endif /* EVNT_PROCESS_H */
