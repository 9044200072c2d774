// SPDX-License-Identifier: MIT
/*
 * Reloggers: ITraceRelogger.
 *
 * https://learn.microsoft.com/windows/win32/api/relogger/nn-relogger-itracerelogger
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/cancel.h"
#define EVNT_DEFINE_UUIDS
#include "lib/relog/relog_objects.h"

static HRESULT from_errno(int error)
{
	return HRESULT_FROM_WIN32(evnt_win32_open(error));
}

/* The interface is the first member */
static struct relogger *to_relogger(ITraceRelogger *com)
{
	return (struct relogger *)com;
}

static HRESULT query_interface(ITraceRelogger *com, REFIID id, void **object)
{
	return relog_query((IUnknown *)com, id, &IID_ITraceRelogger, object);
}

static ULONG add_ref(ITraceRelogger *com)
{
	return __atomic_add_fetch(&to_relogger(com)->references, 1,
				  __ATOMIC_RELAXED);
}

static void free_relogger(struct relogger *r)
{
	u32 i;

	for (i = 0; i < r->in.source_count; i++) {
		r->in.sources[i]->ops->close(r->in.sources[i]);
		free(r->streams[i].path);
	}
	free(r->in.sources);
	free(r->streams);
	free(r->name);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static ULONG release(ITraceRelogger *com)
{
	EVNT_UNCANCELLED;
	struct relogger *r = to_relogger(com);
	ULONG left = __atomic_sub_fetch(&r->references, 1, __ATOMIC_ACQ_REL);

	if (!left)
		free_relogger(r);
	return left;
}

/* Add an input, whose source is closed on failure, as is the path freed */
static HRESULT add_stream(struct relogger *r, struct trace_source *source,
			  char *path, void *context, RELOGSTREAM_ID *id)
{
	u32 count = r->in.source_count;
	struct trace_source **sources;
	struct relog_stream *streams;
	HRESULT result = S_OK;

	pthread_mutex_lock(&r->lock);
	/* A session is processed alone, as by the function ProcessTrace() */
	if (r->is_running)
		result = HRESULT_FROM_WIN32(ERROR_BUSY);
	else if (count && (source->live || r->in.sources[0]->live))
		result = E_INVALIDARG;
	if (result != S_OK)
		goto unlock;
	result = E_OUTOFMEMORY;
	sources = realloc(r->in.sources, (count + 1) * sizeof(*sources));
	if (!sources)
		goto unlock;
	r->in.sources = sources;
	streams = realloc(r->streams, (count + 1) * sizeof(*streams));
	if (!streams)
		goto unlock;
	r->streams = streams;
	sources[count] = source;
	streams[count] = (struct relog_stream) {
		.path = path,
		.context = context,
		.time = source->header.StartTime.QuadPart,
	};
	r->in.source_count = count + 1;
	if (id)
		*id = count + 1;
	result = S_OK;
unlock:
	pthread_mutex_unlock(&r->lock);
	if (result != S_OK) {
		source->ops->close(source);
		free(path);
	}
	return result;
}

static HRESULT add_logfile(ITraceRelogger *com, BSTR name, void *context,
			   RELOGSTREAM_ID *id)
{
	EVNT_UNCANCELLED;
	struct trace_source *source;
	ULONG code;
	char *path;

	if (!name || !*name)
		return E_INVALIDARG;
	path = evnt_utf8(name);
	if (!path)
		return from_errno(errno);
	code = etl_file_open(&source, path);
	if (!code)
		return add_stream(to_relogger(com), source, path, context, id);
	free(path);
	return HRESULT_FROM_WIN32(code);
}

static HRESULT add_realtime(ITraceRelogger *com, BSTR name, void *context,
			    RELOGSTREAM_ID *id)
{
	EVNT_UNCANCELLED;
	struct trace_source *source;
	ULONG code;

	if (!name || !*name)
		return E_INVALIDARG;
	code = live_open(&source, name);
	return code ? HRESULT_FROM_WIN32(code) :
		      add_stream(to_relogger(com), source, NULL, context, id);
}

/*
 * The reference is never released, since programs for Windows free a callback
 * themselves, whose only reference may be this one.
 */
static HRESULT register_callback(ITraceRelogger *com,
				 ITraceEventCallback *callback)
{
	struct relogger *r = to_relogger(com);

	if (!callback)
		return E_INVALIDARG;
	callback->lpVtbl->AddRef(callback);
	pthread_mutex_lock(&r->lock);
	r->callback = callback;
	pthread_mutex_unlock(&r->lock);
	return S_OK;
}

static HRESULT inject(ITraceRelogger *com, ITraceEvent *event)
{
	EVNT_UNCANCELLED;
	struct relog_event *e = (struct relog_event *)event;
	struct relogger *r = to_relogger(com);
	struct relog_record record;
	HRESULT result = S_OK;
	int error = 0;

	if (!event || e->owner != r)
		return E_INVALIDARG;
	/* The new log has a header of its own */
	if (e->from.data && relog_is_header(e->from.data))
		return S_OK;
	pthread_mutex_lock(&r->lock);
	if (!r->out)
		result = E_UNEXPECTED;
	else if (!relog_event_record(e, r->record, &record))
		result = HRESULT_FROM_WIN32(ERROR_ARITHMETIC_OVERFLOW);
	else
		error = relog_add(r->out, r->in.sources[e->stream], &record);
	if (error)
		r->error = error;
	pthread_mutex_unlock(&r->lock);
	return error ? from_errno(error) : result;
}

static HRESULT create_event(ITraceRelogger *com, RELOGSTREAM_ID id, ULONG flags,
			    ITraceEvent **event)
{
	const ULONG known = EVENT_HEADER_FLAG_CLASSIC_HEADER |
			    EVENT_HEADER_FLAG_32_BIT_HEADER |
			    EVENT_HEADER_FLAG_64_BIT_HEADER;
	const ULONG widths = EVENT_HEADER_FLAG_32_BIT_HEADER |
			     EVENT_HEADER_FLAG_64_BIT_HEADER;
	struct relogger *r = to_relogger(com);
	struct relog_record from = { .raw = ETL_NO_TIME };
	const struct relog_stream *stream;
	EVENT_RECORD record = {};
	struct relog_event *made;
	HRESULT result = S_OK;

	if (!event)
		return E_POINTER;
	*event = NULL;
	pthread_mutex_lock(&r->lock);
	if (!id || id > r->in.source_count || flags & ~known ||
	    (flags & widths) == widths) {
		result = E_INVALIDARG;
		goto unlock;
	}
	stream = &r->streams[id - 1];
	if (!(flags & widths))
		flags |= r->in.sources[id - 1]->header.PointerSize == 4 ?
			 EVENT_HEADER_FLAG_32_BIT_HEADER :
			 EVENT_HEADER_FLAG_64_BIT_HEADER;
	from.cpu = stream->processor;
	from.time = stream->time;
	record.EventHeader.Flags = flags | EVENT_HEADER_FLAG_PROCESSOR_INDEX;
	record.EventHeader.TimeStamp.QuadPart = stream->time;
	record.BufferContext.ProcessorIndex = stream->processor;
	record.UserContext = stream->context;
	made = relog_event_new(r, id - 1, &record, 0, &from);
	if (made) {
		made->is_changed = true;
		*event = &made->com;
	} else {
		result = E_OUTOFMEMORY;
	}
unlock:
	pthread_mutex_unlock(&r->lock);
	return result;
}

/* Call back for the current record */
static HRESULT deliver(struct relogger *r)
{
	const struct trace_entry *top = trace_merge_top(&r->in);
	struct relog_stream *stream = &r->streams[top->source];
	struct relog_record from =
		relog_record_of(r->in.sources[top->source], top->stream);
	ITraceEventCallback *callback = r->callback;
	struct relog_event *e;
	HRESULT result;

	trace_view(top->stream, from.data, from.size, from.time, &r->view);
	r->view.record.UserContext = stream->context;
	pthread_mutex_lock(&r->lock);
	stream->processor = from.cpu;
	stream->time = from.time;
	pthread_mutex_unlock(&r->lock);
	e = relog_event_new(r, top->source, &r->view.record, r->view.version,
			    &from);
	if (!e)
		return E_OUTOFMEMORY;
	if (relog_is_header(from.data))
		result = callback->lpVtbl->OnBeginProcessTrace(callback,
							       &e->com, &r->com);
	else
		result = callback->lpVtbl->OnEvent(callback, &e->com, &r->com);
	e->com.lpVtbl->Release(&e->com);
	return result;
}

static bool is_cancelled(const struct relogger *r)
{
	return __atomic_load_n(&r->is_cancelled, __ATOMIC_RELAXED);
}

static HRESULT deliver_all(struct relogger *r)
{
	ULONG code = ERROR_SUCCESS;
	HRESULT result = S_OK;

	while (SUCCEEDED(result) && !is_cancelled(r)) {
		code = trace_merge_next(&r->in);
		if (code || r->in.step == TRACE_STEP_END)
			break;
		if (r->in.step == TRACE_STEP_RECORD)
			result = deliver(r);
	}
	return code ? HRESULT_FROM_WIN32(code) : result;
}

/* Return whether the file is an input, which must not be overwritten */
static bool is_input(const struct relogger *r, const struct stat *file)
{
	struct stat st;
	u32 i;

	for (i = 0; i < r->in.source_count; i++) {
		if (r->streams[i].path && !stat(r->streams[i].path, &st) &&
		    st.st_dev == file->st_dev && st.st_ino == file->st_ino)
			return true;
	}
	return false;
}

/* Open the output without changing it */
static HRESULT open_output(const struct relogger *r, int *fd)
{
	char *path = evnt_utf8(r->name);
	struct stat st;

	if (!path)
		return from_errno(errno);
	*fd = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644);
	free(path);
	if (*fd < 0 || fstat(*fd, &st))
		return from_errno(errno);
	if (!S_ISREG(st.st_mode))
		return HRESULT_FROM_WIN32(ERROR_BAD_PATHNAME);
	return is_input(r, &st) ? HRESULT_FROM_WIN32(ERROR_SHARING_VIOLATION) :
				  S_OK;
}

