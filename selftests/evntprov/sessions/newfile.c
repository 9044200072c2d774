// SPDX-License-Identifier: GPL-2.0
/*
 * Log files in newfile mode: each file is complete, no event is lost between
 * them, and an obstacle to the next file affects nothing else.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/sessions/series.h"

#define H		HANDLE(1, 1)
#define DIR		"/tmp/newfile"
#define WRITERS		3u
#define LIMIT_KB	64u
#define BUFFER_SIZE	8192u
#define EVENTS		60000u		/* per writer */

static const char payload[3900];

FIXTURE(files) {
	int prov;
	int trace;
	__u64 session;
	struct series series;
	struct evntrace_start arg;
	__u16 name[16];
};

FIXTURE_SETUP(files)
{
	ASSERT_EQ(0, system("rm -rf " DIR "; mkdir " DIR));
	self->session = 0;
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	series_init(&self->series, DIR);
	self->arg = start_arg(self->name, "newfile", self->series.fd);
	self->arg.log_file_mode = EVNTRACE_MODE_NEWFILE |
				  EVNTRACE_MODE_USE_KBYTES;
	self->arg.buffer_size = BUFFER_SIZE;
	self->arg.max_file_size = LIMIT_KB;
	self->arg.series = (uintptr_t)&self->series.arg;
}

FIXTURE_TEARDOWN(files)
{
	if (self->session)
		dev_stop(self->trace, self->session, NULL);
	series_close(&self->series);
	close(self->prov);
	close(self->trace);
	umount2(DIR, MNT_DETACH);
	EXPECT_EQ(0, system("rm -rf " DIR));
}

static int start(FIXTURE_DATA(files) *self)
{
	int err = do_ioctl(self->trace, EVNTRACE_IOC_START, &self->arg);

	self->session = self->arg.handle;
	close(self->series.fd);
	self->series.fd = -1;
	return err ?: dev_enable(self->trace, self->session, 1);
}

/* Write and flush buffers, each filled by two events */
static struct evntrace_session write_buffers(FIXTURE_DATA(files) *self,
					     unsigned int count)
{
	struct evntrace_session q;
	unsigned int i;

	stay_on(0);
	for (i = 0; i < 2 * count; i++)
		dev_write(self->prov, H, payload, sizeof(payload));
	dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, self->session, &q);
	return q;
}

static off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

/* Totals over all files, and the scan of the current one */
struct count {
	uint64_t events;
	uint64_t too_old;
	uint64_t lost;
	struct etl_scan scan;
	uint8_t (*found)[EVENTS];
};

static void see(const struct etl_event *e, void *context)
{
	struct count *c = context;
	uint32_t mark[2];

	c->events++;
	c->too_old += e->time < c->scan.base;
	memcpy(mark, e->data, sizeof(mark));
	if (c->found && e->data_len == sizeof(mark) && mark[0] < WRITERS &&
	    mark[1] < EVENTS)
		c->found[mark[0]][mark[1]]++;
}

/* Scan all files from the first on; returns their number */
static unsigned int scan_files(struct __test_metadata *_metadata,
			       struct count *c)
{
	unsigned int n;
	char path[64];

	for (n = 1; series_path(path, DIR, n), size_of(path) >= 0; n++) {
		EXPECT_TRUE(etl_scan(path, &c->scan, see, c)) {
			TH_LOG("%s: %s", path, c->scan.error);
		}
		EXPECT_NE(0, c->scan.end_time);
		c->lost += c->scan.events_lost;
		EXPECT_GE(LIMIT_KB * 1024, size_of(path));
	}
	return n - 1;
}

struct writer {
	pthread_t thread;
	int prov;
	uint32_t id;
};

static void *write_events(void *arg)
{
	const struct writer *w = arg;
	uint32_t mark[2] = { w->id };

	while (mark[1] < many(EVENTS)) {
		if (dev_write(w->prov, H, mark, sizeof(mark)))
			sched_yield();
		else
			mark[1]++;
	}
	return NULL;
}

static void start_writers(struct writer *writers, int prov)
{
	unsigned int i;

	for (i = 0; i < WRITERS; i++) {
		writers[i] = (struct writer) { .prov = prov, .id = i };
		pthread_create(&writers[i].thread, NULL, write_events,
			       &writers[i]);
	}
}

static void join_writers(struct writer *writers)
{
	unsigned int i;

	for (i = 0; i < WRITERS; i++)
		pthread_join(writers[i].thread, NULL);
}

/*
 * Each accepted event is found once.  Refused ones were retried, and each
 * refusal counts as lost in one of the files.
 */
