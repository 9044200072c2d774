/* SPDX-License-Identifier: MIT */
/*
 * The end of the process, or of the library.
 */
#ifndef EVNT_EXIT_H
#define EVNT_EXIT_H

#include <stdbool.h>

void evnt_exit_watch(void);
bool evnt_exit_lock(void);
bool evnt_exit_await(bool (*is_done)(void));

#endif /* EVNT_EXIT_H */
