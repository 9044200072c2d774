// SPDX-License-Identifier: GPL-2.0
/*
 * A session that switches to another log file: events accepted before are in
 * the first file, later ones in the second, and both are complete; under load,
 * with killed callers, and while the session ends.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define H		HANDLE(1, 1)
#define DIR		"/tmp/switch"
#define WRITERS		3u
#define FILES		40u
#define MAX_EVENTS	(4u << 20)	/* per writer */

static void path_of(char *path, unsigned int n)
{
	sprintf(path, DIR "/%u.etl", n);
}

/* Switch to @fd under the name "next"; returns 0 or an errno */
static int switch_fd(int trace, __u64 session, int fd)
{
	static const __u16 name[] = { 'n', 'e', 'x', 't' };
	struct evntrace_update arg = {
		.size = sizeof(arg), .flags = EVNTRACE_UPDATE_LOG,
		.log_name = (uintptr_t)name,
		.log_name_len = 4, .log_fd = fd,
	};

	return dev_ioctl(trace, session, EVNTRACE_IOC_UPDATE, &arg);
}

/* Switch to a new file of number @n */
static int switch_to(int trace, __u64 session, unsigned int n)
{
	char path[32];
	int fd, err;

	path_of(path, n);
	fd = new_log(path);
	err = switch_fd(trace, session, fd);
	close(fd);
	return err;
}

FIXTURE(log) {
	int prov;
	int trace;
	__u64 session;
};

static __u64 start(FIXTURE_DATA(log) *self, const struct evntrace_start *arg)
{
	char path[32];

	path_of(path, 0);
	if (dev_start(self->trace, "switch", path, arg, &self->session) ||
	    dev_enable(self->trace, self->session, 1))
		return 0;
	return self->session;
}

FIXTURE_SETUP(log)
{
	ASSERT_EQ(0, system("rm -rf " DIR "; mkdir " DIR));
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_NE(0, start(self, NULL));
}

FIXTURE_TEARDOWN(log)
{
	if (self->session)
		dev_stop(self->trace, self->session, NULL);
	close(self->prov);
	close(self->trace);
	EXPECT_EQ(0, system("rm -rf " DIR));
}

static struct etl_scan scan_file(struct __test_metadata *_metadata,
				 unsigned int n, etl_event_fn fn, void *context)
{
	struct etl_scan scan;
	char path[32];

	path_of(path, n);
	EXPECT_TRUE(etl_scan(path, &scan, fn, context)) {
		TH_LOG("%s: %s", path, scan.error);
	}
	return scan;
}

TEST_F(log, earlier_events_are_in_the_old_file_and_later_in_the_new)
{
	struct evntrace_session before, q;
	__u16 name[EVNTRACE_MAX_NAME];
	struct etl_scan old, new;

	EXPECT_EQ(0, dev_write(self->prov, H, "one", 3));
	EXPECT_EQ(0, dev_write(self->prov, H, "two", 3));
	dev_control(self->trace, DEV_QUERY, self->session, &before);
	ASSERT_EQ(0, switch_to(self->trace, self->session, 1));
	old = scan_file(_metadata, 0, NULL, NULL);
	EXPECT_EQ(2, old.events);
	EXPECT_NE(0, old.end_time);
	new = scan_file(_metadata, 1, NULL, NULL);
	EXPECT_EQ(0, new.events);
	EXPECT_EQ(0, new.end_time);
	EXPECT_LT(old.start_time, new.start_time);
	EXPECT_EQ(old.buffer_size, new.buffer_size);

	EXPECT_EQ(0, dev_write(self->prov, H, "three", 5));
	q = (struct evntrace_session) {
		.size = sizeof(q),
		.log_name = (uintptr_t)name, .log_name_len = EVNTRACE_MAX_NAME,
	};
	ASSERT_EQ(0, dev_session(self->trace, self->session, &q));
	EXPECT_EQ(4, q.log_name_len);
	EXPECT_EQ('n', name[0]);
	EXPECT_EQ(3, q.events);
	EXPECT_LT(before.buffers_written, q.buffers_written);
	EXPECT_EQ(q.buffer_size, q.bytes_written);
	EXPECT_EQ(before.start_time, q.start_time);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	self->session = 0;
	EXPECT_EQ(2, scan_file(_metadata, 0, NULL, NULL).events);
	new = scan_file(_metadata, 1, NULL, NULL);
	EXPECT_EQ(1, new.events);
	EXPECT_NE(0, new.end_time);
}

