/* SPDX-License-Identifier: MIT */
/* Names of the processes of a log, as far as events contain them */
#ifndef EVNT_PROCESS_NAMES_H
#define EVNT_PROCESS_NAMES_H

#include "tools/events/event_view.h"

/*
 * Take the name from an event that is_process_name() has accepted; return the
 * process id
 */
uint32_t process_names_take_record(const EVENT_RECORD *record);

/* Take the name from an event of Windows that contains the name of a process */
void process_names_take(const struct view *view);

/*
 * Return the name of the process that has had this id last: from an event that
 * contains it, otherwise from its first image; or NULL. Valid until the next
 * event.
 */
const char *process_names_find(uint32_t pid);

/*
 * Return the name for people: behind it, "@" and the beginning of the id of the
 * container that the process belongs to, if its package has one
 */
const char *process_names_shown(uint32_t pid);

/* Return the package of the process in UTF-8, or NULL */
const char *process_names_package(uint32_t pid);

void process_names_free(void);

#endif /* EVNT_PROCESS_NAMES_H */
