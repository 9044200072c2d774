// SPDX-License-Identifier: MIT
/*
 * A private session: its buffers, its log, and the thread that writes the
 * buffers to the log.
 *
 * Only the thread closes, takes and frees buffers, and writes to the log.  It
 * sleeps until a completed buffer is queued, a flush is requested, or the flush
 * timer expires for partly filled buffers.
 *
 * A flush guarantees that all events accepted before it are in the log.  It
 * closes the buffers to further writers, then waits until the writers inside
 * have left; the last one of a buffer queues it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/futex.h"
#include "lib/base/read_section.h"
#include "lib/base/timed_lock.h"
#include "core/log_header.h"
#include "lib/private/private.h"

#define KB			1024u
#define DEFAULT_BUFFER_SIZE	(64 * KB)
#define BUFFERS_PER_CPU		2u
#define EXTRA_BUFFERS		20u

/* End of the process: maximum time without progress of a thread, in ms */
#define ROUND_MS		100
#define MAX_WAIT_MS		10000
/* End of the process: maximum time for a thread to exit */
#define NAP_NS			100000
#define MAX_EXIT_NS		100000000

/* Session whose thread this is */
static __thread struct evnt_private *own_session;

/* Wake the session's thread; called by writers of events in any context */
static void kick(struct evnt_private *s)
{
	int saved = errno;

	__atomic_fetch_add(&s->kicks, 1, __ATOMIC_SEQ_CST);
	evnt_futex_wake(&s->kicks);
	errno = saved;
}

static void notify(struct evnt_buffers *b)
{
	kick((void *)((char *)b - offsetof(struct evnt_private, buffers)));
}

/* Return the buffer size, which must hold any later log's header */
static ULONG buffer_size(const EVENT_TRACE_PROPERTIES *p, const WCHAR *name)
{
	ULONG header = evnt_log_header_size(evnt_wcslen(name),
					    EVNTRACE_MAX_NAME);
	ULONG size = p->BufferSize ? p->BufferSize * KB : DEFAULT_BUFFER_SIZE;

	if (p->BufferSize > EVNTRACE_MAX_BUFFER_SIZE / KB)
		size = EVNTRACE_MAX_BUFFER_SIZE;
	return ALIGN(max(size, header), EVNTRACE_MIN_BUFFER_SIZE);
}

static unsigned int flush_ms(ULONG seconds)
{
	return seconds < UINT_MAX / 1000 ? seconds * 1000 : UINT_MAX;
}

static ULONG limited(ULONG count)
{
	return min(count, (ULONG)EVNTRACE_MAX_BUFFERS);
}

static void fill_info(struct evnt_private *s, const EVENT_TRACE_PROPERTIES *p)
{
	static const GUID none;
	struct evntrace_session *info = &s->info;
	ULONG least = BUFFERS_PER_CPU * get_nprocs();

	memcpy(&info->guid, &p->Wnode.Guid, sizeof(info->guid));
	if (!memcmp(&info->guid, &none, sizeof(none)) &&
	    getrandom(&info->guid, sizeof(info->guid), 0) < 0)
		memcpy(&info->guid, &s->handle, sizeof(s->handle));
	info->handle = s->handle;
	info->log_file_mode = p->LogFileMode;
	/* CPU cycles fall back to system time, as documented */
	info->clock_type = p->Wnode.ClientContext <= EVNTRACE_CLOCK_QPC ?
			   EVNTRACE_CLOCK_QPC : EVNTRACE_CLOCK_SYSTEM_TIME;
	info->buffer_size = buffer_size(p, s->name);
	info->min_buffers = max(limited(p->MinimumBuffers), least);
	info->max_buffers = p->MaximumBuffers ? limited(p->MaximumBuffers) :
				info->min_buffers + EXTRA_BUFFERS;
	info->max_buffers = max(info->max_buffers, info->min_buffers);
	info->max_file_size = p->MaximumFileSize;
	info->owner_pid = getpid();
	info->owner_uid = getuid();
	s->flush_ms = flush_ms(p->FlushTimer);
}