static void set_output(struct relogger *r, struct relog *out)
{
	pthread_mutex_lock(&r->lock);
	r->out = out;
	pthread_mutex_unlock(&r->lock);
}

/* Write the new log, which is complete in itself if the callback ends it early */
static HRESULT write_log(struct relogger *r, struct relog *out)
{
	ITraceEventCallback *callback = r->callback;
	HRESULT result, last;
	int error;

	error = relog_begin(out, r->in.sources, r->in.source_count, r->name);
	if (error)
		return from_errno(error);
	set_output(r, out);
	result = deliver_all(r);
	last = callback->lpVtbl->OnFinalizeProcessTrace(callback, &r->com);
	set_output(r, NULL);
	error = relog_end(out, r->in.sources, r->in.source_count);
	/* Of an event whose callback has ignored it, too */
	if (!error)
		error = r->error;
	if (error)
		return from_errno(error);
	return SUCCEEDED(result) ? last : result;
}

static HRESULT process(struct relogger *r)
{
	struct relog *out = calloc(1, sizeof(*out));
	HRESULT result;
	ULONG code;

	if (!out)
		return E_OUTOFMEMORY;
	out->fd = -1;
	if (r->is_packed)
		out->method = PACK_XPRESS;
	/* Sets the clock of a session that began after it was added */
	code = trace_merge_start(&r->in);
	if (code)
		result = HRESULT_FROM_WIN32(code);
	else if (!relog_have_same_units(r->in.sources, r->in.source_count))
		result = HRESULT_FROM_WIN32(ERROR_NOT_SUPPORTED);
	else
		result = open_output(r, &out->fd);
	if (result == S_OK)
		result = write_log(r, out);
	trace_merge_end(&r->in);
	relog_free(out);
	if (out->fd >= 0 && close(out->fd) && SUCCEEDED(result))
		result = from_errno(errno);
	free(out);
	return SUCCEEDED(result) ? S_OK : result;
}

