// SPDX-License-Identifier: MIT
/*
 * Writes to private sessions that are wrong, or race with a change: types of
 * blocks, sessions that fail one by one, stale handles, traits set late, no
 * free buffer; and errno, which no write changes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <linux/evntprov.h>

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/tap.h"

#define STRANGE_ERRNO	4095

static const GUID other = { .Data1 = 0x55667788 };

/* Counts of events and of their traits, and the id of the last event */
static struct {
	unsigned int events;
	unsigned int with_traits;
	USHORT id;
	USHORT data_len;
} seen;

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	USHORT i;

	if (private_is_header(r))
		return;
	seen.events++;
	seen.id = r->EventHeader.EventDescriptor.Id;
	seen.data_len = r->UserDataLength;
	for (i = 0; i < r->ExtendedDataCount; i++)
		seen.with_traits += r->ExtendedData[i].ExtType ==
				    EVENT_HEADER_EXT_TYPE_PROV_TRAITS;
}

static ULONG read_log(const char *name)
{
	memset(&seen, 0, sizeof(seen));
	return private_read(private_path(name), on_event, NULL, NULL);
}

static ULONG use_types(REGHANDLE r)
{
	BYTE yes = TRUE;

	return EventSetInformation(r, EventProviderUseDescriptorType, &yes, 1);
}

static ULONG write_typed(REGHANDLE r, USHORT id, UCHAR type)
{
	static BYTE block[8];
	EVENT_DESCRIPTOR d = { .Id = id };
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, block, sizeof(block));
	data.Type = type;
	return EventWrite(r, &d, 1, &data);
}

static void test_types(void)
{
	struct private_properties p;
	unsigned int type, refused = 0;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "types", &h);
	private_enable(h, 0, NULL, 0);
	CHECK(!write_typed(r, 1, 3) && !write_typed(r, 2, 255),
	      "types of blocks do not matter before they are used");
	use_types(r);
	CHECK(write_typed(r, 3, EVENT_DATA_DESCRIPTOR_TYPE_TIMESTAMP_OVERRIDE) ==
	      ERROR_NOT_SUPPORTED, "NOT_SUPPORTED: a block with a time stamp");
	for (type = 4; type < 256; type++)
		refused += write_typed(r, 4, type) == ERROR_INVALID_PARAMETER;
	CHECK(refused == 252, "INVALID_PARAMETER: each type that is not known");
	CHECK(!write_typed(r, 5, EVENT_DATA_DESCRIPTOR_TYPE_NONE) &&
	      !private_stop(&p, h) && !p.p.EventsLost &&
	      PRIVATE_HAS(private_path("types"), NULL, 1, 2, 5),
	      "a refused event is neither written nor counted");
	EventUnregister(r);
}

/* Write an event with @len bytes of data */
static ULONG write_long(REGHANDLE r, USHORT id, ULONG len)
{
	static BYTE block[70000];
	EVENT_DESCRIPTOR d = { .Id = id };
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, block, len);
	return EventWrite(r, &d, 1, &data);
}

static void start_of(struct private_properties *p, const char *name, ULONG kb,
		     TRACEHANDLE *h)
{
	private_init(p, IN_PROC, name);
	p->p.BufferSize = kb;
	StartTraceA(h, name, &p->p);
	private_enable(*h, 0, NULL, 0);
}

/* The event is too long for the buffers of one of two sessions, either one */
static void test_one_of_two_fails(void)
{
	struct private_properties small, large;
	TRACEHANDLE h[2];
	REGHANDLE r;
	bool first;

	EventRegister(&provider, NULL, NULL, &r);
	for (first = true;; first = false) {
		if (first)
			start_of(&small, "small", 4, &h[0]);
		start_of(&large, "large", 64, &h[1]);
		if (!first)
			start_of(&small, "small", 4, &h[0]);
		CHECK(write_long(r, 1, 5000) == ERROR_MORE_DATA,
		      "MORE_DATA: the %s session's buffers are too small",
		      first ? "first" : "second");
		CHECK(!write_long(r, 2, 50), "a short event reaches both");
		CHECK(!private_stop(&small, h[0]) && small.p.EventsLost == 1 &&
		      PRIVATE_HAS(private_path("small"), NULL, 2),
		      "the session with small buffers counts the loss");
		CHECK(!private_stop(&large, h[1]) && !large.p.EventsLost &&
		      PRIVATE_HAS(private_path("large"), NULL, 1, 2),
		      "the other one has both events");
		if (!first)
			break;
	}
	EventUnregister(r);
}

