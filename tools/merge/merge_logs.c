// SPDX-License-Identifier: MIT
/*
 * Merges log files into one.
 *
 * Records are copied unchanged except for their time stamps: if the clocks of
 * the files differ, time stamps become FILETIMEs, in units of 100 ns, which
 * readers convert to in any case. The headers of the files are replaced by a
 * common one.
 */
#include "lib/consume/etl_index.h"
#include "lib/consume/etl_record.h"
#include "tools/merge/merge_logs.h"

#define FILETIME_HZ	10000000

static const TRACE_LOGFILE_HEADER *header_of(const struct merging *m, u32 i)
{
	return &m->in.sources[i]->header;
}

/* Return whether the clocks of all files have the same rate and base */
static bool have_same_clock(const struct merging *m, u32 first)
{
	const struct trace_source *src = m->in.sources[first];
	const struct etl_clock *a = &src->clock, *b;
	u32 i;

	for (i = 0; i < m->in.source_count; i++) {
		b = &m->in.sources[i]->clock;
		if (src->header.ReservedFlags !=
		    m->in.sources[i]->header.ReservedFlags ||
		    a->num != b->num || a->den != b->den ||
		    etl_clock_time(a, b->base) != b->start)
			return false;
	}
	return true;
}

/*
 * Tolerate 1 % of difference, as systems measure the length of a tick inexactly
 */
bool merge_have_same_units(const struct trace_merge *in)
{
	u64 a = in->sources[0]->header.TimerResolution, b, difference;
	u32 i;

	for (i = 1; i < in->source_count; i++) {
		b = in->sources[i]->header.TimerResolution;
		difference = a > b ? a - b : b - a;
		if (difference * 100 > a)
			return false;
	}
	return true;
}

static void set_clock(struct merging *m, u32 first)
{
	const struct trace_source *src = m->in.sources[first];
	struct etl_logfile_header *h = &m->out.header;

	h->start_time = src->header.StartTime.QuadPart;
	h->frequency = src->header.PerfFreq.QuadPart;
	h->clock_type = src->header.ReservedFlags;
	m->out.base = src->clock.base;
	m->keep_time = have_same_clock(m, first);
	if (!m->keep_time) {
		h->clock_type = ETL_CLOCK_SYSTEM;
		h->frequency = FILETIME_HZ;
	}
	if (h->clock_type == ETL_CLOCK_SYSTEM)
		m->out.base = h->start_time;
}

static u32 add(u32 a, u32 b)
{
	return a + b < a ? UINT32_MAX : a + b;
}

static u32 larger(u32 a, u32 b)
{
	return a > b ? a : b;
}

static void set_header(struct merging *m, u32 first)
{
	const TRACE_LOGFILE_HEADER *from = header_of(m, first);
	struct etl_logfile_header *h = &m->out.header;
	u32 i;

	*h = (struct etl_logfile_header) {
		.version = ETL_LAYOUT_1_5,
		.provider_version = from->ProviderVersion,
		.timer_resolution = from->TimerResolution,
		.log_file_mode = EVENT_TRACE_FILE_MODE_SEQUENTIAL |
				 EVENT_TRACE_RELOG_MODE,
		.start_buffers = 1,
		.cpu_mhz = from->CpuSpeedInMHz,
		.boot_time = from->BootTime.QuadPart,
	};
	if (m->out.method)
		h->log_file_mode |= EVENT_TRACE_COMPRESSED_MODE;
	memcpy(h->time_zone, &from->TimeZone, sizeof(h->time_zone));
	for (i = 0; i < m->in.source_count; i++) {
		from = header_of(m, i);
		h->processors = larger(h->processors, from->NumberOfProcessors);
		h->pointer_size = larger(h->pointer_size, from->PointerSize);
		h->events_lost = add(h->events_lost, from->EventsLost);
		h->buffers_lost = add(h->buffers_lost, from->BuffersLost);
		if (from->EndTime.QuadPart > h->end_time)
			h->end_time = from->EndTime.QuadPart;
	}
	set_clock(m, first);
}

