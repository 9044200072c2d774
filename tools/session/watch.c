// SPDX-License-Identifier: MIT
/*
 * Reads sessions in real time.
 *
 * Printing may block until the reader of stdout catches up. Only the threads
 * that read sessions print, and the teller, which flushes stdout while no
 * events come. The main thread does not print while they run, so that it can
 * handle signals.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/evnt.h"
#include "core/level_keyword.h"
#include "tools/events/images.h"
#include "tools/events/loss.h"
#include "tools/events/logs.h"
#include "tools/session/losses.h"
#include "tools/session/watch.h"
#include "tools/common/win32.h"

#define FLUSH_MS	100
/* Losses are reported once a second */
#define TELL_FLUSHES	10

/* Protects stdout, the decoder, and the counters of the threads */
static pthread_mutex_t watch_lock = PTHREAD_MUTEX_INITIALIZER;

/* Return whether an event's traits name a group that its provider belongs to */
static bool is_member(const GUID *group, const EVENT_RECORD *record)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = record->ExtendedData;
	const EVENT_HEADER_EXTENDED_DATA_ITEM *end;
	PVOID traits, trait;
	USHORT size;

	for (end = item + record->ExtendedDataCount; item < end; item++) {
		if (item->ExtType != EVENT_HEADER_EXT_TYPE_PROV_TRAITS)
			continue;
		traits = (PVOID)(uintptr_t)item->DataPtr;
		return !EtwGetTraitFromProviderTraits(traits,
						      EtwProviderTraitTypeGroup,
						      &trait, &size) &&
		       size == sizeof(*group) && !memcmp(trait, group, size);
	}
	return false;
}

static bool is_wanted(const struct watch *watch, const EVENT_RECORD *record)
{
	const struct spec_list *list = &watch->specs;
	const EVENT_HEADER *h = &record->EventHeader;

	if (!list->count || is_log_header(record))
		return true;
	for (size_t i = 0; i < list->count; i++) {
		const struct spec *spec = &list->specs[i];
		const struct evnt_level_keyword interest = {
			.level = evnt_effective_level(spec->level),
			.match_any = evnt_effective_any(spec->keywords),
		};

		if (spec->group ? !is_member(&spec->id, record) :
				  memcmp(&spec->id, &h->ProviderId,
					 sizeof(spec->id)) != 0)
			continue;
		if (evnt_wanted(&interest, h->EventDescriptor.Level,
				h->EventDescriptor.Keyword))
			return true;
	}
	return false;
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	struct watched *w = record->UserContext;
	bool wanted = is_wanted(w->watch, record) || is_loss(record);

	/*
	 * Metadata events of the module are needed even for providers that are
	 * not selected
	 */
	if (!wanted && !is_of_module(record))
		return;
	pthread_mutex_lock(&watch_lock);
	if (trigger_ends(&w->watch->trigger)) {
		/* Print nothing behind the event that ends it */
	} else if (wanted) {
		w->events += decode_event(&w->watch->decode, record) &&
			     !is_log_header(record);
		trigger_look(&w->watch->trigger, record);
	} else {
		decode_unprinted(record);
	}
	pthread_mutex_unlock(&watch_lock);
}

static void take_missed(struct watched *w, const TRACE_LOGFILE_HEADER *header)
{
	pthread_mutex_lock(&watch_lock);
	w->missed_events = header->EventsLost;
	w->missed_buffers = header->BuffersLost;
	pthread_mutex_unlock(&watch_lock);
}

/* Callback of ProcessTrace(); return whether to continue */
static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILEA file)
{
	take_missed(file->Context, &file->LogfileHeader);
	return !ferror(stdout);
}

static void *read_session(void *arg)
{
	struct watched *w = arg;
	TRACE_LOGFILE_HEADER header;
	ULONG len;

	w->error = ProcessTrace(&w->trace, 1, NULL, NULL);
	/* Fails if the trace has been closed */
	if (!QueryTraceProcessingHandle(w->trace, EtwQueryLogFileHeader, NULL,
					0, &header, sizeof(header), &len))
		take_missed(w, &header);
	pthread_mutex_lock(&watch_lock);
	/* The trace was closed before it was read */
	if (w->error == ERROR_INVALID_HANDLE &&
	    atomic_load(&w->watch->is_closed))
		w->error = ERROR_SUCCESS;
	w->has_ended = true;
	pthread_mutex_unlock(&watch_lock);
	return NULL;
}

static int explain_open(const char *name, ULONG error)
{
	switch (error) {
	case ERROR_ACCESS_DENIED:
		return failed("no permission to read the events of session"
			      " '%s': its owner and root have it, and users"
			      " that 'evnt access list' shows; call stacks need"
			      " CAP_PERFMON", name);
	case ERROR_NO_SYSTEM_RESOURCES:
		return failed("session '%s' already has %u consumers, the"
			      " maximum", name, EVNTRACE_MAX_CONSUMERS);
	default:
		return failed("cannot read session '%s': %s (error %u)", name,
			      win32_text(error), error);
	}
}

