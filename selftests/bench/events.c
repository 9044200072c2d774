// SPDX-License-Identifier: MIT
/*
 * Cost of an event written through the library, or directly through the
 * module's device; and of one that no session wants.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/evntrace.h>

#include <evntcons.h>
#include <evntrace.h>

#include "bench.h"
#include "lib/base/fast_ioctl.h"
#include "sessions.h"

#define LEVEL	4
#define KEYWORD	0x1

static const GUID provider_id = {
	0xb2b8b9a2, 0x9a1f, 0x4c58,
	{ 0x9d, 0x0a, 0x40, 0x67, 0x16, 0x3c, 0x5f, 0x11 },
};
static const GUID activity = { 1, 2, 3, { 4 } };
static const GUID related = { 5, 6, 7, { 8 } };
static const EVENT_DESCRIPTOR event = { 1, 0, 0, LEVEL, 0, 0, KEYWORD };

static EVENT_DATA_DESCRIPTOR data[BENCH_MAX_DATA];
static ULONG data_count;
static REGHANDLE provider;

/* Divide the payload into parts, as equal as possible */
static void divide(const struct bench_row *row)
{
	unsigned int i, at = 0, end;

	data_count = row->descriptors;
	for (i = 0; i < data_count; i++) {
		end = (uint64_t)row->payload * (i + 1) / data_count;
		EventDataDescCreate(&data[i], bench_payload + at, end - at);
		at = end;
	}
}

static const char *begin_for(const struct bench_row *row,
			     const struct bench_wish *ext_items)
{
	divide(row);
	if (EventRegister(&provider_id, NULL, NULL, &provider))
		return "the provider cannot be registered";
	return bench_sessions_start(&provider_id, row->sessions, ext_items);
}

static const char *begin(const struct bench_row *row)
{
	return begin_for(row, NULL);
}

static const char *end(const struct bench_row *row, uint64_t done)
{
	(void)row;
	EventUnregister(provider);
	return bench_sessions_stop(done);
}

static const char *end_without(const struct bench_row *row, uint64_t done)
{
	(void)done;
	return end(row, 0);
}

static void run_write(unsigned int n)
{
	while (n--)
		EventWrite(provider, &event, data_count, data);
}

static void run_write_ex(unsigned int n)
{
	while (n--)
		EventWriteEx(provider, &event, 0, 0, &activity, &related,
			     data_count, data);
}

static void run_enabled(unsigned int n)
{
	while (n--)
		EventEnabled(provider, &event);
}

static const struct bench_case write_case = {
	.name = "eventwrite", .what = "EventWrite",
	.begin = begin, .run = run_write, .end = end,
};

/*
 * Rings, which each batch leaves empty: otherwise the batch with the fewest
 * drains would be the cheapest
 */
#define PARAMETERS	"/sys/module/evntprov/parameters/"
#define RINGS		PARAMETERS "rings"
#define COUNTER		PARAMETERS "rings_counter"
#define RING_BUFFERS	32u	/* more than there are lanes */

static int ring_device = -1;
static unsigned long ring_id;

static bool set_parameter(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, value, 1) == 1;

	close(fd);
	return done;
}

/* Find the library's descriptor, and the ring that it has mapped */
static bool find_ring(void)
{
	int fd;

	for (fd = 3; fd < 200; fd++) {
		for (ring_id = 0; ring_id < 64; ring_id++) {
			if (!evnt_ioctl(fd, EVNTPROV_IOC_DRAIN,
					(void *)ring_id)) {
				ring_device = fd;
				return true;
			}
		}
	}
	return false;
}

/* Switch rings on, and wish for as many buffers as sessions need for them */
static bool switch_on(const char *tsc,
		      struct bench_wish wishes[BENCH_MAX_SESSIONS])
{
	unsigned int i;

	setenv("EVNTPROV_RINGS", "force", 1);
	for (i = 0; i < BENCH_MAX_SESSIONS; i++)
		wishes[i].buffers = RING_BUFFERS;
	return set_parameter(COUNTER, tsc) && set_parameter(RINGS, "Y");
}

