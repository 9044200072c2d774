// SPDX-License-Identifier: MIT
/*
 * Iterates over the messages of a file, oldest first.
 *
 * One buffer of each processor is in memory. A packet contains the events of a
 * buffer, and begins and ends at the times of its first and last event.
 *
 * The times of messages must never decrease, but the times of records may. A
 * record out of order, or one without a time, gets the time of the previous
 * event, and the user is notified.
 *
 * The losses in the file's header occurred at some time between its beginning
 * and its end. CTF readers, which compute losses from counters, need them
 * between two packets. Therefore the stream of losses has an empty packet at
 * either end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/process_record.h"
#include "lib/consume/trace_source.h"
#include "lib/consume/etl_index.h"
#include "babeltrace/field.h"
#include "babeltrace/classes.h"
#include "babeltrace/source.h"
#include "lib/consume/trace_merge.h"

/* Maximum number of messages made from one record */
#define MAX_QUEUE	16

/* Shorter names for creating messages */
#define BEGIN	bt_message_packet_beginning_create_with_default_clock_snapshot
#define END	bt_message_packet_end_create_with_default_clock_snapshot
#define LOST_EVENTS \
	bt_message_discarded_events_create_with_default_clock_snapshots
#define LOST_PACKETS \
	bt_message_discarded_packets_create_with_default_clock_snapshots

/**
 * struct cpu - stream of a processor
 * @stream: stream; NULL before its first event
 * @packet: current packet; NULL between packets
 */
struct cpu {
	bt_stream *stream;
	bt_packet *packet;
};

enum iterator_state {
	ITERATOR_READING,
	ITERATOR_CLOSING,	/* ending the streams one at a time */
	ITERATOR_DONE,
};

/* Progress of reporting the header's losses */
enum losses_state {
	LOSSES_BEFORE,
	LOSSES_WITHIN,
	LOSSES_AFTER,
};

/**
 * struct iterator - reader of a file
 * @self: iterator of the library
 * @input: input file
 * @source: open file
 * @merge: records of the file in order of time
 * @state: progress of reading
 * @losses: progress of reporting the header's losses
 * @cpus: streams by processor
 * @cpu_count: number of elements in @cpus
 * @closed: number of streams already ended
 * @code: Win32 code of the error that ended reading early
 * @last: time of the last message
 * @disordered: number of events out of order
 * @queue: messages to deliver
 * @queued: number of messages in @queue
 * @given: number of messages already delivered
 * @processes: names of the processes so far
 * @tasks: processes and threads so far, from events of the kernel
 * @view: current event
 */
struct iterator {
	bt_self_message_iterator *self;
	struct input *input;
	struct trace_source *source;
	struct trace_merge merge;
	enum iterator_state state;
	enum losses_state losses;
	struct cpu *cpus;
	u32 cpu_count;
	u32 closed;
	ULONG code;
	s64 last;
	u64 disordered;
	const bt_message *queue[MAX_QUEUE];
	unsigned int queued;
	unsigned int given;
	struct process_table processes;
	struct linux_tasks tasks;
	struct etl_view view;
};

/* Queue @message and take its reference; return false for NULL */
static bool add(struct iterator *it, bt_message *message)
{
	if (message)
		it->queue[it->queued++] = message;
	return message;
}

static bool add_begin(struct iterator *it, const bt_packet *packet, s64 time)
{
	it->last = time;
	return add(it, BEGIN(it->self, packet, time));
}

static bool add_end(struct iterator *it, const bt_packet *packet, s64 time)
{
	it->last = time;
	return add(it, END(it->self, packet, time));
}

static bool begin_stream(struct iterator *it, const bt_stream *stream)
{
	return add(it, bt_message_stream_beginning_create(it->self, stream));
}

static bool end_stream(struct iterator *it, const bt_stream *stream)
{
	return add(it, bt_message_stream_end_create(it->self, stream));
}

static bool add_empty_packet(struct iterator *it, s64 time)
{
	bt_packet *packet = bt_packet_create(it->input->losses);
	bool ok = packet && add_begin(it, packet, time) &&
		  add_end(it, packet, time);

	bt_packet_put_ref(packet);
	return ok;
}

/* Begin reporting the header's losses in front of the first event, at @time */
static bool begin_losses(struct iterator *it, s64 time)
{
	const struct input *input = it->input;
	bt_stream *stream = input->losses;
	s64 from = time < input->start ? time : input->start;
	bt_message *message;

	it->losses = stream ? LOSSES_WITHIN : LOSSES_AFTER;
	if (!stream)
		return true;
	if (!begin_stream(it, stream) || !add_empty_packet(it, from))
		return false;
	if (input->events_lost) {
		message = LOST_EVENTS(it->self, stream, from, input->end);
		if (!message)
			return false;
		bt_message_discarded_events_set_count(message,
						      input->events_lost);
		add(it, message);
	}
	if (input->buffers_lost) {
		message = LOST_PACKETS(it->self, stream, from, input->end);
		if (!message)
			return false;
		bt_message_discarded_packets_set_count(message,
						       input->buffers_lost);
		add(it, message);
	}
	return true;
}

