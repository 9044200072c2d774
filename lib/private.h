/* SPDX-License-Identifier: MIT */
/*
 * Private sessions: those that run in the process whose events they take.
 *
 *	controller --> sessions --> a set for each registration --> writers of
 *	(private.c)    (their buffers    (private_set.c)            events
 *	                and threads:                         (private_write.c)
 *	                private_session.c)
 *
 * They need no module.  Their buffers are the module's: buffer.c is compiled into
 * the library.  A thread of each session writes what is finished to its file.
 *
 * evnt_lib_lock guards what is here, but where it says otherwise.  Who writes an
 * event takes no lock: he reads sets, which never change, between
 * evnt_read_begin() and evnt_read_end().
 */
#ifndef EVNT_PRIVATE_H
#define EVNT_PRIVATE_H

#include <pthread.h>

#include "attribute.h"
#include "call_stack.h"
#include "own_record.h"
#include "package.h"
#include "private_log.h"
#include "processor_time.h"
#include "program.h"
#include "properties.h"
#include "record.h"
#include "registration.h"

/* As Windows has it: so many in a process, and of these so many of its own */
#define EVNT_PRIVATE_MAX	8u
#define EVNT_PRIVATE_MAX_OWN	3u

/* No handle of the module's has this bit */
#define EVNT_PRIVATE_HANDLE	0x4000000000000000ull

static inline bool evnt_is_private(TRACEHANDLE handle)
{
	return (handle >> 62) == 1;
}

/**
 * struct evnt_private_filters - what an enablement lets through besides
 * @ids: ids that events have, or NULL
 * @names: names that TraceLogging events have, or NULL
 * @program: what the data of other events has to be, or NULL
 * @stack_ids: ids of events that come with their call stack, or NULL
 * @stack_names: likewise, names of TraceLogging events
 * @stack_level_kw: likewise, level and keyword
 *
 * Constant; they live as long as what they belong to.
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
 * struct evnt_private_enablement - how a session has enabled a provider
 * @next: another provider
 * @id: the provider, which need not be registered
 * @interest: level and keywords
 * @property: EVENT_ENABLE_PROPERTY_*
 * @filters: what it lets through besides
 * @set_level: as the controller gave it, for classic providers
 * @set_any: likewise
 * @turn: which enabling of the process it was
 *
 * Never changed while a set may have it: another one takes its place.
 */
struct evnt_private_enablement {
	struct evnt_private_enablement *next;
	GUID id;
	struct evnt_interest interest;
	u32 property;
	struct evnt_private_filters filters;
	u8 set_level;
	u64 set_any;
	u64 turn;
};

/**
 * struct evnt_private_who - what events say of their process
 * @sid: the user, as S-1-22-1-UID
 * @login: the login session
 * @start_key: the process's number, which no other has until the next boot
 * @package: its package, in UTF-16 with a nul
 * @package_len: length of that in bytes; 0: it is of none
 * @container: its cgroup, a GUID as text
 *
 * Found out when a session is started.
 */
struct evnt_private_who {
	u8 sid[16];
	u32 login;
	u64 start_key;
	u16 package[EVNT_PACKAGE_NAME];
	u16 package_len;
	char container[37];
};

struct evnt_images;
struct evnt_private_told;

#define EVNT_NOWHERE	64u
#define EVNT_MAX_VAIN	10u

/**
 * struct evnt_private - a session
 * @handle: what the controller has
 * @refs: the table's, and of who controls it without the lock
 * @stopping: it is in no set any more, and ends
 * @is_running: its thread was started
 * @inherited: it is the parent's; who has forked in a callback may have it still
 * @of_logger: it is part of a private logger of the whole system; constant
 * @has_log: whether there is a log; its thread makes one with the first event
 * @has_failed: no log could be made; its thread's
 * @own_events: how many events it had when it was started: the library's own
 * @name: its name
 * @info: what queries tell and nothing changes
 * @who: what its events say of the process
 * @enabled: the providers that it has enabled
 * @told: the manifests that it was told of
 * @buffers: its buffers
 * @thread: its writer
 * @writer_tid: its id, once it runs; atomic
 * @kicks: counts what the writer is to look at; it sleeps while this is as it was
 * @flush_ms: how long events may stay in a buffer that is not full; 0: as long as
 *	it takes; atomic
 * @flush_wanted: counts flushes; atomic
 * @flush_done: up to which of them all is in the log; atomic
 * @end: the writer is to end; atomic
 * @is_written: all is in the log, and the session is over; atomic
 * @sequence: the number of the last message that has one; atomic
 * @images_lock: guards the next five but for readers; taken with signals blocked
 * @images: what it was told of the images of the process, or NULL; read by readers
 * @retired: that it was, and is not read any more but by who does so already
 * @nowhere: addresses that are in no image; hints
 * @vain: how often in a row images were looked at, and there was nothing new
 * @skip: so often they are not looked at; a hint
 * @log_lock: guards @log and @past but for their counters, and @next_log
 * @log: its log; who writes to it is the writer, or who starts it
 * @next_log: the one that is to follow when the next flush is done, or NULL
 * @past: what became of buffers in logs before
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
	WCHAR *name;
	struct evntrace_session info;
	struct evnt_private_who who;
	struct evnt_private_enablement *enabled;
	struct evnt_private_told *told;
	struct evnt_buffers buffers;
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
	struct evnt_images *images;
	struct evnt_images *retired;
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

/* private_session.c: one session, its buffers and its thread */
ULONG evnt_private_create(struct evnt_private **session,
			  const struct evnt_session_names *names,
			  const EVENT_TRACE_PROPERTIES *p, u16 id,
			  bool of_logger);