static int compare_addresses(const void *a, const void *b)
{
	const u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static ULONG create_buffers(struct evnt_private *s, u16 id)
{
	struct evnt_buffers *b = &s->buffers;
	int cpus = get_nprocs_conf();
	ULONG code;
	u32 i;

	b->nr_cpus = cpus > 0 ? cpus : 1;
	b->nr_buffers = s->info.max_buffers;
	b->capacity = b->nr_buffers;
	b->buffer_size = s->info.buffer_size;
	b->is_shared = s->info.log_file_mode &
		       EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING;
	b->logger_id = id;
	b->clock_type = s->info.clock_type;
	b->notify = notify;
	code = evnt_win32(-evnt_buffers_init(b));
	if (code)
		return code;
	s->addresses = evnt_alloc(b->nr_buffers * sizeof(*s->addresses));
	if (!s->addresses)
		return ERROR_NOT_ENOUGH_MEMORY;
	for (i = 0; i < b->nr_buffers; i++)
		s->addresses[i] = (uintptr_t)b->buffers[i].data;
	qsort(s->addresses, i, sizeof(*s->addresses), compare_addresses);
	return ERROR_SUCCESS;
}

static ULONG open_log(struct evnt_private *s, struct evnt_private_log *log,
		      const WCHAR *name, bool is_new)
{
	struct evnt_private_start start = {
		.name = s->name,
		.buffers = &s->buffers,
		.mode = s->info.log_file_mode,
		.max_file_size = s->info.max_file_size,
		.zone = &s->zone,
	};
	ULONG code;

	if (is_new)
		return evnt_private_log_create(log, name, &start);
	code = s->of_logger ? evnt_private_log_open_part(log, name) :
	       evnt_private_log_open(log, name, start.mode &
				     EVENT_TRACE_PRIVATE_IN_PROC);
	return code ? code : evnt_private_log_start(log, &start);
}

/*
 * Take the lock of the log, on the session's thread.  Return false if the
 * session ends and the lock does not become free: the process exits in a signal
 * handler that has interrupted the owner.
 */
static bool lock_log(struct evnt_private *s)
{
	while (evnt_timed_lock(&s->log_lock)) {
		if (__atomic_load_n(&s->end, __ATOMIC_ACQUIRE))
			return false;
	}
	return true;
}

/**
 * evnt_private_open() - open the log of a session
 * @s: session that does not run yet, or whose thread is the caller
 * @name: name of the log file
 * @is_new: the file must not exist
 *
 * Return: as StartTrace().
 */
ULONG evnt_private_open(struct evnt_private *s, const WCHAR *name, bool is_new)
{
	/* A lost owner of the lock does not read the log */
	const bool locked = lock_log(s);
	ULONG code;

	code = open_log(s, &s->log, name, is_new);
	evnt_private_log_note(&s->log, &s->written[0]);
	WRITE_ONCE(s->has_log, !code);
	if (locked)
		pthread_mutex_unlock(&s->log_lock);
	return code;
}

/**
 * evnt_private_create() - create a session that does not run yet
 * @session: out: the session, with a reference
 * @names: names of the session and its log; without a log name, the log is
 *	opened later by evnt_in_process_open()
 * @p: properties
 * @id: session ID
 * @of_logger: the session is part of a system-wide private session
 *
 * Return: as StartTrace().
 */
ULONG evnt_private_create(struct evnt_private **session,
			  const struct evnt_session_names *names,
			  const EVENT_TRACE_PROPERTIES *p, u16 id,
			  bool of_logger)
{
	static ULONGLONG count;
	struct evnt_private *s = evnt_alloc(sizeof(*s));
	ULONG code;

	if (!s)
		return ERROR_NOT_ENOUGH_MEMORY;
	s->refs = 1;
	s->of_logger = of_logger;
	s->log.fd = -1;
	s->handle = EVNT_PRIVATE_HANDLE | ++count << 16 | id;
	pthread_mutex_init(&s->log_lock, NULL);
	pthread_mutex_init(&s->images_lock, NULL);
	code = evnt_name_get(&s->name, names->session, true);
	if (!code) {
		fill_info(s, p);
		s->zone = names->zone ? *names->zone : evnt_time_zone();
		evnt_process_ids_init(&s->subject);
		code = create_buffers(s, id);
	}
	s->own_events = UINT64_MAX;
	if (!code && names->log)
		code = evnt_private_open(s, names->log, names->is_new);
	if (code)
		evnt_private_put(s);
	else
		*session = s;
	return code;
}

/*
 * Have the module complete the log, or forget it.  While logs are switched, both
 * are charged; where that exceeds a limit, the earlier one is forgotten first.
 * Called with log_lock, or at the end of the session.
 */
static void rescue_log(const struct evnt_private *s, int fd, bool is_over)
{
	const struct evnt_private_log *log = &s->log;
	struct evntprov_rescue arg = {
		.size = sizeof(arg),
		.flags = log->circular ? EVNTPROV_RESCUE_CIRCULAR : 0,
		.id = s->buffers.logger_id - 1,
		.log_fd = is_over ? -1 : log->fd,
		.buffer_size = s->buffers.buffer_size,
		.count = s->buffers.nr_buffers,
		.slots = log->slots,
		.buffers = (uintptr_t)s->addresses,
		.written = (uintptr_t)log->written,
	};
	int saved = errno;

	static_assert(EVNT_PRIVATE_MAX <= EVNTPROV_MAX_RESCUES,
		      "each session has a number");
	if (fd < 0 || (!is_over && !evnt_private_log_is_open(log)))
		return;
	if (ioctl(fd, EVNTPROV_IOC_RESCUE, &arg) && !is_over) {
		arg.log_fd = -1;
		ioctl(fd, EVNTPROV_IOC_RESCUE, &arg);
		arg.log_fd = log->fd;
		ioctl(fd, EVNTPROV_IOC_RESCUE, &arg);
	}
	errno = saved;
}

/**
 * evnt_private_rescue() - have the module complete the log if the process ends
 * @s: running session
 * @fd: the device, or -1
 *
 * Without the module, or if it refuses, events that were not written yet are lost
 * with the process.
 */
void evnt_private_rescue(struct evnt_private *s, int fd)
{
	/* In the child of a fork, it is the parent's */
	if (s->info.owner_pid != (u32)getpid() || evnt_timed_lock(&s->log_lock))
		return;
	if (s->has_log && s->log.written)
		rescue_log(s, fd, false);
	pthread_mutex_unlock(&s->log_lock);
}

/* Have the module forget the log at the end of the session, for each device */
static void end_rescue(struct evnt_private *s)
{
	const bool locked = lock_log(s);

	evnt_private_log_note(&s->log, NULL);
	if (locked)
		pthread_mutex_unlock(&s->log_lock);
	rescue_log(s, evnt_device_fd(), true);
}

/* Switch to the next log, if one is pending; return whether it was */
static bool switch_log(struct evnt_private *s)
{
	u64 lost = evnt_buffers_lost(&s->buffers);
	struct evnt_private_log *next, last;

	if (!READ_ONCE(s->next_log) || !lock_log(s))
		return false;
	next = s->next_log;
	last = s->log;
	s->log = *next;
	s->log.lost_before = lost;
	free(next);
	WRITE_ONCE(s->next_log, NULL);
	evnt_private_log_note(&s->log, &s->written[last.written == s->written]);
	/* First, as the module does not continue a log that has an end */
	rescue_log(s, evnt_device_fd(), false);
	if (s->has_log)
		evnt_private_log_finish(&last, lost);
	s->has_log = true;
	s->past.buffers_written += last.buffers_written;
	s->past.buffers_lost += last.buffers_lost;
	s->past.events_lost += last.events_lost;
	evnt_private_log_close(&last);
	evnt_private_images_renew(s);
	pthread_mutex_unlock(&s->log_lock);
	return true;
}

/*
 * Write a list of buffers; the last one gets @flag.  An epoch starts behind the
 * buffers up to number @last.
 */
static void write_list(struct evnt_private *s, struct evnt_buffer *buf,
		       u16 flag, s64 last)
{
	struct evnt_buffers *b = &s->buffers;
	struct evnt_buffer *next;
	u32 records;

	for (; buf; buf = next) {
		next = evnt_buffer_next(b, buf);
		if (buf->sequence > last) {
			evnt_circular_start_epoch(&s->log.circle);
			last = S64_MAX;
		}
		if (evnt_buffer_finish(b, buf, next ? 0 : flag)) {
			records = evnt_buffer_extent(buf->data).records;
			s->taken += records;
			evnt_private_log_write(&s->log, buf->data, records);
		}
		/* The module finds nothing that is in the file */
		memset(buf->data, 0, b->buffer_size);
		evnt_buffer_free(b, buf);
	}
	if (last != S64_MAX)
		evnt_circular_start_epoch(&s->log.circle);
}

/* Write the completed buffers; the last one gets @flag */
static void write_batch(struct evnt_private *s, u16 flag)
{
	struct evnt_buffer *buf = evnt_buffers_take(&s->buffers);

	if (!buf)
		return;
	write_list(s, buf, flag, S64_MAX);
	evnt_private_log_update(&s->log, evnt_buffers_lost(&s->buffers));
}

/*
 * Start an epoch of a circular log, as the module does: write all events in
 * buffers acquired so far, even partly filled ones, then the newer ones.
 *
 * A writer may have prepared a buffer that becomes current during the first
 * wait; the second one is for writers inside it.  A writer that is stopped, or
 * has left by a jump, is not waited for again.
 */
static void start_epoch(struct evnt_private *s, u16 flag)
{
	struct evnt_buffers *b = &s->buffers;
	const s64 last = atomic64_read(&b->sequence);
	struct evnt_buffer *list = NULL;
	unsigned int waits;

	for (waits = 0; !evnt_buffers_part(b, last, &list) && waits < 2; waits++)
		evnt_read_section_wait();
	evnt_private_images_renew(s);
	write_list(s, list, flag, last);
	evnt_private_log_update(&s->log, evnt_buffers_lost(b));
	evnt_private_manifests_renew(s);
}

/* Write all events accepted before the call to the log */
static void write_all(struct evnt_private *s)
{
	evnt_buffers_close_older(&s->buffers, 0);
	evnt_read_section_wait();
	write_batch(s, ETL_FLAG_FLUSH_MARKER);
}

/* Complete the flushes up to @wanted, after a pending switch of the log */
static void flush_done(struct evnt_private *s, unsigned int wanted)
{
	if (switch_log(s))
		evnt_private_manifests_renew(s);
	__atomic_store_n(&s->flush_done, wanted, __ATOMIC_RELEASE);
	evnt_futex_wake(&s->flush_done);
}

/* Return the maximum time to sleep in ms; 0: until woken up */
static unsigned int sleep_ms(const struct evnt_private *s, s64 flushed)
{
	unsigned int period = READ_ONCE(s->flush_ms);
	s64 gone = (evnt_boot_ns() - flushed) / 1000000;

	if (!period)
		return 0;
	return gone < period ? period - gone : 1;
}

/* Test for a log; open a forked child's at the program's first event */
static bool has_log(struct evnt_private *s)
{
	if (!s->has_log && !s->has_failed &&
	    evnt_buffers_events(&s->buffers) > READ_ONCE(s->own_events)) {
		s->has_failed = !evnt_in_process_open(s);
		evnt_private_rescue(s, evnt_device_fd());
	}
	return s->has_log;
}

/* Do one round of the thread's work; @flushed: time of the last timed flush */
static void writer_round(struct evnt_private *s, s64 *flushed)
{
	const bool can_write = has_log(s);
	const unsigned int period = READ_ONCE(s->flush_ms);
	unsigned int wanted;
	bool due;

	if (period && (evnt_boot_ns() - *flushed) / 1000000 >= (s64)period) {
		if (can_write)
			evnt_buffers_close_older(&s->buffers, 0);
		*flushed = evnt_boot_ns();
	}
	wanted = __atomic_load_n(&s->flush_wanted, __ATOMIC_ACQUIRE);
	due = wanted != s->flush_done;
	if (can_write && evnt_private_log_epoch_is_due(&s->log))
		start_epoch(s, due ? ETL_FLAG_FLUSH_MARKER : 0);
	else if (can_write && due)
		write_all(s);
	else if (can_write)
		write_batch(s, 0);
	/* There is room now, unless the file is full */
	if (can_write && !evnt_private_log_full(&s->log))
		evnt_private_losses(s, due);
	/* A session without a log has nothing to write */
	if (due || !can_write)
		flush_done(s, wanted);
	evnt_private_images_clean(s);
}

/*
 * Write the rest of a session that is in no set and has no writers left.
 * Current and future waiters for a flush are released.
 */
static void write_rest(struct evnt_private *s)
{
	s64 left;

	if (has_log(s)) {
		write_batch(s, 0);
		if (!evnt_private_log_full(&s->log))
			evnt_private_losses(s, true);
		write_all(s);
		switch_log(s);
		/* Count events in buffers that an interrupted writer is in */
		left = evnt_buffers_events(&s->buffers) - s->taken;
		if (left > 0)
			WRITE_ONCE(s->log.events_lost,
				   s->log.events_lost + left);
		evnt_private_log_finish(&s->log,
					evnt_buffers_lost(&s->buffers));
		end_rescue(s);
	}
	__atomic_store_n(&s->flush_done,
			 __atomic_load_n(&s->flush_wanted, __ATOMIC_SEQ_CST) +
			 INT_MAX / 2, __ATOMIC_RELEASE);
	__atomic_store_n(&s->is_written, true, __ATOMIC_RELEASE);
	evnt_futex_wake(&s->flush_done);
}

/*
 * Write the rest of this thread's session, and stay: the process ends, and the
 * thread cannot continue without evnt_lib_lock.
 */
void evnt_private_lock_lost(void)
{
	struct evnt_private *s = own_session;

	if (s && !s->inherited)
		write_rest(s);
	for (;;)
		pause();
}

static void *writer(void *arg)
{
	struct evnt_private *s = arg;
	s64 flushed = evnt_boot_ns();
	bool expired = false;
	unsigned int seen;

	own_session = s;
	WRITE_ONCE(s->writer_tid, evnt_private_tid());
	if (!s->has_log) {
		evnt_callback_notify_behind();
		/* Sleep first: the child may be about to call exec() */
		evnt_futex_wait(&s->kicks, 0, sleep_ms(s, flushed));
	}
	if (s->inherited)
		return NULL;
	while (!expired && !__atomic_load_n(&s->end, __ATOMIC_ACQUIRE)) {
		seen = __atomic_load_n(&s->kicks, __ATOMIC_SEQ_CST);
		writer_round(s, &flushed);
		if (s->has_failed || evnt_private_log_full(&s->log))
			expired = evnt_private_expire(s);
		if (s->inherited)
			return NULL;
		if (!expired)
			evnt_futex_wait(&s->kicks, seen, sleep_ms(s, flushed));
	}
	write_rest(s);
	if (expired)
		evnt_private_expired(s);
	return NULL;
}

/* Start the session's thread with all signals blocked: the program uses them */
ULONG evnt_private_run(struct evnt_private *s)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&s->thread, NULL, writer, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!err)
		pthread_setname_np(s->thread, "evntprov");
	s->is_running = !err;
	if (!err)
		evnt_private_rescue(s, evnt_device_fd());
	return evnt_win32(err);
}

