// SPDX-License-Identifier: MIT
/* Reads the events of sessions to count them */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "lib/consume/etl_record.h"
#include "tools/evnt.h"
#include "decode/header.h"
#include "tools/events/images.h"
#include "tools/session/mode.h"
#include "tools/top/top_read.h"

/* Maximum size of buffers in memory, which are copied for each update */
#define MOST_KEPT	(64u << 20)

static LONGLONG units_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 10000000ll + now.tv_nsec / 100;
}

/* Take the name that a record contains; return whether it is not an event */
static bool take_name(struct top_reader *r, const EVENT_RECORD *record)
{
	const bool is_name = is_process_name(record);

	if (is_name)
		counts_name(r->counts, r->handle, record);
	return is_name || is_log_header(record);
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	struct top_reader *r = record->UserContext;
	const EVENT_HEADER *h = &record->EventHeader;

	/* Skip events that were in memory before the reader began */
	if (!take_name(r, record) && h->TimeStamp.QuadPart >= r->since)
		counts_add(r->counts, r->handle, COUNT_LIVE, record);
}

static void *read_session(void *arg)
{
	struct top_reader *r = arg;

	ProcessTrace(&r->trace, 1, NULL, NULL);
	return NULL;
}

static void begin_live(struct top_reader *r, bool is_new)
{
	const TRACE_LOGFILE_HEADER *h = &r->file.LogfileHeader;

	r->file.LoggerName = r->name;
	r->file.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD |
				   PROCESS_TRACE_MODE_REAL_TIME;
	r->file.EventRecordCallback = on_event;
	r->file.Context = r;
	r->trace = OpenTraceA(&r->file);
	if (r->trace == INVALID_PROCESSTRACE_HANDLE) {
		r->why = "its events may not be read, or it has the maximum"
			 " number of consumers";
		return;
	}
	/*
	 * The current time in the session's clock differs from the system's
	 * time if that was set after the start of the session
	 */
	if (!is_new && h->ReservedFlags != CLOCK_PERF)
		r->since = ETL_FILETIME_EPOCH + units_of(CLOCK_REALTIME);
	else if (!is_new)
		r->since = h->BootTime.QuadPart + units_of(CLOCK_BOOTTIME);
	if (pthread_create(&r->thread, NULL, read_session, r)) {
		CloseTrace(r->trace);
		r->why = "no thread can be started";
		return;
	}
	r->is_live = true;
}

static void set_path(struct top_reader *r, const struct dev_session *session)
{
	free(r->path);
	r->path = must_have(strdup(session->log_name));
}

struct top_reader *reader_begin(struct counts *counts,
				const struct dev_session *session, bool is_new)
{
	const struct evntrace_session *info = &session->info;
	const __u32 mode = info->log_file_mode;
	struct top_reader *r = must_have(calloc(1, sizeof(*r)));

	r->counts = counts;
	r->handle = info->handle;
	r->name = must_have(strdup(session->name));
	r->at = is_new ? 0 : info->bytes_written;
	r->is_counting = is_new;
	r->memory = -1;
	r->ticks = info->clock_type == CLOCK_PERF ? 100 : 1;
	set_path(r, session);
	if (mode & EVENT_TRACE_REAL_TIME_MODE)
		begin_live(r, is_new);
	else if (mode & EVENT_TRACE_BUFFERING_MODE &&
		 (__u64)info->buffers * info->buffer_size > MOST_KEPT)
		r->why = "it keeps more in memory than is copied each time;"
			 " 'evnt snapshot' writes it, and 'evnt stat' counts it";
	else if (mode & EVENT_TRACE_BUFFERING_MODE)
		r->memory = memfd_create("evnt-top", MFD_CLOEXEC);
	return r;
}

/*
 * Return whether a record was added since the last update. Buffers in memory
 * also contain older ones.
 */
static bool is_new_record(struct top_reader *r, const struct etl_record *record)
{
	if (r->memory < 0)
		return true;
	if (record->time == ETL_NO_TIME)
		return false;
	if (record->time > r->newest)
		r->newest = record->time;
	r->is_gap &= record->time > r->before;
	return record->time > r->before && r->is_counting;
}

/* Count the records of a buffer from offset @at up to @end */
static void count_buffer(struct top_reader *r, const u8 *data, u32 size, u32 at,
			 u32 end)
{
	const struct etl_buffer_header *h = (const void *)data;
	EVENT_HEADER *header;
	struct etl_record record;

	if (end > h->saved_offset)
		end = h->saved_offset;
	if (h->buffer_size != size || end > size || h->type == ETL_TYPE_HEADER)
		return;
	while (at + sizeof(struct etl_message_header) <= end &&
	       etl_record_check(data + at, end - at, &record) ==
	       ETL_FOUND_RECORD) {
		etl_record_view(data + at, record.size, r->view);
		header = &r->view->record.EventHeader;
		/* In units of 100 ns, since any time */
		header->TimeStamp.QuadPart = record.time / r->ticks;
		r->view->record.BufferContext.ProcessorIndex = h->cpu;
		if (!take_name(r, &r->view->record) &&
		    is_new_record(r, &record))
			counts_add(r->counts, r->handle, r->memory < 0 ?
				   COUNT_FILE : COUNT_MEMORY,
				   &r->view->record);
		at += (record.size + ETL_ALIGN - 1) / ETL_ALIGN * ETL_ALIGN;
	}
}

