// SPDX-License-Identifier: MIT
/*
 * Collects the states of all threads during the activities to explain. The states
 * of the others are needed to show what a thread did before it woke another one.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/report/texts.h"
#include "tools/why/why.h"

static struct why_thread *thread_at(struct why *why, uint32_t thread)
{
	const uint32_t all = why->use.thread_count;
	struct why_thread *t;

	if (thread >= why->thread_count) {
		why->threads = must_have(realloc(why->threads, (size_t)all *
						 sizeof(*why->threads)));
		for (t = why->threads + why->thread_count;
		     t < why->threads + all; t++)
			*t = (struct why_thread) { .wait = CPU_NONE };
		why->thread_count = all;
	}
	return &why->threads[thread];
}

static void free_stretch(struct why_stretch *s)
{
	free(s->stack.at);
	free(s->waker_stack.at);
}

static bool is_dropped(const struct why *why, int64_t from)
{
	return !why->open && from >= why->closed;
}

/* A thread gets another state; return its stretch */
static struct why_stretch *set_state(struct why *why, struct why_thread *t,
				     enum why_state state, int64_t now)
{
	struct why_stretch *last = t->count ? &t->list[t->count - 1] : NULL;

	if (last) {
		last->to = now;
		if (is_dropped(why, last->from)) {
			if (t->wait == t->count - 1)
				t->wait = CPU_NONE;
			free_stretch(&t->list[--t->count]);
		}
	}
	t->list = list_room(t->list, t->count, &t->room, sizeof(*t->list));
	last = &t->list[t->count++];
	*last = (struct why_stretch) {
		.state = state, .waker = CPU_NONE, .request = CPU_NONE,
		.from = now, .to = INT64_MAX,
	};
	if (state == WHY_BLOCKED)
		t->wait = t->count - 1;
	return last;
}

static enum why_state state_of(const struct why_thread *t)
{
	return t->count ? t->list[t->count - 1].state : WHY_UNKNOWN;
}

static void stop_thread(struct why *why, const struct cpu_switch *s)
{
	struct why_thread *t = thread_at(why, s->from);

	if (state_of(t) == WHY_UNKNOWN)
		set_state(why, t, WHY_RUNNING, s->since);
	if (s->state == CPU_TERMINATED)
		set_state(why, t, WHY_ENDED, s->time);
	else if (s->state == CPU_WAITING)
		set_state(why, t, WHY_BLOCKED, s->time)->reason = s->reason;
	else
		set_state(why, t, WHY_RUNNABLE, s->time);
}

static struct why_processor *processor_at(struct why *why, uint32_t number)
{
	const uint32_t all = why->use.processor_count;
	struct why_processor *p;

	if (number >= why->processor_count) {
		why->processors = must_have(realloc(why->processors,
						    (size_t)all * sizeof(*p)));
		for (p = why->processors + why->processor_count;
		     p < why->processors + all; p++)
			*p = (struct why_processor) { .request = CPU_NONE };
		why->processor_count = all;
	}
	return &why->processors[number];
}

static void wake(struct why *why, struct why_thread *t,
		 const struct cpu_ready *r, int64_t now)
{
	struct why_stretch *wait = &t->list[t->count - 1];

	wait->is_woken = true;
	wait->is_interrupt = r->is_interrupt;
	wait->waker = r->by;
	set_state(why, t, WHY_RUNNABLE, now);
}

static void run_thread(struct why *why, const struct cpu_switch *s)
{
	struct why_thread *t = thread_at(why, s->to);

	/*
	 * A thread that is about to sleep can be woken before the switch. Its wait
	 * has no length then.
	 */
	if (state_of(t) == WHY_BLOCKED && t->early.time)
		wake(why, t, &t->early, t->list[t->count - 1].from);
	t->early.time = 0;
	/* The wait was the last stretch, or the last but one */
	t->resumed = t->wait != CPU_NONE && t->wait + 2 >= t->count ? s->time :
								      0;
	set_state(why, t, WHY_RUNNING, s->time);
}