/**
 * evnt_private_flush() - write all events accepted so far to the log
 * @s: running session to which the caller has a reference
 *
 * The caller must not hold evnt_lib_lock.  In a callback run by the session's
 * own thread at its end, this returns at once: the rest is written after the
 * callback.
 */
void evnt_private_flush(struct evnt_private *s)
{
	unsigned int wanted, done;

	if (pthread_equal(pthread_self(), s->thread))
		return;
	wanted = __atomic_add_fetch(&s->flush_wanted, 1, __ATOMIC_SEQ_CST);
	kick(s);
	while ((int)((done = __atomic_load_n(&s->flush_done,
					     __ATOMIC_ACQUIRE)) - wanted) < 0)
		evnt_futex_wait(&s->flush_done, done, 0);
}

/**
 * evnt_private_end_begin() - make the session's thread write the rest and exit
 * @s: running session
 *
 * Does not wait and takes no lock, as the process may end in a signal handler.
 */
void evnt_private_end_begin(struct evnt_private *s)
{
	__atomic_store_n(&s->end, true, __ATOMIC_RELEASE);
	kick(s);
}

/* Wait for a thread to exit, as its code may be unloaded; time is limited */
static void await_thread(pid_t tid)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	s64 begin = evnt_boot_ns();

	while (!syscall(SYS_tgkill, (long)getpid(), (long)tid, 0L) &&
	       evnt_boot_ns() - begin < MAX_EXIT_NS)
		nanosleep(&nap, NULL);
}

