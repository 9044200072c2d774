// SPDX-License-Identifier: MIT
/*
 * Build a log file from text, for tests of its readers: each line is an event
 * or another item, with words KEY=VALUE.
 *
 *	log_maker OUT.etl < TEXT
 *
 *	event	time, in ticks of FILETIME since the log's start; pid, tid,
 *		cpu, id, version, level, op, task; act and rel, activity ids
 *		that begin with a number; net: act is an activity path of
 *		.NET, with its checksum; provider, an id that begins with a
 *		number; kernel: the provider is the classic one of processes;
 *		windows: it is Microsoft-Windows-Kernel-Process;
 *		name: a TraceLogging event of provider Test-Provider, with
 *		fields u32:NAME, i32:NAME, f64:NAME, bool:NAME, ptr:NAME,
 *		str:NAME, or struct:NAME=NUMBER of following fields; tail, a
 *		number of bytes after the fields; cut, of bytes that are
 *		missing at their end; raw, a
 *		payload without description and NUL; string, one of
 *		EventWriteString(), in ASCII; stack, addresses separated by commas
 *	image	pid, base, size and path of a mapped file
 *	process	pid, name and package of a process, in the form of Windows'
 *		kernel; windows: without the mark of the module's records
 *	system	hook, version and time of an event of Windows' kernel, and its data
 *		in order: u32 and u64, numbers; ansi and wide, strings; zeros, a
 *		number of bytes
 *	manifest provider, build and path of a file that contains one
 *	loss	count, first and last, in ticks since the log's start, cpu, size of
 *		a buffer, mode and consumers; session; reason, with '_' for ' ';
 *		cut, of bytes that are missing at the end
 *	buffer	begin another one; lost: events were lost before it;
 *		lost_buffer: a buffer was lost before it
 *	header	numbers of lost events and buffers; boot, a FILETIME; mode
 */
#define _GNU_SOURCE
#include <linux/evntprov.h>

#include "core/self_layout.h"
#include "selftests/unit/common/etl_make.h"
#include "evntcons.h"

#define SIZE		65536
#define HEADER		0x50
#define FULL		(SIZE - 4096)
#define NET_SUM		0x599d99adu

enum {
	TLG_ANSI = 2,
	TLG_INT32 = 7,
	TLG_UINT32 = 8,
	TLG_DOUBLE = 12,
	TLG_BOOL32 = 13,
	TLG_STRUCT_WITH_COUNT = 24 | 0x80,
	TLG_HEX64 = 21,
};

static struct etl_make m;
static int64_t sequence;
static bool in_buffer;

/* The event under construction */
static struct {
	uint8_t schema[4096];
	size_t schema_len;
	uint8_t payload[4096];
	size_t payload_len;
	uint8_t items[8192];
	size_t items_len;
	size_t last_item;
} event;

static char *words[64];
static int word_count;

static const char *word(const char *key)
{
	size_t len = strlen(key);

	for (int i = 0; i < word_count; i++) {
		if (!strncmp(words[i], key, len) && words[i][len] == '=')
			return words[i] + len + 1;
	}
	return NULL;
}

static uint64_t number(const char *key)
{
	const char *text = word(key);

	return text ? strtoull(text, NULL, 0) : 0;
}

static bool has(const char *flag)
{
	for (int i = 0; i < word_count; i++) {
		if (!strcmp(words[i], flag))
			return true;
	}
	return false;
}

static void end_buffer(void)
{
	if (in_buffer)
		make_buffer_end(&m);
	in_buffer = false;
}

static void begin_buffer(unsigned int cpu, unsigned int flags)
{
	end_buffer();
	make_put(make_buffer(&m, cpu, ++sequence) + 0x34, 0x20 | flags, 2);
	in_buffer = true;
}

static void add_item(unsigned int type, const void *data, size_t len)
{
	uint8_t *p = event.items + event.items_len;
	size_t size = (8 + len + 7) & ~(size_t)7;

	if (event.items_len)
		event.items[event.last_item + 4] = 1;
	event.last_item = event.items_len;
	memset(p, 0, size);
	make_put(p, size, 2);
	make_put(p + 2, type, 2);
	make_put(p + 6, len, 2);
	memcpy(p + 8, data, len);
	event.items_len += size;
}

