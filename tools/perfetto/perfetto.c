// SPDX-License-Identifier: MIT
/*
 * Perfetto's trace format.
 *
 * An activity that is nested correctly on its thread becomes a slice of that
 * thread. Any other, or one that starts and stops on different threads, becomes
 * a slice of a track of its own, below the process. All other events are
 * instants of their threads. Flows are arrows that lead from an activity's
 * event to its next event on another track, and from an activity to the
 * activities that it has caused. Context switches and wake-ups become those of
 * Linux' ftrace.
 *
 * https://perfetto.dev/docs/reference/synthetic-track-event
 */
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/perfetto/export.h"
#include "tools/events/fields.h"
#include "decode/format.h"
#include "tools/events/images.h"
#include "tools/perfetto/perfetto_fields.h"
#include "tools/perfetto/perfetto_plan.h"
#include "tools/perfetto/perfetto_schedule.h"
#include "tools/perfetto/perfetto_tracks.h"
#include "tools/events/process_event.h"
#include "tools/events/process_names.h"
#include "tools/events/stack.h"
#include "lib/consume/trace.h"

/* Perfetto ignores slices nested more than 512 deep */
#define MAX_OPEN		500

#define CLOCK_REALTIME_ID	1
#define CLOCK_BOOTTIME_ID	6

/**
 * struct flow - display state of an activity
 * @lane: track of its own, or TRACK_NONE
 * @track: track of its last event that an arrow may begin at, or TRACK_NONE
 * @children: number of flows to caused activities ended so far
 */
struct flow {
	uint32_t lane;
	uint32_t track;
	uint32_t children;
};

/**
 * struct perfetto - state of writing a trace
 * @packets: packet writer
 * @tracks: tracks of the trace
 * @plan: placement of activities, from the first pass
 * @activities: activities read so far
 * @flows: display state of each activity
 * @flow_count: number of elements set in @flows
 * @logs: log files
 * @lost: number of losses already reported
 * @time: time of the last event
 * @schedule: context switches and wake-ups
 * @has_begun: the clocks have been written
 */
struct perfetto {
	struct packets packets;
	struct tracks tracks;
	struct perfetto_plan plan;
	struct activities activities;
	struct flow *flows;
	uint32_t flow_count;
	uint32_t flow_room;
	const struct logs *logs;
	uint64_t lost;
	int64_t time;
	struct schedule schedule;
	bool has_begun;
};

static void *begin(FILE *out, const struct logs *logs)
{
	struct perfetto *p = must_have(calloc(1, sizeof(*p)));

	p->packets.out = out;
	p->logs = logs;
	p->schedule.packets = &p->packets;
	p->schedule.tracks = &p->tracks;
	return p;
}

static void survey(void *writer, EVENT_RECORD *record)
{
	struct perfetto *p = writer;
	uint32_t pid = record->EventHeader.ProcessId;
	char name[PROCESS_EVENT_NAME];
	const char *known;
	struct view view;

	cpu_take_end(&p->schedule.use, record);
	if (is_process_name(record)) {
		pid = process_names_take_record(record);
	} else if (!is_image(record)) {
		view_event(record, &view);
		plan_take(&p->plan, &view);
		if (!process_event(&view, &pid, name))
			return;
		process_names_take(&view);
	}
	/* The name of an image does not replace the name of a process */
	known = process_names_shown(pid);
	if (known)
		track_name_process(&p->tracks, pid, known);
}

/* Return the header of the file that began first */
static const TRACE_LOGFILE_HEADER *first_header(const struct logs *logs)
{
	const TRACE_LOGFILE_HEADER *first = &logs->files[0].LogfileHeader;

	for (int i = 1; i < logs->count; i++) {
		const TRACE_LOGFILE_HEADER *h = &logs->files[i].LogfileHeader;

		if (h->StartTime.QuadPart < first->StartTime.QuadPart)
			first = h;
	}
	return first;
}

static Perfetto__ClockSnapshot__Clock *new_clock(struct pool *pool,
						 uint32_t id, uint64_t time)
{
	Perfetto__ClockSnapshot__Clock *clock = pool_take(pool,
							  sizeof(*clock));

	perfetto__clock_snapshot__clock__init(clock);
	clock->has_clock_id = true;
	clock->clock_id = id;
	clock->has_timestamp = true;
	clock->timestamp = time;
	return clock;
}