ULONG evnt_private_open(struct evnt_private *s, const WCHAR *name);
ULONG evnt_private_run(struct evnt_private *s);
void evnt_private_note_own_events(struct evnt_private *s);
void evnt_private_flush(struct evnt_private *s);
void evnt_private_end(struct evnt_private *s);
void evnt_private_end_begin(struct evnt_private *s);
void evnt_private_end_await(struct evnt_private *s);
void evnt_private_set_flush_timer(struct evnt_private *s, ULONG seconds);
void evnt_private_set_flush_ms(struct evnt_private *s, u32 ms);
ULONG evnt_private_follow(struct evnt_private *s, const WCHAR *name);
void evnt_private_tell(struct evnt_private *s, struct evntrace_session *info,
		       WCHAR *log_name);
void evnt_private_put(struct evnt_private *s);
void evnt_private_disable_all(struct evnt_private *s);

/* private.c: what controllers do */
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
ULONG evnt_private_enable_locked(const struct evntrace_enable *arg);
ULONG evnt_private_enable(const struct evntrace_enable *arg);
void evnt_private_classic(const struct evnt_registration *r,
			  struct evntprov_classic *now);
bool evnt_private_expire(struct evnt_private *s);
void evnt_private_expired(struct evnt_private *s);
void evnt_private_forked(void);
void evnt_private_end_all(bool locked);
/* The sessions of the process, by the place that their id is one more than */
extern struct evnt_private *evnt_privates[EVNT_PRIVATE_MAX];

/**
 * struct evnt_private_one - a session that has enabled a registration
 * @session: the session
 * @e: how
 */
struct evnt_private_one {
	struct evnt_private *session;
	const struct evnt_private_enablement *e;
};

/**
 * struct evnt_private_set - the private sessions that have enabled a registration
 * @handle: the registration
 * @id: its provider
 * @traits: its traits, or NULL; they stay as long as the registration
 * @use_types: types of its data blocks are looked at
 * @count: how many sessions
 * @one: they
 */
struct evnt_private_set {
	REGHANDLE handle;
	GUID id;
	const BYTE *traits;
	bool use_types;
	u32 count;
	struct evnt_private_one one[EVNT_PRIVATE_MAX];
};

/* private_set.c: by slots of registrations; read by who writes events */
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
 * struct evnt_private_event - an event that is written
 * @descriptor: what it is
 * @flags: EVENT_WRITE_FLAG_*
 * @is_string: it is EventWriteString()'s
 * @frame: the frame of a function that the one has called which writes it
 * @activity: or NULL: the thread's
 * @related: or NULL
 * @count: blocks of data
 * @data: they
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
int evnt_private_trace(const struct evntprov_trace *t);

/* private_write.c */
void evnt_private_describe_writer(struct evnt_event *e);
ULONG evnt_private_write(REGHANDLE handle, const struct evnt_private_event *e);
u32 evnt_private_tid(void);
u32 evnt_private_pid(void);
void evnt_private_write_forked(void);

/* Its ProcessorTime; @time: its time stamp, in the clock of a session */
static inline void evnt_private_put_time(struct evnt_event *e,
					 const struct evnt_buffers *b, s64 time)
{
	u64 ticks = evnt_processor_ticks(evnt_now(b, time));

	e->kernel_time = (u32)ticks;
	e->user_time = ticks >> 32;
}

/* private_stack.c */
u32 evnt_private_stack(struct evnt_stack *stack, const void *inner);

/* private_own.c */
u32 evnt_private_cpu(const struct evnt_buffers *b);
int evnt_private_own_write(struct evnt_private *s,
			   const struct evnt_own_event *own,
			   struct evnt_event *e, const void *data);
void evnt_private_own_lost(struct evnt_private *s, int err);

/* private_images.c */
bool evnt_private_images_are_due(struct evnt_private *s,
				 const struct evnt_stack *stack, u32 frames);
void evnt_private_images_tell(struct evnt_private *s,
			      const struct evnt_stack *stack, u32 frames);
void evnt_private_images_renew(struct evnt_private *s);
void evnt_private_images_clean(struct evnt_private *s);
void evnt_private_images_destroy(struct evnt_private *s);

/* private_manifest.c */
void evnt_private_manifests_tell(struct evnt_private *s, const GUID *provider);
void evnt_private_manifest_registered(const struct evnt_registration *r);
void evnt_private_manifests_forget(struct evnt_private *s,
				   const GUID *provider);
void evnt_private_manifests_renew(struct evnt_private *s);

/* private_items.c */
void evnt_private_who_init(struct evnt_private_who *who);
u64 evnt_private_event_key(void);

#endif /* EVNT_PRIVATE_H */
