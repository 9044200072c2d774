/* SPDX-License-Identifier: MIT */
/* The counters of sessions and their CPUs at an instant, for evnt top. */
#ifndef EVNT_TOP_SAMPLE_H
#define EVNT_TOP_SAMPLE_H

#include "session_list.h"
#include "top_count.h"

/**
 * struct session_sample - a session's counters
 * @session: as the module has them
 * @cpus: what it got and lost on each CPU, or NULL: the module does not say
 * @cpu_count: how many
 */
struct session_sample {
	struct door_session session;
	struct evntrace_cpu *cpus;
	size_t cpu_count;
};

/**
 * struct sample - all counters
 * @seconds: when, of a clock that is not set
 * @sessions: the sessions
 * @count: how many
 */
struct sample {
	double seconds;
	struct session_sample *sessions;
	size_t count;
};

/*
 * All sessions, or those with @names, which ends with NULL; returns an exit code,
 * and the user was told.  To be freed in any case.
 */
int sample_take(struct sample *sample, int door, char **names);
void sample_free(struct sample *sample);

/* The session of that handle, or NULL */
const struct session_sample *sample_find(const struct sample *sample,
					 __u64 handle);

/* A second's share of what came between two samples */
double sample_rate(const struct sample *before, const struct sample *now,
		   __u64 then, __u64 since);

/**
 * struct cpu_rate - a CPU's share in all sessions, a second
 * @cpu: which
 * @events: that came
 * @lost: that were lost
 */
struct cpu_rate {
	unsigned int cpu;
	double events;
	double lost;
};

/* Those on which anything has ever come; *count of them, to be freed */
struct cpu_rate *sample_cpus(const struct sample *before,
			     const struct sample *now, size_t *count);

#endif /* EVNT_TOP_SAMPLE_H */