static HRESULT process_trace(ITraceRelogger *com)
{
	EVNT_UNCANCELLED;
	struct relogger *r = to_relogger(com);
	HRESULT result = S_OK;

	pthread_mutex_lock(&r->lock);
	if (r->is_running)
		result = HRESULT_FROM_WIN32(ERROR_BUSY);
	else if (!r->in.source_count || !r->callback || !r->name)
		result = E_INVALIDARG;
	else
		r->is_running = true;
	pthread_mutex_unlock(&r->lock);
	if (result != S_OK)
		return result;
	r->com.lpVtbl->AddRef(com);
	r->in.count = 0;
	r->in.room = 0;
	r->in.round = 0;
	r->error = 0;
	result = process(r);
	pthread_mutex_lock(&r->lock);
	r->is_running = false;
	r->is_cancelled = false;
	pthread_mutex_unlock(&r->lock);
	r->com.lpVtbl->Release(com);
	return result;
}

static HRESULT set_output_filename(ITraceRelogger *com, BSTR name)
{
	struct relogger *r = to_relogger(com);
	HRESULT result = S_OK;
	WCHAR *copy;
	size_t size;

	if (!name || !*name)
		return E_INVALIDARG;
	size = (evnt_wcslen(name) + 1) * sizeof(*copy);
	copy = malloc(size);
	if (!copy)
		return E_OUTOFMEMORY;
	memcpy(copy, name, size);
	pthread_mutex_lock(&r->lock);
	if (r->is_running) {
		result = HRESULT_FROM_WIN32(ERROR_BUSY);
		free(copy);
	} else {
		free(r->name);
		r->name = copy;
	}
	pthread_mutex_unlock(&r->lock);
	return result;
}