static void on_switch(void *context, const struct cpu_switch *s)
{
	processor_at(context, s->processor)->request = CPU_NONE;
	if (s->from != CPU_NONE)
		stop_thread(context, s);
	if (s->to != CPU_NONE)
		run_thread(context, s);
}

static void on_ready(void *context, const struct cpu_ready *r)
{
	struct why *why = context;
	struct why_thread *t = thread_at(why, r->thread);
	struct why_processor *p = processor_at(why, r->processor);

	why->wake_ups++;
	p->ready = *r;
	if (state_of(t) == WHY_BLOCKED) {
		t->list[t->wait].request = p->request;
		wake(why, t, r, r->time);
	} else if (state_of(t) == WHY_RUNNING) {
		t->early = *r;
	}
}

static void on_disk(void *context, const struct cpu_disk *d)
{
	struct why *why = context;
	int64_t ticks;

	if (!why->open)
		return;
	ticks = logs_ticks(why->logs, d->elapsed);
	processor_at(why, d->processor)->request = why->request_count;
	why->requests = list_room(why->requests, why->request_count,
				  &why->request_room, sizeof(*why->requests));
	why->requests[why->request_count++] = (struct why_request) {
		.thread = d->thread,
		.disk = d->disk,
		.size = d->size,
		.from = d->time - (ticks > 0 && ticks < d->time ? ticks : 0),
		.to = d->time,
	};
}

static void on_sample(void *context, uint32_t thread, int64_t time,
		      uint64_t address)
{
	struct why *why = context;
	struct why_thread *t = thread_at(why, thread);
	struct why_sample *last;

	if (t->sample_count) {
		last = &t->samples[t->sample_count - 1];
		if (is_dropped(why, last->time)) {
			free(last->stack.at);
			t->sample_count--;
		}
	}
	t->samples = list_room(t->samples, t->sample_count, &t->sample_room,
			       sizeof(*t->samples));
	last = &t->samples[t->sample_count++];
	last->time = time;
	last->has_stack = false;
	last->stack.depth = 1;
	last->stack.at = must_have(malloc(sizeof(*last->stack.at)));
	last->stack.at[0] = address;
}

/* Append a stack, which may come in two parts */
static void add_frames(struct why_frames *to, const struct cpu_stack *s)
{
	const size_t depth = s->depth > CPU_FRAMES ? CPU_FRAMES : s->depth;

	if (to->depth + depth > CPU_FRAMES)
		return;
	to->at = must_have(reallocarray(to->at, to->depth + depth,
					sizeof(*to->at)));
	for (size_t i = 0; i < depth; i++) {
		uint64_t *at = &to->at[to->depth++];

		*at = 0;
		memcpy(at, (const char *)s->frames + i * s->pointer,
		       s->pointer);
	}
}

static bool add_sample_stack(const struct why *why, struct why_thread *t,
			     const struct cpu_stack *s)
{
	struct why_sample *last;

	if (!t->sample_count)
		return false;
	last = &t->samples[t->sample_count - 1];
	if (!logs_is_at(why->logs, s->stamp, last->time))
		return false;
	/* The stack contains the address of the sample */
	if (!last->has_stack)
		last->stack.depth = 0;
	last->has_stack = true;
	add_frames(&last->stack, s);
	return true;
}

/* A switch to a thread has the stack of its wait */
static bool add_wait_stack(const struct why *why, struct why_thread *t,
			   const struct cpu_stack *s)
{
	if (t->wait == CPU_NONE || !t->resumed ||
	    !logs_is_at(why->logs, s->stamp, t->resumed))
		return false;
	add_frames(&t->list[t->wait].stack, s);
	return true;
}

static void add_waker_stack(struct why *why, const struct cpu_stack *s)
{
	const struct cpu_ready *r;
	struct why_thread *t;

	if (s->processor >= why->processor_count)
		return;
	r = &why->processors[s->processor].ready;
	if (!r->time || !logs_is_at(why->logs, s->stamp, r->time))
		return;
	t = thread_at(why, r->thread);
	if (t->wait != CPU_NONE && t->list[t->wait].to == r->time)
		add_frames(&t->list[t->wait].waker_stack, s);
}

