/* SPDX-License-Identifier: MIT */
/* Recording without the module: each process of a command records itself */
#ifndef EVNT_IN_PROCESS_H
#define EVNT_IN_PROCESS_H

#include <glob.h>
#include <time.h>

#include "tools/events/decode.h"
#include "tools/session/session_start.h"
#include "tools/session/trigger.h"

/*
 * Check the options, prepare the environment of the command, and remove an
 * older log file; @since: time from which on logs are new. Return an exit code.
 */
int in_process_begin(const struct verb *verb,
		     const struct session_options *options, char **command,
		     struct timespec *since);

/* List the log files, of the first process and of others, also old ones */
void in_process_logs(const char *file, glob_t *found);

/* Return whether a file was written after the start; older ones are ignored */
bool in_process_is_new(const char *path, const struct timespec *since);

/*
 * Print the events of a command while its processes record them. Return an exit
 * code after reporting errors.
 */
int tail_in_process(const struct verb *verb, struct session_options *options,
		    const struct decode *decode, struct trigger *trigger,
		    char **command, ULONG seconds);

#endif /* EVNT_IN_PROCESS_H */