/* Count the buffers from @at up to @end; return the end of the last one */
static __u64 count_to(struct top_reader *r, int fd, __u64 at, __u64 end,
		      u32 size)
{
	u8 *data = must_have(malloc(size));

	if (!r->view)
		r->view = must_have(calloc(1, sizeof(*r->view)));
	while (at + size <= end && pread(fd, data, size, at) == (ssize_t)size) {
		count_buffer(r, data, size, ETL_BUFFER_HEADER_SIZE, size);
		at += size;
	}
	free(data);
	return at;
}

/* Return the place of a circular file with this number */
static struct top_place *place_of(struct top_reader *r, __u32 number)
{
	if (number >= r->place_count) {
		r->places = must_have(realloc(r->places, (number + 1) *
					      sizeof(*r->places)));
		memset(r->places + r->place_count, 0,
		       (number + 1 - r->place_count) * sizeof(*r->places));
		r->place_count = number + 1;
	}
	return &r->places[number];
}

/*
 * Count the records that a buffer of a circular file has got since the last
 * update; @h: its header, up to whose end it was complete
 */
static void count_place(struct top_reader *r, int fd, __u64 at,
			const struct etl_buffer_header *h, u32 size)
{
	struct top_place *place = place_of(r, at / size);
	u32 from = place->sequence == h->sequence ? place->end :
						    ETL_BUFFER_HEADER_SIZE;
	u8 *data;

	if (from >= h->saved_offset)
		return;
	data = must_have(malloc(size));
	if (!r->view)
		r->view = must_have(calloc(1, sizeof(*r->view)));
	/* A buffer that is being added at the end of the file is short */
	if (r->is_counting && pread(fd, data, size, at) != (ssize_t)size)
		goto free_data;
	if (r->is_counting)
		count_buffer(r, data, size, from, h->saved_offset);
	place->sequence = h->sequence;
	place->end = h->saved_offset;
free_data:
	free(data);
}

/* Count the events that were written to the log file since the last update */
static void read_file(struct top_reader *r, const struct dev_session *session)
{
	const struct evntrace_session *info = &session->info;
	const u32 size = info->buffer_size;
	struct etl_buffer_header h;
	int fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0) {
		r->why = "its log file cannot be read";
		return;
	}
	if (!(info->log_file_mode & EVENT_TRACE_FILE_MODE_CIRCULAR)) {
		r->at = count_to(r, fd, r->at, info->bytes_written, size);
		goto close_file;
	}
	/*
	 * In a circular file any buffer may be the newest.  One that is written
	 * after its place was read may be older than those read since.
	 */
	for (__u64 at = size; pread(fd, &h, sizeof(h), at) == sizeof(h);
	     at += size) {
		if (h.time_stamp > r->newest)
			r->newest = h.time_stamp;
		/* A buffer that is being replaced has no time */
		if (!h.time_stamp)
			continue;
		r->is_gap &= h.time_stamp > r->before;
		count_place(r, fd, at, &h, size);
	}
close_file:
	close(fd);
}

static void read_kept(struct top_reader *r, int device,
		      const struct dev_session *session)
{
	struct evntrace_snapshot arg = {
		.size = sizeof(arg),
		.log_fd = r->memory,
	};
	const u32 size = session->info.buffer_size;
	int error;

	if (ftruncate(r->memory, 0))
		error = errno;
	else
		error = dev_snapshot(device, r->handle, &arg);
	if (error) {
		if (error != ESRCH)
			r->why = "its events in memory cannot be read";
		return;
	}
	count_to(r, r->memory, 0, arg.buffers * size, size);
}

void reader_look(struct top_reader *r, int device,
		 const struct dev_session *session)
{
	if (r->is_live || r->why)
		return;
	/* The session has switched to another file */
	if (strcmp(r->path, session->log_name) != 0) {
		set_path(r, session);
		r->at = 0;
	}
	r->before = r->newest;
	r->is_gap = r->is_counting && r->before;
	if (r->memory < 0)
		read_file(r, session);
	else
		read_kept(r, device, session);
	r->is_gap &= r->newest > r->before;
	r->is_counting = true;
}

void reader_end(struct top_reader *r)
{
	if (r->is_live) {
		CloseTrace(r->trace);
		pthread_join(r->thread, NULL);
	}
	if (r->memory >= 0)
		close(r->memory);
	free(r->places);
	free(r->view);
	free(r->name);
	free(r->path);
	free(r);
}