static void put_payload(uint64_t value, int bytes)
{
	make_put(event.payload + event.payload_len, value, bytes);
	event.payload_len += bytes;
}

static void put_text(const char *text)
{
	memcpy(event.payload + event.payload_len, text, strlen(text) + 1);
	event.payload_len += strlen(text) + 1;
}

static void put_wide(const char *text)
{
	size_t i;

	for (i = 0; i <= strlen(text); i++)
		put_payload(text[i], 2);
}

static void put_schema(const char *name, size_t len, unsigned int type)
{
	memcpy(event.schema + event.schema_len, name, len);
	event.schema_len += len + 1;
	event.schema[event.schema_len++] = type;
}

/* Add a field from TYPE:NAME=VALUE */
static void add_field(const char *text)
{
	const char *name = strchr(text, ':'), *value = strchr(text, '=');
	double real;
	uint64_t bits;

	if (!name || !value || name > value)
		return;
	name++;
	if (!strncmp(text, "u32", 3)) {
		put_schema(name, value - name, TLG_UINT32);
		put_payload(strtoul(value + 1, NULL, 0), 4);
	} else if (!strncmp(text, "i32", 3)) {
		put_schema(name, value - name, TLG_INT32);
		put_payload(strtol(value + 1, NULL, 0), 4);
	} else if (!strncmp(text, "f64", 3)) {
		put_schema(name, value - name, TLG_DOUBLE);
		real = strtod(value + 1, NULL);
		memcpy(&bits, &real, sizeof(bits));
		put_payload(bits, 8);
	} else if (!strncmp(text, "bool", 4)) {
		put_schema(name, value - name, TLG_BOOL32);
		put_payload(strtoul(value + 1, NULL, 0), 4);
	} else if (!strncmp(text, "ptr", 3)) {
		put_schema(name, value - name, TLG_HEX64);
		put_payload(strtoull(value + 1, NULL, 0), 8);
	} else if (!strncmp(text, "struct", 6)) {
		put_schema(name, value - name, TLG_STRUCT_WITH_COUNT);
		event.schema[event.schema_len++] = strtoul(value + 1, NULL, 0);
	} else {
		put_schema(name, value - name, TLG_ANSI);
		put_text(value + 1);
	}
}

static void add_tracelogging(const char *name)
{
	static const uint8_t traits[] = "\x10\0Test-Provider";

	event.schema_len = 3;
	memset(event.schema, 0, sizeof(event.schema));
	memcpy(event.schema + 3, name, strlen(name) + 1);
	event.schema_len += strlen(name) + 1;
	for (int i = 0; i < word_count; i++)
		add_field(words[i]);
	for (uint64_t i = number("tail"); i; i--)
		put_payload(i, 1);
	event.payload_len -= number("cut");
	make_put(event.schema, event.schema_len, 2);
	add_item(EVENT_HEADER_EXT_TYPE_PROV_TRAITS, traits, 16);
	add_item(EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL, event.schema,
		 event.schema_len);
}

static void add_stack(const char *text)
{
	uint8_t stack[8 + 8 * 32] = {};
	size_t len = 8;
	char *end;

	for (; text && len < sizeof(stack); text = *end ? end + 1 : NULL) {
		make_put(stack + len, strtoull(text, &end, 0), 8);
		len += 8;
	}
	add_item(EVENT_HEADER_EXT_TYPE_STACK_TRACE64, stack, len);
}