static void check_found(struct __test_metadata *_metadata, struct count *c,
			const struct evntrace_session *q)
{
	uint32_t i, n, wrong = 0;

	for (i = 0; i < WRITERS; i++) {
		for (n = 0; n < many(EVENTS); n++)
			wrong += c->found[i][n] != 1;
	}
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(WRITERS * many(EVENTS), c->events);
	EXPECT_EQ(0, c->too_old);
	EXPECT_EQ(WRITERS * many(EVENTS), q->events);
	EXPECT_EQ(q->events_lost, c->lost);
	EXPECT_EQ(q->events_no_buffer, c->lost);
	EXPECT_EQ(0, q->buffers_lost);
	EXPECT_EQ(0, q->log_errno);
}

TEST_F_TIMEOUT(files, under_load_each_event_is_in_one_file, 300)
{
	struct count c = { .found = calloc(WRITERS, EVENTS) };
	struct writer writers[WRITERS];
	struct evntrace_session q;

	ASSERT_EQ(0, start(self));
	start_writers(writers, self->prov);
	join_writers(writers);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	self->session = 0;
	EXPECT_LT(many(100), scan_files(_metadata, &c));
	check_found(_metadata, &c, &q);
	free(c.found);
}

struct incrementer {
	pthread_t thread;
	int trace;
	__u64 session;
	volatile bool stop;
	unsigned int count;
	int error;
};

static void *increment(void *arg)
{
	struct incrementer *in = arg;

	while (!in->stop && !in->error) {
		in->error = dev_control(in->trace, EVNTRACE_CONTROL_INCREMENT,
					in->session, NULL);
		in->count++;
	}
	return NULL;
}

/* Two threads increment the file while its limit also does */
TEST_F_TIMEOUT(files, INCREMENT_under_load_loses_nothing, 300)
{
	struct count c = { .found = calloc(WRITERS, EVENTS) };
	struct incrementer in[2] = {};
	struct writer writers[WRITERS];
	struct evntrace_session q;
	unsigned int i;

	ASSERT_EQ(0, start(self));
	start_writers(writers, self->prov);
	for (i = 0; i < 2; i++) {
		in[i].trace = self->trace;
		in[i].session = self->session;
		pthread_create(&in[i].thread, NULL, increment, &in[i]);
	}
	join_writers(writers);
	for (i = 0; i < 2; i++) {
		in[i].stop = true;
		pthread_join(in[i].thread, NULL);
		EXPECT_EQ(0, in[i].error);
	}
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	self->session = 0;
	EXPECT_LT(in[0].count + in[1].count, scan_files(_metadata, &c));
	check_found(_metadata, &c, &q);
	free(c.found);
}

/* A killed call has taken effect or not; the next one succeeds */
TEST_F_TIMEOUT(files, INCREMENT_with_a_killed_caller_loses_nothing, 300)
{
	struct count c = { .found = calloc(WRITERS, EVENTS) };
	struct writer writers[WRITERS];
	struct evntrace_session q;
	unsigned int i;
	pid_t pid;

	ASSERT_EQ(0, start(self));
	start_writers(writers, self->prov);
	for (i = 0; i < many(40); i++) {
		pid = fork();
		if (!pid)
			_exit(dev_control(self->trace, EVNTRACE_CONTROL_INCREMENT,
					  self->session, NULL));
		usleep(i * 9970 % 100000);
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	}
	EXPECT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_INCREMENT,
				 self->session, NULL));
	join_writers(writers);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	self->session = 0;
	scan_files(_metadata, &c);
	check_found(_metadata, &c, &q);
	free(c.found);
}

static void *stop_soon(void *arg)
{
	FIXTURE_DATA(files) *self = arg;

	usleep(self->arg.flush_ms);
	dev_stop(self->trace, self->session, NULL);
	return NULL;
}

TEST_F_TIMEOUT(files, INCREMENT_can_race_with_the_end_of_the_session, 300)
{
	unsigned int n, in_time = 0;
	pthread_t thread;
	int err;

	for (n = 0; n < many(40); n++) {
		ASSERT_EQ(0, start(self));
		self->arg.flush_ms = n % 10 * 1000;
		pthread_create(&thread, NULL, stop_soon, self);
		dev_write(self->prov, H, "x", 1);
		usleep(n % 7 * 3000);
		err = dev_control(self->trace, EVNTRACE_CONTROL_INCREMENT,
				  self->session, NULL);
		pthread_join(thread, NULL);
		self->session = 0;
		EXPECT_TRUE(!err || err == ESRCH);
		in_time += !err;
		self->arg.flush_ms = 0;
		self->series.fd = new_log(DIR "/1.etl");
		self->arg.log_fd = self->series.fd;
	}
	TH_LOG("%u of %u were in time", in_time, n);
}

