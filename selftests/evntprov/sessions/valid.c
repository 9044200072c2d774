// SPDX-License-Identifier: GPL-2.0
/*
 * Log files are valid at every moment in each mode: while the session runs,
 * after it ends, after all its processes are killed, and in a copy made at any
 * time.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/sessions/series.h"

#define DIR		"/tmp/valid"
#define LOG		DIR "/1.etl"
#define COPIES		150u
#define SECONDS		2	/* after which fewer copies suffice */
#define WRITERS		3u

static const char payload[300];

FIXTURE(file) {
	int trace;
	__u64 session;
};

FIXTURE_VARIANT(file) {
	__u32 mode;
	__u32 kbytes;
	__u32 buffer_size;
};

FIXTURE_VARIANT_ADD(file, unlimited) {
	.mode = 0, .buffer_size = 8192,
};

FIXTURE_VARIANT_ADD(file, sequential) {
	.mode = EVNTRACE_MODE_SEQUENTIAL, .kbytes = 1 << 20,
	.buffer_size = 65536,
};

FIXTURE_VARIANT_ADD(file, preallocated) {
	.mode = EVNTRACE_MODE_SEQUENTIAL | EVNTRACE_MODE_PREALLOCATE,
	.kbytes = 128 << 10, .buffer_size = 65536,
};

/* Overwritten by epochs */
FIXTURE_VARIANT_ADD(file, circular) {
	.mode = EVNTRACE_MODE_CIRCULAR, .kbytes = 1200, .buffer_size = 8192,
};

/* Overwritten by buffers */
FIXTURE_VARIANT_ADD(file, circular_and_small) {
	.mode = EVNTRACE_MODE_CIRCULAR, .kbytes = 320, .buffer_size = 32768,
};

FIXTURE_VARIANT_ADD(file, circular_and_preallocated) {
	.mode = EVNTRACE_MODE_CIRCULAR | EVNTRACE_MODE_PREALLOCATE,
	.kbytes = 1200, .buffer_size = 8192,
};

FIXTURE_VARIANT_ADD(file, new_file) {
	.mode = EVNTRACE_MODE_NEWFILE, .kbytes = 1200, .buffer_size = 8192,
};

/* So small that each buffer begins a new file */
FIXTURE_VARIANT_ADD(file, new_file_and_small) {
	.mode = EVNTRACE_MODE_NEWFILE, .kbytes = 24, .buffer_size = 8192,
};

/* Continues the file of another session */
FIXTURE_VARIANT_ADD(file, append) {
	.mode = EVNTRACE_MODE_APPEND, .buffer_size = 8192,
};

FIXTURE_VARIANT_ADD(file, one_buffer_for_all_processors) {
	.mode = EVNTRACE_MODE_NO_PER_CPU, .buffer_size = 8192,
};

/* Whether the mode drops the oldest events */
static bool forgets(const FIXTURE_VARIANT(file) *variant)
{
	return variant->mode & (EVNTRACE_MODE_CIRCULAR | EVNTRACE_MODE_NEWFILE);
}

static int start(FIXTURE_DATA(file) *self, const FIXTURE_VARIANT(file) *variant)
{
	struct evntrace_start arg;
	struct series series;
	__u16 name[16];
	int err;

	series_init(&series, DIR);
	arg = start_arg(name, "1.etl", series.fd);
	if (variant->mode & EVNTRACE_MODE_NEWFILE)
		arg.series = (uintptr_t)&series.arg;
	arg.log_file_mode = variant->mode | EVNTRACE_MODE_USE_KBYTES;
	arg.max_file_size = variant->kbytes;
	arg.buffer_size = variant->buffer_size;
	if (variant->mode & EVNTRACE_MODE_APPEND) {
		arg.clock_type = EVNTRACE_CLOCK_SYSTEM_TIME;
		err = do_ioctl(self->trace, EVNTRACE_IOC_START, &arg);
		if (err || dev_stop(self->trace, arg.handle, NULL))
			return err;
	}
	err = do_ioctl(self->trace, EVNTRACE_IOC_START, &arg);
	series_close(&series);
	self->session = arg.handle;
	return err ?: dev_enable(self->trace, self->session, 1);
}

FIXTURE_SETUP(file)
{
	ASSERT_EQ(0, system("rm -rf " DIR "; mkdir " DIR));
	self->session = 0;
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
}

