/* SPDX-License-Identifier: MIT */
/*
 * What Windows' kernel says of processes, in events of its own: the classic ones of
 * a kernel logger, and those of Microsoft-Windows-Kernel-Process, as far as something
 * describes their fields.
 */
#ifndef EVNT_TOOLS_PROCESS_EVENT_H
#define EVNT_TOOLS_PROCESS_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "view.h"

#define PROCESS_EVENT_NAME	256

/* Whether an event says what a process is called */
bool process_event(const struct view *view, uint32_t *pid,
		   char name[PROCESS_EVENT_NAME]);

#endif /* EVNT_TOOLS_PROCESS_EVENT_H */
