// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Record layout of classic providers.
 */
#include "core/classic_record.h"

/**
 * evnt_class_record_describe() - compute kind, options and header length
 * @r: record with @arg and @subject set; the other members are filled in
 * @numbers: the session numbers messages that request it
 */
void evnt_class_record_describe(struct evnt_class_record *r, bool numbers)
{
	const bool wide = r->subject.kind == ETL_RECORD_EVENT64;

	static_assert(EVNTPROV_MESSAGE_SEQUENCE == ETL_MESSAGE_SEQUENCE &&
		      EVNTPROV_MESSAGE_GUID == ETL_MESSAGE_GUID &&
		      EVNTPROV_MESSAGE_COMPONENT == ETL_MESSAGE_COMPONENT &&
		      EVNTPROV_MESSAGE_TIMESTAMP == ETL_MESSAGE_TIME &&
		      EVNTPROV_MESSAGE_SYSTEMINFO == ETL_MESSAGE_SYSTEM_INFO,
		      "the ABI's are the format's");
	switch (evnt_class_record_kind(r->arg)) {
	case EVNTPROV_TRACE_EVENT:
		r->kind = wide ? ETL_RECORD_FULL64 : ETL_RECORD_FULL32;
		r->header = sizeof(struct etl_class_header);
		break;
	case EVNTPROV_TRACE_INSTANCE:
		r->kind = wide ? ETL_RECORD_INSTANCE64 : ETL_RECORD_INSTANCE32;
		r->header = sizeof(struct etl_instance_header);
		break;
	default:
		r->kind = ETL_RECORD_MESSAGE;
		r->options = r->arg->descriptor.task;
		r->options |= wide ? ETL_MESSAGE_POINTER64 :
				     ETL_MESSAGE_POINTER32;
		if (!numbers)
			r->options &= ~EVNTPROV_MESSAGE_SEQUENCE;
		r->header = etl_message_offset(r->options, ETL_MESSAGE_ALL);
	}
}

static void put_class(const struct evnt_class_record *r, u8 *to, u32 size,
		      s64 time)
{
	struct etl_class_header *h = (struct etl_class_header *)to;
	const struct evntprov_write *arg = r->arg;

	h->size = size;
	h->kind = r->kind;
	h->type = arg->descriptor.opcode;
	h->level = arg->descriptor.level;
	h->version = arg->descriptor.id;
	h->thread_id = r->subject.thread_id;
	h->process_id = r->subject.process_id;
	h->time_stamp = time;
	memcpy(h->class, arg->class_id.b, sizeof(h->class));
	h->kernel_time = r->subject.kernel_time;
	h->user_time = r->subject.user_time;
}

static void put_instance(const struct evntprov_write *arg, u8 *to)
{
	struct etl_instance_header *h = (struct etl_instance_header *)to;

	h->instance = (u32)arg->descriptor.keyword;
	h->parent_instance = arg->descriptor.keyword >> 32;
	memcpy(h->parent, arg->parent.b, sizeof(h->parent));
}

static void put(u8 **to, const void *from, u32 len)
{
	memcpy(*to, from, len);
	*to += len;
}

/* Write everything in front of the data, except for the sequence number */
static void put_message(const struct evnt_class_record *r, u8 *to, u32 size,
			s64 time)
{
	const struct etl_message_header h = {
		.size = size,
		.kind = r->kind,
		.number = r->arg->descriptor.id,
		.flags = r->options,
	};

	put(&to, &h, sizeof(h));
	if (h.flags & ETL_MESSAGE_SEQUENCE)
		to += sizeof(u32);
	if (h.flags & ETL_MESSAGE_COMPONENT)
		put(&to, r->arg->class_id.b, sizeof(u32));
	if (h.flags & ETL_MESSAGE_GUID)
		put(&to, r->arg->class_id.b, sizeof(r->arg->class_id.b));
	if (h.flags & ETL_MESSAGE_TIME)
		put(&to, &time, sizeof(time));
	if (h.flags & ETL_MESSAGE_SYSTEM_INFO) {
		put(&to, &r->subject.thread_id, sizeof(u32));
		put(&to, &r->subject.process_id, sizeof(u32));
	}
}

/**
 * evnt_class_record_put() - write a record without data and number
 * @r: record, described
 * @to: space of @size bytes with padding, aligned to ETL_ALIGN
 * @size: size of the record in bytes
 * @time: time stamp
 */
void evnt_class_record_put(const struct evnt_class_record *r, u8 *to, u32 size,
			   s64 time)
{
	/*
	 * Zero the padding; what precedes it in this word is overwritten below
	 */
	*(u64 *)(to + ALIGN(size, ETL_ALIGN) - ETL_ALIGN) = 0;
	if (evnt_class_record_kind(r->arg) == EVNTPROV_TRACE_MESSAGE)
		put_message(r, to, size, time);
	else
		put_class(r, to, size, time);
	if (evnt_class_record_kind(r->arg) == EVNTPROV_TRACE_INSTANCE)
		put_instance(r->arg, to);
}