/*
 * Write the relation of the clocks. Events have the time of day, which readers
 * convert to the time since boot. If the boot time is unknown, both are the
 * same.
 */
static void write_clocks(struct perfetto *p)
{
	const TRACE_LOGFILE_HEADER *h = first_header(p->logs);
	int64_t start = h->StartTime.QuadPart, boot = h->BootTime.QuadPart;
	Perfetto__TracePacket *packet = packet_new(&p->packets, start);
	struct pool *pool = &p->packets.pool;
	Perfetto__ClockSnapshot *snapshot = pool_take(pool, sizeof(*snapshot));
	uint64_t now = packet_time(start), up = now;

	if (packet_time(boot) && boot < start) {
		up = now - packet_time(boot);
		p->schedule.boot = boot;
	}
	perfetto__clock_snapshot__init(snapshot);
	snapshot->n_clocks = 2;
	snapshot->clocks = pool_take(pool, 2 * sizeof(*snapshot->clocks));
	snapshot->clocks[0] = new_clock(pool, CLOCK_REALTIME_ID, now);
	snapshot->clocks[1] = new_clock(pool, CLOCK_BOOTTIME_ID, up);
	snapshot->has_primary_trace_clock = true;
	snapshot->primary_trace_clock = CLOCK_BOOTTIME_ID;
	/* A clock snapshot itself has no time stamp */
	packet->has_timestamp = false;
	packet->clock_snapshot = snapshot;
	packet_write(&p->packets, packet);
}

static void write_begin(struct perfetto *p)
{
	if (p->has_begun)
		return;
	p->has_begun = true;
	plan_end(&p->plan);
	write_clocks(p);
}

/* Create an event on a track. Its names are written with the packet. */
static Perfetto__TrackEvent *new_event(struct perfetto *p, uint32_t track,
				       Perfetto__TrackEvent__Type type,
				       Perfetto__TracePacket *packet)
{
	Perfetto__TrackEvent *e = pool_take(&p->packets.pool, sizeof(*e));

	perfetto__track_event__init(e);
	e->has_type = true;
	e->type = type;
	e->has_track_uuid = true;
	e->track_uuid = p->tracks.tracks[track].uuid;
	packet->track_event = e;
	return e;
}

static void set_name(struct perfetto *p, Perfetto__TrackEvent *e,
		     const char *name, const char *category)
{
	e->category_iids = pool_take(&p->packets.pool,
				     sizeof(*e->category_iids));
	e->category_iids[0] = packet_name(&p->packets, PACKET_CATEGORY,
					  category);
	e->n_category_iids = 1;
	e->has_name_iid = true;
	e->name_iid = packet_name(&p->packets, PACKET_EVENT, name);
}

/*
 * Create an instant on the track of losses; the caller adds annotations and
 * writes it
 */
static Perfetto__TracePacket *new_loss(struct perfetto *p, const char *name)
{
	uint32_t track = track_of_losses(&p->tracks, &p->packets, p->time);
	Perfetto__TracePacket *packet = packet_new(&p->packets, p->time);

	set_name(p, new_event(p, track,
			      PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT,
			      packet), name, "losses");
	return packet;
}

/* Report losses that the readers of the files have found since the last call */
static void report_loss(struct perfetto *p)
{
	uint64_t lost = logs_losses_found(p->logs);

	if (lost == p->lost)
		return;
	p->lost = lost;
	packets_dropped(&p->packets);
	packet_write(&p->packets, new_loss(p, "lost before here"));
}

static struct flow *flow_of(struct perfetto *p, uint32_t number)
{
	uint32_t room = p->flow_room;

	if (p->activities.count > room) {
		while (room < p->activities.count)
			room = room ? 2 * room : 1024;
		p->flows = must_have(realloc(p->flows, (size_t)room *
					     sizeof(*p->flows)));
		p->flow_room = room;
	}
	for (; p->flow_count < p->activities.count; p->flow_count++)
		p->flows[p->flow_count] = (struct flow) {
			TRACK_NONE, TRACK_NONE, 0
		};
	return &p->flows[number];
}

/*
 * Return the id of a flow: from an activity's event to its next one if @child
 * is 0, otherwise to a caused activity
 */
static uint64_t flow_id(uint32_t number, uint32_t child)
{
	uint64_t hash = hash_bytes(HASH_BEGIN, &number, sizeof(number));

	return hash_bytes(hash, &child, sizeof(child));
}

