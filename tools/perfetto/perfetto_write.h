/* SPDX-License-Identifier: MIT */
/*
 * Packets of Perfetto's trace format. All packets belong to one sequence; names
 * are interned: written once, before the first packet that refers to their
 * number.
 */
#ifndef EVNT_PERFETTO_WRITE_H
#define EVNT_PERFETTO_WRITE_H

#include <stdio.h>

#include "tools/common/hash.h"
#include "perfetto.pb-c.h"
#include "tools/common/pool.h"

/* Kinds of names, each with its own numbering */
enum packet_names {
	PACKET_CATEGORY,
	PACKET_EVENT,
	PACKET_ANNOTATION,
	PACKET_NAMES,
};

/**
 * struct packet_name - an interned name
 * @kind: kind of the name
 * @text: text of the name
 */
struct packet_name {
	enum packet_names kind;
	char *text;
};

/**
 * struct packets - state of the packet writer
 * @out: output stream
 * @pool: memory for the next packet
 * @names: interned names; the number of a name is its index plus one
 * @name_count: number of names
 * @name_room: number of names that memory is allocated for
 * @name_table: hash table of the names
 * @reported: new names to intern with the next packet, a list for each kind
 * @reported_count: number of elements of each list
 * @reported_room: number of elements that memory is allocated for
 * @has_begun: a packet has been written
 * @is_cleared: the next packet must begin a new incremental state
 * @is_dropped: data was lost before the next packet
 * @bytes: buffer for a serialized packet
 * @bytes_room: size of @bytes
 */
struct packets {
	FILE *out;
	struct pool pool;
	struct packet_name *names;
	uint32_t name_count;
	uint32_t name_room;
	struct hash name_table;
	Perfetto__InternedName **reported[PACKET_NAMES];
	size_t reported_count[PACKET_NAMES];
	size_t reported_room[PACKET_NAMES];
	bool has_begun;
	bool is_cleared;
	bool is_dropped;
	uint8_t *bytes;
	size_t bytes_room;
};

/* Create a packet for an event's time, a FILETIME; the caller fills it in */
Perfetto__TracePacket *packet_new(struct packets *packets, int64_t time);

/* Write a packet and free its memory */
void packet_write(struct packets *packets, Perfetto__TracePacket *packet);

/* Return the number of a name; a new name is interned with the next packet */
uint64_t packet_name(struct packets *packets, enum packet_names kind,
		     const char *text);

/* Return a UTF-8 copy of @text that lives as long as the packet */
char *packet_text(struct packets *packets, const char *text);

/* Mark a loss of data, and begin a new incremental state */
void packets_dropped(struct packets *packets);

/* Convert a FILETIME to nanoseconds since 1970 */
uint64_t packet_time(int64_t filetime);

void packets_free(struct packets *packets);

#endif /* EVNT_PERFETTO_WRITE_H */
