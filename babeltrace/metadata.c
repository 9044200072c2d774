// SPDX-License-Identifier: MIT
/*
 * Metadata of traces and streams.
 *
 * Names are valid in CTF: they consist of letters, digits and underscores.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "babeltrace/classes.h"
#include "decode/format.h"
#include "lib/base/sha1.h"
#include "babeltrace/source.h"

/* Set the packet context: the processor, named cpu_id as in LTTng */
static bool set_packet_context(struct component *c)
{
	bt_field_class *s = bt_field_class_structure_create(c->trace_class);
	bt_field_class *cpu = unsigned_class(c, 16, false);
	bool ok = s && cpu &&
		  !bt_field_class_structure_append_member(s, "cpu_id", cpu) &&
		  !bt_stream_class_set_packet_context_field_class(c->events, s);

	bt_field_class_put_ref(cpu);
	bt_field_class_put_ref(s);
	return ok;
}

static bt_stream_class *stream_class(struct component *c, const char *name)
{
	bt_stream_class *sc = bt_stream_class_create(c->trace_class);

	if (!sc)
		return NULL;
	if (bt_stream_class_set_name(sc, name) ||
	    bt_stream_class_set_default_clock_class(sc, c->clock_class)) {
		bt_stream_class_put_ref(sc);
		return NULL;
	}
	bt_stream_class_set_supports_packets(sc, BT_TRUE, BT_TRUE, BT_TRUE);
	bt_stream_class_set_assigns_automatic_stream_id(sc, BT_FALSE);
	return sc;
}

bool metadata_make(struct component *c)
{
	c->trace_class = bt_trace_class_create(c->self);
	c->clock_class = bt_clock_class_create(c->self);
	if (!c->trace_class || !c->clock_class ||
	    bt_clock_class_set_name(c->clock_class, "unix") ||
	    bt_clock_class_set_description(c->clock_class,
					   "nanoseconds since 1970, UTC"))
		return false;
	bt_clock_class_set_frequency(c->clock_class, 1000000000);
	bt_clock_class_set_origin_is_unix_epoch(c->clock_class, BT_TRUE);
	c->events = stream_class(c, "events");
	c->losses = stream_class(c, "losses");
	if (!c->events || !c->losses)
		return false;
	bt_stream_class_set_supports_discarded_events(c->losses, BT_TRUE,
						      BT_TRUE);
	bt_stream_class_set_supports_discarded_packets(c->losses, BT_TRUE,
						       BT_TRUE);
	return set_packet_context(c) && classes_set_common_context(c);
}

void metadata_free(struct component *c)
{
	bt_stream_class_put_ref(c->losses);
	bt_stream_class_put_ref(c->events);
	bt_clock_class_put_ref(c->clock_class);
	bt_trace_class_put_ref(c->trace_class);
}

static bool set_text(bt_trace *t, const char *name, const char *text)
{
	return !bt_trace_set_environment_entry_string(t, name, text);
}

static bool set_wide(bt_trace *t, const char *name, const WCHAR *text)
{
	size_t len = 0;
	char *narrow;
	bool ok;

	while (text[len])
		len++;
	narrow = malloc(UTF16_TEXT(len));
	ok = narrow && set_text(t, name, format_utf16(text, len, narrow,
						      UTF16_TEXT(len)));
	free(narrow);
	return ok;
}

static bool set_time(bt_trace *t, const char *name, s64 filetime)
{
	char text[TIME_TEXT];

	return !filetime || set_text(t, name, format_time(filetime, text));
}

/* Set the trace's environment from the file's header */
static bool set_environment(bt_trace *t, const TRACE_LOGFILE_HEADER *h)
{
	const struct {
		const char *name;
		s64 value;
	} numbers[] = {
		{ "processors", h->NumberOfProcessors },
		{ "pointer_size", h->PointerSize },
		{ "cpu_mhz", h->CpuSpeedInMHz },
		{ "log_file_mode", h->LogFileMode },
		{ "buffer_size", h->BufferSize },
		{ "buffers_written", h->BuffersWritten },
		{ "events_lost", h->EventsLost },
		{ "buffers_lost", h->BuffersLost },
	};
	const bool is_kernel = h->LogFileMode & EVENT_TRACE_SYSTEM_LOGGER_MODE;
	char version[3 * NUMBER_TEXT];
	size_t i;

	snprintf(version, sizeof(version), "%u.%u.%u",
		 h->VersionDetail.MajorVersion, h->VersionDetail.MinorVersion,
		 h->ProviderVersion);
	/* Trace Compass opens a trace of this domain as one of a Linux kernel */
	if ((is_kernel && !set_text(t, "domain", "kernel")) ||
	    !set_text(t, "tracer_name", "etw") ||
	    !set_wide(t, "session_name", h->LoggerName) ||
	    !set_wide(t, "log_file_name", h->LogFileName) ||
	    !set_text(t, "os_version", version) ||
	    !set_time(t, "boot_time", h->BootTime.QuadPart) ||
	    !set_time(t, "start_time", h->StartTime.QuadPart) ||
	    !set_time(t, "end_time", h->EndTime.QuadPart))
		return false;
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (bt_trace_set_environment_entry_integer(t, numbers[i].name,
							   numbers[i].value))
			return false;
	}
	return true;
}

/*
 * Set a UUID that distinguishes traces of the same name and is reproducible. A
 * file that is given twice makes two traces.
 */
static bool set_uuid(const struct input *input)
{
	struct component *c = input->component;
	u8 digest[20];
	char *text;

	if (asprintf(&text, "%td %lld %s", input - c->inputs,
		     (long long)input->start, input->path) < 0)
		return false;
	evnt_sha1(text, strlen(text), digest);
	free(text);
	digest[6] = (digest[6] & 0x0f) | 0x50;
	digest[8] = (digest[8] & 0x3f) | 0x80;
	return protocol_identify(c, input->trace, digest);
}

/* Name a trace after its file, without folders and extension */
static bool set_trace_name(bt_trace *t, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path), *dot;
	bool ok;

	if (!name)
		return false;
	dot = strrchr(name, '.');
	if (dot && dot > name)
		*dot = '\0';
	ok = !bt_trace_set_name(t, name);
	free(name);
	return ok;
}

bool trace_make(struct input *input)
{
	struct component *c = input->component;

	input->trace = bt_trace_create(c->trace_class);
	if (!input->trace || !set_uuid(input) ||
	    !set_trace_name(input->trace, input->path) ||
	    !set_environment(input->trace, &input->source->header))
		return false;
	if (!input->events_lost && !input->buffers_lost)
		return true;
	input->losses = bt_stream_create_with_id(c->losses, input->trace, 0);
	return input->losses && !bt_stream_set_name(input->losses, "losses");
}

bt_stream *trace_stream_of(struct input *input, u16 cpu)
{
	u32 count = (u32)cpu + 1;
	char name[NUMBER_TEXT];
	bt_stream *s, **more;

	if (count > input->stream_count) {
		more = realloc(input->streams, count * sizeof(*more));
		if (!more)
			return NULL;
		memset(more + input->stream_count, 0,
		       (count - input->stream_count) * sizeof(*more));
		input->streams = more;
		input->stream_count = count;
	}
	if (input->streams[cpu])
		return input->streams[cpu];
	s = bt_stream_create_with_id(input->component->events, input->trace,
				     cpu);
	snprintf(name, sizeof(name), "cpu%u", cpu);
	if (s && bt_stream_set_name(s, name)) {
		bt_stream_put_ref(s);
		s = NULL;
	}
	input->streams[cpu] = s;
	return s;
}
