// SPDX-License-Identifier: MIT
/*
 * The fast way of writing to a private session: which events it takes, what it
 * writes, and its count of events among writers of all kinds.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "lib/private/private_plain.h"
#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/tap.h"

#define THREADS		4
#define EVENTS		3000
/* Blocks of all smaller lengths have room in a buffer */
#define MAX_LEN		280
#define SIGNALS		20

static const EVENT_DESCRIPTOR descriptor = {
	.Id = 7, .Level = 4, .Keyword = 0x10,
};
static const GUID activity = { 1, 2, 3, { 4 } };
static REGHANDLE registration;

static bool write_fast(const void *bytes, ULONG len)
{
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, bytes, len);
	return evnt_private_write_plain(&evnt_thread, registration, &descriptor,
					&activity, &data);
}

/* Have all sessions get a buffer for this processor, which only the slow way does */
static void write_slowly(void)
{
	private_write(registration, 1);
}

static u64 events(void)
{
	return evnt_buffers_events(&evnt_privates[0]->buffers);
}

/* Write an event with @len bytes, at the end of their memory, that differ by @len */
static bool write_len(ULONG len)
{
	BYTE *bytes = malloc(len ?: 1);
	bool done;
	ULONG i;

	for (i = 0; i < len; i++)
		bytes[i] = i * 7 + len;
	done = write_fast(bytes, len);
	free(bytes);
	return done;
}

static unsigned int right;

static VOID WINAPI on_len(PEVENT_RECORD r)
{
	const BYTE *bytes = r->UserData;
	const USHORT len = r->UserDataLength;
	USHORT i;

	if (private_is_header(r) || len != right)
		return;
	for (i = 0; i < len; i++) {
		if (bytes[i] != (BYTE)(i * 7 + len))
			return;
	}
	right += !memcmp(&r->EventHeader.EventDescriptor, &descriptor,
			 sizeof(descriptor)) &&
		 !memcmp(&r->EventHeader.ProviderId, &provider,
			 sizeof(provider)) &&
		 !memcmp(&r->EventHeader.ActivityId, &activity,
			 sizeof(activity)) &&
		 r->EventHeader.ThreadId == (ULONG)syscall(SYS_gettid) &&
		 r->EventHeader.ProcessId == (ULONG)getpid();
}

static void test_records(void)
{
	struct private_properties p;
	unsigned int len, written = 0;
	TRACEHANDLE h;
	u64 before;

	private_start(&p, "records", &h);
	private_enable(h, 0, NULL, 0);
	write_slowly();
	before = events();
	evnt_thread.thread_id = 0;
	CHECK(!write_fast("", 1), "a thread whose ID is not known is refused");
	evnt_private_tid();
	for (len = 0; len < MAX_LEN; len++)
		written += write_len(len);
	CHECK(written == MAX_LEN && events() == before + MAX_LEN,
	      "blocks of any length are written and counted");
	CHECK(!write_fast(&p, 65536 - 80) && !write_fast(&p, 65536 - 160) &&
	      !write_fast(&p, ~0u) && events() == before + MAX_LEN,
	      "a block larger than a record, or than the buffer, is refused");
	EnableTraceEx2(h, &provider, 1, 3, 0, 0, 0, NULL);
	CHECK(write_fast("", 1), "an event of another level needs no more");
	EnableTraceEx2(h, &provider, 1, 4, 0x20, 0, 0, NULL);
	CHECK(write_fast("", 1) && events() == before + MAX_LEN,
	      "an event of another keyword needs no more");
	CHECK(!private_stop(&p, h) && !p.p.EventsLost, "nothing is lost");
	private_read(private_path("records"), on_len, NULL, NULL);
	CHECK(right == MAX_LEN, "each record has all that it must have");
	CHECK(!write_fast("", 1), "without a session, an event is refused");
}

static bool is_plain(void)
{
	const bool is_known = evnt_enabled_by(registration) & EVNT_AREA_PLAIN;

	return write_fast("", 1) && is_known;
}

