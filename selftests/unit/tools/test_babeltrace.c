// SPDX-License-Identifier: MIT
/*
 * The plugin for babeltrace2, linked in: its messages for log files, and its
 * robustness against damaged ones.  The output of babeltrace2 itself is in
 * test_babeltrace.sh.
 *
 * A field is printed with its type: u8:200 and s8:-5 are integers, x8:C8 is one
 * in base 16, e8:2(two) an enumeration, b:1 a boolean, f:1.5 and d:1.5 real
 * numbers, "text" a string, [elements] an array, with * in front if its length
 * varies, {name=member} a structure.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <inttypes.h>
#include <stdarg.h>
#include <unistd.h>

#include <babeltrace2/babeltrace.h>

#include "selftests/unit/common/etl_make.h"
#include "selftests/unit/common/tap.h"

/* Time in ns of a tick in the log file */
#define NS(tick)	((MAKE_START - MAKE_BASE + (tick) - \
			  116444736000000000LL) * 100)

#define ITEM_RELATED	1
#define ITEM_SID	2
#define ITEM_SESSION	3
#define ITEM_INSTANCE	4
#define ITEM_STACK32	5
#define ITEM_STACK64	6
#define ITEM_COUNTERS	8
#define ITEM_EVENT_KEY	10
#define ITEM_SCHEMA	11
#define ITEM_TRAITS	12
#define ITEM_START_KEY	13

static char folder[32] = "/tmp/test-babeltrace.XXXXXX";
static char path[64];

/* Text of the messages */
static char *reported;
static size_t reported_len;
static FILE *out;

/* Results of a run, and its options */
static struct {
	unsigned int messages;
	unsigned int events;
	int64_t last;
	bool disordered;
	bool seek;	/* to the beginning, once, after 3 messages */
	bool quiet;	/* do not print events */
	bool brief;	/* print only the payloads */
	bool failed;
	char error[8192];
} run;

#define ELEMENT		bt_field_array_borrow_element_field_by_index_const
#define MEMBER		bt_field_structure_borrow_member_field_by_index_const
#define MEMBER_CLASS	bt_field_class_structure_borrow_member_by_index_const
#define NAME		bt_field_class_structure_member_get_name
#define LOST_EVENTS(which) \
	bt_message_discarded_events_borrow_##which##_default_clock_snapshot_const
#define LOST_PACKETS(which) \
	bt_message_discarded_packets_borrow_##which##_default_clock_snapshot_const
#define SNAPSHOT(what)	bt_message_##what##_borrow_default_clock_snapshot_const
#define AS_CLASS	bt_component_class_source_as_component_class_const
#define ENTRY		bt_value_map_borrow_entry_value_const
#define OUTPUT		bt_component_source_borrow_output_port_by_index_const
#define INPUT		bt_component_sink_borrow_input_port_by_index_const

static void report_field(const bt_field *field);

static void report_integer(const bt_field *field, bool is_signed, char sign)
{
	const bt_field_class *class = bt_field_borrow_class_const(field);
	bool hex = bt_field_class_integer_get_preferred_display_base(class) ==
		   BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL;
	unsigned int bits =
		bt_field_class_integer_get_field_value_range(class);

	fprintf(out, "%c%u:", sign ? sign : hex ? 'x' : is_signed ? 's' : 'u',
		bits);
	if (is_signed)
		fprintf(out, "%" PRId64,
			bt_field_integer_signed_get_value(field));
	else
		fprintf(out, hex ? "%" PRIX64 : "%" PRIu64,
			bt_field_integer_unsigned_get_value(field));
}

static void report_labels(const bt_field *field, bool is_signed)
{
	bt_field_class_enumeration_mapping_label_array labels;
	uint64_t count;

	if (is_signed)
		bt_field_enumeration_signed_get_mapping_labels(field, &labels,
							       &count);
	else
		bt_field_enumeration_unsigned_get_mapping_labels(field,
								 &labels,
								 &count);
	fprintf(out, "(%s)", count ? labels[0] : "");
}

static void report_array(const bt_field *field, bool varies)
{
	uint64_t i, count = bt_field_array_get_length(field);

	fprintf(out, varies ? "*[" : "[");
	for (i = 0; i < count; i++) {
		if (i)
			putc(',', out);
		report_field(ELEMENT(field, i));
	}
	putc(']', out);
}

static void report_struct(const bt_field *field)
{
	const bt_field_class *class = bt_field_borrow_class_const(field);
	uint64_t i, count = bt_field_class_structure_get_member_count(class);

	putc('{', out);
	for (i = 0; i < count; i++) {
		fprintf(out, "%s%s=", i ? " " : "",
			NAME(MEMBER_CLASS(class, i)));
		report_field(MEMBER(field, i));
	}
	putc('}', out);
}

static void report_field(const bt_field *field)
{
	switch (bt_field_get_class_type(field)) {
	case BT_FIELD_CLASS_TYPE_BOOL:
		fprintf(out, "b:%d", bt_field_bool_get_value(field));
		break;
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
		report_integer(field, false, 0);
		break;
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
		report_integer(field, true, 0);
		break;
	case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
		report_integer(field, false, 'e');
		report_labels(field, false);
		break;
	case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
		report_integer(field, true, 'E');
		report_labels(field, true);
		break;
	case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
		fprintf(out, "f:%g",
			bt_field_real_single_precision_get_value(field));
		break;
	case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
		fprintf(out, "d:%g",
			bt_field_real_double_precision_get_value(field));
		break;
	case BT_FIELD_CLASS_TYPE_STRING:
		fprintf(out, "\"%s\"", bt_field_string_get_value(field));
		break;
	case BT_FIELD_CLASS_TYPE_STATIC_ARRAY:
		report_array(field, false);
		break;
	case BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITHOUT_LENGTH_FIELD:
		report_array(field, true);
		break;
	case BT_FIELD_CLASS_TYPE_STRUCTURE:
		report_struct(field);
		break;
	default:
		fprintf(out, "?");
	}
}

static void report_event(const bt_event *event)
{
	const bt_field *context, *payload;
	const bt_event_class *class;

	context = bt_event_borrow_specific_context_field_const(event);
	payload = bt_event_borrow_payload_field_const(event);
	if (!run.brief) {
		class = bt_event_borrow_class_const(event);
		fprintf(out, "%s ", bt_event_class_get_name(class));
		report_field(bt_event_borrow_common_context_field_const(event));
		putc(' ', out);
	}
	if (context)
		report_field(context);
	if (payload)
		report_field(payload);
	putc('\n', out);
}