/* A handle whose slot has been taken by another registration */
static void test_stale_handle(void)
{
	struct private_properties p;
	REGHANDLE r, next;
	TRACEHANDLE h;

	private_start(&p, "stale", &h);
	private_enable(h, 0, NULL, 0);
	EnableTraceEx2(h, &other, EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0, 0, 0,
		       0, NULL);
	EventRegister(&provider, NULL, NULL, &r);
	EventUnregister(r);
	EventRegister(&other, NULL, NULL, &next);
	CHECK(r != next && !((r ^ next) & EVNTPROV_HANDLE_SLOT_MASK),
	      "a registration takes the place of one that has ended");
	private_write(r, 1);
	private_write(next, 2);
	CHECK(!private_stop(&p, h) &&
	      PRIVATE_HAS(private_path("stale"), NULL, 2),
	      "an event by the old handle is not written");
	EventUnregister(next);
}

static void test_late_traits(void)
{
	static const BYTE traits[] = { 7, 0, 'N', 'a', 'm', 'e', 0 };
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	use_types(r);
	private_start(&p, "traits", &h);
	private_enable(h, 0, NULL, 0);
	private_write(r, 1);
	CHECK(!EventSetInformation(r, EventProviderSetTraits, (void *)traits,
				   sizeof(traits)) && !private_write(r, 2),
	      "traits are set while a session has enabled a provider");
	CHECK(!private_stop(&p, h) && !read_log("traits") &&
	      seen.events == 2 && seen.with_traits == 1 && seen.id == 2,
	      "events from then on have them");
	EventUnregister(r);
}

static void test_used_types_later(void)
{
	struct private_properties p;
	BYTE no = FALSE;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "use", &h);
	private_enable(h, 0, NULL, 0);
	use_types(r);
	write_typed(r, 1, EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA);
	CHECK(!private_flush(h) && !read_log("use") && seen.events == 1 &&
	      !seen.data_len, "types count as soon as they are used");
	EventSetInformation(r, EventProviderUseDescriptorType, &no, 1);
	write_typed(r, 2, EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA);
	CHECK(!private_stop(&p, h) && !read_log("use") && seen.events == 2 &&
	      seen.data_len == 8,
	      "types that are no longer used have no items");
	EventUnregister(r);
}

/*
 * An event whose data faults at first: the signal's handler runs inside the
 * write and blocks the session's thread, so that buffers run out.
 */
static struct {
	REGHANDLE r;
	TRACEHANDLE h;
	void *page;
	bool inside;
	unsigned int written;
	unsigned int failed;
	unsigned int other_code;
	bool errno_changed;
} crowd;

static void *flush_meanwhile(void *unused)
{
	while (!__atomic_load_n(&crowd.inside, __ATOMIC_ACQUIRE))
		sched_yield();
	private_flush(crowd.h);
	return unused;
}

static void on_fault(int signal)
{
	ULONG code;

	(void)signal;
	__atomic_store_n(&crowd.inside, true, __ATOMIC_RELEASE);
	while (crowd.failed < 100) {
		errno = STRANGE_ERRNO;
		code = private_write(crowd.r, 2);
		crowd.errno_changed |= errno != STRANGE_ERRNO;
		crowd.written += !code;
		crowd.failed += code == ERROR_NOT_ENOUGH_MEMORY;
		crowd.other_code += code && code != ERROR_NOT_ENOUGH_MEMORY;
	}
	mprotect(crowd.page, 4096, PROT_READ | PROT_WRITE);
}

static unsigned int count_ids(const char *name, USHORT id)
{
	static struct private_ids ids;
	unsigned int i, count = 0;

	ids.count = 0;
	if (private_read(private_path(name), private_take_id, &ids, NULL) ||
	    ids.count > PRIVATE_MAX_IDS)
		return -1;
	for (i = 0; i < ids.count; i++)
		count += ids.id[i] == id;
	return count;
}

