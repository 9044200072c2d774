/* SPDX-License-Identifier: MIT */
/*
 * Packets of Perfetto's trace format: all are of one sequence, and what they name
 * by numbers is told once, before it is used.
 */
#ifndef EVNT_TOOLS_PERFETTO_WRITE_H
#define EVNT_TOOLS_PERFETTO_WRITE_H

#include <stdio.h>

#include "hash.h"
#include "perfetto.pb-c.h"
#include "pool.h"

/* Kinds of names, each numbered by itself */
enum packet_names {
	PACKET_CATEGORY,
	PACKET_EVENT,
	PACKET_ANNOTATION,
	PACKET_NAMES,
};

/**
 * struct packet_name - a name that was told
 * @kind: of these
 * @text: it
 */
struct packet_name {
	enum packet_names kind;
	char *text;
};

/**
 * struct packets - what is written
 * @out: to there
 * @pool: what the next packet is made of
 * @names: that were told; each name's number is its place here, counted from 1
 * @name_count: how many
 * @name_room: for how many there is memory
 * @name_table: finds them
 * @told: those that the next packet is to tell, a list of each kind
 * @told_count: how many these are
 * @told_room: for how many there is memory
 * @has_begun: a packet was written
 * @is_cleared: what was told before the next packet does not count
 * @is_dropped: something is missing before the next packet
 * @bytes: buffer for a packet
 * @bytes_room: its size
 */
struct packets {
	FILE *out;
	struct pool pool;
	struct packet_name *names;
	uint32_t name_count;
	uint32_t name_room;
	struct hash name_table;
	Perfetto__InternedName **told[PACKET_NAMES];
	size_t told_count[PACKET_NAMES];
	size_t told_room[PACKET_NAMES];
	bool has_begun;
	bool is_cleared;
	bool is_dropped;
	uint8_t *bytes;
	size_t bytes_room;
};

/* A packet for the time of an event, as a FILETIME; to be filled in */
Perfetto__TracePacket *packet_new(struct packets *packets, int64_t time);

/* Writes it: what it is made of is gone then */
void packet_write(struct packets *packets, Perfetto__TracePacket *packet);

/* The number of a name, which the next packet tells if it is new */
uint64_t packet_name(struct packets *packets, enum packet_names kind,
		     const char *text);

/* A copy of @text that lives as long as the packet, in UTF-8 */
char *packet_text(struct packets *packets, const char *text);

/* Something is missing here: names are told anew */
void packets_dropped(struct packets *packets);

/* Nanoseconds since 1970 of a FILETIME */
uint64_t packet_time(int64_t filetime);

void packets_free(struct packets *packets);

#endif /* EVNT_TOOLS_PERFETTO_WRITE_H */