int watch_add(struct watch *watch, const struct dev_session *session)
{
	struct watched *w;

	if (!(session->info.log_file_mode & EVENT_TRACE_REAL_TIME_MODE))
		return failed("session '%s' is not in real-time mode: 'evnt"
			      " update --real-time on %s' changes that",
			      session->name, session->name);
	w = &watch->sessions[watch->count];
	w->watch = watch;
	w->session = *session;
	w->before = session->info;
	w->reported = session->info;
	w->file.LoggerName = w->session.name;
	w->file.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD |
				   PROCESS_TRACE_MODE_REAL_TIME;
	w->file.EventRecordCallback = on_event;
	w->file.BufferCallback = on_buffer;
	w->file.Context = w;
	w->trace = OpenTraceA(&w->file);
	if (w->trace == INVALID_PROCESSTRACE_HANDLE)
		return explain_open(session->name, GetLastError());
	watch->count++;
	return EVNT_DONE;
}

static void report_missed(const struct watched *w, ULONG events, ULONG buffers)
{
	if (buffers)
		note("session '%s' MISSED %u events, in %u buffers that were"
		     " gone before they could be printed: start it with more"
		     " --buffers, or print to a file", w->session.name, events,
		     buffers);
}

/* Leave out losses of other consumers */
static void losses_from(struct dev_session *session,
			const struct evntrace_session *before)
{
	losses_since(&session->info, before);
	session->info.real_time_buffers_lost = 0;
}

/* Report losses since the last report */
static void report_news(struct watched *w)
{
	struct dev_session since;
	ULONG events, buffers;

	if (!dev_query(w->watch->device, w->session.info.handle, &w->session)) {
		since = w->session;
		losses_from(&since, &w->reported);
		w->reported = w->session.info;
		report_losses(&since);
	}
	pthread_mutex_lock(&watch_lock);
	events = w->missed_events - w->reported_events;
	buffers = w->missed_buffers - w->reported_buffers;
	w->reported_events += events;
	w->reported_buffers += buffers;
	pthread_mutex_unlock(&watch_lock);
	report_missed(w, events, buffers);
}

/* Flush events that no further ones follow; return whether to continue */
static bool flush_output(const struct watch *watch)
{
	bool is_over;

	pthread_mutex_lock(&watch_lock);
	fflush(stdout);
	is_over = watch->is_over;
	pthread_mutex_unlock(&watch_lock);
	return !is_over;
}

static void *report(void *arg)
{
	static const struct timespec pause = { .tv_nsec = FLUSH_MS * 1000000 };
	struct watch *watch = arg;

	for (int flushes = 1; flush_output(watch); flushes++) {
		for (size_t i = 0; i < watch->count; i++) {
			if (!(flushes % TELL_FLUSHES))
				report_news(&watch->sessions[i]);
		}
		nanosleep(&pause, NULL);
	}
	return NULL;
}

int watch_begin(struct watch *watch)
{
	struct watched *w;
	int error = 0;

	for (size_t i = 0; i < watch->count && !error; i++) {
		w = &watch->sessions[i];
		error = pthread_create(&w->thread, NULL, read_session, w);
		watch->running += !error;
	}
	if (!error)
		error = pthread_create(&watch->reporter, NULL, report, watch);
	watch->has_teller = !error;
	if (error)
		return failed("cannot start a thread: %s", strerror(error));
	return EVNT_DONE;
}

bool output_is_closed(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO };

	return poll(&p, 1, 0) > 0 && p.revents & (POLLERR | POLLHUP);
}

bool watch_is_over(struct watch *watch)
{
	size_t ended = 0;

	/*
	 * A thread that prints may hold the lock for long; then no end is due
	 */
	if (pthread_mutex_trylock(&watch_lock))
		return output_is_closed();
	for (size_t i = 0; i < watch->count; i++)
		ended += watch->sessions[i].has_ended;
	pthread_mutex_unlock(&watch_lock);
	return ended == watch->count || output_is_closed();
}

void watch_close(struct watch *watch)
{
	atomic_store(&watch->is_closed, true);
	for (size_t i = 0; i < watch->count; i++)
		CloseTrace(watch->sessions[i].trace);
}

void watch_wait(struct watch *watch)
{
	for (size_t i = 0; i < watch->running; i++)
		pthread_join(watch->sessions[i].thread, NULL);
	pthread_mutex_lock(&watch_lock);
	watch->is_over = true;
	pthread_mutex_unlock(&watch_lock);
	if (watch->has_teller)
		pthread_join(watch->reporter, NULL);
}

int watch_report(struct watch *watch)
{
	int error, exit_code = EVNT_DONE;
	struct dev_session since;

	for (size_t i = 0; i < watch->running; i++) {
		struct watched *w = &watch->sessions[i];

		/* Fails if the session has ended */
		dev_query(w->watch->device, w->session.info.handle,
			  &w->session);
		since = w->session;
		losses_from(&since, &w->before);
		note("session '%s': %llu events printed, %llu lost, %u missed",
		     w->session.name, w->events, since.info.events_lost,
		     w->missed_events);
		report_losses(&since);
		report_missed(w, w->missed_events, w->missed_buffers);
		error = logs_explain_read(w->error);
		if (error)
			exit_code = error;
	}
	return exit_code;
}

void watch_free(struct watch *watch)
{
	/* Close the traces that are still open */
	watch_close(watch);
	spec_free(&watch->specs);
	free(watch->sessions);
	decode_free();
}
