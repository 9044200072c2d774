// SPDX-License-Identifier: MIT
/* Writes packets, each as a field of a Trace message */
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "decode/format.h"
#include "tools/perfetto/perfetto_write.h"

#define SEQUENCE		1
#define STATE_CLEARED		1
#define NEEDS_STATE		2
#define CLOCK_REALTIME_ID	1

/* 1970 as a FILETIME */
#define UNIX_EPOCH		INT64_C(116444736000000000)
#define NS_PER_TICK		100

/* Tag of field 1 of a Trace, a message with its length */
#define PACKET_TAG		0x0a
#define HEAD_ROOM		11

/*
 * Number of interned names after which all are discarded, to bound the memory
 * here and in readers
 */
#define MAX_NAMES		50000

uint64_t packet_time(int64_t filetime)
{
	return filetime > UNIX_EPOCH ?
	       (uint64_t)(filetime - UNIX_EPOCH) * NS_PER_TICK : 0;
}

char *packet_text(struct packets *packets, const char *text)
{
	size_t size = 3 * strlen(text) + 1;

	return format_utf8(text, strlen(text), pool_take(&packets->pool, size),
			   size);
}

Perfetto__TracePacket *packet_new(struct packets *packets, int64_t time)
{
	Perfetto__TracePacket *packet = pool_take(&packets->pool,
						  sizeof(*packet));

	perfetto__trace_packet__init(packet);
	packet->has_timestamp = true;
	packet->timestamp = packet_time(time);
	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = SEQUENCE;
	packet->has_sequence_flags = true;
	packet->sequence_flags = NEEDS_STATE;
	return packet;
}

static void forget_names(struct packets *packets)
{
	for (uint32_t i = 0; i < packets->name_count; i++)
		free(packets->names[i].text);
	packets->name_count = 0;
	hash_free(&packets->name_table);
	packets->is_cleared = true;
}

void packets_dropped(struct packets *packets)
{
	forget_names(packets);
	packets->is_dropped = true;
}

/*
 * Begin a new incremental state: names are interned again from this packet on
 */
static void begin_state(struct packets *packets, Perfetto__TracePacket *packet)
{
	Perfetto__TracePacketDefaults *defaults;

	if (packets->has_begun && !packets->is_cleared)
		return;
	defaults = pool_take(&packets->pool, sizeof(*defaults));
	perfetto__trace_packet_defaults__init(defaults);
	defaults->has_timestamp_clock_id = true;
	defaults->timestamp_clock_id = CLOCK_REALTIME_ID;
	packet->trace_packet_defaults = defaults;
	packet->sequence_flags |= STATE_CLEARED;
	packet->has_first_packet_on_sequence = !packets->has_begun;
	packet->first_packet_on_sequence = !packets->has_begun;
	packet->has_previous_packet_dropped = packets->is_dropped;
	packet->previous_packet_dropped = packets->is_dropped;
	packets->has_begun = true;
	packets->is_cleared = false;
	packets->is_dropped = false;
}

static void report_names(struct packets *packets, Perfetto__TracePacket *packet)
{
	Perfetto__InternedData *data;

	if (!packets->reported_count[PACKET_CATEGORY] &&
	    !packets->reported_count[PACKET_EVENT] &&
	    !packets->reported_count[PACKET_ANNOTATION])
		return;
	data = pool_take(&packets->pool, sizeof(*data));
	perfetto__interned_data__init(data);
	data->event_categories = packets->reported[PACKET_CATEGORY];
	data->n_event_categories = packets->reported_count[PACKET_CATEGORY];
	data->event_names = packets->reported[PACKET_EVENT];
	data->n_event_names = packets->reported_count[PACKET_EVENT];
	data->debug_annotation_names = packets->reported[PACKET_ANNOTATION];
	data->n_debug_annotation_names =
		packets->reported_count[PACKET_ANNOTATION];
	packet->interned_data = data;
	memset(packets->reported_count, 0, sizeof(packets->reported_count));
}

void packet_write(struct packets *packets, Perfetto__TracePacket *packet)
{
	uint8_t head[HEAD_ROOM] = {};
	size_t len, rest, head_len = 0;

	begin_state(packets, packet);
	report_names(packets, packet);
	len = perfetto__trace_packet__get_packed_size(packet);
	if (len > packets->bytes_room) {
		free(packets->bytes);
		packets->bytes = must_have(malloc(2 * len));
		packets->bytes_room = 2 * len;
	}
	perfetto__trace_packet__pack(packet, packets->bytes);
	head[head_len++] = PACKET_TAG;
	for (rest = len; rest > 0x7f; rest >>= 7)
		head[head_len++] = (rest & 0x7f) | 0x80;
	head[head_len++] = rest;
	fwrite(head, 1, head_len, packets->out);
	fwrite(packets->bytes, 1, len, packets->out);
	pool_reset(&packets->pool);
	if (packets->name_count > MAX_NAMES)
		forget_names(packets);
}

struct name_key {
	const struct packets *packets;
	enum packet_names kind;
	const char *text;
};

static bool is_name(const void *context, uint32_t number)
{
	const struct name_key *key = context;
	const struct packet_name *name = &key->packets->names[number];

	return name->kind == key->kind && !strcmp(name->text, key->text);
}

static void report_name(struct packets *packets, enum packet_names kind,
			uint32_t number)
{
	Perfetto__InternedName *name = pool_take(&packets->pool,
						 sizeof(*name));
	size_t count = packets->reported_count[kind]++, size;

	perfetto__interned_name__init(name);
	name->has_iid = true;
	name->iid = number + 1;
	name->name = packet_text(packets, packets->names[number].text);
	if (count == packets->reported_room[kind]) {
		packets->reported_room[kind] = count ? 2 * count : 16;
		size = packets->reported_room[kind] * sizeof(name);
		packets->reported[kind] =
			must_have(realloc(packets->reported[kind], size));
	}
	packets->reported[kind][count] = name;
}

uint64_t packet_name(struct packets *packets, enum packet_names kind,
		     const char *text)
{
	struct name_key key = { packets, kind, text };
	uint64_t hash = hash_bytes(HASH_BEGIN, &kind, sizeof(kind));
	uint32_t number;

	hash = hash_bytes(hash, text, strlen(text));
	number = hash_find(&packets->name_table, hash, is_name, &key);
	if (number != HASH_NONE)
		return number + 1;
	if (packets->name_count == packets->name_room) {
		packets->name_room = packets->name_room ?
				     2 * packets->name_room : 256;
		packets->names = must_have(realloc(packets->names,
						   packets->name_room *
						   sizeof(*packets->names)));
	}
	number = packets->name_count++;
	packets->names[number] = (struct packet_name) {
		kind, must_have(strdup(text))
	};
	hash_add(&packets->name_table, hash, number);
	report_name(packets, kind, number);
	return number + 1;
}

void packets_free(struct packets *packets)
{
	forget_names(packets);
	for (int i = 0; i < PACKET_NAMES; i++)
		free(packets->reported[i]);
	free(packets->names);
	free(packets->bytes);
	pool_free(&packets->pool);
}
