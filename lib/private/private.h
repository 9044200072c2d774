/* SPDX-License-Identifier: MIT */
/*
 * Private sessions, which run in the process whose events they record.
 *
 *	controller --> sessions --> a set for each registration --> writers of
 *	(private.c)    (their buffers    (private_set.c)            events
 *	                and threads:                         (private_write.c)
 *	                private_session.c)
 *
 * They do not need the module.  The buffers are implemented by buffer.c, which
 * is compiled into both the module and the library.  A thread of each session
 * writes completed buffers to the session's file.
 *
 * All data here is guarded by evnt_lib_lock unless noted otherwise.  Writers of
 * events take no lock: they read sets, which are immutable, between
 * evnt_read_begin() and evnt_read_end().
 */
#ifndef EVNT_PRIVATE_H
#define EVNT_PRIVATE_H

#include <limits.h>
#include <pthread.h>

#include "core/attribute.h"
#include "core/callstack.h"
#include "core/self_record.h"
#include "core/package.h"
#include "lib/private/private_log.h"
#include "lib/private/processor_time.h"
#include "core/program.h"
#include "core/reader.h"
#include "lib/base/properties.h"
#include "core/record.h"
#include "lib/provider/registration.h"

/* Windows' limit of in-process private sessions, among EVNT_PRIVATE_MAX */
#define EVNT_PRIVATE_MAX_OWN	3u

/**
 * struct evnt_private_filters - event filters of an enablement
 * @ids: filter by event ID, or NULL
 * @names: filter by name of TraceLogging events, or NULL
 * @program: payload filter of manifest-based events, or NULL
 * @stack_ids: IDs of events recorded with their call stack, or NULL for all
 * @stack_names: names of TraceLogging events recorded with their call stack, or
 *	NULL
 * @stack_level_kw: level and keyword of events recorded with their call stack,
 *	or NULL
 *
 * Immutable; freed with the enablement.
 */
struct evnt_private_filters {
	struct evnt_ids *ids;
	struct evnt_names *names;
	struct evntrace_program *program;
	struct evnt_ids *stack_ids;
	struct evnt_names *stack_names;
	struct evnt_level_kw *stack_level_kw;
};

/**
 * struct evnt_private_enablement - enablement of a provider by a session
 * @next: enablement of another provider by the session
 * @id: provider ID; the provider need not be registered
 * @interest: effective level and keywords
 * @property: EVENT_ENABLE_PROPERTY_*
 * @filters: event filters
 * @set_level: level as requested by the controller, for classic providers
 * @set_any: keyword mask as requested by the controller, for classic providers
 * @turn: sequence number among all enablements of the process
 *
 * Immutable once published in a set; a change replaces the whole enablement.
 */
struct evnt_private_enablement {
	struct evnt_private_enablement *next;
	GUID id;
	struct evnt_level_keyword interest;
	u32 property;
	struct evnt_private_filters filters;
	u8 set_level;
	u64 set_any;
	u64 turn;
};

/**
 * struct evnt_process_ids - process properties in extended data of events
 * @sid: SID of the user, S-1-22-1-UID
 * @login: ID of the login session
 * @start_key: process number, unique until the next boot
 * @package: package of the process, in UTF-16 with a nul
 * @package_len: length of @package in bytes; 0: the process belongs to no
 *	package
 * @container: GUID of the process's cgroup, as text
 * @exe: file name of the executable, or empty if it is not known
 *
 * Determined when a session is started.
 */
struct evnt_process_ids {
	u8 sid[16];
	u32 login;
	u64 start_key;
	u16 package[EVNT_PACKAGE_NAME];
	u16 package_len;
	char container[37];
	char exe[NAME_MAX + 1];
};

struct evnt_private_images;
struct evnt_announced_manifests;

#define EVNT_NOWHERE	64u
#define EVNT_MAX_VAIN	10u

