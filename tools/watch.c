// SPDX-License-Identifier: MIT
/*
 * Sessions that are watched in real time.
 *
 * Whoever prints may have to wait for who reads it: a thread that reads a
 * session, or the teller, which flushes stdout when nothing comes.  The main
 * thread prints nothing meanwhile, so it hears of signals.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "evnt.h"
#include "filter.h"
#include "images.h"
#include "logs.h"
#include "losses.h"
#include "watch.h"
#include "win32.h"

#define FLUSH_MS	100
/* Losses are told once a second */
#define TELL_FLUSHES	10

/* Guards stdout, what decodes, and what the threads count */
static pthread_mutex_t watch_lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether an event's traits say that its provider is a member of a group */
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

static bool is_of(const struct spec *spec, const EVENT_RECORD *record)
{
	if (spec->group)
		return is_member(&spec->id, record);
	return !memcmp(&spec->id, &record->EventHeader.ProviderId,
		       sizeof(GUID));
}

static bool spec_wants(const struct spec *spec, const EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;
	const struct evnt_interest interest = {
		.level = evnt_effective_level(spec->level),
		.match_any = evnt_effective_any(spec->keywords),
	};

	return is_of(spec, record) &&
	       evnt_wanted(&interest, h->EventDescriptor.Level,
			   h->EventDescriptor.Keyword);
}

static bool is_wanted(const struct watch *watch, const EVENT_RECORD *record)
{
	const struct spec_list *list = &watch->specs;

	if (!list->count || is_log_header(record))
		return true;
	for (size_t i = 0; i < list->count; i++) {
		if (spec_wants(&list->specs[i], record))
			return true;
	}
	return false;
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	struct watched *w = record->UserContext;
	bool wanted = is_wanted(w->watch, record);

	/* What the module says of others has to be known, whoever is printed */
	if (!wanted && !is_of_module(record))
		return;
	pthread_mutex_lock(&watch_lock);
	if (wanted)
		w->events += decode_event(&w->watch->decode, record) &&
			     !is_log_header(record);
	else
		decode_unprinted(record);
	pthread_mutex_unlock(&watch_lock);
}

static void take_missed(struct watched *w, const TRACE_LOGFILE_HEADER *header)
{
	pthread_mutex_lock(&watch_lock);
	w->missed_events = header->EventsLost;
	w->missed_buffers = header->BuffersLost;
	pthread_mutex_unlock(&watch_lock);
}

/* Returns whether to go on */
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
	/* Unless we have closed it */
	if (!QueryTraceProcessingHandle(w->trace, EtwQueryLogFileHeader, NULL,
					0, &header, sizeof(header), &len))
		take_missed(w, &header);
	pthread_mutex_lock(&watch_lock);
	w->has_ended = true;
	pthread_mutex_unlock(&watch_lock);
	return NULL;
}

static int explain_open(const char *name, ULONG error)
{
	switch (error) {
	case ERROR_ACCESS_DENIED:
		return failed("no permission to read the events of session"
			      " '%s': its owner may, root, and those that 'evnt"
			      " access list' shows; where call stacks are in it,"
			      " with CAP_PERFMON alone", name);
	case ERROR_NO_SYSTEM_RESOURCES:
		return failed("session '%s' has %u consumers already, and may"
			      " not have more", name, EVNTRACE_MAX_CONSUMERS);
	default:
		return failed("cannot read session '%s': %s (error %u)", name,
			      win32_text(error), error);
	}
}

static int explain_mode(const struct door_session *session)
{
	return failed("session '%s' is not in real-time mode: 'evnt update"
		      " --real-time on %s' changes that", session->name,
		      session->name);
}

