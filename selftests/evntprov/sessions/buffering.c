// SPDX-License-Identifier: GPL-2.0
/*
 * Buffering mode and snapshots: the newest events stay in memory, and can be
 * written to a file at any time without a gap.
 *
 * BUFFERING_SNAPSHOTS sets the number of snapshots under full load.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define FILE_NAME	"/tmp/buffering.etl"
#define LOG_NAME	"/tmp/buffering-log.etl"
#define H		HANDLE(1, 1)
#define KIB		1024u
#define WRITERS		4

static const struct evntrace_start buffering = {
	.log_file_mode = EVNTRACE_MODE_BUFFERING,
	.buffer_size = 16 * KIB, .min_buffers = 64,
};

struct note {
	uint32_t writer;
	uint32_t number;
	char rest[56];
};

FIXTURE(buffering) {
	int prov;
	int trace;
	__u64 session;
	struct dev_status before;
};

FIXTURE_SETUP(buffering)
{
	self->session = 0;
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->prov);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
}

FIXTURE_TEARDOWN(buffering)
{
	if (self->session)
		EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
	close(self->prov);
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
	unlink(FILE_NAME);
	unlink(LOG_NAME);
}

static int start(FIXTURE_DATA(buffering) *self,
		 const struct evntrace_start *how)
{
	int err = dev_start(self->trace, "buffering", NULL, how,
			    &self->session);

	return err ?: dev_enable(self->trace, self->session, 1);
}

static struct evntrace_snapshot snapshot_arg(int fd)
{
	static const __u16 name[] = { 'x', '.', 'e', 't', 'l' };

	return (struct evntrace_snapshot) {
		.size = sizeof(struct evntrace_snapshot),
		.log_name = (uintptr_t)name, .log_name_len = 5, .log_fd = fd,
	};
}

/* Take a snapshot into a new file, and check its length against the result */
static int snapshot(int trace, __u64 session, const char *path,
		    struct evntrace_snapshot *out)
{
	int fd = new_log(path);
	int err;

	*out = snapshot_arg(fd);
	err = dev_ioctl(trace, session, EVNTRACE_IOC_SNAPSHOT, out);
	close(fd);
	return err;
}

static int update(int trace, __u64 session, __u32 flags, __u32 flush_ms)
{
	struct evntrace_update arg = {
		.size = sizeof(arg), .flags = flags,
		.flush_ms = flush_ms,
	};

	return dev_ioctl(trace, session, EVNTRACE_IOC_UPDATE, &arg);
}

static void write_events(int fd, uint32_t from, uint32_t to)
{
	struct note note = { .number = from };

	for (; note.number < to; note.number++) {
		while (dev_write(fd, H, &note, sizeof(note)) == ENOBUFS)
			sched_yield();
	}
}

/* Events of one writer: lowest and highest number, and their count */
struct run {
	uint64_t count;
	uint32_t low;
	uint32_t high;
	int64_t first;
	int64_t last;
};

struct runs {
	struct run of[WRITERS];
	uint64_t odd;
};

static void note_event(const struct etl_event *e, void *context)
{
	struct runs *runs = context;
	struct run *run;
	struct note note;

	if (e->data_len < sizeof(note)) {
		runs->odd++;
		return;
	}
	memcpy(&note, e->data, sizeof(note));
	run = &runs->of[note.writer % WRITERS];
	if (!run->count++) {
		run->low = note.number;
		run->high = note.number;
	}
	if (note.number < run->low)
		run->low = note.number;
	if (note.number > run->high)
		run->high = note.number;
}

/* Buffers, and so numbers, never occur twice: the count reveals a gap */
static bool has_gap(const struct run *run)
{
	return run->count && run->high - run->low + 1 != run->count;
}

