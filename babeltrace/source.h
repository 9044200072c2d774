/* SPDX-License-Identifier: MIT */
/*
 * source.evntprov.etl: what its parts share.
 *
 * A component reads log files, each of which is a trace, with a port of its own.
 * In a trace there is a stream for each processor, whose packets are the file's
 * buffers, and one more that only tells what the file's header says was lost.
 * What is known of the kinds of events, and their classes, is all files'.
 *
 * Times are nanoseconds since 1970.  One thread at a time works on a component
 * and its iterators.
 */
#ifndef EVNT_BABELTRACE_SOURCE_H
#define EVNT_BABELTRACE_SOURCE_H

#include <babeltrace2/babeltrace.h>

#include "embedded.h"
#include "kinds.h"
#include "trace_source.h"

/* The latest time that there is; the first is 0 */
#define LATEST	(INT64_MAX - 1)

/**
 * struct input - a log file
 * @component: the component that reads it
 * @path: its name
 * @source: opened, until an iterator takes it; then NULL
 * @start: when it begins, as its header says
 * @end: when it ends, likewise, or when it was written last; not before @start
 * @events_lost: how many, likewise
 * @buffers_lost: how many, likewise
 * @trace: it
 * @losses: the stream of what was lost, or NULL
 * @streams: by processor; NULL for those that were not seen yet
 * @stream_count: how many
 * @told: the user was told what was not understood
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
	bool told;
};

/* Memory that grows as it is needed: @size bytes at @data */
struct memory {
	void *data;
	size_t size;
};

/**
 * struct component - what reads log files
 * @self: it, as the library has it
 * @inputs: the files
 * @input_count: how many
 * @trace_class: of all files
 * @clock_class: of all streams
 * @events: class of the streams with events
 * @losses: class of those with what was lost
 * @embedded: manifests that have come in part
 * @kinds: of events; see classes.h for what they keep
 * @text: for a value as text
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

/* Tells the library why something fails, as printf() does */
#define FAIL(c, ...) \
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT((c)->self, \
							    __VA_ARGS__)

/* A message of the library is to be shown: someone listens to warnings */
bool component_warns(const struct component *c);

/* metadata.c: what is the same for all files; false: there is no memory */
bool metadata_make(struct component *c);
void metadata_free(struct component *c);

/* metadata.c: the trace of a file that is open; false: there is no memory */
bool trace_make(struct input *input);

/* metadata.c: a processor's stream, which is made when it is asked for, or NULL */
bt_stream *trace_stream_of(struct input *input, u16 cpu);

/* input.c: what it opens is @input->source; false: the library was told why not */
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

/* protocol.c: of arrays whose length no field has, or NULL */
bt_field_class *protocol_array_class(struct component *c,
				     bt_field_class *element);

/* protocol.c: a trace is told apart by its UUID; false: there is no memory */
bool protocol_identify(struct component *c, bt_trace *trace, const u8 *uuid);

/* query.c */
bt_component_class_query_method_status
component_query(bt_self_component_class_source *self,
		bt_private_query_executor *executor, const char *object,
		const bt_value *params, void *data, const bt_value **result);

#endif /* EVNT_BABELTRACE_SOURCE_H */