static void add_flow(struct perfetto *p, uint64_t **ids, size_t *count,
		     uint64_t id)
{
	if (!*ids)
		*ids = pool_take(&p->packets.pool,
				 (PLAN_CHILDREN + 2) * sizeof(**ids));
	(*ids)[(*count)++] = id;
}

/* End the flow from the causing activity, if that is shown on another track */
static void end_flow(struct perfetto *p, Perfetto__TrackEvent *e,
		     uint32_t parent, uint32_t track)
{
	struct flow *flow;
	uint64_t id;

	if (parent == ACTIVITY_NONE)
		return;
	flow = flow_of(p, parent);
	if (flow->children < PLAN_CHILDREN)
		flow->children++;
	id = flow_id(parent, flow->children);
	if (flow->track == TRACK_NONE || flow->track == track)
		return;
	if (flow->children < PLAN_CHILDREN)
		add_flow(p, &e->terminating_flow_ids,
			 &e->n_terminating_flow_ids, id);
	else
		add_flow(p, &e->flow_ids, &e->n_flow_ids, id);
}

/*
 * Add the flows of an event of activity @number. All flows that may leave an
 * activity begin at its first event.
 */
static void add_flows(struct perfetto *p, Perfetto__TrackEvent *e,
		      uint32_t number, enum activity_role role, uint32_t track)
{
	const struct activity *activity = activity_at(&p->activities, number);
	uint32_t i, children;
	struct flow *flow;

	if (role == ACTIVITY_START)
		end_flow(p, e, activity->parent, track);
	flow = flow_of(p, number);
	if (activity->events == 1) {
		children = plan_children(&p->plan, number);
		for (i = 0; i <= children; i++)
			add_flow(p, &e->flow_ids, &e->n_flow_ids,
				 flow_id(number, i));
	} else if (track != flow->track && !guid_is_zero(&activity->id)) {
		add_flow(p, &e->flow_ids, &e->n_flow_ids, flow_id(number, 0));
	}
	flow->track = track;
}

/* Annotate non-zero numbers only, as there are many events with many zeroes */
static void annotate_more(struct packets *to, struct annotations *list,
			  const char *name, uint64_t number)
{
	if (number)
		annotation_number(to, list, name, number);
}

/* Annotate the fields of the event header */
static void annotate_header(struct perfetto *p, struct annotations *list,
			    const EVENT_RECORD *record, bool with_thread)
{
	const EVENT_HEADER *h = &record->EventHeader;
	const EVENT_DESCRIPTOR *d = &h->EventDescriptor;
	struct packets *to = &p->packets;
	char text[GUID_TEXT];

	annotation_number(to, list, "id", d->Id);
	annotate_more(to, list, "version", d->Version);
	annotate_more(to, list, "level", d->Level);
	annotate_more(to, list, "opcode", d->Opcode);
	annotate_more(to, list, "task", d->Task);
	if (d->Keyword)
		annotation_mask(to, list, "keyword", d->Keyword);
	annotation_number(to, list, "cpu", GetEventProcessorIndex(record));
	if (with_thread) {
		annotation_number(to, list, "pid", h->ProcessId);
		annotation_number(to, list, "tid", h->ThreadId);
	}
	if (!guid_is_zero(&h->ActivityId))
		annotation_text(to, list, "activity",
				format_guid(&h->ActivityId, text));
}

/*
 * Annotate an event; @inside, if not NULL, is an annotation that contains all
 * others
 */
static void annotate(struct perfetto *p, Perfetto__TrackEvent *e,
		     const struct view *view, bool with_thread,
		     const char *inside)
{
	struct annotations fields = {}, header = {}, outer = {};
	char text[GUID_TEXT];

	annotate_fields(&p->packets, &fields, view);
	annotate_header(p, &header, view->record, with_thread);
	if (view->related)
		annotation_text(&p->packets, &header, "related",
				format_guid(view->related, text));
	annotation_dict(&p->packets, &fields, "etw", &header);
	if (inside) {
		annotation_dict(&p->packets, &outer, inside, &fields);
		fields = outer;
	}
	e->debug_annotations = fields.list;
	e->n_debug_annotations = fields.count;
}

typedef Perfetto__TrackEvent__InlineCallstack__Frame stack_frame_t;