/**
 * struct evnt_private - a private session
 * @handle: handle returned to the controller
 * @refs: references of the table, and of callers that use the session without
 *	evnt_lib_lock
 * @stopping: removed from all sets, and ending
 * @is_running: its thread was started
 * @inherited: belongs to the parent process; a callback that forked may still
 *	use it
 * @of_logger: this process's part of a system-wide private session; constant
 * @has_log: the log is open; the thread opens a missing one at the first event
 * @has_failed: the log could not be opened; used by the thread only
 * @own_events: number of events written by the library itself at the start;
 *	UINT64_MAX until known
 * @taken: number of records in the buffers that @thread has taken
 * @name: session name
 * @info: constant part of what queries return
 * @zone: time zone at the start
 * @subject: properties of the process, as extended data of events
 * @enabled: enablements of providers
 * @reported: manifests recorded in the current log
 * @is_named: the current log contains the name of the process
 * @buffers: event buffers
 * @addresses: addresses of the buffers, ascending, as the module takes them
 * @written: @written of the current log, and of the one before or behind it
 * @thread: thread that writes the log
 * @writer_tid: kernel ID of @thread, 0 until it runs; atomic
 * @kicks: number of wake-ups of @thread, which sleeps while this is unchanged
 * @flush_ms: maximum time that events may stay in a partly filled buffer; 0: no
 *	limit; atomic
 * @flush_wanted: number of flushes requested; atomic
 * @flush_done: number of flushes completed; atomic
 * @end: request to @thread to write the rest and exit; atomic
 * @is_written: everything is in the log, and the session is over; atomic
 * @sequence: last sequence number given to a message; atomic
 * @images_lock: guards the next five, which readers may read without it; taken
 *	with signals blocked
 * @images: images recorded in the current log, or NULL; read without the lock
 * @retired: replaced tables that earlier readers may still use
 * @nowhere: addresses known to be in no image; hints
 * @vain: number of consecutive scans of the mappings that found nothing new
 * @skip: number of unknown addresses to ignore before the next scan; a hint
 * @log_lock: guards @log and @past except for their counters, and writes of
 *	@next_log
 * @log: current log; written by the thread, or while the session is started
 * @next_log: log to switch to after the next flush, or NULL
 * @past: counters of previous logs
 */
struct evnt_private {
	TRACEHANDLE handle;
	unsigned int refs;
	bool stopping;
	bool is_running;
	bool inherited;
	bool of_logger;
	bool has_log;
	bool has_failed;
	u64 own_events;
	u64 taken;
	WCHAR *name;
	struct evntrace_session info;
	TIME_ZONE_INFORMATION zone;
	struct evnt_process_ids subject;
	struct evnt_private_enablement *enabled;
	struct evnt_announced_manifests *reported;
	bool is_named;
	struct evnt_buffers buffers;
	u64 *addresses;
	u64 written[2];
	pthread_t thread;
	u32 writer_tid;
	unsigned int kicks;
	unsigned int flush_ms;
	unsigned int flush_wanted;
	unsigned int flush_done;
	bool end;
	bool is_written;
	u32 sequence;
	pthread_mutex_t images_lock;
	struct evnt_private_images *images;
	struct evnt_private_images *retired;
	u64 nowhere[EVNT_NOWHERE];
	u32 vain;
	u32 skip;
	pthread_mutex_t log_lock;
	struct evnt_private_log log;
	struct evnt_private_log *next_log;
	struct {
		u64 buffers_written;
		u64 buffers_lost;
		u64 events_lost;
	} past;
};

/* private_session.c: a session, its buffers and its thread */
ULONG evnt_private_create(struct evnt_private **session,
			  const struct evnt_session_names *names,
			  const EVENT_TRACE_PROPERTIES *p, u16 id,
			  bool of_logger);
ULONG evnt_private_open(struct evnt_private *s, const WCHAR *name, bool is_new);
ULONG evnt_private_run(struct evnt_private *s);
void evnt_private_note_self_events(struct evnt_private *s);
void evnt_private_flush(struct evnt_private *s);
void evnt_private_end(struct evnt_private *s);
void evnt_private_end_begin(struct evnt_private *s);
void evnt_private_end_await(struct evnt_private *s);
void evnt_private_lock_lost(void);
void evnt_private_set_flush_timer(struct evnt_private *s, ULONG seconds);
void evnt_private_set_flush_ms(struct evnt_private *s, u32 ms);
ULONG evnt_private_follow(struct evnt_private *s, const WCHAR *name);
void evnt_private_announce(struct evnt_private *s,
			   struct evntrace_session *info, WCHAR *log_name);