FIXTURE_TEARDOWN(file)
{
	if (self->session)
		dev_stop(self->trace, self->session, NULL);
	close(self->trace);
	EXPECT_EQ(0, system("rm -rf " DIR));
}

/* State of the writers; @slowly: do not fill the file soon */
static struct {
	volatile bool stop;
	bool slowly;
} reported;

static void *write_events(void *unused)
{
	int prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	unsigned int n;

	dev_register(prov, HANDLE(1, 1), 1, 0);
	for (n = 0; !reported.stop; n++) {
		if (dev_write(prov, HANDLE(1, 1), payload, n % 300) ||
		    (reported.slowly && n % 16 == 0))
			usleep(1000);
	}
	close(prov);
	return NULL;
}

static void start_writers(pthread_t *threads,
			  const FIXTURE_VARIANT(file) *variant)
{
	unsigned int i;

	reported.stop = false;
	reported.slowly = !forgets(variant);
	for (i = 0; i < WRITERS; i++)
		pthread_create(&threads[i], NULL, write_events, NULL);
}

static void stop_writers(pthread_t *threads)
{
	unsigned int i;

	reported.stop = true;
	for (i = 0; i < WRITERS; i++)
		pthread_join(threads[i], NULL);
}

/* Path of the session's current file, from a query */
static void log_path(const FIXTURE_DATA(file) *self, char *path)
{
	__u16 name[16];
	struct evntrace_session q = {
		.size = sizeof(q),
		.log_name = (uintptr_t)name, .log_name_len = 16,
	};
	__u32 i, len = strlen(DIR "/");

	memcpy(path, DIR "/", len);
	if (dev_ioctl(self->trace, self->session, EVNTRACE_IOC_QUERY, &q))
		q.log_name_len = 0;
	for (i = 0; i < q.log_name_len; i++)
		path[len + i] = name[i];
	path[len + i] = 0;
}