static bool end_losses(struct iterator *it)
{
	it->losses = LOSSES_AFTER;
	return add_empty_packet(it, it->input->end) &&
	       end_stream(it, it->input->losses);
}

/*
 * Report the header's losses as far as they are due before a message at @time
 */
static bool add_losses(struct iterator *it, s64 time)
{
	if (it->losses == LOSSES_BEFORE && !begin_losses(it, time))
		return false;
	return it->losses != LOSSES_WITHIN || time <= it->input->end ||
	       end_losses(it);
}

static struct cpu *cpu_of(struct iterator *it, const struct trace_stream *s)
{
	u16 number = etl_buffer_cpu((const void *)s->buffer);
	u32 count = (u32)number + 1;
	struct cpu *more, *cpu;

	if (count > it->cpu_count) {
		more = realloc(it->cpus, count * sizeof(*more));
		if (!more)
			return NULL;
		memset(more + it->cpu_count, 0,
		       (count - it->cpu_count) * sizeof(*more));
		it->cpus = more;
		it->cpu_count = count;
	}
	cpu = &it->cpus[number];
	if (cpu->stream)
		return cpu;
	cpu->stream = trace_stream_of(it->input, number);
	if (!cpu->stream || !begin_stream(it, cpu->stream))
		return NULL;
	return cpu;
}

static bool begin_packet(struct iterator *it, struct cpu *cpu, s64 time)
{
	bt_field *context;

	if (cpu->packet)
		return true;
	cpu->packet = bt_packet_create(cpu->stream);
	if (!cpu->packet)
		return false;
	context = bt_packet_borrow_context_field(cpu->packet);
	field_set(field_member(context, 0), cpu - it->cpus);
	return add_begin(it, cpu->packet, time);
}

/* End a buffer's packet; a buffer without events has none */
static bool end_packet(struct iterator *it, const struct trace_stream *s)
{
	u16 number = etl_buffer_cpu((const void *)s->buffer);
	struct cpu *cpu = NULL;

	if (number < it->cpu_count)
		cpu = &it->cpus[number];
	if (!cpu || !cpu->packet)
		return true;
	if (!add_end(it, cpu->packet, it->last))
		return false;
	bt_packet_put_ref(cpu->packet);
	cpu->packet = NULL;
	return true;
}

/* Return the time for the current record's message */
static s64 time_of(struct iterator *it, const struct trace_stream *s)
{
	if (s->raw == ETL_NO_TIME)
		return it->last ? it->last : it->input->start;
	if (s->time >= it->last)
		return s->time < LATEST ? s->time : LATEST;
	it->disordered++;
	return it->last;
}

/*
 * Add the messages of a record. The header record becomes the trace's
 * environment instead.
 */
static bool take_record(struct iterator *it, const struct trace_stream *s)
{
	struct component *c = it->input->component;
	bt_message *message;
	const char *process;
	struct cpu *cpu;
	s64 time;

	trace_view(s, s->buffer + s->at, s->size, s->time, &it->view);
	trace_count_items(&it->source->counts, &it->view);
	if (is_log_header(&it->view.record))
		return true;
	/*
	 * A manifest may be in events of the provider, or in a program named by
	 * an event
	 */
	if (embedded_take(&c->embedded, &it->view.record) ||
	    !EvntLoadManifestFromEvent(&it->view.record))
		kinds_each(&c->kinds, classes_forget_unknown);
	if (is_process_name(&it->view.record) &&
	    !process_table_take(&it->processes, &it->view.record))
		return false;
	if (!linux_tasks_take(&it->tasks, &it->view.record))
		return false;
	time = time_of(it, s);
	if (!add_losses(it, time))
		return false;
	cpu = cpu_of(it, s);
	if (!cpu || !begin_packet(it, cpu, time))
		return false;
	it->last = time;
	process = process_table_find(&it->processes,
				     it->view.record.EventHeader.ProcessId);
	message = fill_message(c, it->self, &it->view.record, process,
			       &it->tasks, cpu->packet, time);
	return add(it, message);
}

static void report(struct iterator *it)
{
	u64 unread = etl_unread_bytes(&it->source->counts);
	struct input *input = it->input;

	if (input->reported || !component_warns(input->component))
		return;
	input->reported = true;
	if (it->source->counts.unread[ETL_UNREAD_CUT].count)
		fprintf(stderr, "%s: the file ends inside a buffer, whose last"
			" events are missing\n", input->path);
	if (unread)
		fprintf(stderr, "%s: %" PRIu64 " bytes were not understood;"
			" 'evnt stat' shows details\n", input->path,
			(uint64_t)unread);
	if (it->disordered)
		fprintf(stderr, "%s: %" PRIu64 " events are out of order, and"
			" shown later than their time\n", input->path,
			(uint64_t)it->disordered);
}

