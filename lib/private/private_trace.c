// SPDX-License-Identifier: MIT
/*
 * Writing of classic events to a private session.
 *
 * The writer names the session, which must have enabled the registration.
 * Otherwise the rules of private_write.c apply.
 */
#define _GNU_SOURCE

#include "core/classic_record.h"
#include "lib/base/current_cpu.h"
#include "lib/base/read_section.h"
#include "lib/private/private.h"
#include "core/reserve.h"

/*
 * Last number given in all private sessions with
 * EVENT_TRACE_USE_GLOBAL_SEQUENCE
 */
static u32 global_sequence;

static struct evnt_private *find(const struct evnt_private_set *set,
				 const struct evntprov_write *t)
{
	u32 i;

	if (!set || set->handle != t->handle)
		return NULL;
	for (i = 0; i < set->count; i++) {
		if (set->one[i].session->handle == t->session)
			return set->one[i].session;
	}
	return NULL;
}

static void copy(u8 *to, const struct evntprov_data *block, u64 count)
{
	for (; count; count--, block++) {
		if (!block->len)
			continue;
		memcpy(to, (const void *)(uintptr_t)block->ptr, block->len);
		to += block->len;
	}
}

static int write_to(struct evnt_private *s,
		    const struct evntprov_write *t, u32 cpu)
{
	const bool is_one = t->flags & EVNTPROV_WRITE_ONE_BLOCK;
	const struct evntprov_data one = {
		.ptr = t->data, .len = is_one ? t->data_count : 0,
	};
	const struct evntprov_data *data = is_one ? &one :
					   (const void *)(uintptr_t)t->data;
	const u64 count = is_one ? 1 : t->data_count;
	const bool local = s->info.log_file_mode &
			   EVENT_TRACE_USE_LOCAL_SEQUENCE;
	const bool global = s->info.log_file_mode &
			    EVENT_TRACE_USE_GLOBAL_SEQUENCE;
	struct evnt_class_record r = { .arg = t };
	struct evnt_buffers *b = &s->buffers;
	struct evnt_reservation at;
	int err = -EOVERFLOW;
	u64 i, size;
	u32 number;
	u8 *record;
	u16 kind;
	s64 time;
	u32 *last = global ? &global_sequence : &s->sequence;

	evnt_private_describe_writer(&r.subject);
	evnt_class_record_describe(&r, local || global);
	size = r.header;
	for (i = 0; i < count; i++)
		size += data[i].len;
	cpu %= b->nr_cpus;
	if (size <= ETL_MAX_RECORD)
		err = evnt_reserve(b, cpu, size, &at, &time);
	if (err) {
		evnt_count_lost(b, cpu, err == -ENOBUFS ?
				EVNT_LOST_NO_BUFFER : EVNT_LOST_TOO_LARGE);
		return -err;
	}
	record = evnt_record(&at);
	evnt_private_begin(record, size);
	evnt_private_put_time(&r.subject, b, time);
	kind = r.kind;
	r.kind = 0;
	evnt_class_record_put(&r, record, size, time);
	copy(record + r.header, data, count);
	/* The record is complete otherwise, so that no number is skipped */
	if (evnt_class_record_has_number(&r)) {
		number = __atomic_add_fetch(last, 1, __ATOMIC_RELAXED);
		evnt_class_record_put_number(record, number);
	}
	evnt_private_seal(record, kind);
	evnt_commit(b, cpu, &at);
	return 0;
}

/**
 * evnt_private_trace() - write a classic event to a private session
 * @t: argument as for EVNTPROV_IOC_WRITE
 *
 * Return: 0 or an errno as for EVNTPROV_IOC_WRITE; ESRCH if the session
 * has not enabled the registration.
 */
int evnt_private_trace(const struct evntprov_write *t)
{
	const unsigned int slot = evnt_slot_of(t->handle);
	/* -1 is harmless: each user takes the remainder */
	const unsigned int cpu = evnt_current_cpu();
	struct evnt_private *s;
	uintptr_t *inside;
	int err = ESRCH;

	inside = evnt_read_begin(cpu);
	s = find(__atomic_load_n(&evnt_private_sets[slot], __ATOMIC_SEQ_CST),
		 t);
	if (s)
		err = write_to(s, t, cpu);
	evnt_read_end(inside);
	return err;
}