static const char *begin_ring_with(const struct bench_row *row, const char *tsc)
{
	struct bench_wish wishes[BENCH_MAX_SESSIONS] = { };
	EVENT_DATA_DESCRIPTOR none;
	const char *reason;

	if (!switch_on(tsc, wishes))
		return "the module has no rings";
	reason = begin_for(row, wishes);
	if (reason)
		return reason;
	/* The first write maps the ring */
	EventDataDescCreate(&none, bench_payload, 0);
	EventWrite(provider, &event, 1, &none);
	return find_ring() ? NULL : "the thread has no ring";
}

static const char *begin_ring(const struct bench_row *row)
{
	return begin_ring_with(row, "N");
}

static const char *begin_ring_tsc(const struct bench_row *row)
{
	return begin_ring_with(row, "Y");
}

static const char *end_ring(const struct bench_row *row, uint64_t done)
{
	const char *reason = end(row, done + 1);

	set_parameter(RINGS, "N");
	set_parameter(COUNTER, "Y");
	return reason;
}

static void drain_ring(void)
{
	evnt_ioctl(ring_device, EVNTPROV_IOC_DRAIN, (void *)ring_id);
}

static void run_ring(unsigned int n)
{
	run_write(n);
	drain_ring();
}

static const struct bench_case ring_case = {
	.name = "eventwrite-ring", .what = "EventWrite, by a ring",
	.begin = begin_ring, .run = run_ring, .end = end_ring,
};

static const struct bench_case ring_tsc_case = {
	.name = "eventwrite-ring-tsc", .what = "EventWrite, by a ring, with the TSC",
	.begin = begin_ring_tsc, .run = run_ring, .end = end_ring,
};

/* Independent sessions */
static const char *begin_independent(const struct bench_row *row)
{
	struct bench_wish wishes[BENCH_MAX_SESSIONS] = { };
	unsigned int i;

	for (i = 0; i < BENCH_MAX_SESSIONS; i++)
		wishes[i].mode = EVNTRACE_MODE_INDEPENDENT;
	return begin_for(row, wishes);
}

static const struct bench_case independent_case = {
	.name = "eventwrite-independent",
	.what = "EventWrite, independent sessions",
	.begin = begin_independent, .run = run_write, .end = end,
};

static const struct bench_case write_ex_case = {
	.name = "eventwriteex", .what = "EventWriteEx, with two activities",
	.begin = begin, .run = run_write_ex, .end = end,
};

static const struct bench_case disabled_case = {
	.name = "eventwrite-disabled", .what = "EventWrite, no session",
	.begin = begin, .run = run_write, .end = end_without,
};

static const struct bench_case enabled_case = {
	.name = "eventenabled-disabled", .what = "EventEnabled, no session",
	.begin = begin, .run = run_enabled, .end = end_without,
};

/*
 * Expansion of TraceLoggingWrite() with one binary field: a test of the state
 * from the provider's callback, and then descriptors on the stack.
 */
#define TL_NAME		"Bench-TraceLogging"

static const struct __attribute__((packed)) {
	USHORT size;
	char name[sizeof(TL_NAME)];
} tl_provider = { sizeof(tl_provider), TL_NAME };

static const struct __attribute__((packed)) {
	USHORT size;
	BYTE extension;
	char name[6];
	char field[5];
	BYTE in_type;
} tl_event = { sizeof(tl_event), 0, "Event", "data", 14 };

static volatile unsigned int tl_level_plus_1;
static unsigned int tl_size;

static VOID NTAPI tl_callback(LPCGUID source, ULONG is_enabled, UCHAR level,
			      ULONGLONG any, ULONGLONG all,
			      PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)source;
	(void)any;
	(void)all;
	(void)filter;
	(void)context;
	tl_level_plus_1 = is_enabled ? (level ? level + 1 : 256) : 0;
}

