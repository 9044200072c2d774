// SPDX-License-Identifier: MIT
/* Samples the counters of sessions and CPUs */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "tools/evnt.h"
#include "tools/session/rings.h"
#include "tools/top/top_sample.h"

static bool is_named(const char *name, char **names)
{
	for (char **one = names; *one; one++) {
		if (!strcasecmp(name, *one))
			return true;
	}
	return !*names;
}

int sample_take(struct sample *sample, int device, char **names)
{
	struct session_sample *s;
	struct session_list list;
	struct timespec now;
	int error = list_sessions(device, &list);

	clock_gettime(CLOCK_MONOTONIC, &now);
	*sample = (struct sample) {
		.seconds = now.tv_sec + now.tv_nsec / 1e9,
		.sessions = must_have(calloc(list.count + 1,
					     sizeof(*sample->sessions))),
	};
	for (size_t i = 0; i < list.count; i++) {
		if (!is_named(list.sessions[i].name, names))
			continue;
		s = &sample->sessions[sample->count++];
		s->session = list.sessions[i];
		dev_list_cpus(device, s->session.info.handle, &s->cpus,
			      &s->cpu_count);
	}
	free_sessions(&list);
	return error;
}

void sample_free(struct sample *sample)
{
	for (size_t i = 0; i < sample->count; i++)
		free(sample->sessions[i].cpus);
	free(sample->sessions);
	*sample = (struct sample) { 0 };
}

const struct session_sample *sample_find(const struct sample *sample,
					 __u64 handle)
{
	for (size_t i = 0; i < sample->count; i++) {
		if (sample->sessions[i].session.info.handle == handle)
			return &sample->sessions[i];
	}
	return NULL;
}

bool sample_has_rings(const struct sample *sample)
{
	bool has = false;

	for (size_t i = 0; i < sample->count; i++)
		has |= sample->sessions[i].cpu_count > ring_first_cpu();
	return has;
}

__u64 sample_ring_events(const struct session_sample *s)
{
	return ring_events(s->cpus, s->cpu_count);
}

double sample_rate(const struct sample *before, const struct sample *now,
		   __u64 then, __u64 since)
{
	const double seconds = now->seconds - before->seconds;

	/* The counter restarts with each log file */
	return since > then && seconds > 0 ? (since - then) / seconds : 0;
}

/* Sum up a CPU's rates over all sessions; return whether it has any events */
static bool rate_cpu(const struct sample *before, const struct sample *now,
		     struct cpu_rate *rate)
{
	static const struct evntrace_cpu none;
	bool any = false;

	rate->events = 0;
	rate->lost = 0;
	for (size_t i = 0; i < now->count; i++) {
		const struct session_sample *s = &now->sessions[i], *old;
		const struct evntrace_cpu *is, *was = &none;

		if (rate->cpu >= s->cpu_count)
			continue;
		is = &s->cpus[rate->cpu];
		old = sample_find(before, s->session.info.handle);
		if (old && rate->cpu < old->cpu_count)
			was = &old->cpus[rate->cpu];
		rate->events += sample_rate(before, now, was->events,
					    is->events);
		rate->lost += sample_rate(before, now, was->events_lost,
					  is->events_lost);
		any |= is->events || is->events_lost;
	}
	return any;
}

struct cpu_rate *sample_cpus(const struct sample *before,
			     const struct sample *now, size_t *count)
{
	struct cpu_rate *rates;
	size_t most = 0;

	for (size_t i = 0; i < now->count; i++) {
		if (now->sessions[i].cpu_count > most)
			most = now->sessions[i].cpu_count;
	}
	rates = must_have(calloc(most + 1, sizeof(*rates)));
	*count = 0;
	for (size_t cpu = 0; cpu < most; cpu++) {
		rates[*count].cpu = cpu;
		*count += rate_cpu(before, now, &rates[*count]);
	}
	return rates;
}