static void set_frame(struct perfetto *p, const struct frame *frame,
		      stack_frame_t *f)
{
	const struct symbol *symbol = &frame->symbol;
	char *text = frame_name(frame);

	f->function_name = packet_text(&p->packets, text);
	free(text);
	if (!symbol->file)
		return;
	f->source_file = packet_text(&p->packets, symbol->file);
	f->has_line_number = true;
	f->line_number = symbol->line;
}

/* Add the call stack, outermost frame first */
static void add_stack(struct perfetto *p, Perfetto__TrackEvent *e,
		      const EVENT_RECORD *record)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *stack = stack_of(record);
	size_t i, depth = stack ? stack_depth(stack) : 0;
	Perfetto__TrackEvent__InlineCallstack *s;
	stack_frame_t *f;
	struct frame frame;

	if (!depth)
		return;
	s = pool_take(&p->packets.pool, sizeof(*s));
	perfetto__track_event__inline_callstack__init(s);
	s->n_frames = depth;
	s->frames = pool_take(&p->packets.pool, depth * sizeof(*s->frames));
	for (i = 0; i < depth; i++) {
		f = pool_take(&p->packets.pool, sizeof(*f));
		perfetto__track_event__inline_callstack__frame__init(f);
		stack_frame(record, stack, depth - 1 - i, &frame);
		set_frame(p, &frame, f);
		s->frames[i] = f;
	}
	e->callstack = s;
}

/* Return the provider's name, otherwise its id */
static const char *category_of(const struct view *view, char text[GUID_TEXT])
{
	const struct schema *schema = fields_schema(view->kind, view->record);
	const char *name = provider_name(view->kind, schema);

	return name && *name ? name :
	       format_guid(&view->record->EventHeader.ProviderId, text);
}

/**
 * struct shown - how an event is shown
 * @type: type of the track event
 * @track: track of the event
 * @number: number of its activity, or ACTIVITY_NONE
 * @role: role of the event in the activity
 * @is_elsewhere: the track differs from the thread's track
 */
struct shown {
	Perfetto__TrackEvent__Type type;
	uint32_t track;
	uint32_t number;
	enum activity_role role;
	bool is_elsewhere;
};

static uint32_t thread_track(struct perfetto *p, const EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;

	return track_of_thread(&p->tracks, &p->packets, h->ProcessId,
			       h->ThreadId, h->TimeStamp.QuadPart);
}

static void place_start(struct perfetto *p, const EVENT_RECORD *record,
			struct shown *shown)
{
	enum plan_place place = plan_place(&p->plan, shown->number);
	const struct activity *a;
	struct flow *flow;
	const char *name;

	shown->type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN;
	if (place != PLAN_LANE)
		shown->track = thread_track(p, record);
	if (place == PLAN_EVENTS) {
		shown->type = PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT;
		return;
	}
	if (place != PLAN_LANE &&
	    p->tracks.tracks[shown->track].open != MAX_OPEN) {
		p->tracks.tracks[shown->track].open++;
		return;
	}
	a = activity_at(&p->activities, shown->number);
	flow = flow_of(p, shown->number);
	name = activity_kind(&p->activities, a)->name;
	flow->lane = track_take_lane(&p->tracks, &p->packets, a->pid, name,
				     p->time);
	shown->track = flow->lane;
	shown->is_elsewhere = true;
}

static void place_stop(struct perfetto *p, const EVENT_RECORD *record,
		       struct shown *shown)
{
	struct flow *flow = flow_of(p, shown->number);

	if (flow->lane != TRACK_NONE) {
		shown->type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
		shown->track = flow->lane;
		shown->is_elsewhere = true;
		track_put_lane(&p->tracks, flow->lane);
		flow->lane = TRACK_NONE;
		return;
	}
	shown->track = thread_track(p, record);
	if (!activity_at(&p->activities, shown->number)->started ||
	    plan_place(&p->plan, shown->number) != PLAN_THREAD)
		return;
	shown->type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
	p->tracks.tracks[shown->track].open--;
}

static struct shown place(struct perfetto *p, const struct view *view)
{
	struct shown shown = {
		.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT,
	};

	shown.number = activities_take(&p->activities, view, &shown.role);
	if (shown.role == ACTIVITY_START)
		place_start(p, view->record, &shown);
	else if (shown.role == ACTIVITY_STOP)
		place_stop(p, view->record, &shown);
	else
		shown.track = thread_track(p, view->record);
	return shown;
}

