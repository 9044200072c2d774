// SPDX-License-Identifier: GPL-2.0
/*
 * kill -9 of controllers and writers at random moments: a session survives, or
 * ends with its controller if it is bound; its file stays readable; no
 * registration leaks.  Also kills processes that wait for another one's call.
 */
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/common/process.h"

#define LOG	"/tmp/kill.etl"
#define H	HANDLE(1, 1)
#define KILLS	200

FIXTURE(kill) {
	int trace;
	struct dev_status before;
};

FIXTURE_SETUP(kill)
{
	srand(1);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
}

FIXTURE_TEARDOWN(kill)
{
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
	unlink(LOG);
}

/* Register, write, unregister forever; writes to @begun after a first round */
static void writer(int begun)
{
	char payload[3000] = {};
	int fd = open("/dev/evntprov", O_RDWR);
	unsigned int i, n;

	for (n = 1;; n++) {
		dev_register(fd, HANDLE(1, n), 1, EVNTPROV_REGISTER_NOTIFY);
		for (i = 0; i < 100; i++)
			dev_write(fd, HANDLE(1, n), payload, i * 30);
		if (n == 1 && write(begun, "", 1) != 1)
			_exit(1);
		dev_unregister(fd, HANDLE(1, n));
	}
}

/* Kill @pid at a random moment within the given time */
static void kill_at_random(pid_t pid, unsigned int within_us)
{
	usleep(rand() % within_us);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST_F_TIMEOUT(kill, a_session_survives_200_killed_writers, 300)
{
	struct evntrace_session q;
	unsigned int i, n;
	struct etl_scan scan;
	int begun[2];
	pid_t pids[3];
	char byte[3];
	__u64 s;

	ASSERT_EQ(0, pipe(begun));
	ASSERT_EQ(0, dev_start(self->trace, "kill", LOG, NULL, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
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
			  dev_status().registrations);
		ASSERT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, s,
					 NULL));
		if (i % 20 < 3)
			ASSERT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	}
	ASSERT_EQ(0, dev_stop(self->trace, s, &q));
	EXPECT_LT(0, q.events);
	ASSERT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	EXPECT_EQ(q.events, scan.events);
	EXPECT_EQ(q.events_lost, scan.events_lost);
}

/* Start a session, enable, flush and stop it, forever */
static void controller(__u32 flags)
{
	struct evntrace_start properties = {
		.flags = flags, .buffer_size = 8192, .max_buffers = 16,
	};
	int fd = open("/dev/evntrace", O_RDWR);
	__u64 s;

	for (;;) {
		if (dev_start(fd, "victim", "/tmp/victim.etl", &properties,
			      &s))
			continue;
		dev_enable(fd, s, 1);
		dev_control(fd, EVNTRACE_CONTROL_FLUSH, s, NULL);
		dev_stop(fd, s, NULL);
	}
}

/* Measure how long a controller takes to start and stop here, in us */
static unsigned int measure_controller(int fd)
{
	struct evntrace_start properties = { .buffer_size = 8192 };
	struct timespec a, b;
	__u64 s;

	clock_gettime(CLOCK_MONOTONIC, &a);
	if (!dev_start(fd, "measure", "/tmp/victim.etl", &properties, &s))
		dev_stop(fd, s, NULL);
	clock_gettime(CLOCK_MONOTONIC, &b);
	return (b.tv_sec - a.tv_sec) * 1000000 +
	       (b.tv_nsec - a.tv_nsec) / 1000;
}

/* A time long enough for some rounds, so that a kill may hit any step */
static unsigned int some_rounds(int fd)
{
	return 5000 + 3 * measure_controller(fd);
}

/*
 * Find the session of a dead controller by name, and stop it.  A session that
 * was being stopped when the controller was killed ends by itself.
 */
static int stop_orphan(int fd)
{
	static const __u16 name[] = { 'V', 'I', 'C', 'T', 'I', 'M' };
	struct evntrace_open f = {
		.size = sizeof(f), .flags = EVNTRACE_OPEN_MAXIMUM,
		.name = (uintptr_t)name, .name_len = 6,
	};
	int err;

	if (do_ioctl(fd, EVNTRACE_IOC_OPEN, &f))
		return 0;
	err = dev_stop(fd, f.handle, NULL);
	return err == EALREADY || err == ESRCH ? 0 : err;
}

/* Wait until all sessions have ended and their memory is freed */
static void wait_for_end(const struct dev_status *before)
{
	struct dev_status now;

	do
		now = dev_status();
	while ((now.sessions != before->sessions ||
		now.buffers != before->buffers) && !usleep(1000));
}

TEST_F_TIMEOUT(kill, sessions_survive_200_killed_controllers, 300)
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
		wait_for_end(&self->before);
		/* A kill between truncating the file and START leaves no log */
		readable += etl_scan("/tmp/victim.etl", &scan, NULL, NULL);
	}
	TH_LOG("%u of %u files readable", readable, many(KILLS));
	EXPECT_LT(many(KILLS) / 5, readable);
	kill_at_random(other, 5000);
	unlink("/tmp/victim.etl");
}

/* A session without its controller is available to later ones */
TEST_F(kill, the_session_outlives_its_controller)
{
	struct etl_scan scan;
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_SESSIONS,
		.element_size = sizeof(__u64), .count = 1,
	};
	__u64 s = 0;
	int prov;
	pid_t pid = fork();

	if (!pid) {
		int fd = open("/dev/evntrace", O_RDWR);

		dev_start(fd, "kill", LOG, NULL, &s);
		dev_enable(fd, s, 1);
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, NULL, 0);
	l.elements = (uintptr_t)&s;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	ASSERT_EQ(1, l.count);
	prov = open("/dev/evntprov", O_RDWR);
	ASSERT_EQ(0, dev_register(prov, H, 1, 0));
	EXPECT_EQ(0, dev_write(prov, H, "x", 1));
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
	close(prov);
	ASSERT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	EXPECT_EQ(1, scan.events);
}

