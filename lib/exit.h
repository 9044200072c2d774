/* SPDX-License-Identifier: MIT */
/*
 * The end of the process, or of the library.
 */
#ifndef EVNT_EXIT_H
#define EVNT_EXIT_H

#include <stdbool.h>
#include <sys/types.h>

#include "internal.h"

/* The process that the library knows to be in */
extern pid_t evnt_exit_home EVNT_HIDDEN;

void evnt_exit_watch(void);
int evnt_exit_lock(void);
bool evnt_exit_await(bool (*is_done)(void));

#endif /* EVNT_EXIT_H */
