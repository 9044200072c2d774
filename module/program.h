/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Programs that look at an event's data: EVNTRACE_FILTER_PAYLOAD.
 *
 * Owns how they are checked and run; what they are is in the ABI header.
 */
#ifndef EVNT_PROGRAM_H
#define EVNT_PROGRAM_H

#include <linux/evntprov.h>

#include "reader.h"

/**
 * struct evnt_program_event - what a program knows of an event but its data
 * @id: its id and version, as EVNTRACE_OP_EVENT has them
 * @pointer_size: the size of its writer's pointers in bytes
 */
struct evnt_program_event {
	u32 id;
	u32 pointer_size;
};

int evnt_program_create(struct evntrace_program **program, const void *from,
			u32 len);
bool evnt_program_run(const struct evntrace_program *program,
		      const struct evnt_program_event *event,
		      struct evnt_reader *data);

#endif /* EVNT_PROGRAM_H */