/* Whether the header's log name, after the session's name, is @name */
static bool header_names(const char *path, const char *name)
{
	uint8_t f[0x200];
	int fd = open(path, O_RDONLY);
	size_t at = 0x180 + 2 * sizeof("switch");

	if (read(fd, f, sizeof(f)) != sizeof(f))
		return false;
	close(fd);
	for (; *name && etl_u16(f + at) == (uint8_t)*name; name++)
		at += 2;
	return !*name && !etl_u16(f + at);
}

TEST_F(log, each_file_has_its_own_name_in_its_header)
{
	ASSERT_EQ(0, switch_to(self->trace, self->session, 1));
	EXPECT_TRUE(header_names(DIR "/0.etl", "switch"));
	EXPECT_TRUE(header_names(DIR "/1.etl", "next"));
}

TEST_F(log, the_old_file_is_released)
{
	int fd;

	ASSERT_EQ(0, switch_to(self->trace, self->session, 1));
	fd = open(DIR "/0.etl", O_RDWR | O_TRUNC);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, dev_write(self->prov, H, "x", 1));
	/* The session can switch back to it */
	ASSERT_EQ(0, switch_fd(self->trace, self->session, fd));
	close(fd);
	EXPECT_EQ(0, dev_write(self->prov, H, "x", 1));
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	self->session = 0;
	EXPECT_EQ(1, scan_file(_metadata, 0, NULL, NULL).events);
	EXPECT_EQ(1, scan_file(_metadata, 1, NULL, NULL).events);
}

static off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

TEST_F(log, errors_change_nothing)
{
	static __u16 name[EVNTRACE_MAX_NAME + 1];
	struct evntrace_session before, after;
	struct evntrace_update arg, good;
	int fd = new_log(DIR "/1.etl");
	__u64 session = self->session;

	dev_control(self->trace, DEV_QUERY, self->session, &before);
	good = (struct evntrace_update) {
		.size = sizeof(good), .flags = EVNTRACE_UPDATE_LOG,
		.flush_ms = 5, .log_fd = fd,
		.log_name = (uintptr_t)name, .log_name_len = 1,
	};
#define UPDATE_FAILS(error, ...) ({					\
	arg = good;							\
	__VA_ARGS__;							\
	EXPECT_EQ(error, dev_ioctl(self->trace, session,			\
				   EVNTRACE_IOC_UPDATE, &arg)); })
	UPDATE_FAILS(EINVAL, arg.flags = 0x80000000);
	UPDATE_FAILS(EINVAL, arg.reserved = 1);
	UPDATE_FAILS(ESRCH, session += 65536);
	session = self->session;
	UPDATE_FAILS(EFAULT, arg.log_name = 1);
	UPDATE_FAILS(EINVAL, arg.log_name_len = EVNTRACE_MAX_NAME + 1);
	UPDATE_FAILS(EBADF, arg.log_fd = -1);
	UPDATE_FAILS(EBADF, arg.log_fd = open(DIR "/1.etl", O_RDONLY));
	UPDATE_FAILS(EINVAL, arg.log_fd = open(DIR "/1.etl",
					       O_WRONLY | O_APPEND));
	/* Its own file is not empty; nor is a device a log */
	UPDATE_FAILS(EINVAL, arg.log_fd = open(DIR "/0.etl", O_RDWR));
	UPDATE_FAILS(EINVAL, arg.log_fd = open("/dev/null", O_WRONLY));
	EXPECT_EQ(0, size_of(DIR "/1.etl"));
	dev_control(self->trace, DEV_QUERY, self->session, &after);
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(after)));
	close(fd);
}

