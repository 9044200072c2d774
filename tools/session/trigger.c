// SPDX-License-Identifier: MIT
/* Events that end a recording or start an action */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/events/decode.h"
#include "tools/events/images.h"
#include "tools/events/logs.h"
#include "tools/session/session_snapshot.h"
#include "tools/session/session_start.h"
#include "tools/session/trigger.h"

/* Return the conditions behind the word "where" of an argument, or NULL */
static const char *conditions_of(const char *text)
{
	const char *at = text;

	while ((at = strstr(at, "where"))) {
		if ((at == text || at[-1] == ' ') && at[5] == ' ')
			return at + 5;
		at += 5;
	}
	return NULL;
}

/* Take an event: NAMES or IDS, "where" CONDITIONS, or both */
static int take_awaited(const struct option_value *v)
{
	struct awaited *awaited = v->field;
	struct selection *s = &awaited->selection;
	const char *where = conditions_of(v->text);
	size_t len = where ? (size_t)(where - 5 - v->text) : strlen(v->text);

	if (awaited->text)
		return usage_error(v->verb, "write --%s once", v->row->name);
	awaited->text = v->text;
	while (len && isspace((unsigned char)v->text[len - 1]))
		len--;
	if (!len && !where)
		return usage_error(v->verb, "--%s needs the name or the id of an"
				   " event, or 'where' and conditions",
				   v->row->name);
	if (len) {
		awaited->names = must_have(strndup(v->text, len));
		if (!awaited->names[strspn(awaited->names, "0123456789,-")]) {
			s->ids_in = true;
			if (!ranges_parse(&s->ids, awaited->names, UINT16_MAX))
				return usage_error(v->verb, "--%s '%s': an id is"
						   " at most %u", v->row->name,
						   v->text, UINT16_MAX);
		} else {
			s->names_in = true;
			s->names = awaited->names;
		}
	}
	if (!where)
		return EVNT_DONE;
	s->where = must_have(calloc(1, sizeof(*s->where)));
	return where_read(v->verb, s->where, where);
}

#define AT(field)	offsetof(struct trigger, field)

const struct option_row trigger_rows[] = {
	OPTION_ROW("until", 0, "EVENT",
		   "end when this event occurs: NAME or ID, 'where CONDITIONS',"
		   " or 'NAME where CONDITIONS'", AT(until), take_awaited),
	OPTION_ROW("on", 0, "EVENT",
		   "when this event first occurs, do what follows", AT(on),
		   take_awaited),
	OPTION_ROW("run", 0, "COMMAND", "with --on: run a command of the shell",
		   AT(command)),
	{}
};

const struct option_row trigger_snapshot_rows[] = {
	OPTION_ROW("snapshot", 0, "FILE",
		   "with --on: write the events in memory to this log file",
		   AT(snapshot), .complete = "FILE.etl"),
	{}
};

int trigger_check(const struct verb *verb, const struct trigger *trigger)
{
	const bool acts = trigger->snapshot || trigger->command;

	if (trigger->on.text && !acts)
		return usage_error(verb, "what should be done on '%s'? write"
				   " --run COMMAND%s", trigger->on.text,
				   verb->runs_command ? " or --snapshot FILE" :
							"");
	if (acts && !trigger->on.text)
		return usage_error(verb, "when? write --on EVENT");
	return trigger->snapshot ? check_output(verb, trigger->snapshot) :
				   EVNT_DONE;
}

static void look_for(struct awaited *awaited, const struct view *view)
{
	if (awaited->text && !awaited->has_occurred &&
	    selection_takes(&awaited->selection, view))
		atomic_store(&awaited->has_occurred, true);
}

void trigger_look(struct trigger *trigger, PEVENT_RECORD record)
{
	struct view view;

	if (!trigger_is_given(trigger) || is_log_header(record) ||
	    is_of_module(record))
		return;
	view_event(record, &view);
	look_for(&trigger->on, &view);
	look_for(&trigger->until, &view);
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	decode_unprinted(record);
	trigger_look(record->UserContext, record);
}

