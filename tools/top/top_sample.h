/* SPDX-License-Identifier: MIT */
/* Samples the counters of sessions and CPUs for evnt top */
#ifndef EVNT_TOP_SAMPLE_H
#define EVNT_TOP_SAMPLE_H

#include "tools/session/session_list.h"
#include "tools/top/top_count.h"

/**
 * struct session_sample - counters of a session
 * @session: properties of the session
 * @cpus: counters by CPU, and behind these by ring
 * @cpu_count: number of CPUs and rings
 */
struct session_sample {
	struct dev_session session;
	struct evntrace_cpu *cpus;
	size_t cpu_count;
};

/**
 * struct sample - counters of all sessions
 * @seconds: time of a monotonic clock
 * @sessions: sessions
 * @count: number of sessions
 */
struct sample {
	double seconds;
	struct session_sample *sessions;
	size_t count;
};

/*
 * Sample all sessions, or those in the NULL-terminated list @names. Return an
 * exit code after reporting errors; the caller must free the sample in any
 * case.
 */
int sample_take(struct sample *sample, int device, char **names);
void sample_free(struct sample *sample);

/* Return the sample of a session, or NULL */
const struct session_sample *sample_find(const struct sample *sample,
					 __u64 handle);

/* Return whether a session of the sample can have events from rings */
bool sample_has_rings(const struct sample *sample);

/* Return the number of events of a session that came from rings */
__u64 sample_ring_events(const struct session_sample *s);

/* Return the rate per second of a counter between two samples */
double sample_rate(const struct sample *before, const struct sample *now,
		   __u64 then, __u64 since);

/**
 * struct cpu_rate - rates per second of a CPU in all sessions
 * @cpu: CPU number; from ring_first_cpu() on, a ring
 * @events: events per second
 * @lost: lost events per second
 */
struct cpu_rate {
	unsigned int cpu;
	double events;
	double lost;
};

/*
 * Return the rates of CPUs and rings that have ever had events; *count of them,
 * freed by the caller
 */
struct cpu_rate *sample_cpus(const struct sample *before,
			     const struct sample *now, size_t *count);

#endif /* EVNT_TOP_SAMPLE_H */
