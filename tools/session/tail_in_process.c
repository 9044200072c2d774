// SPDX-License-Identifier: MIT
/*
 * evnt tail --in-process: each process of a command writes a log file, whose
 * buffers are read as soon as they are complete. A thread for each file prints
 * its events; the main thread supplies the buffers.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/events/images.h"
#include "tools/session/child.h"
#include "tools/session/in_process.h"
#include "tools/session/watch.h"

/* Interval of looking for new buffers and files */
#define LOOK_MS	100

/* Protects stdout, the decoder, the counter and @has_begun */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;

struct tailed;

/**
 * struct followed - log file of a process
 * @tailed: owner
 * @path: path of the file
 * @fd: its descriptor
 * @at: offset of the next buffer
 * @size: size of each buffer; 0: not known yet
 * @trace: stream of its buffers
 * @thread: thread that runs ProcessTrace()
 * @has_begun: the header of the file was read, or cannot be read
 */
struct followed {
	struct tailed *tailed;
	char *path;
	int fd;
	off_t at;
	ULONG size;
	PROCESSTRACE_HANDLE trace;
	pthread_t thread;
	bool has_begun;
};

/**
 * struct tailed - all log files
 * @decode: options for printing events
 * @trigger: event with which printing ends
 * @file: path of the first file
 * @since: time from which on files are new
 * @files: files, @count of them
 * @events: number of printed events
 */
struct tailed {
	const struct decode *decode;
	struct trigger *trigger;
	const char *file;
	struct timespec since;
	struct followed **files;
	size_t count;
	unsigned long long events;
};

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	struct followed *f = record->UserContext;
	struct tailed *tailed = f->tailed;

	pthread_mutex_lock(&lock);
	f->has_begun = true;
	pthread_cond_signal(&begun);
	if (!trigger_ends(tailed->trigger)) {
		tailed->events += decode_event(tailed->decode, record) &&
				  !is_log_header(record);
		trigger_look(tailed->trigger, record);
	}
	pthread_mutex_unlock(&lock);
}

static VOID WINAPI on_complete(const ETW_BUFFER_HEADER *buffer, PVOID context)
{
	(void)context;
	free((void *)buffer);
}