static void *read_events(void *arg)
{
	struct trigger *trigger = arg;

	ProcessTrace(&trigger->trace, 1, NULL, NULL);
	return NULL;
}

static int read_session(struct trigger *trigger, char *name)
{
	EVENT_TRACE_LOGFILEA file = {
		.LoggerName = name,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD |
				    PROCESS_TRACE_MODE_REAL_TIME,
		.EventRecordCallback = on_event,
		.Context = trigger,
	};

	trigger->trace = OpenTraceA(&file);
	if (trigger->trace == INVALID_PROCESSTRACE_HANDLE)
		return failed("cannot read session '%s'", name);
	trigger->is_reading = !pthread_create(&trigger->thread, NULL,
					      read_events, trigger);
	return trigger->is_reading ? EVNT_DONE :
				     failed("cannot start a thread");
}

int trigger_begin(struct trigger *trigger,
		  const struct session_options *recorded, const char *name)
{
	struct session_options options = {
		.specs = recorded->specs,
		.filters = recorded->filters,
		.mode = EVENT_TRACE_REAL_TIME_MODE,
	};
	char own[PROPERTIES_NAME];
	ULONG code;
	int error;

	if (!trigger_is_given(trigger))
		return EVNT_DONE;
	options.filters.stack = false;
	snprintf(own, sizeof(own), "%s-trigger", name);
	code = start_session(&options, own, &trigger->handle, &trigger->bound);
	if (code)
		return explain_start(&options, own, code);
	error = enable_specs(trigger->handle, &options);
	return error ? error : read_session(trigger, own);
}

void trigger_flush(struct trigger *trigger, int device)
{
	struct dev_session session;

	if (trigger->is_reading)
		dev_flush(device, trigger->handle, &session);
}

void trigger_act(struct trigger *trigger, int device, TRACEHANDLE handle)
{
	char *const command[] = { "sh", "-c", (char *)trigger->command, NULL };
	struct evntrace_snapshot done = { .events = 0 };
	struct dev_session session;

	if (trigger->has_acted || !atomic_load(&trigger->on.has_occurred))
		return;
	trigger->has_acted = true;
	if (trigger->snapshot && !dev_query(device, handle, &session) &&
	    !take_snapshot(device, &session, trigger->snapshot, &done))
		report_snapshot(&session, trigger->snapshot, &done);
	if (trigger->command)
		child_start(&trigger->runner, command);
}

/* Return the number of events that could not be read in time */
static ULONG missed(const struct trigger *trigger)
{
	TRACE_LOGFILE_HEADER header;
	ULONG len;

	return QueryTraceProcessingHandle(trigger->trace, EtwQueryLogFileHeader,
					  NULL, 0, &header, sizeof(header),
					  &len) ? 0 : header.EventsLost;
}

static void report_absent(const struct awaited *awaited, const char *option)
{
	if (!awaited->text || awaited->has_occurred)
		return;
	if (!awaited->selection.where ||
	    !where_report_unknown(awaited->selection.where))
		note("the event of %s '%s' did not occur", option,
		     awaited->text);
}

static void end_reading(struct trigger *trigger, int device)
{
	struct dev_session session;
	ULONG events;

	/* Delivers the events that are still in its buffers */
	dev_stop(device, trigger->handle, &session);
	pthread_join(trigger->thread, NULL);
	events = missed(trigger);
	if (events)
		note("MISSED %u events while waiting for one", events);
	CloseTrace(trigger->trace);
}

void trigger_end(struct trigger *trigger, int device, TRACEHANDLE handle,
		 int error)
{
	if (!trigger_is_given(trigger))
		return;
	if (trigger->is_reading)
		end_reading(trigger, device);
	if (trigger->bound >= 0)
		close(trigger->bound);
	trigger_act(trigger, device, handle);
	child_finish(&trigger->runner);
	if (!error) {
		report_absent(&trigger->until, "--until");
		report_absent(&trigger->on, "--on");
	}
	if (trigger->is_reading)
		decode_free();
	selection_free(&trigger->until.selection);
	selection_free(&trigger->on.selection);
	free(trigger->until.names);
	free(trigger->on.names);
}