TEST_F(buffering, a_snapshot_contains_all_events_that_fit)
{
	struct evntrace_snapshot arg;
	struct evntrace_session info;
	struct runs runs = {};
	struct etl_scan scan;

	ASSERT_EQ(0, start(self, &buffering));
	write_events(self->prov, 0, 500);
	ASSERT_EQ(0, snapshot(self->trace, self->session, FILE_NAME, &arg));
	ASSERT_TRUE(etl_scan(FILE_NAME, &scan, note_event, &runs));
	EXPECT_EQ(500, scan.events);
	EXPECT_EQ(500, arg.events);
	EXPECT_EQ(scan.buffers_written, arg.buffers);
	EXPECT_EQ(0, scan.events_lost);
	EXPECT_NE(0, scan.end_time);
	/* The session goes on, and writes no file by itself */
	write_events(self->prov, 500, 600);
	ASSERT_EQ(0, snapshot(self->trace, self->session, FILE_NAME, &arg));
	EXPECT_EQ(600, arg.events);
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &info));
	EXPECT_EQ(EVNTRACE_MODE_BUFFERING, info.log_file_mode);
	EXPECT_EQ(0, info.flush_ms);
	EXPECT_EQ(0, info.buffers_written);
	EXPECT_EQ(0, info.bytes_written);
	EXPECT_EQ(0, info.events_lost);
}

TEST_F(buffering, an_empty_snapshot_is_a_log)
{
	struct evntrace_snapshot arg;
	struct etl_scan scan;

	ASSERT_EQ(0, start(self, &buffering));
	ASSERT_EQ(0, snapshot(self->trace, self->session, FILE_NAME, &arg));
	ASSERT_TRUE(etl_scan(FILE_NAME, &scan, NULL, NULL));
	EXPECT_EQ(0, scan.events);
	EXPECT_EQ(1, arg.buffers);
	EXPECT_EQ(0, arg.events);
}

/* MaximumBuffers is ignored; MinimumBuffers sets the memory */
TEST_F(buffering, min_buffers_determines_the_number_of_buffers)
{
	struct evntrace_start how = buffering;
	struct evntrace_session info;

	how.max_buffers = 1000;
	ASSERT_EQ(0, start(self, &how));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &info));
	EXPECT_EQ(64, info.buffers);
	EXPECT_EQ(64, info.max_buffers);
}

/* Write many times the memory's size: the newest events stay, none is lost */
TEST_F(buffering, the_newest_events_stay)
{
	struct evntrace_session info;
	struct evntrace_snapshot arg;
	struct runs runs = {};
	struct etl_scan scan;

	/* A buffer of a processor that was left early is kept for longer */
	stay_on(0);
	ASSERT_EQ(0, start(self, &buffering));
	write_events(self->prov, 0, 100000);
	ASSERT_EQ(0, snapshot(self->trace, self->session, FILE_NAME, &arg));
	ASSERT_TRUE(etl_scan(FILE_NAME, &scan, note_event, &runs));
	EXPECT_EQ(99999, runs.of[0].high);
	EXPECT_FALSE(has_gap(&runs.of[0]));
	/* A quarter of the buffers is kept free, and some may not be full */
	EXPECT_LT(32u, arg.buffers);
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &info));
	EXPECT_EQ(100000, info.events);
}

/* Buffers are held and released one by one, without losing an event */
TEST_F(buffering, a_snapshot_of_many_buffers_is_complete)
{
	struct evntrace_start how = buffering;
	struct evntrace_snapshot arg;
	struct runs runs = {};
	struct etl_scan scan;

	how.buffer_size = 4 * KIB;
	how.min_buffers = 640;
	stay_on(0);
	ASSERT_EQ(0, start(self, &how));
	write_events(self->prov, 0, 40000);
	ASSERT_EQ(0, snapshot(self->trace, self->session, FILE_NAME, &arg));
	ASSERT_TRUE(etl_scan(FILE_NAME, &scan, note_event, &runs));
	EXPECT_EQ(39999, runs.of[0].high);
	EXPECT_FALSE(has_gap(&runs.of[0]));
	EXPECT_LT(320u, arg.buffers);
	EXPECT_EQ(runs.of[0].count, arg.events);
}

/* Set the system's clock forward or back; returns 0 or an errno */
static int step_clock(int seconds)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += seconds;
	return clock_settime(CLOCK_REALTIME, &t) ? errno : 0;
}

