/* SPDX-License-Identifier: MIT */
/* Recording a command without the module: each process of it records itself. */
#ifndef EVNT_RECORD_IN_PROCESS_H
#define EVNT_RECORD_IN_PROCESS_H

#include "session_options.h"

/* Returns an exit code; the user was told */
int record_in_process(const struct verb *verb,
		      const struct session_options *options, char **command);

#endif /* EVNT_RECORD_IN_PROCESS_H */
