/* SPDX-License-Identifier: MIT */
/*
 * Recording a process from outside, without the module: see evntprov(7).
 */
#ifndef EVNT_IN_PROCESS_H
#define EVNT_IN_PROCESS_H

#include <stdbool.h>

struct evnt_private;

void evnt_in_process_begin(void);
bool evnt_in_process_open(struct evnt_private *s);
void evnt_in_process_forked(void);

#endif /* EVNT_IN_PROCESS_H */
