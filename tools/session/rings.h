/* SPDX-License-Identifier: MIT */
/*
 * Rings, into which threads write events without system calls: how many there
 * are, and why a session can have no events from them
 */
#ifndef EVNT_TOOLS_RINGS_H
#define EVNT_TOOLS_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/session/control.h"

#define RING_PARAMETER	"/sys/module/evntprov/parameters/rings"
#define RINGS_TEXT	128
/* Memory of a ring in KiB: see evntprov(4) */
#define RING_KB		56u

/*
 * Return the index of the first ring among the elements of EVNTRACE_LIST_CPUS,
 * which begin with the processors
 */
unsigned int ring_first_cpu(void);

/* Return the number of events from rings, by the elements of EVNTRACE_LIST_CPUS */
uint64_t ring_events(const struct evntrace_cpu *cpus, size_t count);

/* Return the maximum number of rings of all processes */
unsigned int rings_max(void);

/* Return the number of rings of a process, or 0 if it may not be read */
unsigned int rings_of_process(unsigned int pid);

/**
 * struct session_rings - events of a session from rings
 * @events: number of events
 * @why: reason why the session can have none, or empty
 */
struct session_rings {
	uint64_t events;
	char why[RINGS_TEXT];
};

void rings_of_session(int device, const struct dev_session *session,
		      struct session_rings *rings);

/*
 * Return the reason why events of an enabled provider cannot come from rings, or
 * NULL
 */
const char *rings_refused(int device,
			  const struct evntrace_enablement *enablement);

#endif /* EVNT_TOOLS_RINGS_H */