TEST_F(files, INCREMENT_separates_earlier_from_later_events)
{
	struct evntrace_session before, q;
	struct etl_scan old, new;
	__u16 name[16];

	ASSERT_EQ(0, start(self));
	EXPECT_EQ(0, dev_write(self->prov, H, "one", 3));
	EXPECT_EQ(0, dev_write(self->prov, H, "two", 3));
	dev_control(self->trace, DEV_QUERY, self->session, &before);
	ASSERT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_INCREMENT,
				 self->session, &q));
	EXPECT_LT(before.buffers_written, q.buffers_written);
	EXPECT_EQ(BUFFER_SIZE, q.bytes_written);
	EXPECT_TRUE(etl_scan(DIR "/1.etl", &old, NULL, NULL));
	EXPECT_TRUE(etl_scan(DIR "/2.etl", &new, NULL, NULL));
	EXPECT_EQ(2, old.events);
	EXPECT_NE(0, old.end_time);
	EXPECT_EQ(0, new.events);
	EXPECT_EQ(0, new.end_time);
	EXPECT_LT(old.start_time, new.start_time);
	EXPECT_EQ(0, dev_write(self->prov, H, "three", 5));
	q = (struct evntrace_session) {
		.size = sizeof(q),
		.log_name = (uintptr_t)name, .log_name_len = 16,
		.control = EVNTRACE_CONTROL_FLUSH,
	};
	ASSERT_EQ(0, dev_session(self->trace, self->session, &q));
	EXPECT_EQ(5, q.log_name_len);
	EXPECT_EQ('2', name[0]);
	EXPECT_EQ('.', name[1]);
	EXPECT_TRUE(etl_scan(DIR "/2.etl", &new, NULL, NULL));
	EXPECT_EQ(1, new.events);
}

TEST_F(files, INCREMENT_in_another_mode_is_EINVAL)
{
	self->arg.log_file_mode = EVNTRACE_MODE_SEQUENTIAL;
	self->arg.series = 0;
	ASSERT_EQ(0, start(self));
	EXPECT_EQ(EINVAL, dev_control(self->trace, EVNTRACE_CONTROL_INCREMENT,
				      self->session, NULL));
}

/* UPDATE replaces the series */
TEST_F(files, UPDATE_starts_another_series)
{
	struct evntrace_update arg = {
		.size = sizeof(arg), .flags = EVNTRACE_UPDATE_LOG,
		.log_name = (uintptr_t)self->name, .log_name_len = 1,
	};
	struct series other;

	ASSERT_EQ(0, mkdir(DIR "/other", 0755));
	series_init(&other, DIR "/other");
	ASSERT_EQ(0, start(self));
	write_buffers(self, 8);
	arg.log_fd = other.fd;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, self->session,
				    EVNTRACE_IOC_UPDATE, &arg));
	arg.series = 1;
	EXPECT_EQ(EFAULT, dev_ioctl(self->trace, self->session,
				    EVNTRACE_IOC_UPDATE, &arg));
	arg.series = (uintptr_t)&other.arg;
	EXPECT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_UPDATE,
			       &arg));
	write_buffers(self, 8);
	EXPECT_EQ(-1, size_of(DIR "/3.etl"));
	EXPECT_LT(0, size_of(DIR "/other/2.etl"));
	series_close(&other);
}

TEST_F(files, invalid_series_are_rejected)
{
	static char longest[257];
	struct evntrace_newfile good = self->series.arg, *arg =
						&self->series.arg;
	struct dev_status before = dev_status();

	memset(longest, 'x', 256);
	memcpy(longest, "%d", 2);
#define FAILS(error, ...) ({						\
	*arg = good;							\
	__VA_ARGS__;							\
	EXPECT_EQ(error, do_ioctl(self->trace, EVNTRACE_IOC_START,	\
				  &self->arg)); })
