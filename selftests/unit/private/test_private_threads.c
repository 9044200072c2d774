// SPDX-License-Identifier: MIT
/*
 * Private sessions under load: threads write events while sessions start, stop,
 * flush, enable and disable, providers come and go, and the process forks.
 *
 * Accepted events are in the session's file: each event written successfully
 * between enabling and stopping, and none twice.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/tap.h"

#define THREADS		4
#define ROUNDS		8
#define EVENTS		3000

static REGHANDLE registration;
static bool done;

/* Payload of an event: its thread, and its number in this thread */
struct number {
	ULONG thread;
	ULONG count;
};

static ULONG write_number(REGHANDLE r, const struct number *n)
{
	static const EVENT_DESCRIPTOR d = { .Id = 1, .Level = 4 };
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, n, sizeof(*n));
	return EventWrite(r, &d, 1, &data);
}

static void *write_counted(void *arg)
{
	struct number n = { (ULONG)(uintptr_t)arg, 0 };

	while (n.count < EVENTS) {
		/* Let the session's thread catch up */
		if (write_number(registration, &n))
			usleep(100);
		else
			n.count++;
	}
	return NULL;
}

static ULONG next[THREADS];
static unsigned int wrong;

/* Count a failure in any thread, and print its line at once */
static void expect_at(bool right, int line)
{
	if (right)
		return;
	__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
	printf("# line %d\n", line);
}

#define expect(right)	expect_at(right, __LINE__)

static VOID WINAPI on_counted(PEVENT_RECORD r)
{
	struct number n;

	if (private_is_header(r))
		return;
	memcpy(&n, r->UserData, sizeof(n));
	if (n.thread >= THREADS || n.count != next[n.thread])
		wrong++;
	else
		next[n.thread]++;
}

/* Each event of each thread, in order, while another thread flushes */
static void test_all_is_there(void)
{
	struct private_properties p;
	pthread_t threads[THREADS];
	unsigned int i, all = 0;
	TRACEHANDLE h;

	private_init(&p, IN_PROC, "all");
	p.p.BufferSize = 8;
	StartTraceA(&h, "all", &p.p);
	EventRegister(&provider, NULL, NULL, &registration);
	EnableTraceEx2(h, &provider, 1, 0, 0, 0, 0, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, write_counted,
			       (void *)(uintptr_t)i);
	for (i = 0; i < ROUNDS; i++)
		FlushTraceA(h, NULL, &p.p);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CHECK(!private_stop(&p, h), "threads write while others flush");
	private_read(private_path("all"), on_counted, NULL, NULL);
	for (i = 0; i < THREADS; i++)
		all += next[i];
	CHECK(!wrong && all == THREADS * EVENTS,
	      "the log contains each event of each thread in order");
	EventUnregister(registration);
}

static void *write_on(void *arg)
{
	struct number n = { 0, 0 };

	(void)arg;
	while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
		write_number(registration, &n);
		n.count++;
	}
	return NULL;
}

static void *register_on(void *arg)
{
	REGHANDLE r;

	(void)arg;
	while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
		if (!EventRegister(&provider, NULL, NULL, &r)) {
			write_number(r, &(struct number) {});
			EventUnregister(r);
		}
	}
	return NULL;
}

static void fork_once(void)
{
	int status, pid = fork();

	if (!pid) {
		write_number(registration, &(struct number) {});
		_exit(EventProviderEnabled(registration, 0, 0));
	}
	expect(waitpid(pid, &status, 0) == pid && !status);
}

static void start_and_stop(unsigned int round)
{
	struct private_properties p;
	unsigned int i;
	TRACEHANDLE h;

	private_init(&p, IN_PROC, round % 2 ? "odd" : "even");
	p.p.BufferSize = 4 + 4 * (round % 2);
	p.p.FlushTimer = round % 3;
	if (StartTraceA(&h, round % 2 ? "odd" : "even", &p.p)) {
		expect(false);
		return;
	}
	for (i = 0; i < 3; i++) {
		expect(!EnableTraceEx2(h, &provider, 1, 1 + i, 0, 0, 0, NULL));
		expect(!FlushTraceA(h, NULL, &p.p));
		expect(!EnableTraceEx2(h, &provider, i == 1, 0, 0, 0, 0, NULL));
	}
	if (round % 10 == 0)
		fork_once();
	expect(!private_stop(&p, h));
	/* The file is readable */
	expect(private_count(p.log) != (unsigned int)-1);
}

static void *control_on(void *arg)
{
	unsigned int round;

	for (round = 0; round < ROUNDS; round++)
		start_and_stop(2 * round + (unsigned int)(uintptr_t)arg);
	return NULL;
}

static void test_coming_and_going(void)
{
	pthread_t threads[THREADS], registering, controllers[2];
	unsigned int i;

	wrong = 0;
	EventRegister(&provider, NULL, NULL, &registration);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, write_on, NULL);
	pthread_create(&registering, NULL, register_on, NULL);
	for (i = 0; i < 2; i++)
		pthread_create(&controllers[i], NULL, control_on,
			       (void *)(uintptr_t)i);
	for (i = 0; i < 2; i++)
		pthread_join(controllers[i], NULL);
	__atomic_store_n(&done, true, __ATOMIC_RELAXED);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_join(registering, NULL);
	CHECK(!wrong, "sessions, providers and children come and go");
	EventUnregister(registration);
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_all_is_there();
	test_coming_and_going();
	private_clean();
	return tap_end();
}