/* Name an event: a slice after its activity, an instant after the event */
static void name_event(struct perfetto *p, Perfetto__TrackEvent *e,
		       const struct view *view, const struct shown *shown)
{
	const struct schema *schema = fields_schema(view->kind, view->record);
	const struct activity *a;
	char guid[GUID_TEXT];
	char *title;

	if (shown->type == PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN) {
		a = activity_at(&p->activities, shown->number);
		set_name(p, e, activity_kind(&p->activities, a)->name,
			 category_of(view, guid));
		return;
	}
	title = event_title(view, schema);
	set_name(p, e, title, category_of(view, guid));
	free(title);
}

/*
 * Write an event. The end of a slice has no name, as readers would search for
 * that, and all its fields are in one annotation, as the start may have fields
 * of the same names.
 */
static void event(void *writer, EVENT_RECORD *record)
{
	struct perfetto *p = writer;
	Perfetto__TracePacket *packet;
	Perfetto__TrackEvent *e;
	struct shown shown;
	struct view view;
	bool ends;

	write_begin(p);
	p->time = record->EventHeader.TimeStamp.QuadPart;
	report_loss(p);
	if (schedule_take(&p->schedule, record))
		return;
	view_event(record, &view);
	shown = place(p, &view);
	packet = packet_new(&p->packets, p->time);
	e = new_event(p, shown.track, shown.type, packet);
	ends = shown.type == PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
	if (!ends)
		name_event(p, e, &view, &shown);
	if (!ends && shown.number != ACTIVITY_NONE)
		add_flows(p, e, shown.number, shown.role, shown.track);
	annotate(p, e, &view, shown.is_elsewhere, ends ? "stop" : NULL);
	add_stack(p, e, record);
	packet_write(&p->packets, packet);
}

static void write_stats(struct perfetto *p, uint64_t events, uint64_t buffers)
{
	Perfetto__TracePacket *packet = packet_new(&p->packets, p->time);
	struct pool *pool = &p->packets.pool;
	Perfetto__TraceStats *stats = pool_take(pool, sizeof(*stats));
	Perfetto__TraceStats__BufferStats *buffer = pool_take(pool,
							      sizeof(*buffer));

	perfetto__trace_stats__init(stats);
	perfetto__trace_stats__buffer_stats__init(buffer);
	buffer->has_trace_writer_packet_loss = true;
	buffer->trace_writer_packet_loss = events;
	buffer->has_chunks_discarded = true;
	buffer->chunks_discarded = buffers;
	stats->n_buffer_stats = 1;
	stats->buffer_stats = pool_take(pool, sizeof(buffer));
	stats->buffer_stats[0] = buffer;
	packet->trace_stats = stats;
	packet_write(&p->packets, packet);
}

static void write_losses(struct perfetto *p, const EVENT_TRACE_LOGFILEA *file)
{
	const TRACE_LOGFILE_HEADER *h = &file->LogfileHeader;
	struct packets *to = &p->packets;
	struct annotations list = {};
	Perfetto__TracePacket *packet;

	if (!h->EventsLost && !h->BuffersLost)
		return;
	packet = new_loss(p, "lost in recording");
	annotation_text(to, &list, "file", file->LogFileName);
	annotation_number(to, &list, "events", h->EventsLost);
	annotation_number(to, &list, "buffers", h->BuffersLost);
	packet->track_event->debug_annotations = list.list;
	packet->track_event->n_debug_annotations = list.count;
	packet_write(to, packet);
}

static void end(void *writer)
{
	struct perfetto *p = writer;
	uint64_t events = 0, buffers = 0;

	write_begin(p);
	for (int i = 0; i < p->logs->count; i++) {
		write_losses(p, &p->logs->files[i]);
		events += p->logs->files[i].LogfileHeader.EventsLost;
		buffers += p->logs->files[i].LogfileHeader.BuffersLost;
	}
	write_stats(p, events, buffers);
}

static void free_all(void *writer)
{
	struct perfetto *p = writer;

	packets_free(&p->packets);
	tracks_free(&p->tracks);
	plan_free(&p->plan);
	activities_free(&p->activities);
	cpu_free(&p->schedule.use);
	free(p->flows);
	free(p);
}

const struct export_format perfetto_format = {
	.begin = begin,
	.survey = survey,
	.event = event,
	.end = end,
	.free = free_all,
};