static const char *stream_name(const bt_stream *s)
{
	return bt_stream_get_name(s);
}

static int64_t snapshot(const bt_clock_snapshot *s)
{
	int64_t ns = -1;

	if (bt_clock_snapshot_get_ns_from_origin(s, &ns)) {
		run.disordered = true;
		bt_current_thread_clear_error();
	}
	return ns;
}

static void report_packet(const char *what, const bt_packet *p, int64_t at)
{
	const bt_field *context = bt_packet_borrow_context_field_const(p);

	if (run.brief)
		return;
	fprintf(out, "%s %s %lld", what,
		stream_name(bt_packet_borrow_stream_const(p)),
		(long long)at);
	if (context)
		report_field(context);
	putc('\n', out);
}

static void report_lost(const char *what, const bt_message *m, bool packets)
{
	const bt_clock_snapshot *from, *to;
	uint64_t count = 0;

	if (packets) {
		from = LOST_PACKETS(beginning)(m);
		to = LOST_PACKETS(end)(m);
		bt_message_discarded_packets_get_count(m, &count);
	} else {
		from = LOST_EVENTS(beginning)(m);
		to = LOST_EVENTS(end)(m);
		bt_message_discarded_events_get_count(m, &count);
	}
	fprintf(out, "%s %" PRIu64 " %lld %lld\n", what, count,
		(long long)snapshot(from), (long long)snapshot(to));
}

static void note_time(int64_t time)
{
	if (time < run.last)
		run.disordered = true;
	run.last = time;
}

static void report_stream(const char *what, const bt_stream *s)
{
	if (!run.brief)
		fprintf(out, "%s %s\n", what, stream_name(s));
}

static void take_event(const bt_message *m)
{
	int64_t time = snapshot(SNAPSHOT(event)(m));

	note_time(time);
	run.events++;
	if (run.quiet)
		return;
	if (!run.brief)
		fprintf(out, "event %lld ", (long long)time);
	report_event(bt_message_event_borrow_event_const(m));
}

static void take_message(const bt_message *m)
{
	int64_t time;

	run.messages++;
	switch (bt_message_get_type(m)) {
	case BT_MESSAGE_TYPE_EVENT:
		take_event(m);
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		time = snapshot(SNAPSHOT(packet_beginning)(m));
		note_time(time);
		report_packet("begin",
			      bt_message_packet_beginning_borrow_packet_const(m),
			      time);
		break;
	case BT_MESSAGE_TYPE_PACKET_END:
		time = snapshot(SNAPSHOT(packet_end)(m));
		note_time(time);
		report_packet("end",
			      bt_message_packet_end_borrow_packet_const(m),
			      time);
		break;
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		report_stream("stream",
			      bt_message_stream_beginning_borrow_stream_const(m));
		break;
	case BT_MESSAGE_TYPE_STREAM_END:
		report_stream("over",
			      bt_message_stream_end_borrow_stream_const(m));
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		report_lost("lost", m, false);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		report_lost("lost packets", m, true);
		break;
	default:
		fprintf(out, "?\n");
	}
}

/* Seek to the beginning, and discard the text so far */
static bool seek(bt_message_iterator *it)
{
	bt_bool can = BT_FALSE;

	run.seek = false;
	run.messages = 0;
	run.events = 0;
	run.last = INT64_MIN;
	rewind(out);
	return !bt_message_iterator_can_seek_beginning(it, &can) && can &&
	       !bt_message_iterator_seek_beginning(it);
}

static bt_graph_simple_sink_component_consume_func_status
consume(bt_message_iterator *it, void *data)
{
	bt_message_iterator_next_status status;
	bt_message_array_const messages;
	uint64_t i, count;

	(void)data;
	if (run.seek && run.messages >= 3 && !seek(it))
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
	status = bt_message_iterator_next(it, &messages, &count);
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_graph_simple_sink_component_consume_func_status)status;
	for (i = 0; i < count; i++) {
		take_message(messages[i]);
		bt_message_put_ref(messages[i]);
	}
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

static void take_error(void)
{
	const bt_error *error = bt_current_thread_take_error();
	const bt_error_cause *cause;
	size_t at = 0;
	uint64_t i;

	run.failed = true;
	for (i = 0; error && i < bt_error_get_cause_count(error); i++) {
		cause = bt_error_borrow_cause_by_index(error, i);
		at += snprintf(run.error + at, sizeof(run.error) - at, "%s\n",
			       bt_error_cause_get_message(cause));
	}
	if (error)
		bt_error_release(error);
}

static const bt_component_class_source *source_class(void)
{
	static const bt_plugin_set *plugins;
	const bt_plugin *plugin;

	if (!plugins && bt_plugin_find_all_from_static(BT_TRUE, &plugins))
		abort();
	plugin = bt_plugin_set_borrow_plugin_by_index_const(plugins, 0);
	return bt_plugin_borrow_source_component_class_by_name_const(plugin,
								     "etl");
}

static const bt_component_source *add_source(bt_graph *graph,
					     const bt_value *params)
{
	const bt_component_source *source = NULL;

	bt_graph_add_source_component(graph, source_class(), "source", params,
				      BT_LOGGING_LEVEL_NONE, &source);
	return source;
}

static bool connect(bt_graph *graph, const bt_component_source *source)
{
	const bt_component_sink *sink;

	return !bt_graph_add_simple_sink_component(graph, "sink", NULL, consume,
						   NULL, NULL, &sink) &&
	       !bt_graph_connect_ports(graph, OUTPUT(source, 0), INPUT(sink, 0),
				       NULL);
}

static void run_params(const bt_value *params)
{
	bt_graph *graph = bt_graph_create(0);
	const bt_component_source *source = add_source(graph, params);

	run.messages = 0;
	run.events = 0;
	run.last = INT64_MIN;
	run.disordered = false;
	run.failed = false;
	run.error[0] = '\0';
	rewind(out);
	if (!source || !connect(graph, source) ||
	    bt_graph_run(graph) != BT_GRAPH_RUN_STATUS_OK)
		take_error();
	putc('\0', out);
	fflush(out);
	bt_graph_put_ref(graph);
}

