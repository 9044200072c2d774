// SPDX-License-Identifier: GPL-2.0
/*
 * kill -9 of controllers and writers at random moments: the session survives,
 * or ends with its controller if it is bound to it; the file stays readable;
 * no registration leaks.
 */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "harness.h"

#include "door.h"
#include "etl_scan.h"

#define LOG	"/tmp/kill.etl"
#define H	HANDLE(1, 1)
#define KILLS	200

FIXTURE(kill) {
	int trace;
	struct evntrace_status before;
};

FIXTURE_SETUP(kill)
{
	srand(1);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = door_status(self->trace);
}

FIXTURE_TEARDOWN(kill)
{
	EXPECT_TRUE(door_status_is(self->trace, &self->before));
	close(self->trace);
	unlink(LOG);
}

/* Registers, writes, unregisters, for ever; says when it has begun */
static void writer(int begun)
{
	char payload[3000] = {};
	int fd = open("/dev/evntprov", O_RDWR);
	unsigned int i, n;

	for (n = 1;; n++) {
		door_register(fd, HANDLE(1, n), 1, EVNTPROV_REGISTER_NOTIFY);
		for (i = 0; i < 100; i++)
			door_write(fd, HANDLE(1, n), payload, i * 30);
		if (n == 1 && write(begun, "", 1) != 1)
			_exit(1);
		door_unregister(fd, HANDLE(1, n));
	}
}

/* At any moment within the time given */
static void kill_at_random(pid_t pid, unsigned int within_us)
{
	usleep(rand() % within_us);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST_F_TIMEOUT(kill, writers_200_times, 300)
{
	struct evntrace_session q;
	unsigned int i, n;
	struct etl_scan scan;
	int begun[2];
	pid_t pids[3];
	char byte[3];
	__u64 s;

	ASSERT_EQ(0, pipe(begun));
	ASSERT_EQ(0, door_start(self->trace, "kill", LOG, NULL, &s));
	ASSERT_EQ(0, door_enable(self->trace, s, 1));
	for (i = 0; i < many(KILLS); i += 3) {
		for (n = 0; n < 3; n++) {
			pids[n] = fork();
			if (!pids[n])
				writer(begun[1]);
		}
		for (n = 0; n < 3; n++)
			ASSERT_EQ(1, read(begun[0], &byte[n], 1));
		for (n = 0; n < 3; n++)
			kill_at_random(pids[n], 5000);
		ASSERT_EQ(self->before.registrations,
			  door_status(self->trace).registrations);
		ASSERT_EQ(0, door_control(self->trace, EVNTRACE_IOC_FLUSH, s,
					  NULL));
		if (i % 20 < 3)
			ASSERT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	}
	ASSERT_EQ(0, door_stop(self->trace, s, &q));
	EXPECT_LT(0, q.events);
	ASSERT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	EXPECT_EQ(q.events, scan.events);
	EXPECT_EQ(q.events_lost, scan.events_lost);
}

/* Starts a session, enables, flushes, stops, for ever */
static void controller(__u32 flags)
{
	struct evntrace_start properties = {
		.flags = flags, .buffer_size = 8192, .max_buffers = 16,
	};
	int fd = open("/dev/evntrace", O_RDWR);
	__u64 s;

	for (;;) {
		if (door_start(fd, "victim", "/tmp/victim.etl", &properties,
			       &s))
			continue;
		door_enable(fd, s, 1);
		door_control(fd, EVNTRACE_IOC_FLUSH, s, NULL);
		door_stop(fd, s, NULL);
	}
}

/* How long a controller takes to start and stop, on this machine, in us */
static unsigned int measure_controller(int fd)
{
	struct evntrace_start properties = { .buffer_size = 8192 };
	struct timespec a, b;
	__u64 s;

	clock_gettime(CLOCK_MONOTONIC, &a);
	if (!door_start(fd, "measure", "/tmp/victim.etl", &properties, &s))
		door_stop(fd, s, NULL);
	clock_gettime(CLOCK_MONOTONIC, &b);
	return (b.tv_sec - a.tv_sec) * 1000000 +
	       (b.tv_nsec - a.tv_nsec) / 1000;
}

/* Long enough for some rounds of anything, so that any of it may be hit */
static unsigned int some_rounds(int fd)
{
	return 5000 + 3 * measure_controller(fd);
}

/*
 * The session of a dead controller is found by its name, and can be stopped; one
 * that it was stopping when it was killed ends without it.
 */
static int stop_orphan(int fd)
{
	static const __u16 name[] = { 'V', 'I', 'C', 'T', 'I', 'M' };
	struct evntrace_find f = {
		.size = sizeof(f), .name = (uintptr_t)name, .name_len = 6,
	};

	int err;

	if (ioctl(fd, EVNTRACE_IOC_FIND, &f))
		return 0;
	err = door_stop(fd, f.handle, NULL);
	return err == EALREADY || err == ESRCH ? 0 : err;
}

/* Wait until no session is left, nor the memory of one */
static void wait_for_end(int fd, const struct evntrace_status *before)
{
	struct evntrace_status now;

	do
		now = door_status(fd);
	while ((now.sessions != before->sessions ||
		now.buffers != before->buffers) && !usleep(1000));
}

TEST_F_TIMEOUT(kill, controllers_200_times, 300)
{
	unsigned int within = some_rounds(self->trace);
	unsigned int i, readable = 0;
	struct etl_scan scan;
	pid_t pid, other;

	other = fork();
	if (!other)
		writer(open("/dev/null", O_WRONLY));
	for (i = 0; i < many(KILLS); i++) {
		bool bound = i & 1;

		pid = fork();
		if (!pid)
			controller(bound ? EVNTRACE_START_BOUND : 0);
		kill_at_random(pid, within);
		if (!bound)
			ASSERT_EQ(0, stop_orphan(self->trace));
		wait_for_end(self->trace, &self->before);
		/* Killed between truncating the file and the start: no log */
		readable += etl_scan("/tmp/victim.etl", &scan, NULL, NULL);
	}
	TH_LOG("%u of %u files readable", readable, many(KILLS));
	EXPECT_LT(many(KILLS) / 5, readable);
	kill_at_random(other, 5000);
	unlink("/tmp/victim.etl");
}

/* A controller that is gone leaves its session to those who come */
TEST_F(kill, the_session_outlives_its_controller)
{
	struct etl_scan scan;
	struct evntrace_list l = {
		.size = sizeof(l), .what = EVNTRACE_LIST_SESSIONS,
		.element_size = sizeof(__u64), .count = 1,
	};
	__u64 s = 0;
	int prov;
	pid_t pid = fork();

	if (!pid) {
		int fd = open("/dev/evntrace", O_RDWR);

		door_start(fd, "kill", LOG, NULL, &s);
		door_enable(fd, s, 1);
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, NULL, 0);
	l.elements = (uintptr_t)&s;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	ASSERT_EQ(1, l.count);
	prov = open("/dev/evntprov", O_RDWR);
	ASSERT_EQ(0, door_register(prov, H, 1, 0));
	EXPECT_EQ(0, door_write(prov, H, "x", 1));
	EXPECT_EQ(0, door_stop(self->trace, s, NULL));
	close(prov);
	ASSERT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	EXPECT_EQ(1, scan.events);
}

TEST_HARNESS_MAIN