/* Write the record; returns the header of the event */
static uint8_t *write_event(void)
{
	size_t len = event.items_len + event.payload_len;
	uint8_t *p;

	if (!in_buffer || m.len - m.buffer + HEADER + len > FULL)
		begin_buffer(number("cpu"), 0);
	p = make_record(&m, MAKE_EVENT64, MAKE_BASE + number("time"), len);
	memcpy(p, event.items, event.items_len);
	memcpy(p + event.items_len, event.payload, event.payload_len);
	p -= HEADER;
	make_put(p + 0x04, event.items_len != 0, 2);
	make_put(p + 0x08, number("tid"), 4);
	make_put(p + 0x0c, number("pid"), 4);
	event.items_len = 0;
	event.payload_len = 0;
	return p;
}

static void put_activity(uint8_t *to)
{
	uint32_t act = number("act");

	make_put(to, act, 4);
	if (has("net"))
		make_put(to + 12, act + NET_SUM, 4);
}

/* 3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c */
static const uint8_t kernel[16] = {
	0xd0, 0xa8, 0x6f, 0x3d, 0x05, 0xfe, 0xd0, 0x11,
	0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c,
};

/* 22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716 */
static const uint8_t windows[16] = {
	0xd6, 0x2c, 0xfb, 0x22, 0x7b, 0x0e, 0x2b, 0x42,
	0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16,
};

static void do_event(void)
{
	const char *name = word("name"), *stack = word("stack");
	const char *string = word("string");
	uint8_t related[16] = {}, *h;

	make_put(related, number("rel"), 4);
	if (number("rel"))
		add_item(EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID, related, 16);
	if (stack)
		add_stack(stack);
	if (name)
		add_tracelogging(name);
	if (word("raw")) {
		put_text(word("raw"));
		event.payload_len--;
	}
	if (string)
		put_wide(string);
	h = write_event();
	if (string)
		h[0x04] |= EVENT_HEADER_FLAG_STRING_ONLY;
	make_put(h + 0x18, word("provider") ? number("provider") : 0x1234, 4);
	if (has("kernel"))
		memcpy(h + 0x18, kernel, sizeof(kernel));
	if (has("windows"))
		memcpy(h + 0x18, windows, sizeof(windows));
	make_put(h + 0x28, number("id"), 2);
	make_put(h + 0x2a, number("version"), 1);
	make_put(h + 0x2c, number("level"), 1);
	make_put(h + 0x2d, number("op"), 1);
	make_put(h + 0x2e, number("task"), 2);
	put_activity(h + 0x40);
}

static void do_image(void)
{
	static const struct evntprov_guid provider = EVNTPROV_IMAGES_PROVIDER;
	uint8_t *h;

	put_payload(number("base"), 8);
	put_payload(number("size"), 8);
	put_payload(0, 8);
	put_payload(1, 8);
	put_payload(1, 8);
	put_text("");
	put_text(word("path"));
	h = write_event();
	memcpy(h + 0x18, &provider, sizeof(provider));
	h[0x2d] = EVNTPROV_IMAGE_OPCODE;
}

/* Class Process, version 4, type DCStart */
static void do_process(void)
{
	const char *name = word("name"), *package = word("package");
	const size_t fixed = 40, package_len = package ? strlen(package) : 0;
	const size_t len = fixed + strlen(name) + 1 + (3 + package_len) * 2;
	uint8_t *data;

	if (!in_buffer || m.len - m.buffer + HEADER + len > FULL)
		begin_buffer(number("cpu"), 0);
	data = make_record(&m, MAKE_PERFINFO64, MAKE_BASE + number("time"),
			   len);
	make_put(data - 0x10, 4, 2);
	make_put(data - 0x0a, 0x0303, 2);
	make_put(data + 8, number("pid"), 4);
	make_put(data + 20, 0x103, 4);
	make_put(data + 32, has("windows") ? 0 : EVNTPROV_PROCESS_NAMED, 4);
	memcpy(data + fixed, name, strlen(name));
	for (size_t i = 0; i < package_len; i++)
		data[fixed + strlen(name) + 1 + (1 + i) * 2] = package[i];
}