static HRESULT set_compression_mode(ITraceRelogger *com, BOOLEAN mode)
{
	struct relogger *r = to_relogger(com);
	HRESULT result = S_OK;

	pthread_mutex_lock(&r->lock);
	if (r->is_running)
		result = HRESULT_FROM_WIN32(ERROR_BUSY);
	else
		r->is_packed = mode;
	pthread_mutex_unlock(&r->lock);
	return result;
}

static HRESULT cancel(ITraceRelogger *com)
{
	struct relogger *r = to_relogger(com);
	struct trace_source *first;

	pthread_mutex_lock(&r->lock);
	__atomic_store_n(&r->is_cancelled, true, __ATOMIC_RELAXED);
	if (r->is_running) {
		/* A session has no other input beside it */
		first = r->in.sources[0];
		if (first->ops->interrupt)
			first->ops->interrupt(first);
	}
	pthread_mutex_unlock(&r->lock);
	return S_OK;
}

static const ITraceReloggerVtbl methods = {
	.QueryInterface = query_interface,
	.AddRef = add_ref,
	.Release = release,
	.AddLogfileTraceStream = add_logfile,
	.AddRealtimeTraceStream = add_realtime,
	.RegisterCallback = register_callback,
	.Inject = inject,
	.CreateEventInstance = create_event,
	.ProcessTrace = process_trace,
	.SetOutputFilename = set_output_filename,
	.SetCompressionMode = set_compression_mode,
	.Cancel = cancel,
};

HRESULT relogger_create(REFIID id, void **object)
{
	struct relogger *r = calloc(1, sizeof(*r));
	HRESULT result;

	if (!r)
		return E_OUTOFMEMORY;
	r->com.lpVtbl = &methods;
	r->references = 1;
	r->is_packed = true;
	pthread_mutex_init(&r->lock, NULL);
	result = query_interface(&r->com, id, object);
	release(&r->com);
	return result;
}