static void run_file(const char *name)
{
	bt_value *params = bt_value_map_create(), *inputs;

	bt_value_map_insert_empty_array_entry(params, "inputs", &inputs);
	bt_value_array_append_string_element(inputs, name);
	run_params(params);
	bt_value_put_ref(params);
}

static void run_made(struct etl_make *m)
{
	make_write(m, path);
	make_free(m);
	run_file(path);
}

#define REPORTED(want, ...) do {						\
	bool same_ = !strcmp(reported, want);				\
	CHECK(same_, __VA_ARGS__);					\
	if (!same_)							\
		printf("# got: %s\n# want: %s\n", reported, want);	\
} while (0)

/* Put an extended item into a record; returns the place of the next one */
static uint8_t *put_item(uint8_t *p, int type, const void *data, size_t len,
			 bool more)
{
	size_t size = (8 + len + 7) & ~(size_t)7;

	make_put(p, size, 2);
	make_put(p + 2, type, 2);
	make_put(p + 4, more, 2);
	make_put(p + 6, len, 2);
	memcpy(p + 8, data, len);
	return p + size;
}

#define ITEM_SIZE(len)	((8 + (len) + 7) & ~(size_t)7)

static void put_head(uint8_t *data, int id)
{
	uint8_t *h = data - 0x50;

	make_put(h + 8, 22, 4);
	make_put(h + 12, 11, 4);
	memset(h + 0x18, 0x33, 16);
	make_put(h + 0x28, id, 2);
	h[0x2a] = 1;
	h[0x2b] = 2;
	h[0x2c] = 3;
	h[0x2d] = 4;
	make_put(h + 0x2e, 5, 2);
	make_put(h + 0x30, 0x600000007, 8);
}

/* Put a self-describing event of provider "P" */
static void put_named(struct etl_make *m, int64_t tick, const char *name,
		      const void *fields, size_t fields_len,
		      const void *payload, size_t len)
{
	static const char traits[] = "\x05\0P\0";
	size_t schema_len = 4 + strlen(name) + fields_len;
	uint8_t schema[256] = { 0 }, *p;

	strncpy((char *)schema + 3, name, sizeof(schema) - 4);
	memcpy(schema + 4 + strlen(name), fields, fields_len);
	make_put(schema, schema_len, 2);
	p = make_record(m, MAKE_EVENT64, tick, ITEM_SIZE(4) +
			ITEM_SIZE(schema_len) + len);
	put_head(p, 0);
	p[-0x50 + 4] = 1;
	p = put_item(p, ITEM_TRAITS, traits, 4, true);
	p = put_item(p, ITEM_SCHEMA, schema, schema_len, false);
	memcpy(p, payload, len);
}

static void put_event(struct etl_make *m, int64_t tick, const void *fields,
		      size_t fields_len, const void *payload, size_t len)
{
	put_named(m, tick, "E", fields, fields_len, payload, len);
}

/**
 * struct kind - a kind of field
 * @fields: its description, @fields_len bytes
 * @payload: @len bytes
 * @want: expected text
 */
