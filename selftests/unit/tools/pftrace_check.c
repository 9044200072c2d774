// SPDX-License-Identifier: MIT
/*
 * Read a Perfetto trace as its UI would, and print its contents and errors.
 * Shares only the message definitions with the writer.
 *
 *	pftrace_check TRACE		all counts, then the errors
 *	pftrace_check --events TRACE	also a line for each event
 *	pftrace_check --clocks TRACE	clocks and their times, in nanoseconds
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfetto.pb-c.h"

#define MAX_TRACKS	4096
#define MAX_NAMES	65536
#define MAX_FLOWS	65536

static struct track {
	uint64_t uuid;
	char name[64];
	uint64_t open;
	bool is_losses;
	char *slices[512];
} tracks[MAX_TRACKS];

static size_t track_count;

enum { CATEGORY, EVENT, ANNOTATION, KINDS };
static char *names[KINDS][MAX_NAMES];
static uint64_t flows[MAX_FLOWS];
static size_t flow_count;

static struct {
	uint64_t packets, events, begins, ends, instants, losses, arrows,
		 dropped;
	uint64_t wrong;
	uint64_t last_time;
	int64_t up;
	bool has_clock;
	bool has_state;
	bool prints;
	bool prints_clocks;
} seen;

static void complain(const char *what)
{
	printf("wrong: packet %" PRIu64 ": %s\n", seen.packets, what);
	seen.wrong++;
}

static struct track *track_of(uint64_t uuid)
{
	for (size_t i = 0; i < track_count; i++) {
		if (tracks[i].uuid == uuid)
			return &tracks[i];
	}
	return NULL;
}

static void take_track(const Perfetto__TrackDescriptor *d)
{
	struct track *t = track_of(d->uuid);

	if (!d->has_uuid || !d->uuid)
		complain("a track without a number");
	if (d->has_parent_uuid && !track_of(d->parent_uuid))
		complain("a track below one that is not known");
	if (t)
		complain("a track that is there already");
	t = &tracks[track_count++];
	t->uuid = d->uuid;
	if (d->process)
		snprintf(t->name, sizeof(t->name), "process %d %s",
			 d->process->pid, d->process->process_name ?
			 d->process->process_name : "?");
	else if (d->thread)
		snprintf(t->name, sizeof(t->name), "%d/%" PRId64,
			 d->thread->pid, d->thread->tid);
	else
		snprintf(t->name, sizeof(t->name), "<%s>", d->name);
	t->is_losses = d->name && !strcmp(d->name, "losses");
	if (seen.prints)
		printf("track %s\n", t->name);
}

static void take_names(Perfetto__InternedName **list, size_t n, int kind)
{
	for (size_t i = 0; i < n; i++) {
		if (!list[i]->iid || list[i]->iid >= MAX_NAMES)
			complain("a name without a number");
		else if (names[kind][list[i]->iid])
			complain("a name is defined twice");
		else
			names[kind][list[i]->iid] = strdup(list[i]->name);
	}
}

static const char *name_of(int kind, uint64_t iid)
{
	if (iid && iid < MAX_NAMES && names[kind][iid])
		return names[kind][iid];
	complain("a name was not defined");
	return "?";
}

static void forget(void)
{
	for (int kind = 0; kind < KINDS; kind++) {
		for (size_t i = 0; i < MAX_NAMES; i++) {
			free(names[kind][i]);
			names[kind][i] = NULL;
		}
	}
}

static void print_annotation(const Perfetto__DebugAnnotation *a);

static void print_list(Perfetto__DebugAnnotation **list, size_t n, char begin,
		       char end)
{
	putchar(begin);
	for (size_t i = 0; i < n; i++) {
		if (i)
			putchar(' ');
		print_annotation(list[i]);
	}
	putchar(end);
}

static void print_annotation(const Perfetto__DebugAnnotation *a)
{
	if (a->has_name_iid)
		printf("%s=", name_of(ANNOTATION, a->name_iid));
	switch (a->value_case) {
	case PERFETTO__DEBUG_ANNOTATION__VALUE_BOOL_VALUE:
		printf("bool:%d", a->bool_value);
		break;
	case PERFETTO__DEBUG_ANNOTATION__VALUE_UINT_VALUE:
		printf("uint:%" PRIu64, a->uint_value);
		break;
	case PERFETTO__DEBUG_ANNOTATION__VALUE_INT_VALUE:
		printf("int:%" PRId64, a->int_value);
		break;
	case PERFETTO__DEBUG_ANNOTATION__VALUE_DOUBLE_VALUE:
		printf("double:%g", a->double_value);
		break;
	case PERFETTO__DEBUG_ANNOTATION__VALUE_STRING_VALUE:
		printf("\"%s\"", a->string_value);
		break;
	case PERFETTO__DEBUG_ANNOTATION__VALUE_POINTER_VALUE:
		printf("ptr:0x%" PRIx64, a->pointer_value);
		break;
	default:
		break;
	}
	if (a->n_dict_entries)
		print_list(a->dict_entries, a->n_dict_entries, '{', '}');
	if (a->n_array_values)
		print_list(a->array_values, a->n_array_values, '[', ']');
}

static bool find_flow(uint64_t id)
{
	for (size_t i = 0; i < flow_count; i++) {
		if (flows[i] == id)
			return true;
	}
	return false;
}

/* Count arrows: flows that continue an earlier event, or end here */
static unsigned int take_flows(const Perfetto__TrackEvent *e)
{
	unsigned int arrows = 0;

	for (size_t i = 0; i < e->n_terminating_flow_ids; i++) {
		if (find_flow(e->terminating_flow_ids[i]))
			arrows++;
		else
			complain("a flow ends that has not begun");
	}
	for (size_t i = 0; i < e->n_flow_ids; i++) {
		if (find_flow(e->flow_ids[i]))
			arrows++;
		else if (flow_count < MAX_FLOWS)
			flows[flow_count++] = e->flow_ids[i];
	}
	seen.arrows += arrows;
	return arrows;
}