static void *read_stream(void *arg)
{
	struct followed *f = arg;

	ProcessTrace(&f->trace, 1, NULL, NULL);
	/* The stream may be invalid, and have no event */
	pthread_mutex_lock(&lock);
	f->has_begun = true;
	pthread_cond_signal(&begun);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static bool is_followed(const struct tailed *tailed, const char *path)
{
	for (size_t i = 0; i < tailed->count; i++) {
		if (!strcmp(tailed->files[i]->path, path))
			return true;
	}
	return false;
}

static void begin_file(struct tailed *tailed, const char *path)
{
	ETW_OPEN_TRACE_OPTIONS options = {
		.EventCallback = on_event,
	};
	struct followed *f = must_have(calloc(1, sizeof(*f)));

	options.EventCallbackContext = f;
	f->tailed = tailed;
	f->path = must_have(strdup(path));
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	f->trace = OpenTraceFromBufferStream(&options, on_complete, NULL);
	if (f->fd < 0 || f->trace == INVALID_PROCESSTRACE_HANDLE ||
	    pthread_create(&f->thread, NULL, read_stream, f)) {
		failed("cannot follow '%s'", path);
		exit(EVNT_FAILED);
	}
	tailed->files = must_have(realloc(tailed->files, (tailed->count + 1) *
					  sizeof(*tailed->files)));
	tailed->files[tailed->count++] = f;
}

/* Supply the buffers that were completed since the last call */
static void follow_file(struct followed *f)
{
	struct stat st;
	void *buffer;

	if (fstat(f->fd, &st))
		return;
	/* The size of its buffers is the first word of the file */
	if (!f->size && (st.st_size < (off_t)sizeof(ETW_BUFFER_HEADER) ||
			 pread(f->fd, &f->size, sizeof(f->size), 0) !=
			 sizeof(f->size)))
		return;
	for (; f->size && st.st_size - f->at >= f->size; f->at += f->size) {
		buffer = must_have(malloc(f->size));
		if (pread(f->fd, buffer, f->size, f->at) != (ssize_t)f->size ||
		    ProcessTraceAddBufferToBufferStream(f->trace, buffer,
							f->size)) {
			free(buffer);
			return;
		}
	}
}

static void follow(struct tailed *tailed)
{
	glob_t found = {};

	in_process_logs(tailed->file, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		if (in_process_is_new(found.gl_pathv[i], &tailed->since) &&
		    !is_followed(tailed, found.gl_pathv[i]))
			begin_file(tailed, found.gl_pathv[i]);
	}
	globfree(&found);
	for (size_t i = 0; i < tailed->count; i++)
		follow_file(tailed->files[i]);
	pthread_mutex_lock(&lock);
	fflush(stdout);
	pthread_mutex_unlock(&lock);
}

/* Print the rest of a file; return the number of events that it lost */
static ULONG end_file(struct followed *f)
{
	EVENT_TRACE_LOGFILEA file = { .LogFileName = f->path };
	TRACEHANDLE trace;

	/* Closing a trace before ProcessTrace() reads it would discard it */
	pthread_mutex_lock(&lock);
	while (f->at && !f->has_begun)
		pthread_cond_wait(&begun, &lock);
	pthread_mutex_unlock(&lock);
	CloseTrace(f->trace);
	pthread_join(f->thread, NULL);
	/* Only now its header is complete */
	trace = OpenTraceA(&file);
	if (trace != INVALID_PROCESSTRACE_HANDLE)
		CloseTrace(trace);
	close(f->fd);
	return file.LogfileHeader.EventsLost;
}

static void end_all(struct tailed *tailed)
{
	ULONG lost = 0;

	for (size_t i = 0; i < tailed->count; i++)
		lost += end_file(tailed->files[i]);
	decode_end(tailed->decode);
	if (tailed->count)
		note("%llu events of %zu process%s printed, %u lost",
		     tailed->events, tailed->count,
		     tailed->count == 1 ? "" : "es", lost);
	else
		note("nothing was recorded: no process has registered a provider"
		     " with libevntprov");
}

static void free_all(struct tailed *tailed, bool is_temporary)
{
	for (size_t i = 0; i < tailed->count; i++) {
		if (is_temporary)
			unlink(tailed->files[i]->path);
		free(tailed->files[i]->path);
		free(tailed->files[i]);
	}
	free(tailed->files);
}

static int run_command(struct tailed *tailed, char **command, ULONG seconds)
{
	struct trigger *trigger = tailed->trigger;
	struct child child = {};

	child_block_signals();
	/* Detect a closed pipe by its error, and end the command then */
	signal(SIGPIPE, SIG_IGN);
	if (!child_start(&child, command))
		return child.status ? child.status : EVNT_FAILED;
	child_limit(&child, seconds);
	decode_begin(tailed->decode);
	while (child.pid && child.interrupted < 2) {
		child_wait(&child, LOOK_MS);
		follow(tailed);
		trigger_act(trigger, -1, 0);
		if ((trigger_ends(trigger) || output_is_closed()) &&
		    !child.is_ended)
			child_end(&child);
	}
	/* Files that the command has written in the meantime */
	follow(tailed);
	end_all(tailed);
	trigger_end(trigger, -1, 0, EVNT_DONE);
	return child.pid ? 130 : child.status;
}

int tail_in_process(const struct verb *verb, struct session_options *options,
		    const struct decode *decode, struct trigger *trigger,
		    char **command, ULONG seconds)
{
	const char *folder = getenv("TMPDIR");
	char path[4096], name[4096] = "";
	struct tailed tailed = { .decode = decode, .trigger = trigger };
	int error;

	if (!options->file) {
		snprintf(path, sizeof(path), "%s/evnt-tail.XXXXXX",
			 folder && *folder ? folder : "/tmp");
		if (!mkdtemp(path))
			return failed("cannot make a folder '%s'", path);
		snprintf(name, sizeof(name), "%.4000s/log.etl", path);
		options->file = name;
	}
	tailed.file = options->file;
	error = in_process_begin(verb, options, command, &tailed.since);
	if (!error)
		error = run_command(&tailed, command, seconds);
	free_all(&tailed, *name);
	if (*name)
		rmdir(path);
	decode_free();
	return output_is_closed() ? error : end_output(error);
}