int watch_add(struct watch *watch, const struct door_session *session)
{
	struct watched *w;

	if (!(session->info.log_file_mode & EVENT_TRACE_REAL_TIME_MODE))
		return explain_mode(session);
	w = &watch->sessions[watch->count];
	w->watch = watch;
	w->session = *session;
	w->before = session->info;
	w->told = session->info;
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

static void tell_missed(const struct watched *w, ULONG events, ULONG buffers)
{
	if (buffers)
		note("session '%s' MISSED %u events, in %u buffers that were"
		     " gone before they could be printed: start it with more"
		     " --buffers, or print to a file", w->session.name, events,
		     buffers);
}

/* Of others', too, as consumers they are none of our business */
static void losses_from(struct door_session *session,
			const struct evntrace_session *before)
{
	losses_since(&session->info, before);
	session->info.real_time_buffers_lost = 0;
}

/* What was lost since it was told last */
static void tell_news(struct watched *w)
{
	struct door_session since;
	ULONG events, buffers;

	if (!door_query(w->watch->door, w->session.info.handle, &w->session)) {
		since = w->session;
		losses_from(&since, &w->told);
		w->told = w->session.info;
		tell_losses(&since);
	}
	pthread_mutex_lock(&watch_lock);
	events = w->missed_events - w->told_events;
	buffers = w->missed_buffers - w->told_buffers;
	w->told_events += events;
	w->told_buffers += buffers;
	pthread_mutex_unlock(&watch_lock);
	tell_missed(w, events, buffers);
}

/* What came waits no longer, when nothing else comes; returns whether to go on */
static bool flush_output(const struct watch *watch)
{
	bool is_over;

	pthread_mutex_lock(&watch_lock);
	fflush(stdout);
	is_over = watch->is_over;
	pthread_mutex_unlock(&watch_lock);
	return !is_over;
}

static void *tell(void *arg)
{
	static const struct timespec pause = { .tv_nsec = FLUSH_MS * 1000000 };
	struct watch *watch = arg;

	for (int flushes = 1; flush_output(watch); flushes++) {
		for (size_t i = 0; i < watch->count; i++) {
			if (!(flushes % TELL_FLUSHES))
				tell_news(&watch->sessions[i]);
		}
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static int explain_thread(int error)
{
	return failed("cannot start a thread: %s", strerror(error));
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
		error = pthread_create(&watch->teller, NULL, tell, watch);
	watch->has_teller = !error;
	return error ? explain_thread(error) : EVNT_DONE;
}

bool output_is_closed(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO };

	return poll(&p, 1, 0) > 0 && p.revents & (POLLERR | POLLHUP);
}

bool watch_is_over(struct watch *watch)
{
	size_t ended = 0;

	/* Who prints may have it for long: then nothing is over */
	if (pthread_mutex_trylock(&watch_lock))
		return output_is_closed();
	for (size_t i = 0; i < watch->count; i++)
		ended += watch->sessions[i].has_ended;
	pthread_mutex_unlock(&watch_lock);
	return ended == watch->count || output_is_closed();
}

void watch_close(struct watch *watch)
{
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
		pthread_join(watch->teller, NULL);
}

/* How a session ended for us; returns an exit code */
static int tell_end(struct watched *w)
{
	struct door_session since;

	/* If it is still there */
	door_query(w->watch->door, w->session.info.handle, &w->session);
	since = w->session;
	losses_from(&since, &w->before);
	note("session '%s': %llu events printed, %llu lost, %u missed",
	     w->session.name, w->events, since.info.events_lost,
	     w->missed_events);
	tell_losses(&since);
	tell_missed(w, w->missed_events, w->missed_buffers);
	return logs_explain_read(w->error);
}

int watch_tell(struct watch *watch)
{
	int error, exit_code = EVNT_DONE;

	for (size_t i = 0; i < watch->running; i++) {
		error = tell_end(&watch->sessions[i]);
		if (error)
			exit_code = error;
	}
	return exit_code;
}

void watch_free(struct watch *watch)
{
	/* Those that are open still */
	watch_close(watch);
	spec_free(&watch->specs);
	free(watch->sessions);
	decode_free();
}