/* Slices nest: an end has no name, and ends the innermost slice */
static const char *take_type(const Perfetto__TrackEvent *e, struct track *t)
{
	switch (e->type) {
	case PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN:
		seen.begins++;
		if (t->open < 512) {
			free(t->slices[t->open]);
			t->slices[t->open] = strdup(name_of(EVENT,
							    e->name_iid));
		}
		t->open++;
		return "begin";
	case PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END:
		seen.ends++;
		if (!t->open) {
			complain("an end without a begin");
			return "end";
		}
		t->open--;
		return "end";
	case PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT:
		seen.instants++;
		return "instant";
	default:
		complain("an event of no type");
		return "?";
	}
}

static void print_stack(const Perfetto__TrackEvent__InlineCallstack *stack)
{
	for (size_t i = 0; stack && i < stack->n_frames; i++)
		printf("%s%s", i ? " > " : " stack: ",
		       stack->frames[i]->function_name);
}

static void print_event(const Perfetto__TracePacket *p,
			const Perfetto__TrackEvent *e, const struct track *t,
			const char *type, unsigned int arrows)
{
	printf("%" PRIu64 " %s %s", p->timestamp, t->name, type);
	if (e->has_name_iid)
		printf(" %s", name_of(EVENT, e->name_iid));
	else if (t->open < 512 && t->slices[t->open])
		printf(" %s", t->slices[t->open]);
	if (e->n_category_iids)
		printf(" [%s]", name_of(CATEGORY, e->category_iids[0]));
	if (arrows)
		printf(" arrows=%u", arrows);
	for (size_t i = 0; i < e->n_debug_annotations; i++) {
		putchar(' ');
		print_annotation(e->debug_annotations[i]);
	}
	print_stack(e->callstack);
	putchar('\n');
}

static void take_event(const Perfetto__TracePacket *p)
{
	const Perfetto__TrackEvent *e = p->track_event;
	struct track *t = track_of(e->track_uuid);
	unsigned int arrows;
	const char *type;

	if (!t) {
		complain("an event of a track that is not known");
		return;
	}
	if (!(p->sequence_flags & 2) || !seen.has_state)
		complain("an event without what it needs");
	if (p->timestamp < seen.last_time)
		complain("an event before the last one");
	seen.last_time = p->timestamp;
	seen.events += !t->is_losses;
	seen.losses += t->is_losses;
	type = take_type(e, t);
	arrows = take_flows(e);
	if (seen.prints)
		print_event(p, e, t, type, arrows);
}

static void print_schedule(uint32_t cpu, const Perfetto__FtraceEvent *e)
{
	const Perfetto__SchedSwitchFtraceEvent *s = e->sched_switch;
	const Perfetto__SchedWakingFtraceEvent *w = e->sched_waking;

	if (s)
		printf("%" PRIu64 " cpu %u %s/%d state %" PRId64 " > %s/%d\n",
		       e->timestamp, cpu, s->prev_comm ? s->prev_comm : "?",
		       s->prev_pid, s->prev_state,
		       s->next_comm ? s->next_comm : "?", s->next_pid);
	if (w)
		printf("%" PRIu64 " cpu %u %u%s wakes %s/%d\n", e->timestamp,
		       cpu, e->pid, e->common_flags & 0x18 ? " interrupt" : "",
		       w->comm ? w->comm : "?", w->pid);
}