/* Copy the file as it is now, up to the first zeros; returns the length */
static size_t copy(const FIXTURE_DATA(file) *self, uint8_t **to, size_t step)
{
	char path[64];
	struct stat st;
	size_t len = 0;
	ssize_t n;
	int fd;

	log_path(self, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	fstat(fd, &st);
	*to = malloc(st.st_size + step);
	do {
		n = read(fd, *to + len, step);
		len += n > 0 ? n : 0;
	} while (n == step && etl_u32(*to + len - step) &&
		 len < st.st_size);
	close(fd);
	return len;
}

static __u64 buffers_written(const FIXTURE_DATA(file) *self)
{
	struct evntrace_session q;

	dev_control(self->trace, DEV_QUERY, self->session, &q);
	return q.buffers_written;
}

/* Buffers in the file, and buffers written before and after a copy */
struct time_arg {
	__u64 slots;
	__u64 before;
	__u64 after;
};

/*
 * Whether a buffer may have been overwritten during the copy, so that its
 * beginning is older than its rest.
 */
static bool was_overwritten(const struct time_arg *m, __u64 buffer)
{
	__u64 circle = m->slots - 1;

	return m->slots && m->after >= m->slots &&
	       (buffer + circle - (m->before - 1) % circle) % circle <=
	       m->after - m->before;
}

/*
 * A buffer stores the end of its records twice.  The two differ in a copy made
 * while its header was being emptied, when its epoch was dropped.
 */
static bool is_being_emptied(const uint8_t *buffer)
{
	return etl_u32(buffer + 4) != etl_u32(buffer + 0x30);
}

/*
 * Every complete buffer is valid.  Only the last may be incomplete; in a
 * preallocated file, zeros follow it.
 */
static struct etl_scan scan_copy(struct __test_metadata *_metadata,
				 const uint8_t *f, size_t len,
				 const struct time_arg *m)
{
	struct etl_scan s = {};
	const char *error;
	size_t at;

	EXPECT_EQ(NULL, etl_scan_header(f, len, &s));
	for (at = s.buffer_size; s.buffer_size && at + s.buffer_size <= len &&
	     etl_u32(f + at); at += s.buffer_size, s.buffers++) {
		error = etl_scan_buffer(f + at, &s, NULL, NULL);
		if (!error || was_overwritten(m, s.buffers) ||
		    (m->slots && is_being_emptied(f + at)))
			continue;
		EXPECT_EQ(NULL, error) {
			TH_LOG("buffer %llu of %zu bytes: %s",
			       (unsigned long long)s.buffers, len, error);
		}
	}
	return s;
}

static struct etl_scan check_copy(struct __test_metadata *_metadata,
				  const FIXTURE_DATA(file) *self,
				  const FIXTURE_VARIANT(file) *variant)
{
	struct time_arg m = {};
	struct etl_scan scan;
	uint8_t *file;
	size_t len;

	if (variant->mode & EVNTRACE_MODE_CIRCULAR)
		m.slots = variant->kbytes * 1024 / variant->buffer_size;
	m.before = buffers_written(self);
	len = copy(self, &file, variant->buffer_size);
	m.after = buffers_written(self);
	scan = scan_copy(_metadata, file, len, &m);
	free(file);
	return scan;
}

/* Whether the mode has taken effect: the file was overwritten, or has events */
static bool has_been_written(const FIXTURE_DATA(file) *self,
			     const FIXTURE_VARIANT(file) *variant)
{
	struct evntrace_session q;

	if (dev_control(self->trace, DEV_QUERY, self->session, &q))
		return true;
	return forgets(variant) ? q.buffers_written > 2 * variant->kbytes *
				  1024 / variant->buffer_size :
				  q.events > 0;
}

/*
 * Return the number that a flush makes positive: of events, or of buffers where
 * the last of several files may have only a record of losses
 */
static __u64 content(const FIXTURE_VARIANT(file) *variant,
		     const struct etl_scan *scan)
{
	return variant->mode & EVNTRACE_MODE_NEWFILE ? scan->buffers :
						       scan->events;
}

TEST_F_TIMEOUT(file, a_copy_made_at_any_moment_is_valid, 300)
{
	struct etl_scan scan = {};
	pthread_t threads[WRITERS];
	struct evntrace_session q;
	time_t end = time(NULL) + SECONDS;
	const unsigned int copies = many(COPIES);
	char path[64];
	unsigned int i;

	ASSERT_EQ(0, start(self, variant));
	start_writers(threads, variant);
	for (i = 0; (i < copies && time(NULL) <= end) ||
	     !has_been_written(self, variant); i++) {
		usleep(i % 7 * 300);
		/* The test is about writing: stop before reading takes long */
		scan = check_copy(_metadata, self, variant);
		if (scan.buffers > 300)
			break;
	}
	stop_writers(threads);
	/* Flushed while the session runs */
	ASSERT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH,
				 self->session, &q));
	scan = check_copy(_metadata, self, variant);
	EXPECT_LT(0, content(variant, &scan));
	EXPECT_TRUE(forgets(variant) ?
		    2 * scan.buffers < q.buffers_written :
		    q.events == scan.events);
	EXPECT_EQ(0, scan.end_time);
	/* After the session, and like the copies before */
	log_path(self, path);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	self->session = 0;
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_TRUE(etl_scan(path, &scan, NULL, NULL)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_NE(0, scan.end_time);
}

/* Start the session, and write until killed, in a process of its own */
static void be_killed(FIXTURE_DATA(file) *self,
		      const FIXTURE_VARIANT(file) *variant, int started)
{
	pthread_t threads[WRITERS];

	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	if (start(self, variant))
		_exit(1);
	if (write(started, &self->session, sizeof(self->session)) < 0)
		_exit(1);
	start_writers(threads, variant);
	pause();
}

static bool wait_for_buffers(const FIXTURE_DATA(file) *self, __u64 count)
{
	unsigned int tries = 0;

	while (buffers_written(self) < count && tries++ < 3000)
		usleep(10000);
	return tries < 3000;
}

TEST_F_TIMEOUT(file, the_file_is_valid_after_all_its_processes_are_killed, 300)
{
	struct evntrace_session q;
	struct etl_scan scan;
	int pipes[2];
	pid_t pid;

	ASSERT_EQ(0, pipe(pipes));
	pid = fork();
	if (!pid)
		be_killed(self, variant, pipes[1]);
	ASSERT_EQ(sizeof(self->session), read(pipes[0], &self->session,
					      sizeof(self->session)));
	EXPECT_TRUE(wait_for_buffers(self, 4));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	check_copy(_metadata, self, variant);
	ASSERT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH,
				 self->session, &q));
	scan = check_copy(_metadata, self, variant);
	EXPECT_LT(0, content(variant, &scan));
	if (!forgets(variant))
		EXPECT_EQ(q.events, scan.events);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	self->session = 0;
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL)) {
		TH_LOG("%s", scan.error);
	}
}

TEST_HARNESS_MAIN