TEST_F(log, a_name_too_long_for_the_header_is_ENAMETOOLONG)
{
	struct evntrace_start arg;
	struct evntrace_update u;
	__u16 name[EVNTRACE_MAX_NAME];
	int fd = new_log(DIR "/1.etl");
	__u64 before = self->session;
	unsigned int i;

	for (i = 0; i < EVNTRACE_MAX_NAME; i++)
		name[i] = 'a' + i % 26;
	arg = start_arg(name, "", fd);
	/* A name of 1,024 characters fits in 4096 bytes without a log name */
	arg.name_len = EVNTRACE_MAX_NAME;
	arg.log_name_len = 0;
	arg.buffer_size = 4096;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, &arg));
	close(fd);
	fd = new_log(DIR "/2.etl");
	u = (struct evntrace_update) {
		.size = sizeof(u), .flags = EVNTRACE_UPDATE_LOG,
		.log_fd = fd,
		.log_name = (uintptr_t)name, .log_name_len = EVNTRACE_MAX_NAME,
	};
	EXPECT_EQ(ENAMETOOLONG, dev_ioctl(self->trace, arg.handle,
					  EVNTRACE_IOC_UPDATE, &u));
	u.log_name_len = 800;
	EXPECT_EQ(0, dev_ioctl(self->trace, arg.handle, EVNTRACE_IOC_UPDATE,
			       &u));
	EXPECT_EQ(0, dev_stop(self->trace, arg.handle, NULL));
	self->session = before;
	close(fd);
}

/* Losses of the old file stay in the totals; the new file has none */
TEST_F(log, totals_never_decrease)
{
	static const char payload[40000];
	struct evntrace_session q, after;
	struct etl_scan old, new;
	char path[32];
	int log = memfd_create("log", MFD_ALLOW_SEALING);

	ASSERT_EQ(0, switch_fd(self->trace, self->session, log));
	EXPECT_EQ(0, dev_write(self->prov, H, payload, sizeof(payload)));
	dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, self->session, NULL);
	ASSERT_EQ(0, fcntl(log, F_ADD_SEALS, F_SEAL_GROW));
	EXPECT_EQ(0, dev_write(self->prov, H, payload, sizeof(payload)));
	EXPECT_EQ(0, dev_write(self->prov, H, payload, sizeof(payload)));
	dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, self->session, &q);
	EXPECT_EQ(EPERM, q.log_errno);
	EXPECT_EQ(2, q.buffers_lost);
	EXPECT_EQ(2, q.events_lost);
	ASSERT_EQ(0, switch_to(self->trace, self->session, 1));
	EXPECT_EQ(0, dev_write(self->prov, H, payload, sizeof(payload)));
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &after));
	self->session = 0;
	EXPECT_EQ(0, after.log_errno);
	EXPECT_EQ(2, after.buffers_lost);
	EXPECT_EQ(2, after.events_lost);
	EXPECT_LT(q.buffers_written, after.buffers_written);
	EXPECT_EQ(4, after.events);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", log);
	EXPECT_TRUE(etl_scan(path, &old, NULL, NULL));
	EXPECT_EQ(2, old.events_lost);
	EXPECT_EQ(2, old.buffers_lost);
	EXPECT_EQ(1, old.events);
	new = scan_file(_metadata, 1, NULL, NULL);
	EXPECT_EQ(0, new.events_lost);
	EXPECT_EQ(0, new.buffers_lost);
	EXPECT_EQ(1, new.events);
	close(log);
}

/* Writers of numbers, and how often each number was found */
struct writer {
	pthread_t thread;
	int prov;
	uint32_t id;
	volatile bool *stop;
	uint32_t written;
	uint8_t *found;
};