/**
 * evnt_private_end_await() - wait until a session has written everything
 * @s: session for which the caller has called evnt_private_end_begin()
 *
 * Gives up if the thread makes no progress, as it may wait for the caller.  The
 * thread is not joined: freeing its stack takes locks that a signal may have
 * interrupted.
 */
void evnt_private_end_await(struct evnt_private *s)
{
	s64 since = evnt_boot_ns();
	u64 before = 0, now;
	unsigned int seen;

	if (READ_ONCE(s->writer_tid) == evnt_private_tid()) {
		write_rest(s);
		return;
	}
	/* Signals may end each round at once */
	while ((evnt_boot_ns() - since) / 1000000 < MAX_WAIT_MS) {
		seen = __atomic_load_n(&s->flush_done, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&s->is_written, __ATOMIC_ACQUIRE)) {
			await_thread(READ_ONCE(s->writer_tid));
			return;
		}
		evnt_futex_wait(&s->flush_done, seen, ROUND_MS);
		now = READ_ONCE(s->log.buffers_written);
		if (now != before)
			since = evnt_boot_ns();
		before = now;
	}
}

/**
 * evnt_private_end() - write the rest of a session and end its thread
 * @s: session that is in no set and has no writers left
 *
 * The caller must not hold evnt_lib_lock.
 */
