/* SPDX-License-Identifier: MIT */
/*
 * source.evntprov.etl: interfaces shared by its parts.
 *
 * A component reads log files. Each file is a trace with a port of its own. A
 * trace has a stream for each processor, whose packets are the file's buffers,
 * and another stream for the losses in the file's header. Kinds of events and
 * their classes are shared by all files.
 *
 * Times are nanoseconds since 1970. A component and its iterators are used by
 * one thread at a time.
 */
#ifndef EVNT_SOURCE_H
#define EVNT_SOURCE_H

#include <babeltrace2/babeltrace.h>

#include "decode/embedded.h"
#include "decode/event_types.h"
#include "lib/consume/trace_source.h"

/* Maximum time; the minimum is 0 */
#define LATEST	(INT64_MAX - 1)

/**
 * struct input - a log file
 * @component: owner
 * @path: path of the file
 * @source: open file, until an iterator takes it; then NULL
 * @start: start time from the header
 * @end: end time from the header, otherwise the time of the last write; not
 *   before @start
 * @events_lost: number of lost events from the header
 * @buffers_lost: number of lost buffers from the header
 * @trace: trace
 * @losses: stream of losses, or NULL
 * @streams: streams by processor; NULL for processors not seen yet
 * @stream_count: number of elements in @streams
 * @reported: unparsable data has been reported
 */
struct input {
	struct component *component;
	char *path;
	struct trace_source *source;
	s64 start;
	s64 end;
	u64 events_lost;
	u64 buffers_lost;
	bt_trace *trace;
	bt_stream *losses;
	bt_stream **streams;
	u32 stream_count;
	bool reported;
};

/* Growing buffer of @size bytes at @data */
struct memory {
	void *data;
	size_t size;
};

/**
 * struct component - a source component
 * @self: component of the library
 * @inputs: log files
 * @input_count: number of log files
 * @trace_class: class of all traces
 * @clock_class: clock of all streams
 * @events: class of the streams with events
 * @losses: class of the streams with losses
 * @embedded: incomplete manifests
 * @kinds: kinds of events; their data is in classes.h
 * @text: buffer for a value as text
 */
struct component {
	bt_self_component *self;
	struct input *inputs;
	u64 input_count;
	bt_trace_class *trace_class;
	bt_clock_class *clock_class;
	bt_stream_class *events;
	bt_stream_class *losses;
	struct embedded embedded;
	struct kinds kinds;
	struct memory text;
};

/* Append a cause of an error, formatted like printf() */
#define FAIL(c, ...) \
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT((c)->self, \
							    __VA_ARGS__)

/* Return whether warnings are enabled */
bool component_warns(const struct component *c);

/*
 * metadata.c: create the metadata shared by all files; return false if out of
 * memory
 */
bool metadata_make(struct component *c);
void metadata_free(struct component *c);

/*
 * metadata.c: create the trace of an open file; return false if out of memory
 */
bool trace_make(struct input *input);

/*
 * metadata.c: return a processor's stream, created on demand; NULL if out of
 * memory
 */
bt_stream *trace_stream_of(struct input *input, u16 cpu);

/*
 * input.c: open the file as @input->source. Return false after reporting an
 * error.
 */
bool input_open(struct input *input);
void input_free(struct input *input);

/* iterator.c */
bt_message_iterator_class_initialize_method_status
iterator_initialize(bt_self_message_iterator *self,
		    bt_self_message_iterator_configuration *configuration,
		    bt_self_component_port_output *port);
void iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status
iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
	      uint64_t capacity, uint64_t *count);
bt_message_iterator_class_can_seek_beginning_method_status
iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek);
bt_message_iterator_class_seek_beginning_method_status
iterator_seek_beginning(bt_self_message_iterator *self);

/* component.c */
bt_component_class_initialize_method_status
component_initialize(bt_self_component_source *self,
		     bt_self_component_source_configuration *configuration,
		     const bt_value *params, void *data);
void component_finalize(bt_self_component_source *self);

/* protocol.c */
bt_component_class_get_supported_mip_versions_method_status
component_protocols(bt_self_component_class_source *self,
		    const bt_value *params, void *data,
		    bt_logging_level level,
		    bt_integer_range_set_unsigned *versions);

/*
 * protocol.c: create the class of arrays without a length field; NULL if out of
 * memory
 */
bt_field_class *protocol_array_class(struct component *c,
				     bt_field_class *element);

/*
 * protocol.c: set the UUID that identifies a trace; return false if out of
 * memory
 */
bool protocol_identify(struct component *c, bt_trace *trace, const u8 *uuid);

/* support_query.c */
bt_component_class_query_method_status
component_query(bt_self_component_class_source *self,
		bt_private_query_executor *executor, const char *object,
		const bt_value *params, void *data, const bt_value **result);

#endif /* EVNT_SOURCE_H */