static size_t put_name(WCHAR *to, const WCHAR *from, size_t room)
{
	size_t n = 0;

	for (; n < room - 1 && from[n]; n++)
		to[n] = from[n];
	to[n] = 0;
	return n + 1;
}

static bool is_header(const struct trace_stream *s)
{
	const struct etl_system_header *h = (const void *)(s->buffer + s->at);

	return (h->kind == ETL_RECORD_SYSTEM32 ||
		h->kind == ETL_RECORD_SYSTEM64) && !h->hook;
}

/* A buffer may have its own reference time, which the output will not have */
static s64 out_time(const struct merging *m, const struct trace_entry *top)
{
	const struct etl_clock *clock = &m->in.sources[top->source]->clock;
	const struct trace_stream *s = top->stream;

	if (!m->keep_time)
		return s->time;
	if (s->raw != ETL_NO_TIME && s->clock == clock)
		return s->raw;
	if (!clock->num)
		return clock->base;
	return clock->base + (s64)(((__int128)s->time - clock->start) *
				   clock->den / clock->num);
}

static bool is_taken(const struct merging *m, const struct trace_stream *s)
{
	struct etl_view view;

	if (!m->takes)
		return true;
	trace_view(s, s->buffer + s->at, s->size, s->time, &view);
	return m->takes(&view.record, m->context);
}

static int copy_record(struct merging *m)
{
	const struct trace_entry *top = trace_merge_top(&m->in);
	const struct trace_stream *s = top->stream;
	const struct etl_buffer_header *h = (const void *)s->buffer;
	const u8 *record = s->buffer + s->at;
	s64 time = out_time(m, top);
	u16 cpu = etl_buffer_cpu(h);

	if (is_header(s) || !is_taken(m, s))
		return 0;
	/* Record that accompany a header stay in front of older events */
	if (h->type == ETL_TYPE_HEADER &&
	    !relog_add_front(&m->out, record, s->size, time))
		return 0;
	if (cpu >= m->out.header.processors)
		m->out.header.processors = cpu + 1;
	if (s->time > m->out.header.end_time)
		m->out.header.end_time = s->time;
	return relog_add(&m->out, cpu, record, s->size, time);
}

static int copy_records(struct merging *m)
{
	int error = 0;
	u32 i;

	for (i = 0; i < m->in.source_count; i++)
		m->progress.total += header_of(m, i)->BuffersWritten;
	progress_begin(&m->progress, false);
	m->read_error = trace_merge_start(&m->in);
	while (!error && !m->read_error) {
		m->read_error = trace_merge_next(&m->in);
		if (m->read_error || m->in.step == TRACE_STEP_END)
			break;
		if (m->in.step == TRACE_STEP_RECORD)
			error = copy_record(m);
		else
			progress_step(&m->progress);
	}
	progress_end(&m->progress);
	trace_merge_end(&m->in);
	return error;
}

int merge_logs(struct merging *m, const WCHAR *name)
{
	size_t half = sizeof(m->names) / sizeof(*m->names) / 2, n;
	const struct etl_counts *c;
	u32 i, kind, first = 0;
	int error;

	/* The header of the file that began first has the common values */
	for (i = 1; i < m->in.source_count; i++) {
		if (header_of(m, i)->StartTime.QuadPart <
		    header_of(m, first)->StartTime.QuadPart)
			first = i;
	}
	set_header(m, first);
	n = put_name(m->names, header_of(m, first)->LoggerName, half);
	n += put_name(m->names + n, name, half);
	m->out.names = m->names;
	m->out.name_bytes = n * sizeof(WCHAR);
	error = relog_begin(&m->out);
	if (!error)
		error = copy_records(m);
	for (i = 0; i < m->in.source_count; i++) {
		c = &m->in.sources[i]->counts;
		for (kind = 0; kind < ETL_UNREADS; kind++)
			m->unread += c->unread[kind].bytes;
	}
	if (!error)
		error = relog_end(&m->out);
	relog_free(&m->out);
	return error;
}
