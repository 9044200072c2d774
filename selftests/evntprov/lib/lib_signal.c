// SPDX-License-Identifier: GPL-2.0
/*
 * Events written in a signal handler after the program has closed the library's
 * descriptors, as by closefrom(): the handler does not hang and allocates
 * nothing, and each event is recorded, counted as lost, or refused by its code.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define LOG		"/tmp/signal.etl"
#define FIRST_FD	60	/* the harness has those below */
#define STORM		600u	/* events */
#define PERIOD_NS	200000

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

static __thread volatile bool in_handler;
static volatile unsigned int allocations;

/* Replace the C library's allocator, also for the library */
void *malloc(size_t size)
{
	allocations += in_handler;
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	allocations += in_handler;
	return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	allocations += in_handler;
	return __libc_realloc(old, size);
}

void free(void *old)
{
	allocations += in_handler;
	__libc_free(old);
}

static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };
static REGHANDLE handle;
static volatile ULONG code;
static atomic_uint calls, last_control;

static void callback(LPCGUID source, ULONG control, UCHAR level, ULONGLONG any,
		     ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter,
		     PVOID context)
{
	atomic_store(&last_control, control);
	atomic_fetch_add(&calls, 1);
}

static ULONG write_plain(void)
{
	return EventWrite(handle, &descriptor, 0, NULL);
}

static ULONG write_ex(void)
{
	return EventWriteEx(handle, &descriptor, 0, 0, NULL, NULL, 0, NULL);
}

static ULONG write_transfer(void)
{
	return EventWriteTransfer(handle, &descriptor, NULL, NULL, 0, NULL);
}

static ULONG write_string(void)
{
	return EventWriteString(handle, 4, 0, u"x");
}

static ULONG (*const variants[])(void) = {
	write_plain, write_ex, write_transfer, write_string,
};

#define VARIANTS (sizeof(variants) / sizeof(*variants))

static ULONG (*write_variant)(void);

static void write_in_handler(int signal)
{
	int saved = errno;

	in_handler = true;
	code = write_variant();
	in_handler = false;
	errno = saved;
}

static volatile unsigned int written, lost, refused;

/* Count the events by their result */
static void write_in_storm(int signal)
{
	if (written + lost + refused == STORM)
		return;
	write_in_handler(signal);
	if (code == ERROR_SUCCESS)
		written++;
	else if (code == ERROR_NOT_ENOUGH_MEMORY)
		lost++;
	else if (code == ERROR_INVALID_HANDLE)
		refused++;
	else
		abort();
}

static void close_unknown(void)
{
	syscall(SYS_close_range, FIRST_FD, ~0u, 0);
}

FIXTURE(signal) {
	TRACEHANDLE session;
	GUID id;
};

FIXTURE_SETUP(signal)
{
	self->id = provider_id(1);
	self->session = session_start("signal");
	ASSERT_NE(0, self->session);
	ASSERT_EQ(0, session_enable(self->session, 1));
	allocations = 0;
	write_variant = write_plain;
	signal(SIGUSR1, write_in_handler);
	signal(SIGUSR2, write_in_storm);
}

FIXTURE_TEARDOWN(signal)
{
	EXPECT_EQ(0, EventUnregister(handle));
	unlink(LOG);
}

static void expect_events(struct __test_metadata *_metadata,
			  TRACEHANDLE session, unsigned int events)
{
	struct properties p;
	struct etl_scan scan;

	EXPECT_EQ(0, session_stop(session, &p));
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	EXPECT_EQ(events, scan.events + p.p.EventsLost);
	EXPECT_EQ(0, allocations);
}

TEST_F(signal, each_variant_writes_in_a_handler_after_closefrom)
{
	unsigned int i;

	ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &handle));
	for (i = 0; i < VARIANTS; i++) {
		write_variant = variants[i];
		close_unknown();
		raise(SIGUSR1);
		EXPECT_EQ(ERROR_SUCCESS, code);
	}
	expect_events(_metadata, self->session, VARIANTS);
}

/* The thread of the closed device starts the next one */
TEST_F(signal, callbacks_go_on_after_a_handler_has_opened_the_device)
{
	unsigned int i;

	ASSERT_EQ(0, EventRegister(&self->id, callback, NULL, &handle));
	for (i = 0; i < 20; i++) {
		close_unknown();
		raise(SIGUSR1);
		EXPECT_EQ(ERROR_SUCCESS, code);
		ASSERT_EQ(0, session_disable(self->session, 1));
		EXPECT_TRUE(EVENTUALLY(last_control ==
				       EVENT_CONTROL_CODE_DISABLE_PROVIDER));
		ASSERT_EQ(0, session_enable(self->session, 1));
		EXPECT_TRUE(EVENTUALLY(last_control ==
				       EVENT_CONTROL_CODE_ENABLE_PROVIDER));
	}
	expect_events(_metadata, self->session, 20);
}

/* Interrupt the allocator, writes, and the closing itself */
static void run_storm(struct __test_metadata *_metadata)
{
	const struct itimerspec period = { { 0, PERIOD_NS }, { 0, PERIOD_NS } };
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2,
	};
	void *volatile memory;
	timer_t timer;

	ASSERT_EQ(0, timer_create(CLOCK_MONOTONIC, &event, &timer));
	ASSERT_EQ(0, timer_settime(timer, 0, &period, NULL));
	while (written + lost + refused < STORM) {
		close_unknown();
		memory = malloc(1000);
		free(memory);
	}
	timer_delete(timer);
}

TEST_F_TIMEOUT(signal, each_event_of_handlers_is_recorded_or_counted, 300)
{
	ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &handle));
	run_storm(_metadata);
	EXPECT_EQ(0, refused);
	expect_events(_metadata, self->session, written + lost);
}

TEST_HARNESS_MAIN
