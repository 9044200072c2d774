// SPDX-License-Identifier: MIT
/*
 * Records of classic providers in private sessions, field by field: thread and
 * process, CPU time, the parent of an instance, and the options of messages.
 *
 * A second thread writes all records, so that its id differs from the
 * process's.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "core/etl.h"

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/tap.h"

#define MAX_RECORDS	8
#define MAX_FILE	(1 << 20)

static const GUID class_id = { .Data1 = 77, .Data2 = 1, .Data3 = 2 };
static const GUID parent_id = { .Data1 = 78, .Data2 = 3, .Data3 = 4 };
static const GUID component = { .Data1 = 0x12345678 };

static TRACE_GUID_REGISTRATION classes[] = {
	{ .Guid = &class_id }, { .Guid = &parent_id },
};

static TRACEHANDLE session;
static REGHANDLE plain;

static ULONG WINAPI on_request(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	return ERROR_SUCCESS;
}

/* Layout of EVENT_EXTENDED_ITEM_INSTANCE */
struct instance {
	ULONG id;
	ULONG parent;
	GUID parent_class;
};

static struct {
	unsigned int count;
	EVENT_HEADER of[MAX_RECORDS];
	struct instance instance;
} seen;

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = r->ExtendedData;

	if (private_is_header(r) || seen.count == MAX_RECORDS)
		return;
	if (r->ExtendedDataCount == 1 &&
	    item->ExtType == EVENT_HEADER_EXT_TYPE_INSTANCE_INFO &&
	    item->DataSize == sizeof(seen.instance))
		memcpy(&seen.instance, (const void *)(uintptr_t)item->DataPtr,
		       sizeof(seen.instance));
	seen.of[seen.count++] = r->EventHeader;
}

static bool read_log(const char *name)
{
	memset(&seen, 0, sizeof(seen));
	return !private_read(private_path(name), on_event, NULL, NULL);
}

/* Run in a new thread; returns that thread's id */
static ULONG in_thread(void *(*run)(void *))
{
	pthread_t thread;
	void *tid;

	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, &tid);
	return (uintptr_t)tid;
}

static void *this_thread(void)
{
	return (void *)(uintptr_t)syscall(SYS_gettid);
}

static TRACEHANDLE start(struct private_properties *p, ULONG mode,
			 const char *name)
{
	TRACEHANDLE h;

	private_init(p, IN_PROC | mode, name);
	if (StartTraceA(&h, name, &p->p) || private_enable(h, 0, NULL, 0))
		return 0;
	return h;
}

/* Use CPU time until the kernel has accounted for it */
static void use_processor(void)
{
	struct rusage usage;

	do
		getrusage(RUSAGE_THREAD, &usage);
	while (!usage.ru_utime.tv_sec && usage.ru_utime.tv_usec < 10000);
}

/* Write an EventWrite() event, one of a class, an instance, another event */
static void *write_classes(void *unused)
{
	EVENT_TRACE_HEADER e = { .Size = sizeof(e), .Guid = class_id,
				 .Flags = WNODE_FLAG_TRACED_GUID,
				 .Class = { .Type = 9, .Level = 3,
					    .Version = 0x1203 } };
	EVENT_INSTANCE_HEADER i = { .Size = sizeof(i),
				    .Flags = WNODE_FLAG_TRACED_GUID,
				    .Class = { .Type = 20 } };
	EVENT_INSTANCE_INFO instance = { classes[0].RegHandle, 1001 };
	EVENT_INSTANCE_INFO parent = { classes[1].RegHandle, 1002 };

	(void)unused;
	use_processor();
	private_write(plain, 1);
	TraceEvent(session, &e);
	TraceEventInstance(session, &i, &instance, &parent);
	private_write(plain, 2);
	return this_thread();
}

static void test_classes(void)
{
	struct private_properties p;
	const EVENT_HEADER *of = seen.of;
	unsigned int i, here = 0;
	ULONG tid;

	session = start(&p, 0, "classes");
	tid = in_thread(write_classes);
	CHECK(!private_stop(&p, session) && read_log("classes") &&
	      seen.count == 4 && tid != (ULONG)getpid(),
	      "a second thread writes two events, a class and an instance");
	for (i = 0; i < seen.count; i++)
		here += of[i].ThreadId == tid &&
			of[i].ProcessId == (ULONG)getpid();
	CHECK(here == 4, "each event has the thread and the process");
	CHECK(of[0].ProcessorTime &&
	      of[0].ProcessorTime <= of[1].ProcessorTime &&
	      of[1].ProcessorTime <= of[2].ProcessorTime &&
	      of[2].ProcessorTime <= of[3].ProcessorTime,
	      "processor time of the thread grows from each to the next");
	CHECK(of[1].EventDescriptor.Opcode == 9 &&
	      of[1].EventDescriptor.Level == 3 &&
	      of[1].ProviderId.Data1 == 77, "the class is the event's");
	CHECK(of[2].EventDescriptor.Opcode == 20 &&
	      of[2].ProviderId.Data1 == 77 && seen.instance.id == 1001 &&
	      seen.instance.parent == 1002 &&
	      !memcmp(&seen.instance.parent_class, &parent_id, sizeof(GUID)),
	      "an instance has its number, and its parent's class and number");
}

/* Write a message with each option alone, then with all compatible ones */
static void *write_messages(void *unused)
{
	const ULONG all = TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_TIMESTAMP |
			  TRACE_MESSAGE_SYSTEMINFO;
	ULONG data = 7;

	(void)unused;
	TraceMessage(session, TRACE_MESSAGE_SYSTEMINFO, NULL, 1, &data,
		     sizeof(data), NULL, (size_t)0);
	TraceMessage(session, all | TRACE_MESSAGE_GUID, &class_id, 2, &data,
		     sizeof(data), NULL, (size_t)0);
	TraceMessage(session, all | TRACE_MESSAGE_COMPONENTID, &component, 3,
		     &data, sizeof(data), NULL, (size_t)0);
	return this_thread();
}