/* Released buffers are newer by the clock than those still held */
TEST_F(buffering, a_snapshot_is_valid_after_system_time_was_set_back)
{
	struct evntrace_start how = buffering;
	struct evntrace_snapshot arg;
	struct runs runs = {};
	struct etl_scan scan;
	uint32_t i;
	int err;

	how.clock_type = EVNTRACE_CLOCK_SYSTEM_TIME;
	stay_on(0);
	ASSERT_EQ(0, start(self, &how));
	/* Nothing is lost: a record about losses could follow the last flush */
	for (i = 0; i < 20; i++) {
		write_events(self->prov, i * 1000, (i + 1) * 1000);
		ASSERT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH,
					 self->session, NULL));
	}
	ASSERT_EQ(0, step_clock(-3600));
	write_events(self->prov, 20000, 21000);
	err = snapshot(self->trace, self->session, FILE_NAME, &arg);
	EXPECT_EQ(0, step_clock(3600));
	ASSERT_EQ(0, err);
	ASSERT_TRUE(etl_scan(FILE_NAME, &scan, note_event, &runs)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_GT(20000, runs.of[0].low);
	EXPECT_EQ(20999, runs.of[0].high);
	EXPECT_FALSE(has_gap(&runs.of[0]));
	EXPECT_EQ(runs.of[0].count, arg.events);
}

TEST_F(buffering, a_snapshot_of_a_real_time_session_is_possible)
{
	struct evntrace_start how = buffering;
	struct evntrace_snapshot arg;

	how.log_file_mode = EVNTRACE_MODE_REAL_TIME;
	ASSERT_EQ(0, start(self, &how));
	write_events(self->prov, 0, 10);
	ASSERT_EQ(0, snapshot(self->trace, self->session, FILE_NAME, &arg));
	EXPECT_EQ(10, arg.events);
}

TEST_F(buffering, snapshot_errors)
{
	struct evntrace_start file = { .log_file_mode = 0 };
	struct evntrace_snapshot arg, good;
	int fd = new_log(FILE_NAME), pipes[2];
	__u64 other, session = 12345;

#define SNAPSHOT_FAILS(error, ...) ({					\
	arg = good;							\
	__VA_ARGS__;							\
	EXPECT_EQ(error, dev_ioctl(self->trace, session,			\
				   EVNTRACE_IOC_SNAPSHOT, &arg));	\
	EXPECT_EQ(0, lseek(fd, 0, SEEK_END)); })
	good = snapshot_arg(fd);
	SNAPSHOT_FAILS(ESRCH, (void)0);
	ASSERT_EQ(0, dev_start(self->trace, "file", LOG_NAME, &file,
			       &other));
	session = other;
	SNAPSHOT_FAILS(EOPNOTSUPP, (void)0);
	EXPECT_EQ(0, dev_stop(self->trace, other, NULL));

	ASSERT_EQ(0, start(self, &buffering));
	write_events(self->prov, 0, 10);
	session = self->session;
	SNAPSHOT_FAILS(EINVAL, arg.flags = 1);
	SNAPSHOT_FAILS(EBADF, arg.log_fd = -1);
	SNAPSHOT_FAILS(EBADF, arg.log_fd = open(FILE_NAME, O_RDONLY));
	SNAPSHOT_FAILS(EBADF, arg.log_fd = open(FILE_NAME, O_WRONLY));
	SNAPSHOT_FAILS(EINVAL, arg.log_fd = open(FILE_NAME, O_RDWR | O_APPEND));
	ASSERT_EQ(0, pipe(pipes));
	SNAPSHOT_FAILS(EINVAL, arg.log_fd = pipes[1]);
	SNAPSHOT_FAILS(EFAULT, arg.log_name = 1);
	SNAPSHOT_FAILS(EFAULT, arg.time_zone = 1);
	SNAPSHOT_FAILS(EINVAL, arg.log_name_len = EVNTRACE_MAX_NAME + 1);
	ASSERT_EQ(0, dev_ioctl(self->trace, session, EVNTRACE_IOC_SNAPSHOT,
			       &good));
	EXPECT_EQ(10, good.events);
	EXPECT_EQ(good.buffers * 16 * KIB, lseek(fd, 0, SEEK_END));
	/* The file is no longer empty */
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, session, EVNTRACE_IOC_SNAPSHOT,
				    &good));
	close(fd);
}