void evnt_private_end(struct evnt_private *s)
{
	evnt_private_end_begin(s);
	pthread_join(s->thread, NULL);
}

void evnt_private_set_flush_ms(struct evnt_private *s, u32 ms)
{
	if (READ_ONCE(s->flush_ms) == ms)
		return;
	WRITE_ONCE(s->flush_ms, ms);
	kick(s);
}

void evnt_private_set_flush_timer(struct evnt_private *s, ULONG seconds)
{
	evnt_private_set_flush_ms(s, flush_ms(seconds));
}

/**
 * evnt_private_follow() - switch to another log file
 * @s: running session to which the caller has a reference
 * @name: name of the new file
 *
 * Events accepted before the call go to the current log.  The caller must not
 * hold evnt_lib_lock.
 *
 * Return: as StartTrace() for a log file.
 */
ULONG evnt_private_follow(struct evnt_private *s, const WCHAR *name)
{
	struct evnt_private_log *log = calloc(1, sizeof(*log)), *before;
	ULONG code;

	if (!log)
		return ERROR_NOT_ENOUGH_MEMORY;
	log->fd = -1;
	code = open_log(s, log, name, false);
	if (code) {
		evnt_private_log_close(log);
		free(log);
		return code;
	}
	pthread_mutex_lock(&s->log_lock);
	before = s->next_log;
	WRITE_ONCE(s->next_log, log);
	pthread_mutex_unlock(&s->log_lock);
	/* A concurrent call has opened a log too, which was not started yet */
	if (before)
		evnt_private_log_close(before);
	free(before);
	evnt_private_flush(s);
	return ERROR_SUCCESS;
}