#define FILE_FAILS(text)						\
	FAILS(EINVAL, arg->file = (uintptr_t)(text),			\
	      arg->file_len = sizeof(text) - 1)
	FAILS(EINVAL, arg->size--);
	FAILS(E2BIG, arg->size = 0xffff);
	FAILS(EINVAL, arg->flags = 1);
	FAILS(EINVAL, arg->reserved = 1);
	FAILS(EFAULT, arg->file = 1);
	FAILS(EFAULT, arg->name = 1);
	FAILS(EBADF, arg->dir_fd = -1);
	FAILS(ENOTDIR, arg->dir_fd = self->series.fd);
	FAILS(EINVAL, arg->file_len = 0);
	FAILS(EINVAL, arg->file = (uintptr_t)longest, arg->file_len = 256);
	FILE_FAILS("x");
	FILE_FAILS("%");
	FILE_FAILS("%s");
	FILE_FAILS("%dx%d");
	FILE_FAILS("%d%");
	FILE_FAILS("100%-%d");
	FILE_FAILS("../%d");
	FILE_FAILS("%d/x");
	FILE_FAILS("a\0%d");
	FAILS(EINVAL, arg->name_len = 0);
	FAILS(EINVAL, arg->name_len = 1);
	FAILS(EINVAL, arg->name_len = EVNTRACE_MAX_NAME - 9);
	*arg = good;
	self->arg.series = 0;
	EXPECT_EQ(EINVAL, do_ioctl(self->trace, EVNTRACE_IOC_START,
				   &self->arg));
	self->arg.series = (uintptr_t)arg;
	self->arg.log_file_mode = EVNTRACE_MODE_SEQUENTIAL;
	EXPECT_EQ(EINVAL, do_ioctl(self->trace, EVNTRACE_IOC_START,
				   &self->arg));
	self->arg.log_file_mode = EVNTRACE_MODE_NEWFILE;
	self->arg.max_file_size = 0;
	EXPECT_EQ(EINVAL, do_ioctl(self->trace, EVNTRACE_IOC_START,
				   &self->arg));
	self->arg.max_file_size = LIMIT_KB;
	self->arg.log_file_mode = EVNTRACE_MODE_NEWFILE |
				  EVNTRACE_MODE_REAL_TIME;
	self->arg.log_fd = -1;
	EXPECT_EQ(EINVAL, do_ioctl(self->trace, EVNTRACE_IOC_START,
				   &self->arg));
	EXPECT_TRUE(dev_status_is(&before));
	EXPECT_EQ(0, size_of(DIR "/1.etl"));
}

/* Check a session whose second file cannot be created until @mend is run */
static void check_hindered(struct __test_metadata *_metadata,
			   FIXTURE_DATA(files) *self, int error,
			   const char *mend)
{
	struct evntrace_session q;
	struct count c = {};

	ASSERT_EQ(0, start(self));
	q = write_buffers(self, 20);
	EXPECT_EQ(error, q.log_errno);
	EXPECT_EQ(40, q.events);
	EXPECT_EQ(0, q.events_lost);
	EXPECT_LT(LIMIT_KB * 1024, q.bytes_written);
	EXPECT_EQ(error, dev_control(self->trace, EVNTRACE_CONTROL_INCREMENT,
				     self->session, NULL));
	EXPECT_TRUE(etl_scan(DIR "/1.etl", &c.scan, see, &c) ||
		    size_of(DIR "/1.etl") < 0);
	if (!mend)
		return;
	ASSERT_EQ(0, system(mend));
	q = write_buffers(self, 1);
	EXPECT_EQ(0, q.log_errno);
	EXPECT_TRUE(etl_scan(DIR "/1.etl", &c.scan, NULL, NULL));
	EXPECT_EQ(40, c.scan.events);
	EXPECT_NE(0, c.scan.end_time);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	self->session = 0;
	EXPECT_EQ(0, q.events_lost);
	EXPECT_TRUE(etl_scan(DIR "/2.etl", &c.scan, NULL, NULL));
	EXPECT_EQ(2, c.scan.events);
}

TEST_F(files, a_removed_directory_blocks_nothing)
{
	ASSERT_EQ(0, system("rm -r " DIR));
	check_hindered(_metadata, self, ENOENT, NULL);
}

TEST_F(files, a_directory_in_place_of_the_next_file_blocks_nothing)
{
	ASSERT_EQ(0, mkdir(DIR "/2.etl", 0755));
	check_hindered(_metadata, self, EISDIR, "rmdir " DIR "/2.etl");
}

TEST_F(files, a_symbolic_link_is_not_followed)
{
	ASSERT_EQ(0, system("echo mine > " DIR "/file"));
	ASSERT_EQ(0, symlink("file", DIR "/2.etl"));
	check_hindered(_metadata, self, ELOOP, "rm " DIR "/2.etl");
	EXPECT_EQ(5, size_of(DIR "/file"));
}