TEST_F(buffering, a_failed_snapshot_on_a_full_disk_leaves_an_empty_file)
{
	struct evntrace_snapshot arg;

	mkdir("/tmp/full", 0700);
	ASSERT_EQ(0, system("mount -t tmpfs -o size=100k none /tmp/full"));
	ASSERT_EQ(0, start(self, &buffering));
	write_events(self->prov, 0, 5000);
	EXPECT_EQ(ENOSPC, snapshot(self->trace, self->session, "/tmp/full/x",
				   &arg));
	EXPECT_EQ(0, system("test -e /tmp/full/x -a ! -s /tmp/full/x"));
	EXPECT_EQ(0, system("umount /tmp/full"));
	ASSERT_EQ(0, snapshot(self->trace, self->session, FILE_NAME, &arg));
	EXPECT_LT(0, arg.events);
}

/* A process that changes the file during a snapshot corrupts only that file */
static volatile bool is_over;

static void *spoil(void *arg)
{
	char rubbish[4096];
	unsigned int seed = 1;
	int fd = *(int *)arg;

	while (!is_over) {
		memset(rubbish, rand_r(&seed), sizeof(rubbish));
		if (pwrite(fd, rubbish, 1 + rand_r(&seed) % sizeof(rubbish),
			   rand_r(&seed) % (512 * KIB)) < 0)
			break;
		if (rand_r(&seed) % 8 == 0 && ftruncate(fd, 0))
			break;
	}
	return NULL;
}

TEST_F(buffering, a_snapshot_survives_a_concurrent_writer_of_the_file)
{
	struct evntrace_snapshot arg;
	pthread_t thread;
	int fd, i, err;

	ASSERT_EQ(0, start(self, &buffering));
	fd = new_log(FILE_NAME);
	is_over = false;
	ASSERT_EQ(0, pthread_create(&thread, NULL, spoil, &fd));
	for (i = 0; i < 50; i++) {
		write_events(self->prov, 0, 2000);
		arg = snapshot_arg(fd);
		err = dev_ioctl(self->trace, self->session,
				EVNTRACE_IOC_SNAPSHOT, &arg);
		EXPECT_TRUE(!err || err == EINVAL || err == EIO);
		EXPECT_EQ(0, ftruncate(fd, 0));
	}
	is_over = true;
	pthread_join(thread, NULL);
	close(fd);
}

struct scribbler {
	pthread_t thread;
	uint32_t writer;
	uint32_t accepted;
	uint64_t refused;
};

/* Write at full speed on any CPU; @accepted shows the progress */
static void *scribble(void *arg)
{
	struct scribbler *s = arg;
	int fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	struct note note = { .writer = s->writer };
	int err;

	dev_register(fd, H, 1, 0);
	while (!is_over) {
		note.number = s->accepted;
		err = dev_write(fd, H, &note, sizeof(note));
		s->refused += err == ENOBUFS;
		if (!err)
			__atomic_store_n(&s->accepted, s->accepted + 1,
					 __ATOMIC_RELEASE);
		/* One writer is slow: its buffers reach far back */
		if (s->writer == WRITERS - 1)
			usleep(500);
	}
	close(fd);
	return NULL;
}

static void start_scribblers(struct scribbler *w)
{
	uint32_t i;

	memset(w, 0, WRITERS * sizeof(*w));
	is_over = false;
	for (i = 0; i < WRITERS; i++) {
		w[i].writer = i;
		pthread_create(&w[i].thread, NULL, scribble, &w[i]);
	}
}

/* Store how many events of each writer have been accepted so far */
static void look_at_scribblers(const struct scribbler *w, uint32_t *accepted)
{
	uint32_t i;

	for (i = 0; i < WRITERS; i++)
		accepted[i] = __atomic_load_n(&w[i].accepted, __ATOMIC_ACQUIRE);
}

static unsigned int snapshot_count(void)
{
	const char *s = getenv("BUFFERING_SNAPSHOTS");

	return s ? (unsigned int)atoi(s) : many(100);
}

/*
 * Each snapshot holds one run of each writer's events, without a gap, which
 * includes the last event accepted before the call.
 */
