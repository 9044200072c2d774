// SPDX-License-Identifier: GPL-2.0
/*
 * Private sessions under load: controllers start, change and stop them by one
 * name, a thread stops them by guessed handles, and processes participate,
 * report, and die.  Each session is stopped once, and nothing is left of it.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/private/private_ioctl.h"

#define H		HANDLE(1, 1)
#define NAME		"Storm"
#define CONTROLLERS	3
#define PARTICIPANTS	3
#define SECONDS		20

static bool over;
static unsigned int started, stopped, guessed;
static __u64 latest;

static bool is_over(void)
{
	return __atomic_load_n(&over, __ATOMIC_RELAXED);
}

static void count(unsigned int *what)
{
	__atomic_fetch_add(what, 1, __ATOMIC_RELAXED);
}

/* The filter matches all processes of this program */
static const __u16 program[] = {
	'p', 'r', 'i', 'v', 'a', 't', 'e', '_', 's', 't', 'o', 'r', 'm', 0
};

static const struct evntrace_filter filter = {
	.ptr = (uintptr_t)program, .len = sizeof(program),
	.type = EVNTRACE_FILTER_EXECUTABLE_NAME,
};

static int control(int trace, __u32 operation, __u64 handle)
{
	return private_control(trace, operation, handle, &filter);
}

/* Change the session in several ways, and ignore errors */
static void change(int trace, __u64 handle, unsigned int n)
{
	struct evntrace_enable e = enable_arg(n % 5);

	if (n % 7 == 0)
		e.control = EVNTPROV_CONTROL_DISABLE;
	dev_ioctl(trace, handle, EVNTRACE_IOC_ENABLE, &e);
	if (n % 3 == 0)
		private_update(trace, handle);
	if (n % 4 == 0)
		control(trace, EVNTRACE_CONTROL_FLUSH, handle);
	control(trace, DEV_QUERY, handle);
}

static void *control_all(void *context)
{
	int trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	__u64 handle;
	unsigned int n;

	for (n = 0; !is_over(); n++) {
		if (!private_start(trace, NAME, &filter, &handle)) {
			count(&started);
			__atomic_store_n(&latest, handle, __ATOMIC_RELAXED);
		} else if (private_find(trace, NAME, &filter, &handle)) {
			continue;
		}
		change(trace, handle, n);
		if (!control(trace, EVNTRACE_CONTROL_STOP, handle))
			count(&stopped);
	}
	close(trace);
	return NULL;
}

/* Try to stop the next session before its starter knows its handle */
static void *guess(void *context)
{
	int trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	__u64 handle;

	while (!is_over()) {
		handle = __atomic_load_n(&latest, __ATOMIC_RELAXED) + 1;
		if (!control(trace, EVNTRACE_CONTROL_STOP, handle)) {
			count(&stopped);
			count(&guessed);
		}
	}
	close(trace);
	return NULL;
}

/* Report on each session, or that it is done if it is being stopped */
static void follow(int prov)
{
	char room[1024];
	struct evntprov_private arg = {
		.size = sizeof(arg), .description = (uintptr_t)room,
	}, done;

	do {
		arg.len = sizeof(room);
		if (do_ioctl(prov, EVNTPROV_IOC_PRIVATE, &arg))
			return;
		arg.events = 1;
		if (!(arg.state & EVNTPROV_PRIVATE_STOPPING))
			continue;
		done = arg;
		done.flags = EVNTPROV_PRIVATE_DONE;
		do_ioctl(prov, EVNTPROV_IOC_PRIVATE, &done);
	} while (true);
}

/* A participant, killed at any point */
static void participate(void)
{
	struct evntprov_private arg = {
		.size = sizeof(arg), .flags = EVNTPROV_PRIVATE_NOTIFY,
	};
	unsigned int i, n;
	int prov;

	for (n = 0; ; n++) {
		prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
		do_ioctl(prov, EVNTPROV_IOC_PRIVATE, &arg);
		dev_register(prov, H, 1, 0);
		for (i = 0; i < 50; i++)
			follow(prov);
		if (n % 2)
			dev_unregister(prov, H);
		close(prov);
	}
}

static pid_t start_participant(void)
{
	pid_t pid = fork();

	if (!pid)
		participate();
	return pid;
}

static void end_participant(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Number of private sessions */
static unsigned int requests(int trace)
{
	__u64 handles[EVNTRACE_MAX_PRIVATE];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_PRIVATE,
		.element_size = sizeof(*handles),
		.elements = (uintptr_t)handles, .count = EVNTRACE_MAX_PRIVATE,
	};

	return do_ioctl(trace, EVNTRACE_IOC_LIST, &l) ? -1 : l.count;
}

TEST(each_private_session_is_stopped_once)
{
	const time_t end = monotonic_seconds() + many(SECONDS);
	pthread_t thread[CONTROLLERS + 1];
	pid_t pid[PARTICIPANTS];
	unsigned int i;
	int trace;

	trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, trace);
	for (i = 0; i < PARTICIPANTS; i++)
		pid[i] = start_participant();
	for (i = 0; i <= CONTROLLERS; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL,
					    i ? control_all : guess, NULL));
	for (i = 0; monotonic_seconds() < end; i++) {
		usleep(20000);
		end_participant(pid[i % PARTICIPANTS]);
		pid[i % PARTICIPANTS] = start_participant();
	}
	__atomic_store_n(&over, true, __ATOMIC_RELAXED);
	for (i = 0; i <= CONTROLLERS; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < PARTICIPANTS; i++)
		end_participant(pid[i]);
	TH_LOG("%u started, %u stopped by a guessed handle", started, guessed);
	EXPECT_LT(0, started);
	EXPECT_EQ(started, stopped);
	EXPECT_EQ(0, requests(trace));
	close(trace);
}

TEST_HARNESS_MAIN