/* The provider has a callback, which has been called */
static const char *begin_callback(const struct bench_row *row,
				  struct bench_wish *wishes)
{
	const char *reason;

	tl_level_plus_1 = 0;
	if (EventRegister(&provider_id, tl_callback, NULL, &provider))
		return "the provider cannot be registered";
	reason = bench_sessions_start(&provider_id, row->sessions, wishes);
	while (!reason && !tl_level_plus_1)
		usleep(1000);
	return reason;
}

static const char *begin_tl_with(const struct bench_row *row,
				 struct bench_wish *wishes)
{
	const char *reason = begin_callback(row, wishes);

	tl_size = row->payload;
	if (!reason &&
	    EventSetInformation(provider, EventProviderSetTraits,
				(PVOID)&tl_provider, sizeof(tl_provider)))
		return "the provider has no traits";
	return reason;
}

static const char *begin_tl(const struct bench_row *row)
{
	return begin_tl_with(row, NULL);
}

static inline void tl_write(void)
{
	EVENT_DATA_DESCRIPTOR d[3];

	EventDataDescCreate(&d[0], &tl_provider, sizeof(tl_provider));
	d[0].Type = EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA;
	EventDataDescCreate(&d[1], &tl_event, sizeof(tl_event));
	d[1].Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	EventDataDescCreate(&d[2], bench_payload, tl_size);
	EventWriteTransfer(provider, &event, NULL, NULL, 3, d);
}

static void run_tl(unsigned int n)
{
	while (n--)
		if (tl_level_plus_1 > LEVEL)
			tl_write();
}

static const struct bench_case tl_case = {
	.name = "tracelogging", .what = "as TraceLoggingWrite, one field",
	.begin = begin_tl, .run = run_tl, .end = end,
};

static const char *begin_tl_ring_with(const struct bench_row *row,
				      const char *tsc)
{
	struct bench_wish wishes[BENCH_MAX_SESSIONS] = { };
	const char *reason;

	if (!switch_on(tsc, wishes))
		return "the module has no rings";
	reason = begin_tl_with(row, wishes);
	if (reason)
		return reason;
	/* The first write maps the ring */
	tl_write();
	return find_ring() ? NULL : "the thread has no ring";
}

static const char *begin_tl_ring(const struct bench_row *row)
{
	return begin_tl_ring_with(row, "N");
}

static const char *begin_tl_ring_tsc(const struct bench_row *row)
{
	return begin_tl_ring_with(row, "Y");
}

static void run_tl_ring(unsigned int n)
{
	run_tl(n);
	drain_ring();
}

static const struct bench_case tl_ring_case = {
	.name = "tracelogging-ring",
	.what = "as TraceLoggingWrite, one field, by a ring",
	.begin = begin_tl_ring, .run = run_tl_ring, .end = end_ring,
};

static const struct bench_case tl_ring_tsc_case = {
	.name = "tracelogging-ring-tsc",
	.what = "as TraceLoggingWrite, one field, by a ring, with the TSC",
	.begin = begin_tl_ring_tsc, .run = run_tl_ring, .end = end_ring,
};

/*
 * In a process with more than one thread, each system call on a descriptor
 * costs more, because it must take a reference on the file.  A callback creates
 * such a thread.
 */
static const char *begin_threads(const struct bench_row *row)
{
	divide(row);
	return begin_callback(row, NULL);
}

static const struct bench_case threads_case = {
	.name = "eventwrite-threads", .what = "EventWrite, process has threads",
	.begin = begin_threads, .run = run_write, .end = end,
};

/*
 * Refused events.  The library tests the effective set first, which decides if
 * there is only one session.  The module's own test is reached by callers that
 * use its device directly; through the library it is reached only if two
 * sessions want different things and the event matches neither completely.
 */
