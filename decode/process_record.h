/* SPDX-License-Identifier: MIT */
/* Records by which the module names processes, and the names of one log */
#ifndef EVNT_PROCESS_RECORD_H
#define EVNT_PROCESS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <evntcons.h>

#define PROCESS_CHAINS	256

/* Names of processes by their ids; must be zeroed initially */
struct process_table {
	struct process_entry *chains[PROCESS_CHAINS];
};

/* Return whether an event is a record of the module that names a process */
bool is_process_name(const EVENT_RECORD *record);

/* Take a name from a record of is_process_name(); return false without memory */
bool process_table_take(struct process_table *table,
			const EVENT_RECORD *record);

/* Return the name of the process that has had this id last, or NULL */
const char *process_table_find(const struct process_table *table,
			       uint32_t pid);

void process_table_free(struct process_table *table);

#endif /* EVNT_PROCESS_RECORD_H */