static void test_sets(void)
{
	struct private_properties p, q;
	TRACEHANDLE h, other;

	private_start(&p, "one", &h);
	private_enable(h, EVENT_ENABLE_PROPERTY_SID, NULL, 0);
	write_slowly();
	CHECK(!is_plain(), "an event with an extended item is refused");
	private_enable(h, 0, NULL, 0);
	CHECK(is_plain(), "an event of one block is written");
	private_start(&q, "two", &other);
	private_enable(other, 0, NULL, 0);
	CHECK(!is_plain(), "an event for two sessions is refused");
	private_stop(&q, other);
	CHECK(is_plain(), "it is written again for one session");
	private_stop(&p, h);
	private_init(&p, IN_PROC, "one");
	p.p.Wnode.ClientContext = 2;
	StartTraceA(&h, "one", &p.p);
	private_enable(h, 0, NULL, 0);
	write_slowly();
	CHECK(!is_plain(), "an event with the system time is refused");
	private_stop(&p, h);
}

/* Have readers that are no thread on all processors, or let them leave */
static void occupy(bool leave)
{
	unsigned int i;

	for (i = 0; i < EVNT_READER_LINES; i++)
		__atomic_store_n(evnt_reader_word(i), leave ? 0 :
				 (uintptr_t)&right & EVNT_READER_THREAD,
				 __ATOMIC_SEQ_CST);
}

static void test_other_readers(void)
{
	struct private_properties p;
	bool fast, slow;
	TRACEHANDLE h;
	u64 before;

	private_start(&p, "readers", &h);
	private_enable(h, 0, NULL, 0);
	write_slowly();
	before = events();
	occupy(false);
	fast = write_fast("", 1);
	slow = !private_write(registration, 1);
	occupy(true);
	CHECK(!fast && slow && write_fast("", 1) && events() == before + 2,
	      "a processor with a reader is left to the slow way");
	private_stop(&p, h);
	CHECK(PRIVATE_HAS(private_path("readers"), NULL, 1, 1, 7),
	      "the log has the events of both ways");
}

static unsigned int handled, written;

static void on_signal(int signal)
{
	(void)signal;
	__atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&written, !private_write(registration, 2),
			   __ATOMIC_RELAXED);
}

static void *write_events(void *arg)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < EVENTS; i++)
		__atomic_fetch_add(&written, !private_write(registration, 1),
				   __ATOMIC_RELAXED);
	return NULL;
}

/* Threads write to the same buffers, and signal handlers interrupt them */
static void test_counts(void)
{
	const struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = {};
	const struct sigaction handler = {
		.sa_handler = on_signal, .sa_flags = SA_RESTART,
	};
	struct private_properties p;
	pthread_t thread[THREADS];
	unsigned int i;
	TRACEHANDLE h;
	u64 before;

	private_init(&p, IN_PROC, "counts");
	p.p.MaximumBuffers = 200;
	StartTraceA(&h, "counts", &p.p);
	private_enable(h, 0, NULL, 0);
	before = events();
	sigaction(SIGALRM, &handler, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, write_events, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	while (__atomic_load_n(&handled, __ATOMIC_RELAXED) < SIGNALS)
		write_events(NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	CHECK(events() - before == written, "each event is counted once");
	private_stop(&p, h);
	CHECK(private_count(private_path("counts")) ==
	      written + private_losses.reports,
	      "the log has each event that was written");
}

static unsigned int own;

static VOID WINAPI on_own(PEVENT_RECORD r)
{
	own += r->EventHeader.ThreadId == (ULONG)syscall(SYS_gettid) &&
	       r->EventHeader.ProcessId == (ULONG)getpid() &&
	       !private_is_header(r);
}

static int write_in_child(void)
{
	struct private_properties p;
	TRACEHANDLE h;

	if (private_start(&p, "child", &h) || private_enable(h, 0, NULL, 0) ||
	    private_write(registration, 1) || private_write(registration, 2) ||
	    private_stop(&p, h) ||
	    private_read(private_path("child"), on_own, NULL, NULL))
		return 1;
	return own == 2 ? 0 : 2;
}

static void stay_on(unsigned int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void test_processors(const cpu_set_t *all)
{
	unsigned int cpu, wrong = 0;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, all))
			continue;
		stay_on(cpu);
		wrong += evnt_current_cpu() != cpu;
	}
	CHECK(!wrong, "each processor has its number");
}

int main(void)
{
	cpu_set_t all;

	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	EventRegister(&provider, NULL, NULL, &registration);
	sched_getaffinity(0, sizeof(all), &all);
	test_processors(&all);
	test_records();
	test_sets();
	test_other_readers();
	sched_setaffinity(0, sizeof(all), &all);
	CHECK(!private_in_child(write_in_child),
	      "records of a child have the child's IDs");
	test_counts();
	EventUnregister(registration);
	private_clean();
	return tap_end();
}