static const struct bench_wish higher_level[] = { { .level = LEVEL - 1 } };
static const struct bench_wish other_keyword[] = {
	{ .match_any = KEYWORD << 1 },
};
static const struct bench_wish one_of_each[] = {
	{ .level = LEVEL - 1, .match_any = KEYWORD },
	{ .level = LEVEL, .match_any = KEYWORD << 1 },
};

static int device = -1;
static struct evntprov_write write_arg;

static const char *begin_device(const struct bench_row *row,
				const struct bench_wish *ext_items)
{
	struct evntprov_register arg = {
		.size = sizeof(arg), .handle = 1u << 16 | 1u << 5,
	};

	divide(row);
	memcpy(&arg.provider, &provider_id, sizeof(arg.provider));
	write_arg = (struct evntprov_write) {
		.size = sizeof(write_arg), .handle = arg.handle,
		.data = (uintptr_t)data, .data_count = data_count,
	};
	memcpy(&write_arg.descriptor, &event, sizeof(event));
	device = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	if (device < 0 || ioctl(device, EVNTPROV_IOC_REGISTER, &arg))
		return "the provider cannot be registered";
	return bench_sessions_start(&provider_id, row->sessions, ext_items);
}

static void run_device(unsigned int n)
{
	while (n--)
		evnt_ioctl(device, EVNTPROV_IOC_WRITE, &write_arg);
}

static const char *begin_accepted(const struct bench_row *row)
{
	return begin_device(row, NULL);
}

static const char *begin_level(const struct bench_row *row)
{
	return begin_device(row, higher_level);
}

static const char *begin_keyword(const struct bench_row *row)
{
	return begin_device(row, other_keyword);
}

static const char *begin_both(const struct bench_row *row)
{
	return begin_for(row, one_of_each);
}

static const char *begin_library(const struct bench_row *row)
{
	return begin_for(row, higher_level);
}

static const char *end_device(const struct bench_row *row, uint64_t done)
{
	(void)row;
	close(device);
	return bench_sessions_stop(done);
}

static const char *end_refused(const struct bench_row *row, uint64_t done)
{
	(void)done;
	return end_device(row, 0);
}

/* Ids other than the event's */
static const char *begin_ids(const struct bench_row *row, unsigned int count)
{
	static struct {
		__u8 in, reserved;
		__u16 count, id[EVNTRACE_MAX_FILTER_IDS];
	} ids = { .in = 1 };
	struct evntrace_filter filter = {
		(uintptr_t)&ids, sizeof(ids), EVNTRACE_FILTER_EVENT_ID
	};
	const struct bench_wish ext_item = { .filter = &filter };

	for (ids.count = 0; ids.count < count; ids.count++)
		ids.id[ids.count] = 2 + 3 * ids.count;
	return begin_device(row, &ext_item);
}

static const char *begin_8_ids(const struct bench_row *row)
{
	return begin_ids(row, 8);
}

static const char *begin_64_ids(const struct bench_row *row)
{
	return begin_ids(row, 64);
}

/* Conditions on numbers in the event's data, which fail */
static const char *begin_predicates(const struct bench_row *row,
				    unsigned int count)
{
	struct {
		struct evntrace_program p;
		struct evntrace_instruction i[11];
	} program = {
		{ sizeof(program), EVNTRACE_PROGRAM_VERSION, 11 }, { }
	};
	struct evntrace_filter filter = {
		(uintptr_t)&program, sizeof(program), EVNTRACE_FILTER_PAYLOAD
	};
	const struct bench_wish ext_item = { .filter = &filter };
	unsigned int i;

	program.i[0] = (struct evntrace_instruction) {
		.op = EVNTRACE_OP_EVENT, .jump = 9,
		.arg = event.Id | event.Version << 16,
	};
	for (i = 1; i <= count; i++)
		program.i[i] = (struct evntrace_instruction) {
			.op = EVNTRACE_OP_COMPARE, .jump = 9 - i, .arg = 4 * i,
			.how = EVNTRACE_NUMBER_4 | EVNTRACE_CMP_LT |
			       EVNTRACE_CMP_EQ | EVNTRACE_CMP_GT,
		};
	program.i[10].arg = 1;
	return begin_device(row, &ext_item);
}

