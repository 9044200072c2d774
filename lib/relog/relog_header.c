// SPDX-License-Identifier: MIT
/*
 * Header and clock of a new log, by the headers and clocks of its inputs.
 *
 * Records are copied unchanged except for their time stamps: if the clocks of the
 * inputs differ, time stamps become FILETIMEs, in units of 100 ns, which readers
 * convert to in any case.
 */
#include "lib/consume/etl_index.h"
#include "lib/consume/etl_record.h"
#include "lib/relog/relog.h"

#define FILETIME_HZ	10000000

/* Return whether the clocks of all inputs have the same rate and base */
static bool have_same_clock(struct trace_source *const *from, u32 count,
			    const struct trace_source *first)
{
	const struct etl_clock *a = &first->clock, *b;
	u32 i;

	for (i = 0; i < count; i++) {
		b = &from[i]->clock;
		if (first->header.ReservedFlags != from[i]->header.ReservedFlags ||
		    a->num != b->num || a->den != b->den ||
		    etl_clock_time(a, b->base) != b->start)
			return false;
	}
	return true;
}

/*
 * Tolerate 1 % of difference, as systems measure the length of a tick inexactly
 */
bool relog_have_same_units(struct trace_source *const *from, u32 count)
{
	u64 a = from[0]->header.TimerResolution, b, difference;
	u32 i;

	for (i = 1; i < count; i++) {
		b = from[i]->header.TimerResolution;
		difference = a > b ? a - b : b - a;
		if (difference * 100 > a)
			return false;
	}
	return true;
}

static void set_clock(struct relog *r, const struct trace_source *first)
{
	struct etl_logfile_header *h = &r->header;

	h->start_time = first->header.StartTime.QuadPart;
	h->frequency = first->header.PerfFreq.QuadPart;
	h->clock_type = first->header.ReservedFlags;
	r->base = first->clock.base;
	if (!r->keep_time) {
		h->clock_type = ETL_CLOCK_SYSTEM;
		h->frequency = FILETIME_HZ;
	}
	if (h->clock_type == ETL_CLOCK_SYSTEM)
		r->base = h->start_time;
}

static u32 larger(u32 a, u32 b)
{
	return a > b ? a : b;
}

static void set_header(struct relog *r, struct trace_source *const *from,
		       u32 count, const struct trace_source *first)
{
	const TRACE_LOGFILE_HEADER *with = &first->header;
	struct etl_logfile_header *h = &r->header;
	u32 i;

	*h = (struct etl_logfile_header) {
		.version = ETL_LAYOUT_1_5,
		.provider_version = with->ProviderVersion,
		.timer_resolution = with->TimerResolution,
		.log_file_mode = EVENT_TRACE_FILE_MODE_SEQUENTIAL |
				 EVENT_TRACE_RELOG_MODE,
		.start_buffers = 1,
		.cpu_mhz = with->CpuSpeedInMHz,
		.boot_time = with->BootTime.QuadPart,
	};
	if (r->method)
		h->log_file_mode |= EVENT_TRACE_COMPRESSED_MODE;
	memcpy(h->time_zone, &with->TimeZone, sizeof(h->time_zone));
	for (i = 0; i < count; i++) {
		with = &from[i]->header;
		h->processors = larger(h->processors, with->NumberOfProcessors);
		h->pointer_size = larger(h->pointer_size, with->PointerSize);
		if (with->EndTime.QuadPart > h->end_time)
			h->end_time = with->EndTime.QuadPart;
	}
}

static size_t put_name(WCHAR *to, const WCHAR *from, size_t room)
{
	size_t n = 0;

	for (; n < room - 1 && from[n]; n++)
		to[n] = from[n];
	to[n] = 0;
	return n + 1;
}

void relog_describe(struct relog *r, struct trace_source *const *from, u32 count,
		    const WCHAR *name)
{
	size_t half = sizeof(r->names) / sizeof(*r->names) / 2, n;
	const struct trace_source *first = from[0];
	u32 i;

	/* The header of the input that began first has the common values */
	for (i = 1; i < count; i++) {
		if (from[i]->header.StartTime.QuadPart <
		    first->header.StartTime.QuadPart)
			first = from[i];
	}
	r->keep_time = have_same_clock(from, count, first);
	set_header(r, from, count, first);
	set_clock(r, first);
	n = put_name(r->names, first->header.LoggerName, half);
	n += put_name(r->names + n, name, half);
	r->name_bytes = n * sizeof(WCHAR);
}

static u32 add(u32 a, u32 b)
{
	return a + b < a ? UINT32_MAX : a + b;
}

void relog_set_losses(struct relog *r, struct trace_source *const *from,
		      u32 count)
{
	struct etl_logfile_header *h = &r->header;
	u32 i;

	for (i = 0; i < count; i++) {
		h->events_lost = add(h->events_lost, from[i]->header.EventsLost);
		h->buffers_lost = add(h->buffers_lost,
				      from[i]->header.BuffersLost);
	}
}

s64 relog_time(const struct relog *r, const struct trace_source *from,
	       const struct relog_record *record)
{
	const struct etl_clock *clock = &from->clock;

	if (!r->keep_time)
		return record->time;
	if (record->raw != ETL_NO_TIME)
		return record->raw;
	if (!clock->num)
		return clock->base;
	return clock->base + (s64)(((__int128)record->time - clock->start) *
				   clock->den / clock->num);
}

bool relog_is_header(const u8 *record)
{
	const struct etl_system_header *h = (const void *)record;

	return (h->kind == ETL_RECORD_SYSTEM32 ||
		h->kind == ETL_RECORD_SYSTEM64) && !h->hook;
}

struct relog_record relog_record_of(const struct trace_source *from,
				    const struct trace_stream *s)
{
	const struct etl_buffer_header *h = (const void *)s->buffer;

	return (struct relog_record) {
		.data = s->buffer + s->at,
		.size = s->size,
		.cpu = etl_buffer_cpu(h),
		.is_front = h->type == ETL_TYPE_HEADER,
		/* A buffer's own reference time is not in the new log */
		.raw = s->clock == &from->clock ? s->raw : ETL_NO_TIME,
		.time = s->time,
	};
}