TEST_F_TIMEOUT(buffering, snapshots_under_full_load_are_consistent, 600)
{
	struct evntrace_start how = buffering;
	uint32_t accepted[WRITERS], i, n;
	struct scribbler w[WRITERS];
	struct evntrace_snapshot arg;
	struct evntrace_session info;
	uint64_t refused = 0, written = 0, events = 0;
	struct etl_scan scan;
	struct runs runs;

	/* More than the writers fill before a woken thread takes the snapshot */
	how.min_buffers = 512;
	ASSERT_EQ(0, start(self, &how));
	start_scribblers(w);
	usleep(100000);
	for (n = 0; n < snapshot_count(); n++) {
		look_at_scribblers(w, accepted);
		ASSERT_EQ(0, snapshot(self->trace, self->session, FILE_NAME,
				      &arg));
		memset(&runs, 0, sizeof(runs));
		EXPECT_TRUE(etl_scan(FILE_NAME, &scan, note_event, &runs));
		EXPECT_EQ(NULL, scan.error);
		EXPECT_EQ(0, runs.odd);
		EXPECT_EQ(scan.events, arg.events);
		EXPECT_EQ(scan.buffers_written, arg.buffers);
		for (i = 0; i < WRITERS; i++) {
			EXPECT_FALSE(has_gap(&runs.of[i]));
			if (runs.of[i].count)
				EXPECT_LE(accepted[i], runs.of[i].high + 1);
		}
		events += arg.events;
	}
	is_over = true;
	for (i = 0; i < WRITERS; i++) {
		pthread_join(w[i].thread, NULL);
		refused += w[i].refused;
		written += w[i].accepted;
	}
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &info));
	EXPECT_EQ(written, info.events);
	EXPECT_EQ(refused, info.events_lost);
	EXPECT_LT(0, events);
	printf("# %llu events accepted, %llu refused, %llu in %u snapshots\n",
	       (unsigned long long)written, (unsigned long long)refused,
	       (unsigned long long)events, snapshot_count());
}

/* Events so large that four fill a buffer and a write is always in progress */
#define EARLY_SIZE	(15 * KIB)
#define EARLY		600u

struct early {
	pthread_t thread;
	uint32_t writer;
	int fd;
};

/* Write in bursts, so that no buffer is dropped before the snapshot */
static void *write_early(void *arg)
{
	const struct early *w = arg;
	char data[EARLY_SIZE] = {};
	struct note note = { .writer = w->writer };

	for (; note.number < EARLY && !is_over; note.number++) {
		memcpy(data, &note, sizeof(note));
		if (dev_write(w->fd, H, data, sizeof(data)))
			return "an event is refused";
		if (note.number % 3 == 0)
			usleep(200);
	}
	return NULL;
}

/* Whether each run begins with event 0 and has no gap */
static bool is_beginning(const struct runs *runs)
{
	uint32_t i;

	for (i = 0; i < WRITERS; i++) {
		if (runs->of[i].count &&
		    (runs->of[i].low || has_gap(&runs->of[i])))
			return false;
	}
	return true;
}

/*
 * Until the first buffer is dropped, a snapshot must begin with it, even if the
 * newest buffers are too new to be included.
 */
TEST_F_TIMEOUT(buffering, a_snapshot_begins_with_the_first_buffer, 300)
{
	const struct evntrace_start how = {
		.log_file_mode = EVNTRACE_MODE_BUFFERING,
		.buffer_size = 64 * KIB, .min_buffers = WRITERS * EARLY / 2,
	};
	struct evntrace_snapshot arg;
	struct early w[WRITERS];
	struct etl_scan scan;
	unsigned int n, i;
	struct runs runs;
	void *problem;

	for (n = 0; n < many(25); n++) {
		ASSERT_EQ(0, start(self, &how));
		is_over = false;
		for (i = 0; i < WRITERS; i++) {
			w[i].writer = i;
			w[i].fd = self->prov;
			pthread_create(&w[i].thread, NULL, write_early, &w[i]);
		}
		EXPECT_EQ(0, snapshot(self->trace, self->session, FILE_NAME,
				      &arg));
		is_over = true;
		memset(&runs, 0, sizeof(runs));
		EXPECT_TRUE(etl_scan(FILE_NAME, &scan, note_event, &runs));
		EXPECT_EQ(scan.events, arg.events);
		EXPECT_TRUE(is_beginning(&runs));
		for (i = 0; i < WRITERS; i++) {
			pthread_join(w[i].thread, &problem);
			EXPECT_EQ(NULL, problem);
		}
		ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
		self->session = 0;
	}
}