static const char *begin_1_predicate(const struct bench_row *row)
{
	return begin_predicates(row, 1);
}

static const char *begin_8_predicates(const struct bench_row *row)
{
	return begin_predicates(row, 8);
}

/*
 * Writes to a private session with room for all events of a row, so that its
 * thread does not run during a batch.
 */
static struct {
	EVENT_TRACE_PROPERTIES p;
	char name[16];
	char log[32];
} own;
static TRACEHANDLE own_session;

static const char *begin_private(const struct bench_row *row)
{
	memset(&own, 0, sizeof(own));
	own.p.Wnode.BufferSize = sizeof(own);
	own.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	own.p.BufferSize = 8192;
	own.p.MaximumBuffers = 4;
	own.p.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE |
			    EVENT_TRACE_PRIVATE_IN_PROC;
	own.p.LoggerNameOffset = offsetof(__typeof__(own), name);
	own.p.LogFileNameOffset = offsetof(__typeof__(own), log);
	strcpy(own.log, "/dev/shm/bench-private.etl");
	divide(row);
	if (EventRegister(&provider_id, NULL, NULL, &provider) ||
	    StartTraceA(&own_session, "bench", &own.p))
		return "a private session does not start";
	unlink(own.log);
	return EnableTraceEx2(own_session, &provider_id,
			      EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0, 0, 0, 0,
			      NULL) ? "the provider cannot be enabled" : NULL;
}

static const char *end_private(const struct bench_row *row, uint64_t done)
{
	(void)row;
	(void)done;
	EventUnregister(provider);
	if (StopTraceA(own_session, NULL, &own.p))
		return "a private session does not stop";
	return own.p.EventsLost ? "events were lost" : NULL;
}

static const struct bench_case private_case = {
	.name = "eventwrite-private", .what = "EventWrite, private session",
	.begin = begin_private, .run = run_write, .end = end_private,
};

static void run_register(unsigned int n)
{
	REGHANDLE brief;

	while (n--) {
		EventRegister(&provider_id, NULL, NULL, &brief);
		EventUnregister(brief);
	}
}

static const char *begin_register(const struct bench_row *row)
{
	(void)row;
	/* The library keeps the device open that is opened for the third time */
	run_register(3);
	return NULL;
}

static const char *end_register(const struct bench_row *row, uint64_t done)
{
	(void)row;
	(void)done;
	return NULL;
}

static const struct bench_case register_case = {
	.name = "register", .what = "EventRegister, EventUnregister",
	.begin = begin_register, .run = run_register, .end = end_register,
};

static const struct bench_case register_private_case = {
	.name = "register-private", .what = "the same, private session",
	.begin = begin_private, .run = run_register,
	.end = end_private,
};

static const struct bench_case dev_case = {
	.name = "write-ioctl", .what = "the module's ioctl, no library",
	.begin = begin_accepted, .run = run_device, .end = end_device,
};

static const struct bench_case unwanted_case = {
	.name = "unwanted", .what = "the module's ioctl, provider not enabled",
	.begin = begin_accepted, .run = run_device, .end = end_refused,
};

static const struct bench_case level_case = {
	.name = "refused-level", .what = "refused by level, in the kernel",
	.begin = begin_level, .run = run_device, .end = end_refused,
};

static const struct bench_case keyword_case = {
	.name = "refused-keyword", .what = "refused by keyword, in the kernel",
	.begin = begin_keyword, .run = run_device, .end = end_refused,
};

static const struct bench_case both_case = {
	.name = "refused-both", .what = "EventWrite, refused by both sessions",
	.begin = begin_both, .run = run_write, .end = end_without,
};

static const struct bench_case library_case = {
	.name = "refused-library", .what = "EventWrite, refused by the library",
	.begin = begin_library, .run = run_write, .end = end_without,
};