static void on_stack(void *context, const struct cpu_stack *s)
{
	struct why *why = context;
	struct why_thread *t;

	if (s->thread != CPU_NONE) {
		t = thread_at(why, s->thread);
		if (add_sample_stack(why, t, s) || add_wait_stack(why, t, s))
			return;
	}
	add_waker_stack(why, s);
}

static const struct cpu_watch watch = {
	.on_switch = on_switch,
	.on_ready = on_ready,
	.on_sample = on_sample,
	.on_stack = on_stack,
	.on_disk = on_disk,
};

static void end_part(struct why_activity *a, int64_t now)
{
	if (a->count)
		a->parts[a->count - 1].to = now;
}

/* An event of an activity shows that its thread runs */
static void take_place(struct why *why, struct why_activity *a,
		       const EVENT_HEADER *h)
{
	const int64_t now = h->TimeStamp.QuadPart;
	const uint32_t thread = cpu_thread(&why->use, h->ProcessId,
					   h->ThreadId);
	struct why_thread *t = thread_at(why, thread);

	if (state_of(t) != WHY_RUNNING)
		set_state(why, t, WHY_RUNNING, now);
	if (a->count && a->parts[a->count - 1].thread == thread)
		return;
	end_part(a, now);
	a->parts = list_room(a->parts, a->count, &a->room, sizeof(*a->parts));
	a->parts[a->count++] = (struct why_part) { thread, now, INT64_MAX };
}

static void take_event(struct why *why, struct why_activity *a,
		       enum activity_role role, const struct view *view)
{
	const EVENT_HEADER *h = &view->record->EventHeader;

	if (role == ACTIVITY_START) {
		a->fields = activity_fields(view);
		a->is_open = true;
		why->open++;
	}
	if (!a->is_open || (h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER))
		return;
	take_place(why, a, h);
	if (role != ACTIVITY_STOP)
		return;
	end_part(a, h->TimeStamp.QuadPart);
	a->is_open = false;
	why->open--;
	why->closed = h->TimeStamp.QuadPart;
}

void why_take(struct why *why, const EVENT_RECORD *record)
{
	enum activity_role role;
	struct view view;
	uint32_t number;

	why->use.watch = &watch;
	why->use.context = why;
	if (record->EventHeader.TimeStamp.QuadPart > why->last)
		why->last = record->EventHeader.TimeStamp.QuadPart;
	cpu_take(&why->use, record);
	view_event(record, &view);
	number = activities_take(&why->activities, &view, &role);
	for (uint32_t i = 0; i < why->wanted_count; i++) {
		if (why->wanted[i].number == number && number != ACTIVITY_NONE)
			take_event(why, &why->wanted[i], role, &view);
	}
}

void why_finish(struct why *why)
{
	const int64_t now = why->last;

	cpu_finish(&why->use);
	/* A thread that woke others may have no other event */
	if (why->use.thread_count)
		thread_at(why, why->use.thread_count - 1);
	for (uint32_t i = 0; i < why->wanted_count; i++) {
		if (why->wanted[i].is_open)
			end_part(&why->wanted[i], now);
	}
	for (uint32_t i = 0; i < why->thread_count; i++) {
		struct why_thread *t = &why->threads[i];

		if (t->count)
			t->list[t->count - 1].to = now;
	}
}

void why_free(struct why *why)
{
	for (uint32_t i = 0; i < why->thread_count; i++) {
		struct why_thread *t = &why->threads[i];

		while (t->count)
			free_stretch(&t->list[--t->count]);
		while (t->sample_count)
			free(t->samples[--t->sample_count].stack.at);
		free(t->list);
		free(t->samples);
	}
	for (uint32_t i = 0; i < why->wanted_count; i++) {
		free(why->wanted[i].parts);
		free(why->wanted[i].fields);
	}
	free(why->threads);
	free(why->processors);
	free(why->requests);
	free(why->wanted);
	activities_free(&why->activities);
	cpu_free(&why->use);
}