static void put_data(const char *text)
{
	const char *value = strchr(text, '=');

	if (!value)
		return;
	value++;
	if (!strncmp(text, "u32=", 4))
		put_payload(strtoul(value, NULL, 0), 4);
	else if (!strncmp(text, "u64=", 4))
		put_payload(strtoull(value, NULL, 0), 8);
	else if (!strncmp(text, "ansi=", 5))
		put_text(value);
	else if (!strncmp(text, "zeros=", 6))
		for (unsigned long n = strtoul(value, NULL, 0); n; n--)
			put_payload(0, 1);
	else if (!strncmp(text, "wide=", 5))
		do
			put_payload((unsigned char)*value, 2);
		while (*value++);
}

static void do_system(void)
{
	uint8_t *data;

	for (int i = 0; i < word_count; i++)
		put_data(words[i]);
	data = make_record(&m, MAKE_PERFINFO64, MAKE_BASE + number("time"),
			   event.payload_len);
	make_put(data - 0x10, number("version"), 2);
	make_put(data - 0x0a, number("hook"), 2);
	memcpy(data, event.payload, event.payload_len);
	event.payload_len = 0;
}

static void do_manifest(void)
{
	static const struct evntprov_guid images = EVNTPROV_IMAGES_PROVIDER;
	uint8_t *h;

	put_payload(number("provider"), 8);
	put_payload(0, 8);
	put_text(word("build") ? word("build") : "");
	put_text(word("path"));
	h = write_event();
	memcpy(h + 0x18, &images, sizeof(images));
	h[0x2d] = EVNTPROV_MANIFEST_OPCODE;
}

static void do_loss(void)
{
	static const struct evntprov_guid losses = EVNTPROV_LOSSES_PROVIDER;
	const char *session = word("session"), *reason = word("reason");
	size_t start;
	uint8_t *h;

	put_payload(number("count"), 8);
	put_payload(MAKE_START + number("first"), 8);
	put_payload(MAKE_START + number("last"), 8);
	put_payload(number("cpu"), 4);
	put_payload(number("size"), 4);
	put_payload(number("mode"), 4);
	put_payload(number("consumers"), 4);
	for (; session && *session; session++)
		put_payload((unsigned char)*session, 2);
	put_payload(0, 2);
	start = event.payload_len;
	put_text(reason);
	for (; start < event.payload_len; start++) {
		if (event.payload[start] == '_')
			event.payload[start] = ' ';
	}
	event.payload_len -= number("cut");
	h = write_event();
	memcpy(h + 0x18, &losses, sizeof(losses));
	h[0x2d] = EVNTPROV_LOST_OPCODE;
}

static void do_header(void)
{
	uint8_t *late = make_header(&m) + 0xf8;

	make_put(make_header(&m) + 0x30, number("events"), 4);
	make_put(late + 0x1c, number("buffers"), 4);
	make_put(late, number("boot"), 8);
	make_put(make_header(&m) + 0x20, number("mode"), 4);
}

static void do_line(char *line)
{
	char *at;

	word_count = 0;
	for (at = strtok(line, " \t\n"); at && word_count < 64;
	     at = strtok(NULL, " \t\n"))
		words[word_count++] = at;
	if (!word_count || *words[0] == '#')
		return;
	if (!strcmp(words[0], "event"))
		do_event();
	else if (!strcmp(words[0], "image"))
		do_image();
	else if (!strcmp(words[0], "process"))
		do_process();
	else if (!strcmp(words[0], "system"))
		do_system();
	else if (!strcmp(words[0], "manifest"))
		do_manifest();
	else if (!strcmp(words[0], "loss"))
		do_loss();
	else if (!strcmp(words[0], "buffer"))
		begin_buffer(number("cpu"), (has("lost") ? 0x2 : 0) |
			     (has("lost_buffer") ? 0x4 : 0));
	else if (!strcmp(words[0], "header"))
		do_header();
	else
		abort();
}

int main(int argc, char **argv)
{
	char line[4096];

	if (argc != 2)
		return 2;
	make_begin(&m, SIZE, true, "Session");
	while (fgets(line, sizeof(line), stdin))
		do_line(line);
	end_buffer();
	make_write(&m, argv[1]);
	make_free(&m);
	return 0;
}