/*
 * Events written before and after the switch to real time may have the same
 * timestamp.  The log file keeps the writer thread busy.
 */
TEST_F_TIMEOUT(buffering, a_snapshot_is_complete_while_the_session_becomes_real_time, 300)
{
	const struct evntrace_start how = {
		.buffer_size = 8 * KIB, .max_buffers = 256,
	};
	uint32_t accepted[WRITERS], i, n;
	struct scribbler w[WRITERS];
	struct evntrace_snapshot arg;
	struct etl_scan scan;
	struct runs runs;

	for (n = 0; n < many(15); n++) {
		ASSERT_EQ(0, dev_start(self->trace, "buffering", LOG_NAME,
				       &how, &self->session));
		ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
		start_scribblers(w);
		EXPECT_EQ(0, update(self->trace, self->session,
				    EVNTRACE_UPDATE_REAL_TIME, 0));
		look_at_scribblers(w, accepted);
		EXPECT_EQ(0, snapshot(self->trace, self->session, FILE_NAME,
				      &arg));
		is_over = true;
		memset(&runs, 0, sizeof(runs));
		EXPECT_TRUE(etl_scan(FILE_NAME, &scan, note_event, &runs));
		for (i = 0; i < WRITERS; i++) {
			EXPECT_FALSE(has_gap(&runs.of[i]));
			if (runs.of[i].count)
				EXPECT_LE(accepted[i], runs.of[i].high + 1);
			pthread_join(w[i].thread, NULL);
		}
		ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
		self->session = 0;
	}
}

TEST_F(buffering, a_log_name_must_fit_a_buffer_of_the_session)
{
	static __u16 longest[EVNTRACE_MAX_NAME];
	struct evntrace_snapshot arg;
	struct evntrace_start how;
	__u16 name[1];
	int fd;

	memset(longest, 'x', sizeof(longest));
	fd = new_log(LOG_NAME);
	how = start_arg(name, "x", fd);
	how.name = (uintptr_t)longest;
	how.name_len = EVNTRACE_MAX_NAME;
	how.buffer_size = 4 * KIB;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, &how));
	close(fd);
	self->session = how.handle;
	ASSERT_EQ(0, update(self->trace, how.handle, EVNTRACE_UPDATE_REAL_TIME,
			    0));
	fd = new_log(FILE_NAME);
	arg = snapshot_arg(fd);
	arg.log_name = (uintptr_t)longest;
	arg.log_name_len = EVNTRACE_MAX_NAME;
	EXPECT_EQ(ENAMETOOLONG, dev_ioctl(self->trace, how.handle,
					  EVNTRACE_IOC_SNAPSHOT, &arg));
	EXPECT_EQ(0, lseek(fd, 0, SEEK_END));
	arg = snapshot_arg(fd);
	EXPECT_EQ(0, dev_ioctl(self->trace, how.handle, EVNTRACE_IOC_SNAPSHOT,
			       &arg));
	close(fd);
}

TEST_F(buffering, buffering_sessions_have_no_flush_timer)
{
	struct evntrace_session info;

	ASSERT_EQ(0, start(self, &buffering));
	EXPECT_EQ(0, update(self->trace, self->session, 0, 1));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &info));
	EXPECT_EQ(0, info.flush_ms);
}

TEST_F(buffering, a_snapshot_works_after_a_killed_caller)
{
	struct evntrace_snapshot arg;
	int status;
	pid_t pid;

	ASSERT_EQ(0, start(self, &buffering));
	write_events(self->prov, 0, 20000);
	pid = fork();
	if (!pid) {
		for (;;)
			snapshot(self->trace, self->session, FILE_NAME, &arg);
	}
	usleep(50000);
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, wait(&status));
	ASSERT_EQ(0, snapshot(self->trace, self->session, FILE_NAME, &arg));
	EXPECT_LT(0, arg.events);
}

TEST_HARNESS_MAIN