static const struct kind {
	const char *what;
	const char *fields;
	size_t fields_len;
	const char *payload;
	size_t len;
	const char *want;
} kinds[] = {
#define KIND(what, fields, payload, want) \
	{ what, fields, sizeof(fields) - 1, payload, sizeof(payload) - 1, want }
	KIND("INT8", "f\0\x03", "\xfb", "{f=s8:-5}"),
	KIND("UINT8", "f\0\x04", "\xc8", "{f=u8:200}"),
	KIND("INT16", "f\0\x05", "\xd4\xfe", "{f=s16:-300}"),
	KIND("UINT16", "f\0\x06", "\x60\xea", "{f=u16:60000}"),
	KIND("INT32", "f\0\x07", "\x90\xee\xfe\xff", "{f=s32:-70000}"),
	KIND("UINT32", "f\0\x08", "\0\x28\x6b\xee", "{f=u32:4000000000}"),
	KIND("INT64", "f\0\x09", "\0\x0e\xfa\xd5\xfe\xff\xff\xff",
	     "{f=s64:-5000000000}"),
	KIND("UINT64", "f\0\x0a", "\1\0\0\0\0\0\0\x80",
	     "{f=u64:9223372036854775809}"),
	KIND("HEXINT32", "f\0\x14", "\xef\xbe\xad\xde", "{f=x32:DEADBEEF}"),
	KIND("HEXINT64", "f\0\x15", "\xf0\xde\xbc\x9a\x78\x56\x34\x12",
	     "{f=x64:123456789ABCDEF0}"),
	KIND("UINT8 in base 16", "f\0\x84\x04", "\xff", "{f=x8:FF}"),
	KIND("UINT16 in base 16", "f\0\x86\x04", "\xcd\xab", "{f=x16:ABCD}"),
	KIND("FLOAT", "f\0\x0b", "\0\0\xc0\x3f", "{f=f:1.5}"),
	KIND("DOUBLE", "f\0\x0c", "\0\0\0\0\0\0\x02\xc0", "{f=d:-2.25}"),
	KIND("BOOL32", "f\0\x0d", "\0\1\0\0", "{f=b:1}"),
	KIND("UINT8 as a truth value", "f\0\x84\x03", "\0", "{f=b:0}"),
	KIND("a character", "f\0\x84\x02", "A", "{f=\"A\"}"),
	KIND("a character of 16 bits", "f\0\x86\x02", "\xe9\0",
	     "{f=\"\xc3\xa9\"}"),
	KIND("a process", "f\0\x88\x05", "\xe1\x10\0\0", "{f=u32:4321}"),
	KIND("a port", "f\0\x86\x07", "\x1f\x90", "{f=u16:8080}"),
	KIND("IPv4", "f\0\x88\x08", "\x7f\0\0\1", "{f=\"127.0.0.1\"}"),
	KIND("an error", "f\0\x88\x0d", "\5\0\0\0", "{f=x32:5}"),
	KIND("a status", "f\0\x88\x0e", "\5\0\0\xc0", "{f=x32:C0000005}"),
	KIND("a result", "f\0\x87\x0f", "\5\0\7\x80", "{f=x32:80070005}"),
	KIND("a code pointer", "f\0\x95\x25", "\x78\x56\0\0\0\0\0\0",
	     "{f=x64:5678}"),
	KIND("INT32 as unsigned", "f\0\x87\x12", "\xff\xff\xff\xff",
	     "{f=u32:4294967295}"),
	KIND("UNICODESTRING", "f\0\1", "\xe9\0 \0=\xd8\0\xde\0\0",
	     "{f=\"\xc3\xa9 \xf0\x9f\x98\x80\"}"),
	KIND("half a character", "f\0\1", "a\0=\xd8" "b\0\0\0",
	     "{f=\"a\xef\xbf\xbd" "b\"}"),
	KIND("an empty string", "f\0\1", "\0\0", "{f=\"\"}"),
	KIND("ANSISTRING", "f\0\2", "plain\0", "{f=\"plain\"}"),
	KIND("of Windows-1252", "f\0\2", "\x80 5\0",
	     "{f=\"\xe2\x82\xac 5\"}"),
	KIND("of UTF-8", "f\0\x82\x23", "\xc3\xa9\0", "{f=\"\xc3\xa9\"}"),
	KIND("COUNTEDSTRING", "f\0\x16", "\4\0a\0b\0", "{f=\"ab\"}"),
	KIND("COUNTEDANSISTRING", "f\0\x17", "\2\0ab", "{f=\"ab\"}"),
	KIND("BINARY", "f\0\x0e", "\3\0\1\2\3", "{f=*[x8:1,x8:2,x8:3]}"),
	KIND("COUNTEDBINARY", "f\0\x19", "\2\0\xfe\xff", "{f=*[x8:FE,x8:FF]}"),
	KIND("no bytes", "f\0\x0e", "\0\0", "{f=*[]}"),
	KIND("IPv6", "f\0\x8e\x09",
	     "\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", "{f=\"::1\"}"),
	KIND("GUID", "f\0\x0f", "\3\2\1\0\5\4\7\6\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f",
	     "{f=\"{00010203-0405-0607-0809-0A0B0C0D0E0F}\"}"),
	KIND("FILETIME", "f\0\x11", "\0\x80\x3e\xd5\xde\xb1\x9d\1",
	     "{f=\"1970-01-01T00:00:00.0000000Z\"}"),
	KIND("SYSTEMTIME", "f\0\x12",
	     "\xe4\7\2\0\3\0\x05\0\6\0\7\0\x08\0\x09\0",
	     "{f=\"2020-02-05T06:07:08.009\"}"),
	KIND("SID", "f\0\x13", "\1\2\0\0\0\0\0\5\x20\0\0\0\x20\2\0\0",
	     "{f=\"S-1-5-32-544\"}"),
	KIND("as many as in the description", "f\0\x24\2\0", "\1\2",
	     "{f=[u8:1,u8:2]}"),
	KIND("as many as in the payload", "f\0\x46", "\2\0\1\0\2\0",
	     "{f=*[u16:1,u16:2]}"),
	KIND("none", "f\0\x46", "\0\0", "{f=*[]}"),
	KIND("strings", "f\0\x42", "\2\0a\0bc\0", "{f=*[\"a\",\"bc\"]}"),
	KIND("truth values", "f\0\xc4\3", "\2\0\1\0", "{f=*[b:1,b:0]}"),
	KIND("byte arrays", "f\0\x59", "\2\0\1\0\7\0\0",
	     "{f=*[{bytes=*[x8:7]},{bytes=*[]}]}"),
	KIND("a structure", "s\0\x98\2a\0\4b\0\2", "\1x\0",
	     "{s={a=u8:1 b=\"x\"}}"),
	KIND("structures", "s\0\xd8\1a\0\x44", "\2\0\1\0\5\0\0",
	     "{s=*[{a=*[u8:5]},{a=*[]}]}"),
	KIND("structures, as many as in the description",
	     "s\0\xb8\1\2\0" "a\0\x24\2\0", "\1\2\3\4",
	     "{s=[{a=[u8:1,u8:2]},{a=[u8:3,u8:4]}]}"),
	KIND("one in the other", "s\0\x98\1t\0\x98\1a\0\4", "\x09",
	     "{s={t={a=u8:9}}}"),
	KIND("no fields", "", "", ""),
	KIND("names that CTF has not", "a b\0\4\xc3\xa9\0\4" "int\0\4\0\4" "1\0\4",
	     "\1\2\3\4\5",
	     "{a_b=u8:1 __=u8:2 int=u8:3 field=u8:4 1=u8:5}"),
	KIND("names that are the same", "a\0\4" "a\0\4" "a b\0\4" "a.b\0\4",
	     "\1\2\3\4", "{a=u8:1 a_2=u8:2 a_b=u8:3 a_b_4=u8:4}"),
	KIND("less than is described", "f\0\x08", "\1\2",
	     "{payload=*[x8:1,x8:2]}"),
	KIND("half of what is described", "f\0\4g\0\x08", "\1\2",
	     "{payload=*[x8:1,x8:2]}"),
	KIND("more elements than there can be",
	     "s\0\xb8\1\xff\xff" "a\0\x24\xff\xff", "\1",
	     "{payload=*[x8:1]}"),
	KIND("more elements than there are",
	     "s\0\xd8\1" "t\0\xb8\1\xff\0" "a\0\x24\xff\0", "\xff\xff\1",
	     "{payload=*[x8:FF,x8:FF,x8:1]}"),
	KIND("more than is described", "f\0\4", "\1\2",
	     "{f=u8:1 payload=*[x8:1,x8:2]}"),
	KIND("more, and the name is taken", "payload\0\4", "\1\2",
	     "{payload=u8:1 payload_2=*[x8:1,x8:2]}"),
};

#define KINDS	(sizeof(kinds) / sizeof(kinds[0]))

static void test_kinds(void)
{
	struct etl_make m;
	char want[256];
	size_t i;

	run.brief = true;
	for (i = 0; i < KINDS; i++) {
		const struct kind *k = &kinds[i];

		make_begin(&m, 4096, true, "S");
		make_buffer(&m, 0, 1);
		put_event(&m, 2000, k->fields, k->fields_len, k->payload,
			  k->len);
		make_buffer_end(&m);
		run_made(&m);
		snprintf(want, sizeof(want), "%s\n", k->want);
		REPORTED(want, "%s", k->what);
	}
	run.brief = false;
}