static void test_no_free_buffer(void)
{
	const struct sigaction fault = { .sa_handler = on_fault };
	EVENT_DESCRIPTOR d = { .Id = 1 };
	struct private_properties p;
	EVENT_DATA_DESCRIPTOR data;
	struct sigaction before;
	pthread_t thread;

	crowd.page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	EventRegister(&provider, NULL, NULL, &crowd.r);
	private_init(&p, IN_PROC, "crowd");
	p.p.BufferSize = 4;
	p.p.MaximumBuffers = 4;
	StartTraceA(&crowd.h, "crowd", &p.p);
	private_enable(crowd.h, 0, NULL, 0);
	pthread_create(&thread, NULL, flush_meanwhile, NULL);
	EventDataDescCreate(&data, crowd.page, 8);
	sigaction(SIGSEGV, &fault, &before);
	CHECK(!EventWrite(crowd.r, &d, 1, &data),
	      "an event is interrupted, and written all the same");
	sigaction(SIGSEGV, &before, NULL);
	pthread_join(thread, NULL);
	CHECK(crowd.failed == 100 && !crowd.other_code,
	      "NOT_ENOUGH_MEMORY: all buffers wait to be written");
	CHECK(!crowd.errno_changed,
	      "a write without a free buffer does not change errno");
	CHECK(!private_stop(&p, crowd.h) && p.p.EventsLost == 100 &&
	      count_ids("crowd", 1) == 1 &&
	      count_ids("crowd", 2) == crowd.written,
	      "refused events are counted, all others are in the log");
	EventUnregister(crowd.r);
	munmap(crowd.page, 4096);
}

#define KEEPS_ERRNO(code, call)						\
	(errno = STRANGE_ERRNO, (call) == (code) && errno == STRANGE_ERRNO)

static ULONG WINAPI on_request(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	return ERROR_SUCCESS;
}

/* Many events, so that the thread is woken and the CPU time is read */
static bool many_keep_errno(REGHANDLE r)
{
	unsigned int i;
	bool kept = true;
	ULONG code;

	for (i = 0; i < 2000; i++) {
		errno = STRANGE_ERRNO;
		code = write_long(r, 1, 1000);
		kept &= (!code || code == ERROR_NOT_ENOUGH_MEMORY) &&
			errno == STRANGE_ERRNO;
	}
	return kept;
}

static void test_errno(void)
{
	const GUID class = { .Data1 = 77 };
	TRACE_GUID_REGISTRATION reg = { .Guid = &class };
	EVENT_TRACE_HEADER event = { .Size = sizeof(event), .Guid = class,
				     .Flags = WNODE_FLAG_TRACED_GUID };
	EVENT_DESCRIPTOR d = { .Id = 1 };
	struct private_properties p;
	TRACEHANDLE h, classic;
	REGHANDLE r;
	GUID id;

	EventRegister(&provider, NULL, NULL, &r);
	RegisterTraceGuids(on_request, NULL, &other, 1, &reg, NULL, NULL,
			   &classic);
	start_of(&p, "errno", 4, &h);
	EnableTraceEx2(h, &other, EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0, 0, 0,
		       0, NULL);
	CHECK(many_keep_errno(r), "errno is as before after many events");
	CHECK(KEEPS_ERRNO(ERROR_MORE_DATA, write_long(r, 1, 5000)) &&
	      KEEPS_ERRNO(ERROR_ARITHMETIC_OVERFLOW, write_long(r, 1, 70000)) &&
	      KEEPS_ERRNO(ERROR_INVALID_PARAMETER,
			  EventWrite(r, &d, 1, NULL)),
	      "a refused event does not change errno");
	private_flush(h);
	CHECK(KEEPS_ERRNO(ERROR_SUCCESS,
			  TraceMessage(h, 0, NULL, 7, &id, sizeof(id),
				       NULL)) &&
	      KEEPS_ERRNO(ERROR_SUCCESS, TraceEvent(h, &event)),
	      "a message and an event of a class do not change errno");
	private_stop(&p, h);
	/* The first stack makes the library read files of the program */
	start_of(&p, "stack", 64, &h);
	private_enable(h, EVENT_ENABLE_PROPERTY_STACK_TRACE, NULL, 0);
	CHECK(KEEPS_ERRNO(ERROR_SUCCESS, EventWrite(r, &d, 0, NULL)),
	      "the first event with a call stack does not change errno");
	CHECK(KEEPS_ERRNO(ERROR_SUCCESS,
			  EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID,
						 &id)),
	      "a new activity does not change errno");
	private_stop(&p, h);
	UnregisterTraceGuids(classic);
	CHECK(KEEPS_ERRNO(ERROR_SUCCESS, EventUnregister(r)),
	      "the end of a registration does not change errno");
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_types();
	test_one_of_two_fails();
	test_stale_handle();
	test_late_traits();
	test_used_types_later();
	test_no_free_buffer();
	test_errno();
	private_clean();
	return tap_end();
}