/* Count the events so far as the library's own, not the program's */
void evnt_private_note_self_events(struct evnt_private *s)
{
	WRITE_ONCE(s->own_events, evnt_buffers_events(&s->buffers));
}

/**
 * evnt_private_announce() - query properties and statistics of a session
 * @s: session
 * @info: filled in, except for names
 * @log_name: filled in; has room for EVNTRACE_MAX_NAME + 1 characters
 */
void evnt_private_announce(struct evnt_private *s,
			   struct evntrace_session *info, WCHAR *log_name)
{
	const struct evnt_buffers *b = &s->buffers;
	const struct evnt_private_log *log = &s->log;
	size_t len;

	*info = s->info;
	info->writer_tid = READ_ONCE(s->writer_tid);
	info->flush_ms = READ_ONCE(s->flush_ms);
	info->buffers = b->nr_buffers;
	info->free_buffers = evnt_buffers_free_count(b);
	info->events = evnt_buffers_events(b);
	pthread_mutex_lock(&s->log_lock);
	info->buffers_written = s->past.buffers_written +
				READ_ONCE(log->buffers_written);
	info->buffers_lost = s->past.buffers_lost +
			     READ_ONCE(log->buffers_lost);
	info->events_unwritten = s->past.events_lost +
				 READ_ONCE(log->events_lost);
	info->bytes_written = evnt_private_log_buffers(log) * b->buffer_size;
	info->log_errno = READ_ONCE(log->error);
	len = s->has_log ? evnt_wcslen(log->name) : 0;
	if (len)
		memcpy(log_name, log->name, len * sizeof(*log_name));
	log_name[len] = 0;
	pthread_mutex_unlock(&s->log_lock);
	info->events_lost = evnt_buffers_lost(b) + info->events_unwritten;
}

/* Free all enablements of a session that is in no set */
void evnt_private_disable_all(struct evnt_private *s)
{
	struct evnt_private_enablement *e;

	while ((e = s->enabled)) {
		s->enabled = e->next;
		evnt_private_filters_destroy(&e->filters);
		evnt_free(e);
	}
}

/* Drop a reference.  Locked, unless the session is not published. */
void evnt_private_put(struct evnt_private *s)
{
	if (--s->refs)
		return;
	if (s->next_log)
		evnt_private_log_close(s->next_log);
	free(s->next_log);
	evnt_private_log_close(&s->log);
	/* A reader that never left may still use the memory: keep it */
	if (!evnt_read_section_all_left())
		return;
	evnt_private_disable_all(s);
	evnt_private_manifests_forget(s, NULL);
	evnt_private_images_destroy(s);
	evnt_buffers_destroy(&s->buffers);
	evnt_free(s->addresses);
	pthread_mutex_destroy(&s->log_lock);
	free(s->name);
	evnt_free(s);
}