static void *write_events(void *arg)
{
	struct writer *w = arg;
	uint32_t mark[2] = { w->id };

	while (!*w->stop && w->written < MAX_EVENTS) {
		mark[1] = w->written;
		if (dev_write(w->prov, H, mark, sizeof(mark)))
			sched_yield();
		else
			w->written++;
	}
	return NULL;
}

static void find(const struct etl_event *e, void *context)
{
	struct writer *writers = context;
	uint32_t mark[2];

	memcpy(mark, e->data, sizeof(mark));
	if (e->data_len == sizeof(mark) && mark[0] < WRITERS &&
	    mark[1] < MAX_EVENTS)
		writers[mark[0]].found[mark[1]]++;
}

static void start_writers(struct writer *writers, int prov,
			  volatile bool *stop)
{
	unsigned int i;

	for (i = 0; i < WRITERS; i++) {
		writers[i] = (struct writer) {
			.prov = prov, .id = i, .stop = stop,
			.found = calloc(1, MAX_EVENTS),
		};
		pthread_create(&writers[i].thread, NULL, write_events,
			       &writers[i]);
	}
}

static uint64_t join_writers(struct writer *writers)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < WRITERS; i++) {
		pthread_join(writers[i].thread, NULL);
		sum += writers[i].written;
	}
	return sum;
}

/* Each accepted event is found once */
static void check_events(struct __test_metadata *_metadata,
			 struct writer *writers)
{
	uint32_t i, n, wrong = 0;

	for (i = 0; i < WRITERS; i++) {
		for (n = 0; n < MAX_EVENTS; n++)
			wrong += writers[i].found[n] != (n < writers[i].written);
		free(writers[i].found);
	}
	EXPECT_EQ(0, wrong);
}

struct watcher {
	pthread_t thread;
	int trace;
	__u64 session;
	volatile bool *stop;
	unsigned int went_back;
	unsigned int looks;
};

/* Query repeatedly, and check that counters only grow */
static void *watch(void *arg)
{
	struct evntrace_session last = {}, now;
	struct watcher *w = arg;

	for (; !w->looks || !*w->stop; last = now) {
		if (dev_control(w->trace, DEV_QUERY, w->session,
				&now))
			break;
		w->went_back += now.buffers_written < last.buffers_written ||
				now.events < last.events ||
				now.events_lost < last.events_lost;
		w->looks++;
	}
	return NULL;
}

static void start_watcher(struct watcher *w, int trace, __u64 session,
			  volatile bool *stop)
{
	*w = (struct watcher) {
		.trace = trace, .session = session, .stop = stop,
	};
	pthread_create(&w->thread, NULL, watch, w);
}

TEST_F_TIMEOUT(log, under_load_each_event_is_in_one_file, 300)
{
	struct writer writers[WRITERS];
	struct watcher watcher;
	struct evntrace_session q;
	volatile bool stop = false;
	__u64 events = 0, sum;
	unsigned int n;

	start_writers(writers, self->prov, &stop);
	start_watcher(&watcher, self->trace, self->session, &stop);
	for (n = 1; n < many(FILES); n++) {
		usleep(n % 4 * 10000);
		EXPECT_EQ(0, switch_to(self->trace, self->session, n));
	}
	stop = true;
	sum = join_writers(writers);
	pthread_join(watcher.thread, NULL);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	self->session = 0;
	for (n = 0; n < many(FILES); n++) {
		struct etl_scan scan = scan_file(_metadata, n, find, writers);

		events += scan.events;
		EXPECT_NE(0, scan.end_time);
	}
	EXPECT_EQ(sum, q.events);
	EXPECT_EQ(sum, events);
	EXPECT_EQ(0, q.buffers_lost);
	EXPECT_EQ(0, watcher.went_back);
	EXPECT_LT(0, watcher.looks);
	check_events(_metadata, writers);
}

