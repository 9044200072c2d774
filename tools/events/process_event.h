/* SPDX-License-Identifier: MIT */
/*
 * Names of processes from events of Windows' kernel: classic events of the
 * kernel logger, and events of Microsoft-Windows-Kernel-Process if a manifest
 * describes their fields
 */
#ifndef EVNT_PROCESS_EVENT_H
#define EVNT_PROCESS_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/events/event_view.h"

#define PROCESS_EVENT_NAME	256

/* Return whether an event contains the name of a process */
bool process_event(const struct view *view, uint32_t *pid,
		   char name[PROCESS_EVENT_NAME]);

#endif /* EVNT_PROCESS_EVENT_H */