static const struct bench_case ids_8_case = {
	.name = "refused-8-ids", .what = "refused by 8 event ids",
	.begin = begin_8_ids, .run = run_device, .end = end_refused,
};

static const struct bench_case ids_64_case = {
	.name = "refused-64-ids", .what = "refused by 64 event ids",
	.begin = begin_64_ids, .run = run_device, .end = end_refused,
};

static const struct bench_case predicate_case = {
	.name = "refused-payload", .what = "refused by its data, 1 condition",
	.begin = begin_1_predicate, .run = run_device, .end = end_refused,
};

static const struct bench_case predicates_case = {
	.name = "refused-payload-8", .what = "refused by its data, 8 conditions",
	.begin = begin_8_predicates, .run = run_device, .end = end_refused,
};

const struct bench_row bench_events[] = {
	{ &write_case, 64, 1, 1 },
	{ &write_case, 0, 0, 1 },
	{ &write_case, 16, 1, 1 },
	{ &write_case, 256, 1, 1 },
	{ &write_case, 1024, 1, 1 },
	{ &write_case, 4096, 1, 1 },
	{ &write_case, 16384, 1, 1 },
	{ &write_case, 64, 1, 2 },
	{ &write_case, 64, 1, 4 },
	{ &write_case, 64, 1, 8 },
	{ &write_case, 64, 2, 1 },
	{ &write_case, 64, 4, 1 },
	{ &write_case, 64, 8, 1 },
	{ &write_case, 64, 16, 1 },
	{ &write_case, 64, 32, 1 },
	{ &write_case, 64, 64, 1 },
	{ &write_case, 1024, 2, 1 },
	{ &write_case, 1024, 4, 1 },
	{ &write_case, 1024, 8, 1 },
	{ &write_case, 1024, 16, 1 },
	{ &write_case, 1024, 32, 1 },
	{ &write_case, 1024, 64, 1 },
	{ &write_case, 1024, 128, 1 },
	{ &independent_case, 64, 1, 1 },
	{ &independent_case, 64, 1, 2 },
	{ &independent_case, 64, 1, 8 },
	{ &ring_case, 64, 1, 1 },
	{ &ring_case, 16, 1, 1 },
	{ &ring_case, 1024, 1, 1 },
	{ &ring_case, 64, 4, 1 },
	{ &ring_case, 64, 1, 2 },
	{ &ring_case, 64, 1, 8 },
	{ &ring_tsc_case, 64, 1, 1 },
	{ &ring_tsc_case, 16, 1, 1 },
	{ &ring_tsc_case, 1024, 1, 1 },
	{ &ring_tsc_case, 64, 1, 8 },
	{ &write_ex_case, 16, 1, 1 },
	{ &write_ex_case, 64, 1, 1 },
	{ &write_ex_case, 1024, 1, 1 },
	{ &tl_case, 16, 3, 1 },
	{ &tl_case, 64, 3, 1 },
	{ &tl_case, 1024, 3, 1 },
	{ &tl_ring_case, 64, 3, 1 },
	{ &tl_ring_tsc_case, 64, 3, 1 },
	{ &threads_case, 64, 1, 1 },
	{ &private_case, 64, 1, 1 },
	{ &register_case, 0, 0, 0 },
	{ &register_private_case, 0, 0, 1 },
	{ &dev_case, 64, 1, 1 },
	{ &unwanted_case, 64, 1, 0 },
	{ &level_case, 64, 1, 1 },
	{ &keyword_case, 64, 1, 1 },
	{ &both_case, 64, 1, 2 },
	{ &library_case, 64, 1, 1 },
	{ &ids_8_case, 64, 1, 1 },
	{ &ids_64_case, 64, 1, 1 },
	{ &predicate_case, 64, 1, 1 },
	{ &predicates_case, 64, 1, 1 },
	{ &disabled_case, 64, 1, 0 },
	{ &enabled_case, 64, 1, 0 },
	{ }
};
