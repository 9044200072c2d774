/* SPDX-License-Identifier: MIT */
/* evnt as the program that the module runs when it is loaded. */
#ifndef EVNT_AUTOLOGGER_HELPER_H
#define EVNT_AUTOLOGGER_HELPER_H

#include <stdbool.h>

/* Whether evnt was called as evnt-autologger */
bool autologger_is_helper(const char *program);

/* Starts all sessions that are to be; returns an exit code */
int autologger_help_out(void);

#endif /* EVNT_AUTOLOGGER_HELPER_H */