void evnt_private_rescue(struct evnt_private *s, int fd);
void evnt_private_put(struct evnt_private *s);
void evnt_private_disable_all(struct evnt_private *s);

/* private.c: operations of controllers */
ULONG evnt_private_start_locked(TRACEHANDLE *handle,
				const struct evnt_session_names *names,
				const EVENT_TRACE_PROPERTIES *p);
ULONG evnt_private_start(TRACEHANDLE *handle,
			 const struct evnt_session_names *names,
			 const EVENT_TRACE_PROPERTIES *p);
ULONG evnt_private_start_part(struct evnt_private **session,
			      const struct evnt_session_names *names,
			      const EVENT_TRACE_PROPERTIES *p, u32 flush_ms);
void evnt_private_stop(struct evnt_private *s);
void evnt_private_started_late(TRACEHANDLE handle);
void evnt_private_fill(TRACEHANDLE handle, EVENT_TRACE_PROPERTIES *p);
ULONG evnt_private_find(const WCHAR *name, TRACEHANDLE *handle);
ULONG evnt_private_control(TRACEHANDLE handle, ULONG control_code,
			   EVENT_TRACE_PROPERTIES *p, bool wide);
ULONG evnt_private_enable_locked(TRACEHANDLE handle,
				 const struct evntrace_enable *arg);
ULONG evnt_private_enable(TRACEHANDLE handle,
			  const struct evntrace_enable *arg);
bool evnt_private_expire(struct evnt_private *s);
void evnt_private_expired(struct evnt_private *s);
/* Sessions of the process, indexed by session ID - 1 */
extern struct evnt_private *evnt_privates[EVNT_PRIVATE_MAX];

/**
 * struct evnt_private_one - a session that has enabled a registration
 * @session: the session
 * @e: its enablement of the provider
 */
struct evnt_private_one {
	struct evnt_private *session;
	const struct evnt_private_enablement *e;
};

/**
 * struct evnt_private_set - private sessions that have enabled a registration
 * @handle: handle of the registration
 * @id: provider ID
 * @traits: provider traits, or NULL; valid as long as the registration
 * @use_types: types of data blocks are interpreted
 * @is_plain: the only session wants records as they are: without filters,
 *	traits, types and extended items, with times of CLOCK_BOOTTIME
 * @buffers: buffers of the only session, if @is_plain
 * @interest: level and keywords of the only session, if @is_plain
 * @count: number of sessions
 * @one: the sessions
 */
struct evnt_private_set {
	REGHANDLE handle;
	GUID id;
	const BYTE *traits;
	bool use_types;
	bool is_plain;
	struct evnt_buffers *buffers;
	struct evnt_level_keyword interest;
	u32 count;
	struct evnt_private_one one[EVNT_PRIVATE_MAX];
};

/* private_set.c: sets by slot, read by writers without a lock */
extern struct evnt_private_set *evnt_private_sets[EVNTPROV_MAX_SLOTS] EVNT_HIDDEN;
struct evnt_private_enablement **evnt_private_place_of(struct evnt_private *s,
						       const void *id);
bool evnt_private_sets_renew(void);
void evnt_private_sets_drop(void);

/* private_filter.c */
ULONG evnt_private_filters_create(struct evnt_private_filters *f,
				  const struct evntrace_enable *arg);
void evnt_private_filters_destroy(struct evnt_private_filters *f);

/**
 * struct evnt_private_event - an event to be written
 * @descriptor: event descriptor
 * @flags: EVENT_WRITE_FLAG_*
 * @is_string: written by EventWriteString()
 * @frame: frame whose return address is the first one of the call stack
 * @activity: activity ID; NULL: the thread's
 * @related: related activity ID, or NULL
 * @count: number of data blocks
 * @data: data blocks
 */
struct evnt_private_event {
	const EVENT_DESCRIPTOR *descriptor;
	ULONG flags;
	bool is_string;
	const void *frame;
	const GUID *activity;
	const GUID *related;
	ULONG count;
	const EVENT_DATA_DESCRIPTOR *data;
};

/* private_trace.c */
int evnt_private_trace(const struct evntprov_write *t);