/* Advance to the next record or the end of a buffer */
static ULONG read_next(struct iterator *it)
{
	ULONG code = trace_merge_next(&it->merge);
	const struct trace_stream *s;
	bool ok;

	if (code)
		return code;
	if (it->merge.step == TRACE_STEP_END) {
		it->state = ITERATOR_CLOSING;
		ok = it->losses != LOSSES_BEFORE ||
		     add_losses(it, it->input->start);
		if (ok && it->losses == LOSSES_WITHIN)
			ok = end_losses(it);
	} else {
		s = trace_merge_top(&it->merge)->stream;
		ok = it->merge.step == TRACE_STEP_RECORD ? take_record(it, s) :
							   end_packet(it, s);
	}
	return ok ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

static ULONG step(struct iterator *it)
{
	if (it->state == ITERATOR_READING)
		return read_next(it);
	while (it->closed < it->cpu_count && !it->cpus[it->closed].stream)
		it->closed++;
	if (it->closed < it->cpu_count)
		return end_stream(it, it->cpus[it->closed++].stream) ?
		       ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
	it->state = ITERATOR_DONE;
	report(it);
	return ERROR_SUCCESS;
}

static bt_message_iterator_class_next_method_status
end_status(const struct iterator *it)
{
	switch (it->code) {
	case ERROR_SUCCESS:
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
	case ERROR_NOT_ENOUGH_MEMORY:
	case ERROR_OUTOFMEMORY:
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR;
	}
	FAIL(it->input->component, "%s: reading stopped with error %u",
	     it->input->path, it->code);
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
}

/* Deliver messages; the final status follows once all have been delivered */
bt_message_iterator_class_next_method_status
iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
	      uint64_t capacity, uint64_t *count)
{
	struct iterator *it = bt_self_message_iterator_get_data(self);

	*count = 0;
	while (*count < capacity) {
		while (it->given == it->queued && it->state != ITERATOR_DONE) {
			it->given = 0;
			it->queued = 0;
			it->code = step(it);
			if (it->code)
				it->state = ITERATOR_DONE;
		}
		if (it->given == it->queued)
			break;
		messages[(*count)++] = it->queue[it->given++];
	}
	return *count ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK :
			end_status(it);
}

static void drop_queue(struct iterator *it)
{
	while (it->given < it->queued)
		bt_message_put_ref(it->queue[it->given++]);
	it->given = 0;
	it->queued = 0;
}

static void drop_cpus(struct iterator *it)
{
	for (u32 i = 0; i < it->cpu_count; i++)
		bt_packet_put_ref(it->cpus[i].packet);
	free(it->cpus);
	it->cpus = NULL;
	it->cpu_count = 0;
}

/* Rewind to the beginning, where the state is zeroed */
static ULONG start(struct iterator *it)
{
	drop_queue(it);
	drop_cpus(it);
	trace_merge_end(&it->merge);
	memset(&it->merge, 0, sizeof(it->merge));
	it->merge.sources = &it->source;
	it->merge.source_count = 1;
	it->state = ITERATOR_READING;
	it->losses = LOSSES_BEFORE;
	it->closed = 0;
	it->code = ERROR_SUCCESS;
	it->last = 0;
	it->disordered = 0;
	return trace_merge_start(&it->merge);
}

bt_message_iterator_class_initialize_method_status
iterator_initialize(bt_self_message_iterator *self,
		    bt_self_message_iterator_configuration *configuration,
		    bt_self_component_port_output *port)
{
	struct iterator *it = calloc(1, sizeof(*it));
	bt_self_component_port *self_port;

	if (!it)
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	it->self = self;
	self_port = bt_self_component_port_output_as_self_component_port(port);
	it->input = bt_self_component_port_get_data(self_port);
	bt_self_message_iterator_set_data(self, it);
	/* As times never decrease, the library can seek forward by itself */
	bt_self_message_iterator_configuration_set_can_seek_forward(configuration,
								    BT_TRUE);
	/* Open the file again if another iterator has taken it */
	if (!it->input->source && !input_open(it->input))
		goto finalize;
	it->source = it->input->source;
	it->input->source = NULL;
	if (start(it))
		goto finalize;
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
finalize:
	iterator_finalize(self);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
}

void iterator_finalize(bt_self_message_iterator *self)
{
	struct iterator *it = bt_self_message_iterator_get_data(self);

	drop_queue(it);
	drop_cpus(it);
	trace_merge_end(&it->merge);
	if (it->source)
		it->source->ops->close(it->source);
	process_table_free(&it->processes);
	linux_tasks_free(&it->tasks);
	free(it);
}

bt_message_iterator_class_can_seek_beginning_method_status
iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek)
{
	(void)self;
	*can_seek = BT_TRUE;
	return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_OK;
}

bt_message_iterator_class_seek_beginning_method_status
iterator_seek_beginning(bt_self_message_iterator *self)
{
	struct iterator *it = bt_self_message_iterator_get_data(self);

	process_table_free(&it->processes);
	linux_tasks_free(&it->tasks);
	return start(it) ?
	       BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_ERROR :
	       BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
}