static void test_messages(void)
{
	struct private_properties p;
	const EVENT_HEADER *of = seen.of;
	unsigned int i, here = 0;
	ULONG tid;

	session = start(&p, EVENT_TRACE_USE_LOCAL_SEQUENCE, "messages");
	tid = in_thread(write_messages);
	CHECK(!private_stop(&p, session) && read_log("messages") &&
	      seen.count == 3 && of[0].EventDescriptor.Id == 1 &&
	      of[1].EventDescriptor.Id == 2 && of[2].EventDescriptor.Id == 3,
	      "three messages of a second thread");
	for (i = 0; i < seen.count; i++)
		here += of[i].ThreadId == tid &&
			of[i].ProcessId == (ULONG)getpid();
	CHECK(here == 3, "SYSTEMINFO: each has the thread, and the process");
	CHECK(!memcmp(&of[1].ProviderId, &class_id, sizeof(GUID)) &&
	      memcmp(&of[2].ProviderId, &class_id, sizeof(GUID)) != 0,
	      "the class is that of the message which has one");
}

/*
 * Read the sequence numbers of messages in a file, 0 for messages without one;
 * returns the number of messages.
 */
static unsigned int read_numbers(const char *name, ULONG *numbers)
{
	static u8 file[MAX_FILE];
	int fd = open(private_path(name), O_RDONLY | O_CLOEXEC);
	ssize_t len = read(fd, file, sizeof(file)), buffer;
	const struct etl_buffer_header *b = (const void *)file;
	const struct etl_message_header *m;
	unsigned int count = 0;
	u32 at, size;

	close(fd);
	for (buffer = b->buffer_size; buffer < len; buffer += b->buffer_size) {
		b = (const void *)(file + buffer);
		for (at = sizeof(*b); at < b->saved_offset;
		     at += ALIGN(size, ETL_ALIGN)) {
			m = (const void *)(file + buffer + at);
			size = etl_record_size(m);
			if (m->kind != ETL_RECORD_MESSAGE ||
			    count == MAX_RECORDS)
				continue;
			numbers[count] = 0;
			if (m->flags & ETL_MESSAGE_SEQUENCE)
				memcpy(&numbers[count], m + 1, sizeof(u32));
			count++;
		}
	}
	return count;
}

static void write_numbered(TRACEHANDLE h)
{
	TraceMessage(h, TRACE_MESSAGE_SEQUENCE, NULL, 1, NULL, (size_t)0);
}

static bool has_numbers(const char *name, ULONG a, ULONG b, ULONG c)
{
	ULONG n[MAX_RECORDS];

	return read_numbers(name, n) == 3 && n[0] == a && n[1] == b &&
	       n[2] == c;
}

static void test_numbers(void)
{
	struct private_properties p, q;
	TRACEHANDLE h, second;
	ULONG n[MAX_RECORDS], m[MAX_RECORDS];
	unsigned int i;

	h = start(&p, EVENT_TRACE_USE_LOCAL_SEQUENCE, "local");
	second = start(&q, 0, "none");
	for (i = 0; i < 3; i++) {
		write_numbered(h);
		write_numbered(second);
	}
	private_stop(&p, h);
	private_stop(&q, second);
	CHECK(has_numbers("local", 1, 2, 3),
	      "SEQUENCE: a session that numbers messages does so from 1");
	CHECK(has_numbers("none", 0, 0, 0),
	      "SEQUENCE: in one that does not, messages have no number");

	h = start(&p, EVENT_TRACE_USE_GLOBAL_SEQUENCE, "global");
	second = start(&q, EVENT_TRACE_USE_GLOBAL_SEQUENCE, "global2");
	for (i = 0; i < 3; i++) {
		write_numbered(h);
		write_numbered(second);
	}
	private_stop(&p, h);
	private_stop(&q, second);
	CHECK(read_numbers("global", n) == 3 &&
	      read_numbers("global2", m) == 3 && n[0] && m[0] == n[0] + 1 &&
	      n[1] == m[0] + 1 && m[1] == n[1] + 1 && n[2] == m[1] + 1 &&
	      m[2] == n[2] + 1, "two sessions may share one sequence");
}

/* A record that does not fit is not written, and uses no sequence number */
static void test_too_large(void)
{
	static BYTE block[5000];
	struct private_properties p;
	TRACEHANDLE h;

	private_init(&p, IN_PROC | EVENT_TRACE_USE_LOCAL_SEQUENCE, "large");
	p.p.BufferSize = 4;
	StartTraceA(&h, "large", &p.p);
	private_enable(h, 0, NULL, 0);
	write_numbered(h);
	CHECK(TraceMessage(h, TRACE_MESSAGE_SEQUENCE, NULL, 1, block,
			   sizeof(block), NULL, (size_t)0) == ERROR_MORE_DATA,
	      "MORE_DATA: a message that is longer than a buffer");
	write_numbered(h);
	write_numbered(h);
	CHECK(!private_stop(&p, h) && p.p.EventsLost == 1 &&
	      has_numbers("large", 1, 2, 3),
	      "an event that is too large is lost and has no number");
}

int main(void)
{
	TRACEHANDLE r;

	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	RegisterTraceGuids(on_request, NULL, &provider, 2, classes, NULL, NULL,
			   &r);
	EventRegister(&provider, NULL, NULL, &plain);
	test_classes();
	test_messages();
	test_numbers();
	test_too_large();
	EventUnregister(plain);
	UnregisterTraceGuids(r);
	private_clean();
	return tap_end();
}