TEST_F(files, a_pipe_in_place_of_the_next_file_blocks_nothing)
{
	ASSERT_EQ(0, mkfifo(DIR "/2.etl", 0600));
	check_hindered(_metadata, self, EINVAL, "rm " DIR "/2.etl");
}

/* The library's lock protects another session's log */
TEST_F(files, the_log_of_another_session_is_not_overwritten)
{
	int fd = new_log(DIR "/2.etl");

	ASSERT_EQ(4, write(fd, "mine", 4));
	ASSERT_EQ(0, flock(fd, LOCK_EX));
	check_hindered(_metadata, self, EAGAIN, NULL);
	EXPECT_EQ(4, size_of(DIR "/2.etl"));
	close(fd);
	write_buffers(self, 1);
	fd = open(DIR "/2.etl", O_RDWR);
	EXPECT_EQ(2 * BUFFER_SIZE, size_of(DIR "/2.etl"));
	/* The session locks its own log too */
	EXPECT_EQ(-1, flock(fd, LOCK_EX | LOCK_NB));
	EXPECT_EQ(EWOULDBLOCK, errno);
	close(fd);
}

/* Files are created with the credentials of the starter, not the kernel's */
TEST_F(files, later_files_are_created_with_the_starters_rights)
{
	struct evntrace_session q;
	struct stat st;
	int err;

	ASSERT_EQ(0, chown(DIR, 65534, 65534));
	ASSERT_EQ(0, fchmod(self->series.fd, 0640));
	ASSERT_EQ(0, system("echo mine > " DIR "/2.etl; chmod 600 " DIR
			    "/2.etl"));
	ASSERT_EQ(0, seteuid(65534));
	err = do_ioctl(self->trace, EVNTRACE_IOC_START, &self->arg);
	ASSERT_EQ(0, seteuid(0));
	if (err == EACCES)
		SKIP(return, "others may not start sessions here");
	ASSERT_EQ(0, err);
	self->session = self->arg.handle;
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	q = write_buffers(self, 20);
	EXPECT_EQ(EACCES, q.log_errno);
	EXPECT_EQ(0, q.events_lost);
	EXPECT_EQ(5, size_of(DIR "/2.etl"));
	ASSERT_EQ(0, unlink(DIR "/2.etl"));
	q = write_buffers(self, 1);
	EXPECT_EQ(0, q.log_errno);
	ASSERT_EQ(0, stat(DIR "/2.etl", &st));
	EXPECT_EQ(65534, st.st_uid);
	EXPECT_EQ(0640, st.st_mode & 07777);
}

/* Errors are reported and losses counted; with space again, it goes on */
TEST_F(files, a_full_disk_blocks_nothing)
{
	struct evntrace_session q;
	struct etl_scan scan;

	series_close(&self->series);
	ASSERT_EQ(0, mount("none", DIR, "tmpfs", 0, "size=64k"));
	series_init(&self->series, DIR);
	self->arg.log_fd = self->series.fd;
	ASSERT_EQ(0, start(self));
	q = write_buffers(self, 20);
	EXPECT_EQ(ENOSPC, q.log_errno);
	EXPECT_LT(0, q.buffers_lost);
	EXPECT_EQ(2 * q.buffers_lost, q.events_lost);
	EXPECT_TRUE(etl_scan(DIR "/1.etl", &scan, NULL, NULL));
	EXPECT_EQ(40 - q.events_lost, scan.events);
	ASSERT_EQ(0, mount("none", DIR, "tmpfs", MS_REMOUNT, "size=1m"));
	q = write_buffers(self, 4);
	EXPECT_EQ(0, q.log_errno);
	EXPECT_TRUE(etl_scan(DIR "/2.etl", &scan, NULL, NULL));
	EXPECT_EQ(8, scan.events);
	EXPECT_EQ(0, scan.events_lost);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	self->session = 0;
}

/* With PREALLOCATE, each file has its full length from the beginning */
TEST_F(files, PREALLOCATE_applies_to_each_file)
{
	struct count c = {};

	self->arg.log_file_mode |= EVNTRACE_MODE_PREALLOCATE;
	ASSERT_EQ(0, start(self));
	write_buffers(self, 8);
	EXPECT_EQ(LIMIT_KB * 1024, size_of(DIR "/1.etl"));
	EXPECT_EQ(LIMIT_KB * 1024, size_of(DIR "/2.etl"));
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	self->session = 0;
	EXPECT_EQ(2, scan_files(_metadata, &c));
	EXPECT_EQ(2 * BUFFER_SIZE, size_of(DIR "/2.etl"));
	EXPECT_EQ(16, c.events);
}

TEST_HARNESS_MAIN