static uint8_t *plain_event(struct etl_make *m, int64_t tick, int id)
{
	uint8_t *p = make_record(m, MAKE_EVENT64, tick, 1);

	put_head(p, id);
	*p = id;
	return p;
}

#define PROVIDER	"33333333-3333-3333-3333-333333333333"
#define COMMON(provider, id)						\
	"{provider=\"" provider "\" id=u16:" id " version=u8:1"		\
	" channel=u8:2 level=u8:3 opcode=u8:4 task=u16:5"		\
	" keyword=x64:600000007 pid=u32:11 tid=u32:22 procname=\"\"} "

static void test_messages(void)
{
	struct etl_make m;

	make_begin(&m, 4096, true, "S");
	make_buffer(&m, 0, 1);
	plain_event(&m, 2000, 7);
	plain_event(&m, 2004, 8);
	make_buffer_end(&m);
	make_buffer(&m, 1, 2);
	plain_event(&m, 2002, 9);
	make_buffer_end(&m);
	make_buffer(&m, 0, 3);
	plain_event(&m, 2006, 10);
	make_buffer_end(&m);
	run_made(&m);
	CHECK(NS(MAKE_BASE) == 1655526400000000000, "times are from 1970 on");
#define AT	"16555264000001"
	REPORTED("stream cpu0\n"
		 "begin cpu0 " AT "00000{cpu_id=u16:0}\n"
		 "event " AT "00000 " PROVIDER ":7 " COMMON(PROVIDER, "7")
		 "{payload=*[x8:7]}\n"
		 "stream cpu1\n"
		 "begin cpu1 " AT "00200{cpu_id=u16:1}\n"
		 "event " AT "00200 " PROVIDER ":9 " COMMON(PROVIDER, "9")
		 "{payload=*[x8:9]}\n"
		 "end cpu1 " AT "00200{cpu_id=u16:1}\n"
		 "event " AT "00400 " PROVIDER ":8 " COMMON(PROVIDER, "8")
		 "{payload=*[x8:8]}\n"
		 "end cpu0 " AT "00400{cpu_id=u16:0}\n"
		 "begin cpu0 " AT "00600{cpu_id=u16:0}\n"
		 "event " AT "00600 " PROVIDER ":10 " COMMON(PROVIDER, "10")
		 "{payload=*[x8:A]}\n"
		 "end cpu0 " AT "00600{cpu_id=u16:0}\n"
		 "over cpu0\nover cpu1\n",
		 "a stream for each processor, a packet for each buffer");
	run.seek = true;
	reported[0] = '\0';
	run_file(path);
	CHECK(run.events == 4 && !run.seek && !run.disordered &&
	      strstr(reported, "stream cpu0\nbegin cpu0") == reported,
	      "messages can be read again from the beginning");
}

static void test_names(void)
{
	struct etl_make m;

	make_begin(&m, 4096, true, "S");
	make_buffer(&m, 0, 1);
	put_event(&m, 2000, "f\0\4", 3, "\1", 1);
	make_class(make_record(&m, MAKE_FULL64, 2001, 0), 0x30, 0x5555, 9, 4,
		   2);
	make_buffer_end(&m);
	run_made(&m);
	CHECK(strstr(reported, " P:E {provider=\"P\" id=u16:0 "),
	      "messages have the names of the event");
	CHECK(strstr(reported,
		     " 00005555-0000-0000-0000-000000000000:opcode9 {"),
	      "a classic event has its opcode");
}

static void test_text(void)
{
	struct etl_make m;
	uint8_t *p;

	make_begin(&m, 4096, true, "S");
	make_buffer(&m, 0, 1);
	p = make_record(&m, MAKE_EVENT64, 2000, 6);
	put_head(p, 1);
	p[-0x50 + 4] = 4;
	memcpy(p, "h\0i\0\0", 6);
	make_buffer_end(&m);
	run.brief = true;
	run_made(&m);
	run.brief = false;
	REPORTED("{text=\"hi\"}\n", "an event that is a string");
}

/* Check the items that @put puts before the payload, @len bytes */
static void run_items(uint8_t *(*put)(uint8_t *p), size_t len)
{
	struct etl_make m;
	uint8_t *p;

	make_begin(&m, 4096, true, "S");
	make_buffer(&m, 0, 1);
	p = make_record(&m, MAKE_EVENT64, 2000, len + 1);
	put_head(p, 1);
	p[-0x50 + 4] = 1;
	memset(p - 0x10, 0x44, 16);
	*put(p) = 5;
	make_buffer_end(&m);
	run.brief = true;
	run_made(&m);
	run.brief = false;
}

#define GUIDS(c)	c c c c c c c c "-" c c c c "-" c c c c "-" c c c c \
			"-" c c c c c c c c c c c c

static uint8_t *put_ids(uint8_t *p)
{
	p = put_item(p, ITEM_RELATED, "UUUUUUUUUUUUUUUU", 16, true);
	p = put_item(p, ITEM_SID, "\1\1\0\0\0\0\0\5\x12\0\0\0", 12, true);
	p = put_item(p, ITEM_SESSION, "\3\0\0\0", 4, true);
	p = put_item(p, ITEM_EVENT_KEY, "\4\0\0\0\0\0\0\0", 8, true);
	p = put_item(p, ITEM_START_KEY, "\x10\0\0\0\0\0\0\0", 8, true);
	return put_item(p, ITEM_INSTANCE, "\6\0\0\0\7\0\0\0" "gggggggggggggggg",
			24, false);
}

static uint8_t *put_arrays(uint8_t *p)
{
	p = put_item(p, ITEM_STACK64, "mmmmmmmm\1\0\0\0\0\0\0\x80\2\0\0\0\0\0\0\0",
		     24, true);
	return put_item(p, ITEM_COUNTERS, "\3\0\0\0\0\0\0\0", 8, false);
}

static uint8_t *put_narrow_stack(uint8_t *p)
{
	return put_item(p, ITEM_STACK32, "mmmmmmmm\1\0\0\x80", 12, false);
}

static uint8_t *put_short_items(uint8_t *p)
{
	p = put_item(p, ITEM_RELATED, "UUUU", 4, true);
	p = put_item(p, ITEM_SID, "\1\7\0\0\0\0\0\5\x12\0\0\0", 12, true);
	return put_item(p, ITEM_STACK64, "mmmm", 4, false);
}

