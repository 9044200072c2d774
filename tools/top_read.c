// SPDX-License-Identifier: MIT
/* Reads events of sessions to count them. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "etl_record.h"
#include "evnt.h"
#include "header.h"
#include "top_read.h"

static LONGLONG filetime_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return ETL_FILETIME_EPOCH + now.tv_sec * 10000000ll + now.tv_nsec / 100;
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	struct reader *r = record->UserContext;
	const EVENT_HEADER *h = &record->EventHeader;

	/* What a session has in memory when we come is from before */
	if (h->TimeStamp.QuadPart >= r->since && !is_log_header(record))
		counts_add(r->counts, r->handle, COUNT_LIVE, record);
}

static void *read_session(void *arg)
{
	struct reader *r = arg;

	ProcessTrace(&r->trace, 1, NULL, NULL);
	return NULL;
}

static void begin_live(struct reader *r)
{
	r->file.LoggerName = r->name;
	r->file.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD |
				   PROCESS_TRACE_MODE_REAL_TIME;
	r->file.EventRecordCallback = on_event;
	r->file.Context = r;
	r->trace = OpenTraceA(&r->file);
	if (r->trace == INVALID_PROCESSTRACE_HANDLE) {
		r->why = "its events may not be read, or it has as many"
			 " consumers as it may have";
		return;
	}
	if (pthread_create(&r->thread, NULL, read_session, r)) {
		CloseTrace(r->trace);
		r->why = "no thread can be started";
		return;
	}
	r->is_live = true;
}

/* A log file whose end is where the session writes */
static bool only_grows(const struct door_session *session)
{
	return session->log_name[0] &&
	       !(session->info.log_file_mode & EVENT_TRACE_FILE_MODE_CIRCULAR);
}

static void set_path(struct reader *r, const struct door_session *session)
{
	free(r->path);
	r->path = must_have(strdup(session->log_name));
}

struct reader *reader_begin(struct counts *counts,
			    const struct door_session *session, bool is_new)
{
	struct reader *r = must_have(calloc(1, sizeof(*r)));

	r->counts = counts;
	r->handle = session->info.handle;
	r->name = must_have(strdup(session->name));
	r->since = is_new ? 0 : filetime_now();
	r->at = is_new ? 0 : session->info.bytes_written;
	set_path(r, session);
	if (session->info.log_file_mode & EVENT_TRACE_REAL_TIME_MODE)
		begin_live(r);
	else if (!session->log_name[0])
		r->why = "it keeps its events in memory";
	else if (!only_grows(session))
		r->why = "its log file goes round";
	return r;
}

static void count_buffer(struct reader *r, const u8 *data, u32 size)
{
	const struct etl_buffer_header *h = (const void *)data;
	u32 at = ETL_BUFFER_HEADER_SIZE, end = h->saved_offset;
	struct etl_record record;

	if (h->buffer_size != size || end > size || h->type == ETL_TYPE_HEADER)
		return;
	while (at + sizeof(struct etl_message_header) <= end &&
	       etl_record_check(data + at, end - at, &record) ==
	       ETL_FOUND_RECORD) {
		etl_record_view(data + at, record.size, r->view);
		if (!is_log_header(&r->view->record))
			counts_add(r->counts, r->handle, COUNT_FILE,
				   &r->view->record);
		at += (record.size + ETL_ALIGN - 1) / ETL_ALIGN * ETL_ALIGN;
	}
}

static void read_file(struct reader *r, int fd, __u64 end, u32 size)
{
	u8 *data = must_have(malloc(size));

	if (!r->view)
		r->view = must_have(calloc(1, sizeof(*r->view)));
	while (r->at + size <= end &&
	       pread(fd, data, size, r->at) == (ssize_t)size) {
		count_buffer(r, data, size);
		r->at += size;
	}
	free(data);
}

void reader_look(struct reader *r, const struct door_session *session)
{
	int fd;

	if (r->is_live || r->why)
		return;
	/* It goes on in another file */
	if (strcmp(r->path, session->log_name) != 0) {
		set_path(r, session);
		r->at = 0;
	}
	fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		r->why = "its log file cannot be read";
		return;
	}
	read_file(r, fd, session->info.bytes_written,
		  session->info.buffer_size);
	close(fd);
}

void reader_end(struct reader *r)
{
	if (r->is_live) {
		CloseTrace(r->trace);
		pthread_join(r->thread, NULL);
	}
	free(r->view);
	free(r->name);
	free(r->path);
	free(r);
}
