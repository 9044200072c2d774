// SPDX-License-Identifier: MIT
/*
 * Writing a record of a classic provider to the private session that it names.
 *
 * That is one that has enabled the registration, or nothing is written.  Otherwise
 * as in private_write.c.
 */
#define _GNU_SOURCE
#include <sched.h>

#include "class_record.h"
#include "grace.h"
#include "private.h"
#include "reserve.h"

/* Of all sessions of EVENT_TRACE_USE_GLOBAL_SEQUENCE here: the last one given */
static u32 global_sequence;

static struct evnt_private *find(const struct evnt_private_set *set,
				 const struct evntprov_trace *t)
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

static bool numbers_messages(const struct evnt_private *s)
{
	return s->info.log_file_mode & (EVENT_TRACE_USE_LOCAL_SEQUENCE |
					EVENT_TRACE_USE_GLOBAL_SEQUENCE);
}

/* The record is complete otherwise: numbers are not given in vain */
static void put_number(struct evnt_private *s,
		       const struct evnt_class_record *r, u8 *record)
{
	bool global = s->info.log_file_mode & EVENT_TRACE_USE_GLOBAL_SEQUENCE;
	u32 *last = global ? &global_sequence : &s->sequence;

	if (evnt_class_record_has_number(r))
		evnt_class_record_put_number(record,
					     __atomic_add_fetch(last, 1,
								__ATOMIC_RELAXED));
}

static u64 length(const struct evntprov_data *block, u64 count)
{
	u64 sum = 0;

	for (; count; count--, block++)
		sum += block->len;
	return sum;
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

static int write_to(struct evnt_private *s, const struct evntprov_trace *t,
		    u32 cpu)
{
	const struct evntprov_data *data = (const void *)(uintptr_t)t->data;
	struct evnt_class_record r = { .arg = t };
	struct evnt_buffers *b = &s->buffers;
	struct evnt_reservation at;
	int err = -EOVERFLOW;
	u64 size;
	s64 time;

	evnt_private_describe_writer(&r.who);
	evnt_class_record_describe(&r, numbers_messages(s));
	size = r.header + length(data, t->data_count);
	cpu %= b->nr_cpus;
	if (size <= ETL_MAX_RECORD)
		err = evnt_reserve(b, cpu, size, &at, &time);
	if (err) {
		evnt_count_lost(b, cpu, err == -ENOBUFS ?
				EVNT_LOST_NO_BUFFER : EVNT_LOST_TOO_LARGE);
		return -err;
	}
	evnt_private_put_time(&r.who, b, time);
	evnt_class_record_put(&r, evnt_record(&at), size, time);
	copy(evnt_record(&at) + r.header, data, t->data_count);
	put_number(s, &r, evnt_record(&at));
	evnt_commit(b, cpu, &at);
	return 0;
}

/**
 * evnt_private_trace() - write a record to a private session
 * @t: as for EVNTPROV_IOC_TRACE
 *
 * Return: 0 or an errno, as that; ESRCH when the session has not enabled the
 * registration.
 */
int evnt_private_trace(const struct evntprov_trace *t)
{
	const unsigned int slot = (t->handle & EVNTPROV_HANDLE_SLOT_MASK) /
				  EVNTPROV_SLOT_SIZE;
	/* An error is a processor, too: each user of it takes the remainder */
	unsigned int cpu = sched_getcpu();
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