static uint8_t *put_short_sid(uint8_t *p)
{
	p = put_item(p, ITEM_SID, "\1\1\0\0", 4, true);
	return put_item(p, ITEM_SID, "\1\1\0\0\0\0\0\5\x12\0\0\0", 12, false);
}

static void test_items(void)
{
	run_items(put_ids, ITEM_SIZE(16) + ITEM_SIZE(12) + ITEM_SIZE(4) +
		  2 * ITEM_SIZE(8) + ITEM_SIZE(24));
	REPORTED("{activity=\"" GUIDS("4") "\" related=\"" GUIDS("5") "\""
		 " sid=\"S-1-5-18\" session=u32:3 instance=u32:6"
		 " parent_instance=u32:7 event_key=x64:4 process_start_key=x64:10}"
		 "{payload=*[x8:5]}\n", "what an event has besides");
	run_items(put_arrays, ITEM_SIZE(24) + ITEM_SIZE(8));
	REPORTED("{activity=\"" GUIDS("4") "\"}{payload=*[x8:5]"
		 " counters=*[x64:3] stack=*[x64:8000000000000001,x64:2]}\n",
		 "counters and a call stack end the payload");
	run_items(put_narrow_stack, ITEM_SIZE(12));
	REPORTED("{activity=\"" GUIDS("4") "\"}{payload=*[x8:5]"
		 " stack=*[x64:80000001]}\n", "of 32 bits");
	run_items(put_short_items, ITEM_SIZE(4) + ITEM_SIZE(12) + ITEM_SIZE(4));
	REPORTED("{activity=\"" GUIDS("4") "\" sid=\"\"}{payload=*[x8:5]}\n",
		 "items that are too short are none");
	run_items(put_short_sid, ITEM_SIZE(4) + ITEM_SIZE(12));
	REPORTED("{activity=\"" GUIDS("4") "\" sid=\"S-1-5-18\"}{payload=*[x8:5]}\n",
		 "an item shorter than any SID gives way to the next one");
}

static void test_times(void)
{
	struct etl_make m;

	make_begin(&m, 4096, true, "S");
	make_clock(&m, 1, 1000000000);
	make_buffer(&m, 0, 1);
	plain_event(&m, MAKE_BASE + 123, 1);
	plain_event(&m, MAKE_BASE + 100, 2);
	plain_event(&m, MAKE_BASE + 124, 3);
	make_record(&m, MAKE_MESSAGE, 0, 8);
	make_buffer_end(&m);
	run_made(&m);
	CHECK(strstr(reported, "event 1655526400000000123 " PROVIDER ":1 ") &&
	      strstr(reported, "event 1655526400000000124 " PROVIDER ":3 "),
	      "a clock of nanoseconds loses none");
	CHECK(strstr(reported, "event 1655526400000000123 " PROVIDER ":2 ") &&
	      !run.disordered,
	      "an event that comes late has the time of the one before");
	make_begin(&m, 4096, true, "S");
	make_clock(&m, 2, 10000000);
	make_buffer(&m, 0, 1);
	plain_event(&m, 1, 1);
	plain_event(&m, INT64_MAX, 2);
	make_buffer_end(&m);
	run_made(&m);
	CHECK(strstr(reported, "event 0 ") && run.events == 2 &&
	      !run.disordered,
	      "events with invalid times are read");
}

static void test_losses(void)
{
	struct etl_make m;

	make_begin(&m, 4096, true, "S");
	make_put(make_header(&m) + 0x10, MAKE_START + 5000, 8);
	make_put(make_header(&m) + 0x30, 7, 4);
	make_put(make_header(&m) + 0x114, 2, 4);
	make_buffer(&m, 0, 1);
	plain_event(&m, 2000, 1);
	make_buffer_end(&m);
	run_made(&m);
	CHECK(strstr(reported, "stream losses\n"
		     "begin losses 1655526400000000000\n"
		     "end losses 1655526400000000000\n"
		     "lost 7 1655526400000000000 1655526400000500000\n"
		     "lost packets 2 1655526400000000000 1655526400000500000\n"
		     "stream cpu0\n") == reported,
	      "losses of the whole file come first");
	CHECK(strstr(reported, "\nend cpu0 1655526400000100000{cpu_id=u16:0}\n"
		     "begin losses 1655526400000500000\n"
		     "end losses 1655526400000500000\n"
		     "over losses\nover cpu0\n"),
	      "the packet of losses ends last");
	make_begin(&m, 4096, true, "S");
	make_put(make_header(&m) + 0x30, 7, 4);
	make_buffer(&m, 0, 1);
	plain_event(&m, 2000, 1);
	plain_event(&m, 3000, 1);
	make_put(make_head(&m) + 0x10, 2500, 8);
	make_buffer_end(&m);
	run_made(&m);
	CHECK(strstr(reported,
		     "lost 7 1655526400000000000 1655526400000150000\n") &&
	      !run.disordered,
	      "a file that was not ended ends with its last buffer");
	make_begin(&m, 4096, true, "S");
	make_put(make_header(&m) + 0x30, 7, 4);
	run_made(&m);
	CHECK(strstr(reported, "lost 7 ") && !run.events && !run.disordered,
	      "a log of losses only is read");
}

