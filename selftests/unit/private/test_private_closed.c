// SPDX-License-Identifier: MIT
/*
 * Events written in a signal handler after the program has closed all
 * descriptors that it does not know, as by closefrom(): the writer neither
 * waits nor allocates, and each event is in the log or counted as lost.
 *
 * An alarm kills a program that hangs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

#include "selftests/unit/common/in_handler.h"
#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/tap.h"

#define STORM		2000u	/* events */
#define PERIOD_NS	100000
#define KEPT_ERRNO	12345

static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };
static REGHANDLE registration;
static ULONG code;

static void write_plain(void)
{
	code = EventWrite(registration, &descriptor, 0, NULL);
}

static void write_ex(void)
{
	code = EventWriteEx(registration, &descriptor, 0, 0, NULL, NULL, 0,
			    NULL);
}

static void write_transfer(void)
{
	code = EventWriteTransfer(registration, &descriptor, NULL, NULL, 0,
				  NULL);
}

static void write_string(void)
{
	static const WCHAR text[] = { 'x', 0 };

	code = EventWriteString(registration, 4, 0, text);
}

static const struct {
	const char *name;
	void (*call)(void);
} variants[] = {
	{ "EventWrite", write_plain },
	{ "EventWriteEx", write_ex },
	{ "EventWriteTransfer", write_transfer },
	{ "EventWriteString", write_string },
};

static void close_unknown(void)
{
	syscall(SYS_close_range, 3, ~0u, 0);
}

static TRACEHANDLE start(struct private_properties *p)
{
	TRACEHANDLE h;

	if (private_start(p, "closed", &h) || private_enable(h, 0, NULL, 0))
		abort();
	return h;
}

static void test_variants(void)
{
	struct private_properties p;
	TRACEHANDLE h = start(&p);
	unsigned int i, used;
	bool kept;

	for (i = 0; i < EVNT_ARRAY_SIZE(variants); i++) {
		close_unknown();
		errno = KEPT_ERRNO;
		used = handler_run(variants[i].call);
		kept = errno == KEPT_ERRNO;
		CHECK(!code && !used && kept,
		      "%s() in a handler with a closed log: %u, %u allocations",
		      variants[i].name, code, used);
	}
	CHECK(!private_stop(&p, h) && !p.p.EventsLost &&
	      private_count(private_path("closed")) ==
	      EVNT_ARRAY_SIZE(variants), "the log has these events");
}

static volatile unsigned int written, refused;

static void write_one(void)
{
	int saved = errno;

	if (written + refused < STORM) {
		write_plain();
		if (code)
			refused++;
		else
			written++;
	}
	errno = saved;
}

/* Send SIGUSR2 periodically; SIGALRM is for programs that hang */
static timer_t start_timer(void)
{
	const struct itimerspec period = { { 0, PERIOD_NS }, { 0, PERIOD_NS } };
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2,
	};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &period, NULL))
		abort();
	return timer;
}

/* Interrupt the allocator, writes, and the closing itself; return lost events */
static ULONG run_storm(bool removed)
{
	struct private_properties p;
	TRACEHANDLE h = start(&p);
	timer_t timer;
	void *volatile memory;

	if (removed)
		unlink(private_path("closed"));
	written = 0;
	refused = 0;
	handler_set(SIGUSR2, write_one);
	handler_allocations = 0;
	timer = start_timer();
	while (written + refused < STORM) {
		close_unknown();
		memory = malloc(1000);
		free(memory);
	}
	timer_delete(timer);
	private_stop(&p, h);
	return p.p.EventsLost;
}

static void test_storm(void)
{
	ULONG lost = run_storm(false);

	CHECK(!refused && !handler_allocations,
	      "%u signals at any place: %u refused, %u allocations", STORM,
	      refused, handler_allocations);
	CHECK(private_count(private_path("closed")) + lost == written,
	      "each event is in the log, or counted as lost (%u)", lost);
}

static void test_removed_log(void)
{
	ULONG lost = run_storm(true);

	CHECK(!refused && !handler_allocations && lost == written,
	      "a log that cannot be opened again: each event is counted (%u)",
	      lost);
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	alarm(PRIVATE_CHILD_SECONDS);
	if (EventRegister(&provider, NULL, NULL, &registration))
		return 1;
	test_variants();
	test_storm();
	test_removed_log();
	EventUnregister(registration);
	private_clean();
	return tap_end();
}
