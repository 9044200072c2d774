/* SPDX-License-Identifier: MIT */
/*
 * Recording a process from outside, without the module: see evntprov(7).
 */
#ifndef EVNT_IN_PROCESS_H
#define EVNT_IN_PROCESS_H

#include <stdbool.h>

void evnt_in_process_begin(void);
bool evnt_in_process_is_due(void);
void evnt_in_process_catch_up(void);
void evnt_in_process_forked(void);

#endif /* EVNT_IN_PROCESS_H */
