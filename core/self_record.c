// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Layout of the events of EVNTPROV_IMAGES_PROVIDER and EVNTPROV_LOSSES_PROVIDER,
 * and of the records that name processes.
 */
#include "core/self_record.h"

/* TraceLogging types: numbers, GUID, time, text, UTF-8 and UTF-16 text */
#define TLG_UINT64	"\x0a"
#define TLG_HEXINT64	"\x15"
#define TLG_GUID	"\x0f"
#define TLG_ANSI	"\x02"
#define TLG_UTF8	"\x82\x23"
#define TLG_UTF16	"\x01"
#define TLG_UINT32	"\x08"
#define TLG_HEXINT32	"\x14"
#define TLG_FILETIME	"\x11"

/* The channel of TraceLogging's events */
#define DESCRIPTOR(of_level, of_opcode)					\
	{ .channel = 11, .level = (of_level), .opcode = (of_opcode) }

#define INFORMATION	4
#define WARNING		3

/* Fields that describe a file, at the end of each event */
#define FILE_FIELDS	"BuildId\0" TLG_ANSI "FileName\0" TLG_UTF8

#define IMAGE								\
	"\0Image\0"							\
	"Base\0" TLG_HEXINT64 "Size\0" TLG_HEXINT64			\
	"Offset\0" TLG_HEXINT64 "ProcessStartKey\0" TLG_UINT64		\
	"Execs\0" TLG_UINT64 FILE_FIELDS
#define MANIFEST	"\0Manifest\0Provider\0" TLG_GUID FILE_FIELDS

#define LOST								\
	"\0Lost\0"							\
	"Count\0" TLG_UINT64 "First\0" TLG_FILETIME "Last\0" TLG_FILETIME	\
	"Processor\0" TLG_UINT32 "BufferSize\0" TLG_UINT32		\
	"LogFileMode\0" TLG_HEXINT32 "Consumers\0" TLG_UINT32		\
	"Session\0" TLG_UTF16 "Reason\0" TLG_ANSI

/* Provider traits: length, little-endian on all machines, and name */
#define TRAITS_LEN	0x12
#define TRAITS(name)	((const u8 *)"\x12\0" name)

static_assert(2 + sizeof("Evntprov-Images") == TRAITS_LEN, "length");
static_assert(2 + sizeof("Evntprov-Losses") == TRAITS_LEN, "length");

static const struct evnt_self_provider images = {
	.id = EVNTPROV_IMAGES_PROVIDER,
	.traits = TRAITS("Evntprov-Images"), .len = TRAITS_LEN,
};

static const struct evnt_self_provider losses = {
	.id = EVNTPROV_LOSSES_PROVIDER,
	.traits = TRAITS("Evntprov-Losses"), .len = TRAITS_LEN,
};

const struct evnt_self_event evnt_image_event = {
	.provider = &images,
	.descriptor = DESCRIPTOR(INFORMATION, EVNTPROV_IMAGE_OPCODE),
	.text = IMAGE, .len = sizeof(IMAGE) - 1,
};

const struct evnt_self_event evnt_manifest_event = {
	.provider = &images,
	.descriptor = DESCRIPTOR(INFORMATION, EVNTPROV_MANIFEST_OPCODE),
	.text = MANIFEST, .len = sizeof(MANIFEST) - 1,
};

const struct evnt_self_event evnt_loss_event = {
	.provider = &losses,
	.descriptor = DESCRIPTOR(WARNING, EVNTPROV_LOST_OPCODE),
	.text = LOST, .len = sizeof(LOST) - 1,
};

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
		.provider = own->provider->id.b,
		.activity = no_activity.b,
		.kind = ETL_RECORD_EVENT64,
		.traits = own->provider->traits,
		.traits_len = own->provider->len,
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

/**
 * evnt_loss_fill() - fill in the data of an event about lost events
 * @d: filled in, except for the values of the session that had no room
 * @cpu: CPU on which the events were lost
 * @kind: reason
 * @gap: the losses
 * @name: name of the session that had no room, or NULL
 * @len: length of @name in units
 *
 * Return: length of the data in bytes.
 */
u32 evnt_loss_fill(struct evnt_loss_data *d, u32 cpu, enum evnt_loss kind,
		   const struct evnt_gap *gap, const u16 *name, u32 len)
{
	static const char * const reasons[EVNT_LOSSES] = {
		[EVNT_LOST_NO_BUFFER] = "no buffer",
		[EVNT_LOST_TOO_LARGE] = "too large",
		[EVNT_LOST_UNREADABLE] = "unreadable",
		[EVNT_LOST_BLOCKED] = "blocked",
	};
	const u32 size = name ? min(len, EVNT_LOSS_NAME) * sizeof(u16) : 0;
	const u32 reason_size = strlen(reasons[kind]) + 1;
	/* The times are converted with the same two values of the clocks */
	const s64 now = evnt_boot_ns(), system = evnt_system_time();

	d->fixed.count = gap->count;
	d->fixed.first = system - (now - gap->first) / 100;
	d->fixed.last = system - (now - gap->last) / 100;
	d->fixed.cpu = cpu;
	if (size)
		memcpy(d->text, name, size);
	memset(d->text + size, 0, sizeof(u16));
	memcpy(d->text + size + sizeof(u16), reasons[kind], reason_size);
	return sizeof(d->fixed) + size + sizeof(u16) + reason_size;
}

#define PROCESS_VERSION		4u
#define STILL_ACTIVE		0x103

/* Record that names a process, without its strings */
struct process_record {
	struct etl_perf_header header;
	struct evntprov_process process;
};

/*
 * Return the size of a record that names a process, without padding.
 * @package_len: length of the package in bytes with its nul, or 0.
 */
u32 evnt_process_record_size(const char *name, u32 package_len)
{
	/* Name, command line, package and application */
	return sizeof(struct process_record) + strlen(name) + 1 +
	       sizeof(u16) + (package_len ?: sizeof(u16)) + sizeof(u16);
}

/**
 * evnt_process_record_put() - write a record that names a process
 * @record: evnt_process_record_size() bytes and padding, aligned to ETL_ALIGN
 * @name: name, of at most NAME_MAX bytes
 * @package: package in UTF-16, little-endian, with its nul
 * @package_len: length of @package in bytes, or 0
 * @process_id: process id
 * @time: time stamp
 */
void evnt_process_record_put(u8 *record, const char *name, const void *package,
			     u32 package_len, u32 process_id, s64 time)
{
	const u32 size = evnt_process_record_size(name, package_len);
	const u32 len = strlen(name);
	struct process_record *r = (struct process_record *)record;

	memset(record, 0, ALIGN(size, ETL_ALIGN));
	*r = (struct process_record) {
		.header = {
			.version = PROCESS_VERSION,
			.kind = ETL_RECORD_PERFINFO64,
			.size = size,
			.hook = EVNTPROV_PROCESS_HOOK,
			.time_stamp = time,
		},
		.process = {
			.process_id = process_id,
			.exit_status = STILL_ACTIVE,
			.flags = EVNTPROV_PROCESS_NAMED,
		},
	};
	memcpy(r + 1, name, len);
	/* Behind the nul of the name, and an empty command line */
	if (package_len)
		memcpy((u8 *)(r + 1) + len + 1 + sizeof(u16), package,
		       package_len);
}