/* System calls that block on a lock while another call changes enablements */
enum {
	REGISTER, UNREGISTER, READ_STATE, PRIVATE, QUERY, OPEN, ENABLE, LIST,
	WAITERS,
};

/* Issue the call forever, on files that stay open when this process ends */
static pid_t start_waiter(int which, int prov, int trace, __u64 session)
{
	__u16 name[EVNTRACE_MAX_NAME];
	struct evntprov_notification n;
	struct evntprov_private private = {
		.size = sizeof(private), .flags = EVNTPROV_PRIVATE_NOTIFY,
	};
	struct evntrace_list list = {
		.size = sizeof(list), .kind = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(struct evntrace_registration),
	};
	struct evntrace_open find = {
		.size = sizeof(find), .flags = EVNTRACE_OPEN_MAXIMUM,
		.name = (uintptr_t)name,
		.name_len = start_arg(name, "kill", -1).name_len,
	};
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		switch (which) {
		case REGISTER:
			dev_register(prov, H, 1, 0);
			break;
		case UNREGISTER:
			dev_unregister(prov, H);
			break;
		case READ_STATE:
			(void)!pread(prov, &n, sizeof(n), EVNTPROV_SLOT_SIZE);
			break;
		case PRIVATE:
			do_ioctl(prov, EVNTPROV_IOC_PRIVATE, &private);
			break;
		case QUERY:
			dev_control(trace, DEV_QUERY, session, NULL);
			break;
		case OPEN:
			do_ioctl(trace, EVNTRACE_IOC_OPEN, &find);
			break;
		case ENABLE:
			dev_enable(trace, session, 2);
			break;
		case LIST:
			do_ioctl(trace, EVNTRACE_IOC_LIST, &list);
			break;
		}
	}
}

/* Enable many registrations forever; stops itself when ready */
static pid_t start_holder(int trace, __u64 session)
{
	unsigned int slot;
	pid_t pid = fork();
	int prov;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stay_on(1);
	prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	for (slot = 1; slot <= EVNTPROV_MAX_REGISTRATIONS; slot++) {
		if (dev_register(prov, HANDLE(slot, 1), 1, 0))
			_exit(1);
	}
	raise(SIGSTOP);
	for (;;)
		dev_enable(trace, session, 1);
}

/* Occupy the holder's processor, so that it is preempted inside its call */
static pid_t start_hog(void)
{
	const struct sched_param param = { .sched_priority = 1 };
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stay_on(1);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		_exit(1);
	for (;;)
		;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

#define RT_RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"

/* Let realtime tasks use all CPU time, or restore the old setting */
static bool let_hog(const char *value, char *old, size_t size)
{
	int fd = open(RT_RUNTIME, O_RDWR | O_CLOEXEC);
	ssize_t len = -1;

	if (fd < 0)
		return false;
	if (old)
		len = read(fd, old, size - 1);
	if (len > 0)
		old[len] = 0;
	len = pwrite(fd, value, strlen(value), 0);
	close(fd);
	return len == (ssize_t)strlen(value);
}

/* Start a waiter while the holder is inside its call; 0 if it never was */
static pid_t catch_one(int which, int prov, int trace, __u64 session,
		       pid_t *hog)
{
	unsigned int tries;
	pid_t waiter;

	for (tries = 0; tries < 100; tries++) {
		*hog = start_hog();
		waiter = start_waiter(which, prov, trace, session);
		if (comes_to(waiter, "D", 50))
			return waiter;
		end(waiter);
		end(*hog);
		usleep(1000);
	}
	return 0;
}

TEST_F_TIMEOUT(kill, callers_that_wait_for_another_caller_can_be_killed, 300)
{
	pid_t holder, waiter, hog;
	char old[32] = "950000";
	int which, status, prov;
	__u64 session;

	/* There, waiting for a spinlock sleeps too, and cannot be killed */
	if (is_rt())
		SKIP(return, "PREEMPT_RT: spinlocks look like the lock");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP(return, "one processor");
	if (!let_hog("-1", old, sizeof(old)))
		SKIP(return, "real-time processes cannot have a processor");
	ASSERT_EQ(0, dev_start(self->trace, "kill", LOG, NULL, &session));
	/* This process owns the file, so only its own close() may wait */
	prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	EXPECT_EQ(0, dev_register(prov, HANDLE(2, 1), 3, 0));
	holder = start_holder(self->trace, session);
	EXPECT_EQ(holder, waitpid(holder, &status, WUNTRACED));
	EXPECT_TRUE(WIFSTOPPED(status));
	kill(holder, SIGCONT);
	for (which = 0; which < WAITERS; which++) {
		waiter = catch_one(which, prov, self->trace, session, &hog);
		EXPECT_NE(0, waiter) {
			TH_LOG("number %d does not wait", which);
			break;
		}
		kill(waiter, SIGKILL);
		EXPECT_TRUE(comes_to(waiter, "Z", 6000)) {
			TH_LOG("number %d cannot be killed", which);
		}
		end(hog);
		waitpid(waiter, NULL, 0);
	}
	end(holder);
	close(prov);
	EXPECT_EQ(0, dev_stop(self->trace, session, NULL));
	EXPECT_TRUE(let_hog(old, NULL, 0));
}

TEST_HARNESS_MAIN
