// SPDX-License-Identifier: MIT
/* Writes context switches and wake-ups */
#include "tools/evnt.h"
#include "tools/perfetto/perfetto_schedule.h"

/* States of Linux' tasks, and the flag of an event in an interrupt */
#define TASK_RUNNING		0
#define TASK_INTERRUPTIBLE	1
#define TASK_UNINTERRUPTIBLE	2
#define TASK_STOPPED		4
#define TASK_DEAD		16
#define FLAG_INTERRUPT		8

#define PRIORITY		120

static int64_t task_state(const struct cpu_switch *s)
{
	if (s->state == CPU_TERMINATED)
		return TASK_DEAD;
	if (s->state != CPU_WAITING || s->from == CPU_NONE)
		return TASK_RUNNING;
	switch (s->reason) {
	case CPU_SUSPENDED:
		return TASK_STOPPED;
	case CPU_PAGE_IN:
	case CPU_EXECUTIVE:
		return TASK_UNINTERRUPTIBLE;
	default:
		return TASK_INTERRUPTIBLE;
	}
}

static uint32_t tid_of(const struct schedule *schedule, uint32_t thread)
{
	return thread == CPU_NONE ? 0 : schedule->use.threads[thread].tid;
}

/* Name of the thread's process */
static char *comm_of(struct schedule *schedule, uint32_t thread)
{
	const struct cpu_process *p;

	if (thread == CPU_NONE)
		return packet_text(schedule->packets, "swapper");
	p = &schedule->use.processes[schedule->use.threads[thread].process];
	return p->name ? packet_text(schedule->packets, p->name) : NULL;
}

/* Readers know a thread's process by its track */
static void describe_thread(struct schedule *schedule, uint32_t thread,
			    int64_t time)
{
	const struct cpu_thread *t;
	uint32_t pid;

	if (thread == CPU_NONE)
		return;
	t = &schedule->use.threads[thread];
	pid = schedule->use.processes[t->process].pid;
	if (pid != UINT32_MAX)
		track_of_thread(schedule->tracks, schedule->packets, pid,
				t->tid, time);
}

/* Create an event, to be filled in and written */
static Perfetto__FtraceEvent *new_event(struct schedule *schedule,
					uint32_t processor, int64_t time,
					Perfetto__TracePacket **packet)
{
	struct pool *pool = &schedule->packets->pool;
	Perfetto__FtraceEventBundle *bundle;
	Perfetto__FtraceEvent *e;

	*packet = packet_new(schedule->packets, time);
	bundle = pool_take(pool, sizeof(*bundle));
	perfetto__ftrace_event_bundle__init(bundle);
	bundle->has_cpu = true;
	bundle->cpu = processor;
	bundle->n_event = 1;
	bundle->event = pool_take(pool, sizeof(*bundle->event));
	e = pool_take(pool, sizeof(*e));
	perfetto__ftrace_event__init(e);
	e->has_timestamp = true;
	e->timestamp = packet_time(time);
	if (schedule->boot)
		e->timestamp -= packet_time(schedule->boot);
	e->has_pid = true;
	bundle->event[0] = e;
	(*packet)->ftrace_events = bundle;
	return e;
}

static void on_switch(void *context, const struct cpu_switch *s)
{
	struct schedule *schedule = context;
	Perfetto__SchedSwitchFtraceEvent *d;
	Perfetto__TracePacket *packet;
	Perfetto__FtraceEvent *e;

	describe_thread(schedule, s->from, s->time);
	describe_thread(schedule, s->to, s->time);
	e = new_event(schedule, s->processor, s->time, &packet);
	e->pid = tid_of(schedule, s->from);
	d = pool_take(&schedule->packets->pool, sizeof(*d));
	perfetto__sched_switch_ftrace_event__init(d);
	d->prev_comm = comm_of(schedule, s->from);
	d->has_prev_pid = true;
	d->prev_pid = tid_of(schedule, s->from);
	d->has_prev_prio = true;
	d->prev_prio = PRIORITY;
	d->has_prev_state = true;
	d->prev_state = task_state(s);
	d->next_comm = comm_of(schedule, s->to);
	d->has_next_pid = true;
	d->next_pid = tid_of(schedule, s->to);
	d->has_next_prio = true;
	d->next_prio = PRIORITY;
	e->sched_switch = d;
	packet_write(schedule->packets, packet);
}

static void on_ready(void *context, const struct cpu_ready *r)
{
	struct schedule *schedule = context;
	Perfetto__SchedWakingFtraceEvent *d;
	Perfetto__TracePacket *packet;
	Perfetto__FtraceEvent *e;

	describe_thread(schedule, r->by, r->time);
	describe_thread(schedule, r->thread, r->time);
	e = new_event(schedule, r->processor, r->time, &packet);
	e->pid = tid_of(schedule, r->by);
	e->has_common_flags = true;
	e->common_flags = r->is_interrupt ? FLAG_INTERRUPT : 0;
	d = pool_take(&schedule->packets->pool, sizeof(*d));
	perfetto__sched_waking_ftrace_event__init(d);
	d->comm = comm_of(schedule, r->thread);
	d->has_pid = true;
	d->pid = tid_of(schedule, r->thread);
	d->has_prio = true;
	d->prio = PRIORITY;
	d->has_success = true;
	d->success = true;
	e->sched_waking = d;
	packet_write(schedule->packets, packet);
}

bool schedule_take(struct schedule *schedule, const EVENT_RECORD *record)
{
	static const struct cpu_watch watch = {
		.on_switch = on_switch,
		.on_ready = on_ready,
	};

	schedule->use.watch = &watch;
	schedule->use.context = schedule;
	cpu_take(&schedule->use, record);
	return cpu_is_schedule(record);
}