static void write_text(const char *to, const char *text)
{
	FILE *f = fopen(to, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static void test_manifest(void)
{
	static const char text[] =
		"<instrumentationManifest><instrumentation><events>"
		"<provider name='Man' guid='{33333333-3333-3333-3333-333333333333}'"
		" symbol='M'>"
		"<tasks><task name='Work' value='5'/></tasks>"
		"<opcodes><opcode name='Go' value='14'/></opcodes>"
		"<maps><valueMap name='vm'><map value='1' message='$(string.a)'/>"
		"<map value='2' message='$(string.b)'/>"
		"<map value='3' message='$(string.a)'/>"
		"<map value='300' message='$(string.c)'/></valueMap>"
		"<bitMap name='bm'><map value='0x1' message='$(string.a)'/>"
		"<map value='0x4' message='$(string.b)'/></bitMap></maps>"
		"<templates><template tid='t'>"
		"<data name='v' inType='win:UInt8' map='vm'/>"
		"<data name='s' inType='win:Int8' map='vm'/>"
		"<data name='w' inType='win:UInt32' map='bm'/>"
		"<data name='n' inType='win:UInt8'/>"
		"<data name='fixed' inType='win:Binary' length='2'/>"
		"<data name='varied' inType='win:Binary' length='n'/>"
		"<data name='p' inType='win:Pointer'/>"
		"<data name='a' inType='win:UInt8' count='n'/>"
		"</template></templates>"
		"<events><event value='1' version='1' opcode='Go' task='Work'"
		" template='t'/></events></provider></events></instrumentation>"
		"<localization><resources culture='en-US'><stringTable>"
		"<string id='a' value='one'/><string id='b' value='two '/>"
		"<string id='c' value='far'/>"
		"</stringTable></resources></localization>"
		"</instrumentationManifest>";
	static const char payload[] =
		"\3\2\5\0\0\0\1\xaa\xbb\xcc\x78\x56\0\0\0\0\0\0\x09";
	bt_value *params = bt_value_map_create();
	char manifest[64];
	struct etl_make m;
	uint8_t *p;

	snprintf(manifest, sizeof(manifest), "%s/m.man", folder);
	write_text(manifest, text);
	make_begin(&m, 4096, true, "S");
	make_buffer(&m, 0, 1);
	p = make_record(&m, MAKE_EVENT64, 2000, sizeof(payload) - 1);
	put_head(p, 1);
	p[-0x50 + 0x2b] = 0;
	p[-0x50 + 0x2c] = 0;
	p[-0x50 + 0x2d] = 14;
	make_put(p - 0x50 + 0x30, 0, 8);
	memcpy(p, payload, sizeof(payload) - 1);
	make_buffer_end(&m);
	make_write(&m, path);
	make_free(&m);
	bt_value_map_insert_string_entry(params, "inputs", path);
	bt_value_map_insert_string_entry(params, "manifest", manifest);
	run_params(params);
	CHECK(strstr(reported, " Man:Work/Go {provider=\"Man\" id=u16:1 "),
	      "names of a manifest");
	CHECK(strstr(reported, "} {v=e8:3(one) s=E8:2(two) w=e32:5() n=u8:1"
		     " fixed=*[x8:AA,x8:BB] varied=*[x8:CC] p=x64:5678"
		     " a=*[u8:9]}\n"),
	      "fields of a manifest");
	bt_value_map_insert_string_entry(params, "manifest", "/none");
	run_params(params);
	CHECK(run.failed && strstr(run.error, "there is no manifest '/none'"),
	      "a manifest that is not there");
	write_text(manifest, "<instrumentationManifest>\n<a>");
	bt_value_map_insert_string_entry(params, "manifest", manifest);
	run_params(params);
	CHECK(run.failed && strstr(run.error, "m.man:2:"),
	      "a manifest that is none: where");
	bt_value_put_ref(params);
}

static void test_params(void)
{
	bt_value *params = bt_value_map_create();

	run_params(params);
	CHECK(run.failed && strstr(run.error, "'inputs'"),
	      "missing inputs are an error");
	bt_value_map_insert_signed_integer_entry(params, "inputs", 5);
	run_params(params);
	CHECK(run.failed && strstr(run.error, "'inputs' is no string"),
	      "inputs of another type");
	bt_value_map_insert_string_entry(params, "inputs", path);
	bt_value_map_insert_string_entry(params, "other", "x");
	run_params(params);
	CHECK(run.failed && strstr(run.error, "there is no parameter 'other'"),
	      "a parameter that there is not");
	bt_value_put_ref(params);
}

static void test_files(void)
{
	struct etl_make m;
	FILE *f;

	run_file("/none.etl");
	CHECK(run.failed && strstr(run.error, "cannot open '/none.etl': No such"),
	      "a file that is not there");
	run_file(folder);
	CHECK(run.failed && strstr(run.error, "is no regular file"),
	      "a folder is an error");
	f = fopen(path, "w");
	fclose(f);
	run_file(path);
	CHECK(run.failed && strstr(run.error, "no session has written to it"),
	      "an empty file");
	f = fopen(path, "w");
	fputs("something else, which is long enough to be a buffer's header, and"
	      " a record", f);
	fclose(f);
	run_file(path);
	CHECK(run.failed && strstr(run.error, "is no event trace log"),
	      "a file that is no log is an error");
	make_begin(&m, 4096, true, "S");
	run_made(&m);
	CHECK(!run.failed && !run.messages, "a log without events");
}

static double weight_of(const char *input, const char *type)
{
	const bt_component_class *class = AS_CLASS(source_class());
	bt_value *params = bt_value_map_create();
	const bt_value *result = NULL;
	bt_query_executor *query;
	double weight = -1;

	bt_value_map_insert_string_entry(params, "input", input);
	bt_value_map_insert_string_entry(params, "type", type);
	query = bt_query_executor_create(class, "babeltrace.support-info",
					 params);
	if (!bt_query_executor_query(query, &result))
		weight = bt_value_real_get(ENTRY(result, "weight"));
	bt_value_put_ref(result);
	bt_query_executor_put_ref(query);
	bt_value_put_ref(params);
	return weight;
}

static void test_support(void)
{
	struct etl_make m;
	char other[64];
	FILE *f;

	make_begin(&m, 4096, true, "S");
	make_write(&m, path);
	snprintf(other, sizeof(other), "%s/log", folder);
	make_write(&m, other);
	make_free(&m);
	CHECK(weight_of(path, "file") > 0.5 && weight_of(other, "file") > 0.5,
	      "a log, whatever its name");
	CHECK(!weight_of(folder, "directory") && !weight_of("x.etl", "string"),
	      "neither folders nor strings are supported");
	f = fopen(other, "w");
	fclose(f);
	CHECK(!weight_of(other, "file"),
	      "a file of another format is not supported");
	f = fopen(path, "w");
	fclose(f);
	CHECK(weight_of(path, "file") > 0 && weight_of(path, "file") < 0.5,
	      "the name alone gives a low weight");
}

static uint64_t random_state = 1;

static uint32_t number(uint32_t below)
{
	random_state = random_state * 6364136223846793005ull +
		       1442695040888963407ull;
	return below ? (random_state >> 33) % below : 0;
}

/* Prefer places of headers, as buffers are multiples of 0x400 bytes */
static size_t place(size_t len)
{
	size_t at = number(len);

	if (number(4))
		at = at / 0x400 * 0x400 + number(0x200);
	return at < len ? at : 0;
}

static void write_mutant(const uint8_t *data, size_t len)
{
	uint8_t *mutant = calloc(1, len + 1);
	unsigned int i, count = 1 + number(8);
	FILE *f = fopen(path, "w");

	memcpy(mutant, data, len);
	for (i = 0; i < count; i++)
		mutant[place(len)] ^= 1 << number(8);
	fwrite(mutant, 1, number(8) ? len : number(len), f);
	fclose(f);
	free(mutant);
}

static void test_mutants(const char *name, const uint8_t *data, size_t len,
			 unsigned int count)
{
	unsigned int i, disordered = 0, events = 0;

	for (i = 0; i < count; i++) {
		write_mutant(data, len);
		run_file(path);
		disordered += run.disordered;
		events += run.events;
	}
	CHECK(!disordered && events, "%u mutants of %s: %u events", count, name,
	      events);
}

/* All kinds of fields, on three processors; the first event is at @tick */
static void make_kinds(struct etl_make *m, int64_t tick)
{
	size_t i;

	make_begin(m, 4096, true, "Session");
	for (i = 0; i < KINDS; i++) {
		if (i % 10 == 0)
			make_buffer(m, i / 10 % 3, i + 1);
		put_event(m, tick + 10 * i, kinds[i].fields,
			  kinds[i].fields_len, kinds[i].payload, kinds[i].len);
		if (i % 10 == 9 || i == KINDS - 1)
			make_buffer_end(m);
	}
}

static void test_made_mutants(void)
{
	struct etl_make m;

	make_kinds(&m, 2000);
	run.brief = true;
	test_mutants("all kinds of fields", m.data, m.len, 600);
	run.brief = false;
	make_free(&m);
}

static uint8_t *read_file(const char *name, size_t *len)
{
	static uint8_t data[400000];
	FILE *f = fopen(name, "r");

	*len = f ? fread(data, 1, sizeof(data), f) : 0;
	if (f)
		fclose(f);
	return data;
}

static void test_real(void)
{
	const char *where = getenv("EVNT_DATA");
	char pattern[4096];
	uint8_t *data;
	size_t i, len;
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/etl/*.etl", where ? where : "");
	if (glob(pattern, 0, NULL, &found)) {
		SKIP("no logs of Windows in EVNT_DATA");
		return;
	}
	run.quiet = true;
	for (i = 0; i < found.gl_pathc; i++) {
		run_file(found.gl_pathv[i]);
		CHECK(!run.failed && run.events && !run.disordered,
		      "%s: %u events", strrchr(found.gl_pathv[i], '/') + 1,
		      run.events);
		data = read_file(found.gl_pathv[i], &len);
		if (len < 100000)
			test_mutants(strrchr(found.gl_pathv[i], '/') + 1, data,
				     len, 60);
	}
	globfree(&found);
	run.quiet = false;
}

static void write_log(struct etl_make *m, const char *where, const char *name)
{
	char to[4096];

	snprintf(to, sizeof(to), "%s/%s.etl", where, name);
	make_write(m, to);
	make_free(m);
}

/* Names that need quoting in CTF's text */
static void write_odd(const char *where)
{
	static const char text[] =
		"<instrumentationManifest><instrumentation><events>"
		"<provider name='Odd' guid='{33333333-3333-3333-3333-333333333333}'"
		" symbol='O'>"
		"<maps><valueMap name='m'><map value='1' message='$(string.a)'/>"
		"<map value='2' message='$(string.b)'/></valueMap></maps>"
		"<templates><template tid='t'>"
		"<data name='v' inType='win:UInt8' map='m'/>"
		"</template></templates>"
		"<events><event value='1' version='1' template='t'/></events>"
		"</provider></events></instrumentation>"
		"<localization><resources culture='en-US'><stringTable>"
		"<string id='a' value='say &quot;\xc3\xa9&quot;'/>"
		"<string id='b' value='back\\slash, */'/>"
		"</stringTable></resources></localization>"
		"</instrumentationManifest>";
	struct etl_make m;
	char to[4096];
	uint8_t *p;
	int i;

	snprintf(to, sizeof(to), "%s/odd.man", where);
	write_text(to, text);
	make_begin(&m, 4096, true, "Se\"s\\sion");
	make_buffer(&m, 0, 1);
	for (i = 1; i < 4; i++) {
		p = plain_event(&m, 1999 + i, 1);
		memset(p - 0x50 + 0x2b, 0, 13);
		*p = i;
	}
	put_named(&m, 2010, "a \"name\" \\ \xc3\xa9 */", "f\0\4", 3, "\1", 1);
	make_buffer_end(&m);
	write_log(&m, where, "odd");
}

/* Write logs for test_babeltrace.sh */
static int write_logs(const char *where)
{
	struct etl_make m;
	uint8_t *p;

	make_kinds(&m, 2000);
	make_buffer(&m, 1, 1000);
	p = make_record(&m, MAKE_EVENT64, 9000,
			ITEM_SIZE(24) + ITEM_SIZE(8) + 1);
	put_head(p, 1);
	p[-0x50 + 4] = 1;
	put_arrays(p);
	make_buffer_end(&m);
	write_log(&m, where, "kinds");
	make_kinds(&m, 2005);
	write_log(&m, where, "later");
	make_kinds(&m, 2000);
	make_put(make_header(&m) + 0x10, MAKE_START + 50000, 8);
	make_put(make_header(&m) + 0x30, 7, 4);
	make_put(make_header(&m) + 0x114, 2, 4);
	write_log(&m, where, "lost");
	make_begin(&m, 4096, true, "S");
	write_log(&m, where, "none");
	write_odd(where);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return write_logs(argv[1]);
	/* Ignore the system's manifests */
	setenv("EVNTPROV_MANIFESTS", "/none", 1);
	/* Its warnings are not checked */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!mkdtemp(folder))
		abort();
	snprintf(path, sizeof(path), "%s/made.etl", folder);
	out = open_memstream(&reported, &reported_len);
	test_kinds();
	test_messages();
	test_names();
	test_text();
	test_items();
	test_times();
	test_losses();
	test_params();
	test_files();
	test_support();
	test_made_mutants();
	test_real();
	test_manifest();
	fclose(out);
	free(reported);
	snprintf(path, sizeof(path), "rm -r %s", folder);
	if (system(path))
		printf("# %s is left\n", folder);
	return tap_end();
}
