// SPDX-License-Identifier: MIT
/*
 * Merges log files into one: relog_header.c describes its clock and header.
 */
#include "lib/consume/etl_record.h"
#include "tools/merge/merge_logs.h"

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
	const struct trace_source *from = m->in.sources[top->source];
	struct relog_record record = relog_record_of(from, top->stream);

	if (relog_is_header(record.data) || !is_taken(m, top->stream))
		return 0;
	return relog_add(&m->out, from, &record);
}

static int copy_records(struct merging *m)
{
	int error = 0;
	u32 i;

	for (i = 0; i < m->in.source_count; i++)
		m->progress.total += m->in.sources[i]->header.BuffersWritten;
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
	struct trace_source *const *from = m->in.sources;
	u32 i, kind, count = m->in.source_count;
	const struct etl_counts *c;
	int error;

	error = relog_begin(&m->out, from, count, name);
	if (!error)
		error = copy_records(m);
	for (i = 0; i < count; i++) {
		c = &from[i]->counts;
		for (kind = 0; kind < ETL_UNREADS; kind++)
			m->unread += c->unread[kind].bytes;
	}
	if (!error)
		error = relog_end(&m->out, from, count);
	relog_free(&m->out);
	return error;
}
