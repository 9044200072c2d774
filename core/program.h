/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Filter programs that examine an event's data: EVNTRACE_FILTER_PAYLOAD.
 *
 * Owns their validation and execution; the ABI header defines the instructions.
 */
#ifndef EVNT_PROGRAM_H
#define EVNT_PROGRAM_H

#include <linux/evntrace.h>

#include "core/reader.h"

/**
 * struct evnt_program_event - input of a program in addition to the data
 * @id: event id and version, encoded as for EVNTRACE_OP_EVENT
 * @pointer_size: size of the writer's pointers in bytes
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
