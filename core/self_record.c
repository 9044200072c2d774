// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Layout of the events of EVNTPROV_IMAGES_PROVIDER, and of the records that
 * name processes.
 */
#include "core/self_record.h"

/* TraceLogging types: unsigned, hexadecimal, GUID, text, UTF-8 text */
#define TLG_UINT64	"\x0a"
#define TLG_HEXINT64	"\x15"
#define TLG_GUID	"\x0f"
#define TLG_ANSI	"\x02"
#define TLG_UTF8	"\x82\x23"

/* The channel and level of TraceLogging's events */
#define DESCRIPTOR(of_opcode)						\
	{ .channel = 11, .level = 4, .opcode = (of_opcode) }

/* Fields that describe a file, at the end of each event */
#define FILE_FIELDS	"BuildId\0" TLG_ANSI "FileName\0" TLG_UTF8

#define IMAGE								\
	"\0Image\0"							\
	"Base\0" TLG_HEXINT64 "Size\0" TLG_HEXINT64			\
	"Offset\0" TLG_HEXINT64 "ProcessStartKey\0" TLG_UINT64		\
	"Execs\0" TLG_UINT64 FILE_FIELDS
#define MANIFEST	"\0Manifest\0Provider\0" TLG_GUID FILE_FIELDS

const struct evnt_self_event evnt_image_event = {
	.descriptor = DESCRIPTOR(EVNTPROV_IMAGE_OPCODE),
	.text = IMAGE, .len = sizeof(IMAGE) - 1,
};

const struct evnt_self_event evnt_manifest_event = {
	.descriptor = DESCRIPTOR(EVNTPROV_MANIFEST_OPCODE),
	.text = MANIFEST, .len = sizeof(MANIFEST) - 1,
};

#define NAME		"Evntprov-Images"

/* Provider traits: length, little-endian on all machines, and name */
static const u8 traits[2 + sizeof(NAME)] = {
	sizeof(traits), 0,
	'E', 'v', 'n', 't', 'p', 'r', 'o', 'v', '-',
	'I', 'm', 'a', 'g', 'e', 's', 0,
};

static const struct evntprov_guid provider = EVNTPROV_IMAGES_PROVIDER;
static const struct evntprov_guid no_activity;

/**
 * evnt_self_describe() - initialise an event of a given kind
 * @e: initialised, except for thread and process
 * @own: kind of event
 * @len: length of the data in bytes
 */
void evnt_self_describe(struct evnt_event *e, const struct evnt_self_event *own,
			u32 len)
{
	*e = (struct evnt_event) {
		.descriptor = &own->descriptor,
		.provider = provider.b,
		.activity = no_activity.b,
		.kind = ETL_RECORD_EVENT64,
		.traits = traits,
		.traits_len = sizeof(traits),
		.metadata_len = sizeof(u16) + own->len,
		.data_len = len,
	};
}

/**
 * evnt_self_put() - write the record of an event
 * @record: @size bytes and padding, aligned to ETL_ALIGN
 * @size: evnt_record_size() of @e
 * @own: kind of event
 * @e: event from evnt_self_describe()
 * @time: time stamp
 * @data: data of the event
 */
void evnt_self_put(u8 *record, u32 size, const struct evnt_self_event *own,
		   const struct evnt_event *e, s64 time, const void *data)
{
	struct evnt_record_parts parts;

	parts = evnt_record_lay_out(record, size, e, time);
	parts.metadata[0] = e->metadata_len & 0xff;
	parts.metadata[1] = e->metadata_len >> 8;
	memcpy(parts.metadata + sizeof(u16), own->text, own->len);
	memcpy(parts.data, data, e->data_len);
}

/* Group Process, type DCStart */
#define HOOK_PROCESS_DCSTART	0x0303u
#define PROCESS_VERSION		4u
#define STILL_ACTIVE		0x103

/**
 * struct process_record - record that names a process, without its strings
 * @version: version of the class
 * @kind: ETL_RECORD_PERFINFO64
 * @size: size of the record in bytes, without padding
 * @hook: HOOK_PROCESS_DCSTART
 * @time_stamp: time in the session's clock
 * @process: fixed part of the data
 */
struct process_record {
	u16 version;
	u16 kind;
	u16 size;
	u16 hook;
	s64 time_stamp;
	struct evntprov_process process;
};

/* Return the size of a record that names a process, without padding */
u32 evnt_process_record_size(const char *name)
{
	/* The name and three empty strings of UTF-16 */
	return sizeof(struct process_record) + strlen(name) + 1 +
	       3 * sizeof(u16);
}

/**
 * evnt_process_record_put() - write a record that names a process
 * @record: evnt_process_record_size() bytes and padding, aligned to ETL_ALIGN
 * @name: name, of at most NAME_MAX bytes
 * @process_id: process id
 * @time: time stamp
 */
void evnt_process_record_put(u8 *record, const char *name, u32 process_id,
			     s64 time)
{
	const u32 size = evnt_process_record_size(name);
	struct process_record *r = (struct process_record *)record;

	memset(record, 0, ALIGN(size, ETL_ALIGN));
	*r = (struct process_record) {
		.version = PROCESS_VERSION,
		.kind = ETL_RECORD_PERFINFO64,
		.size = size,
		.hook = HOOK_PROCESS_DCSTART,
		.time_stamp = time,
		.process = {
			.process_id = process_id,
			.exit_status = STILL_ACTIVE,
			.flags = EVNTPROV_PROCESS_NAMED,
		},
	};
	memcpy(r + 1, name, strlen(name));
}