/* private_write.c */
void evnt_private_describe_writer(struct evnt_event *e);
ULONG evnt_private_write(REGHANDLE handle, const struct evnt_private_event *e);
u32 evnt_private_tid(void);
u32 evnt_private_pid(void);
void evnt_private_write_forked(void);

/* Kind of the records of a program's events */
#define EVNT_PRIVATE_KIND	(sizeof(void *) == 8 ? ETL_RECORD_EVENT64 : \
						      ETL_RECORD_EVENT32)

/*
 * Begin a record.  Its kind stays zero until evnt_private_seal(): if the process
 * ends before, the module drops the record.  See struct evntprov_rescue.
 */
static inline void evnt_private_begin(u8 *record, u32 size)
{
	*(u64 *)record = size;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Complete a record that evnt_private_begin() has begun */
static inline void evnt_private_seal(u8 *record, u16 kind)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	WRITE_ONCE(((u16 *)record)[1], kind);
}

/* Set ProcessorTime of an event */
static inline void evnt_private_put_ticks(struct evnt_event *e, u64 ticks)
{
	e->kernel_time = (u32)ticks;
	e->user_time = ticks >> 32;
}

/* Set ProcessorTime of an event; @time: time stamp in the session's clock */
static inline void evnt_private_put_time(struct evnt_event *e,
					 const struct evnt_buffers *b, s64 time)
{
	evnt_private_put_ticks(e, evnt_processor_ticks(&evnt_thread,
						       evnt_now(b, time)));
}

/* private_stack.c */
u32 evnt_private_stack(struct evnt_stack *stack, const void *inner);

/*
 * private_write.c: self-describing events of EVNTPROV_IMAGES_PROVIDER, in the
 * same form as the module writes them
 */
u32 evnt_private_cpu(const struct evnt_buffers *b);
int evnt_private_self_write(struct evnt_private *s,
			    const struct evnt_self_event *own,
			    struct evnt_event *e, const void *data);
void evnt_private_self_lost(struct evnt_private *s, int err);
void evnt_private_losses(struct evnt_private *s, bool all);

/* private_images.c */
bool evnt_private_images_are_due(struct evnt_private *s,
				 const struct evnt_stack *stack, u32 frames);
void evnt_private_image_rundown(struct evnt_private *s,
				const struct evnt_stack *stack, u32 frames);
void evnt_private_images_renew(struct evnt_private *s);
void evnt_private_images_clean(struct evnt_private *s);
void evnt_private_images_destroy(struct evnt_private *s);

/* private_manifest.c */
void evnt_private_manifests_write(struct evnt_private *s, const GUID *provider);
void evnt_private_manifest_registered(const struct evnt_registration *r);
void evnt_private_manifests_forget(struct evnt_private *s,
				   const GUID *provider);
void evnt_private_manifests_renew(struct evnt_private *s);

/* private_items.c */
void evnt_process_ids_init(struct evnt_process_ids *subject);
u64 evnt_private_event_key(void);

/* in_process.c: recording a process from outside, see evntprov(7) */
void evnt_in_process_begin(void);
bool evnt_in_process_open(struct evnt_private *s);
void evnt_in_process_forked(void);

/*
 * private_sync.c: the side of a participant in system-wide private sessions;
 * the ABI's header describes them.  It queries the module for sessions, runs
 * private sessions for them, and reports their state.
 */
void evnt_private_sync_opened(int fd);
void evnt_private_sync_heard(void);
void evnt_private_sync_again(void);
bool evnt_private_requests_registered(REGHANDLE handle);
void evnt_private_sync_catch_up(void);
bool evnt_private_sync_any(void);
void evnt_private_sync_end(void);
void evnt_private_sync_forked(void);

/**
 * struct evnt_private_reader - reader of the data blocks of one kind
 * @reader: generic part, used by filters
 * @blocks: data blocks of the event
 * @types: mask of the bits in a block's type that are interpreted: all or none
 * @kind: EVNTPROV_DATA_* of the blocks that are read
 */
struct evnt_private_reader {
	struct evnt_reader reader;
	const EVENT_DATA_DESCRIPTOR *blocks;
	u8 types;
	u8 kind;
};

#endif /* EVNT_PRIVATE_H */