/* Times of these events are in the clock of the time since boot */
static void take_schedule(const Perfetto__TracePacket *p)
{
	const Perfetto__FtraceEventBundle *bundle = p->ftrace_events;

	for (size_t i = 0; i < bundle->n_event; i++) {
		const Perfetto__FtraceEvent *e = bundle->event[i];

		if (!bundle->has_cpu || !e->sched_switch == !e->sched_waking)
			complain("not one event of a processor");
		if (e->timestamp != p->timestamp + seen.up)
			complain("an event with another time than its packet");
		if (e->sched_switch && e->sched_switch->prev_pid != (int)e->pid)
			complain("a switch from another thread");
		if (seen.prints)
			print_schedule(bundle->cpu, e);
	}
}

static void take_clocks(const Perfetto__ClockSnapshot *snapshot)
{
	seen.has_clock = snapshot->n_clocks == 2;
	if (seen.has_clock)
		seen.up = snapshot->clocks[1]->timestamp -
			  snapshot->clocks[0]->timestamp;
	for (size_t i = 0; seen.prints_clocks && i < snapshot->n_clocks; i++)
		printf("clock %" PRIu32 ": %" PRIu64 "\n",
		       snapshot->clocks[i]->clock_id,
		       snapshot->clocks[i]->timestamp);
}

static void take_packet(const Perfetto__TracePacket *p)
{
	seen.packets++;
	if (p->trusted_packet_sequence_id != 1)
		complain("another sequence");
	if (p->sequence_flags & 1) {
		forget();
		seen.has_state = p->trace_packet_defaults &&
			p->trace_packet_defaults->timestamp_clock_id == 1;
	} else if (p->previous_packet_dropped) {
		complain("names are not defined again after a loss");
	}
	seen.dropped += p->previous_packet_dropped;
	if (p->interned_data) {
		const Perfetto__InternedData *d = p->interned_data;

		take_names(d->event_categories, d->n_event_categories,
			   CATEGORY);
		take_names(d->event_names, d->n_event_names, EVENT);
		take_names(d->debug_annotation_names,
			   d->n_debug_annotation_names, ANNOTATION);
	}
	if (p->clock_snapshot)
		take_clocks(p->clock_snapshot);
	else if (!seen.has_clock)
		complain("a time before the clocks");
	if (p->track_descriptor)
		take_track(p->track_descriptor);
	if (p->track_event)
		take_event(p);
	if (p->ftrace_events)
		take_schedule(p);
	if (p->trace_stats && seen.prints)
		printf("lost events=%" PRIu64 " buffers=%" PRIu64 "\n",
		       p->trace_stats->buffer_stats[0]->trace_writer_packet_loss,
		       p->trace_stats->buffer_stats[0]->chunks_discarded);
}

static uint8_t *read_all(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t room = 0, n;

	*len = 0;
	while (f) {
		room = 2 * room + 4096;
		data = realloc(data, room);
		if (!data)
			abort();
		n = fread(data + *len, 1, room - *len, f);
		*len += n;
		if (*len < room)
			break;
	}
	if (f)
		fclose(f);
	return data;
}

int main(int argc, char **argv)
{
	Perfetto__Trace *trace;
	uint64_t open = 0;
	uint8_t *data;
	size_t len;

	if (argc < 2)
		return 2;
	seen.prints = argc == 3 && !strcmp(argv[1], "--events");
	seen.prints_clocks = argc == 3 && !strcmp(argv[1], "--clocks");
	data = read_all(argv[argc - 1], &len);
	trace = data ? perfetto__trace__unpack(NULL, len, data) : NULL;
	if (!trace) {
		puts("wrong: this is no trace");
		return 1;
	}
	for (size_t i = 0; i < trace->n_packet; i++)
		take_packet(trace->packet[i]);
	for (size_t i = 0; i < track_count; i++)
		open += tracks[i].open;
	if (seen.begins != seen.ends + open)
		complain("ends that are not of a begin");
	printf("events=%" PRIu64 " begins=%" PRIu64 " ends=%" PRIu64
	       " instants=%" PRIu64 " open=%" PRIu64 " arrows=%" PRIu64
	       " losses=%" PRIu64 " dropped=%" PRIu64 " wrong=%" PRIu64 "\n",
	       seen.events, seen.begins, seen.ends, seen.instants, open,
	       seen.arrows, seen.losses, seen.dropped, seen.wrong);
	perfetto__trace__free_unpacked(trace, NULL);
	free(data);
	return seen.wrong != 0;
}