/* After a kill, the session uses the new file, or the file is still empty */
TEST_F_TIMEOUT(log, a_switch_with_a_killed_caller_loses_nothing, 300)
{
	unsigned int n, taken = 0, files = many(2 * FILES);
	struct writer writers[WRITERS];
	volatile bool stop = false;
	struct evntrace_session q;
	char path[32];
	pid_t pid;

	start_writers(writers, self->prov, &stop);
	for (n = 1; n < files; n++) {
		pid = fork();
		if (!pid)
			_exit(switch_to(self->trace, self->session, n));
		usleep(n * 9970 % 200000);
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	}
	stop = true;
	join_writers(writers);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	self->session = 0;
	for (n = 0; n < files; n++) {
		path_of(path, n);
		if (size_of(path) <= 0)
			continue;
		taken++;
		scan_file(_metadata, n, find, writers);
	}
	EXPECT_EQ(0, q.buffers_lost);
	check_events(_metadata, writers);
	TH_LOG("%u of %u files were taken", taken, files);
}

struct stopper {
	int trace;
	__u64 session;
	unsigned int wait;
};

static void *stop_soon(void *arg)
{
	const struct stopper *s = arg;

	usleep(s->wait);
	dev_stop(s->trace, s->session, NULL);
	return NULL;
}

/* The switch has succeeded, or the session has ended and the file is empty */
TEST_F_TIMEOUT(log, a_switch_can_race_with_the_end_of_the_session, 300)
{
	unsigned int n, taken = 0;
	struct stopper stopper;
	pthread_t thread;
	int err;

	for (n = 0; n < many(60); n++) {
		stopper = (struct stopper) {
			self->trace, self->session, n % 10 * 1000,
		};
		pthread_create(&thread, NULL, stop_soon, &stopper);
		dev_write(self->prov, H, "x", 1);
		usleep(n % 7 * 3000);
		err = switch_to(self->trace, self->session, 1);
		pthread_join(thread, NULL);
		if (!err) {
			scan_file(_metadata, 1, NULL, NULL);
			taken++;
		} else {
			EXPECT_EQ(ESRCH, err);
			EXPECT_EQ(0, size_of(DIR "/1.etl"));
		}
		scan_file(_metadata, 0, NULL, NULL);
		ASSERT_NE(0, start(self, NULL));
	}
	TH_LOG("%u of %u were in time", taken, n);
}

/* The size limit applies to each file */
TEST_F(log, the_size_limit_applies_to_each_file)
{
	static const char payload[4000];
	struct evntrace_start arg;
	struct evntrace_session q;
	__u16 name[16];
	int fd = new_log(DIR "/1.etl");
	unsigned int n, i;

	dev_stop(self->trace, self->session, NULL);
	arg = start_arg(name, "limit", fd);
	arg.log_file_mode = EVNTRACE_MODE_SEQUENTIAL | EVNTRACE_MODE_USE_KBYTES |
			    EVNTRACE_MODE_PREALLOCATE;
	arg.buffer_size = 8192;
	arg.max_file_size = 64;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, &arg));
	close(fd);
	self->session = arg.handle;
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	for (n = 2; n < 6; n++) {
		for (i = 0; i < 5; i++)
			EXPECT_EQ(0, dev_write(self->prov, H, payload,
					       sizeof(payload)));
		EXPECT_EQ(0, switch_to(self->trace, self->session, n));
	}
	EXPECT_EQ(65536, size_of(DIR "/5.etl"));
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	self->session = 0;
	EXPECT_EQ(20, q.events);
	EXPECT_EQ(0, q.events_lost);
	for (n = 1; n < 6; n++)
		EXPECT_EQ(n < 5 ? 5 : 0,
			  scan_file(_metadata, n, NULL, NULL).events);
	EXPECT_EQ(8192, size_of(DIR "/5.etl"));
}

TEST_HARNESS_MAIN
