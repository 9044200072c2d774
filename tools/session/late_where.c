// SPDX-License-Identifier: MIT
/* Evaluates conditions on fields after the events were recorded */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decode/format.h"
#include "lib/base/internal.h"
#include "tools/events/decode.h"
#include "tools/events/images.h"
#include "tools/events/logs.h"
#include "tools/merge/merge_logs.h"
#include "tools/session/late_where.h"

bool late_where_is_possible(const struct session_options *options)
{
	/* Other modes keep older events in the file, or write several ones */
	return options->file && !(options->mode & ~EVENT_TRACE_REAL_TIME_MODE);
}

int late_where_take(const struct verb *verb, struct session_options *options,
		    struct selection *selection, const char *when)
{
	struct filter_options *f = &options->filters;
	const struct spec_list *list = &options->specs;
	char id[GUID_TEXT];

	for (size_t i = 0; i < list->count && f->where; i++) {
		const struct spec *spec = &list->specs[i];
		const char *text = f->where;

		if (spec->group || where_is_known(&spec->id))
			continue;
		note("no manifest describes the events of %s: --where is"
		     " evaluated here, %s",
		     spec->name[0] ? spec->name : format_guid(&spec->id, id),
		     when);
		f->where = NULL;
		selection->where = must_have(calloc(1, sizeof(*selection->where)));
		return where_read(verb, selection->where, text);
	}
	return EVNT_DONE;
}

static bool takes(EVENT_RECORD *record, void *selection)
{
	struct view view;

	decode_unprinted(record);
	if (is_log_header(record) || is_of_module(record))
		return true;
	view_event(record, &view);
	return selection_takes(selection, &view);
}

/* Write the selected events of an open file to another one */
static int write_selected(struct merging *m, const char *path)
{
	WCHAR *name = must_have(evnt_utf16(path));
	int error = merge_logs(m, name);

	free(name);
	if (error)
		return failed("cannot apply --where to '%s', which has all"
			      " events: %s", path, strerror(error));
	return logs_explain_read(m->read_error);
}

/* Report a condition whose field no event has; return whether there is one */
static bool is_unknown(struct where *where)
{
	if (where_report_unknown(where))
		return true;
	/* Events without a description have no fields that could be similar */
	for (unsigned int i = 0; i < where->condition_count; i++) {
		if (where->conditions[i].is_known)
			continue;
		failed("no event has a field '%s'",
		       where->conditions[i].field.text);
		return true;
	}
	return false;
}

/* Replace the file by the new one, unless the conditions cannot be right */
static int put_in_place(const char *path, const char *fresh,
			const struct selection *selection)
{
	if (!selection->taken && selection->seen &&
	    is_unknown(selection->where)) {
		note("'%s' has all %llu events", path, selection->seen);
		return EVNT_FAILED;
	}
	if (rename(fresh, path))
		return failed("cannot replace '%s': %s", path, strerror(errno));
	note("%llu of %llu events fulfil --where; '%s' has only these",
	     selection->taken, selection->seen, path);
	return EVNT_DONE;
}

int late_where_select(const char *path, struct selection *selection,
		      unsigned long long *size)
{
	struct merging *m = must_have(calloc(1, sizeof(*m)));
	struct trace_source *source;
	struct stat st = { .st_mode = 0600 };
	char *fresh = must_have(malloc(strlen(path) + sizeof(".XXXXXX")));
	ULONG code = etl_file_open(&source, path);
	int error;

	sprintf(fresh, "%s.XXXXXX", path);
	m->in.sources = &source;
	m->in.source_count = 1;
	m->takes = takes;
	m->context = selection;
	m->out.fd = -1;
	error = code ? logs_explain_open(path, code) : EVNT_DONE;
	if (error)
		goto free;
	m->out.fd = mkostemp(fresh, O_CLOEXEC);
	if (m->out.fd < 0 || stat(path, &st) ||
	    fchmod(m->out.fd, st.st_mode & 0777))
		error = failed("cannot apply --where to '%s', which has all"
			       " events: %s", path, strerror(errno));
	if (!error)
		error = write_selected(m, path);
	if (!error)
		error = put_in_place(path, fresh, selection);
	if (!error)
		*size = m->out.written;
	else if (m->out.fd >= 0)
		unlink(fresh);
	if (m->out.fd >= 0)
		close(m->out.fd);
	source->ops->close(source);
	decode_free();
free:
	free(fresh);
	free(m);
	return error;
}
