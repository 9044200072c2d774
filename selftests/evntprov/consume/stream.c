// SPDX-License-Identifier: GPL-2.0
/*
 * Real-time consumers: each gets every event, or an exact count of missed ones;
 * and none can block anything.
 *
 * STREAM_SECONDS sets the duration of the test at full speed.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/consumer.h"

#define LOG		"/tmp/stream.etl"
#define H		HANDLE(1, 1)
#define KIB		1024u
#define WRITERS		4

static const struct evntrace_start real_time = {
	.log_file_mode = EVNTRACE_MODE_REAL_TIME, .buffer_size = 16 * KIB,
};

/* Payload of an event: its writer, and its number with this writer */
struct note {
	uint32_t writer;
	uint32_t number;
	char rest[56];
};

FIXTURE(stream) {
	int prov;
	int trace;
	__u64 session;
	struct dev_status before;
};

FIXTURE_SETUP(stream)
{
	self->session = 0;
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->prov);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
}

FIXTURE_TEARDOWN(stream)
{
	if (self->session)
		EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
	close(self->prov);
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
	unlink(LOG);
}

static int start(FIXTURE_DATA(stream) *self, const char *path,
		 const struct evntrace_start *how)
{
	int err = dev_start(self->trace, "stream", path, how, &self->session);

	return err ?: dev_enable(self->trace, self->session, 1);
}

static int stop(FIXTURE_DATA(stream) *self, struct evntrace_session *info)
{
	__u64 session = self->session;

	self->session = 0;
	return dev_stop(self->trace, session, info);
}

static int flush(FIXTURE_DATA(stream) *self)
{
	return dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, self->session,
			   NULL);
}

/* Write numbered events; retry when there is no room */
static void write_events(int fd, uint32_t writer, uint32_t from, uint32_t to)
{
	struct note note = { .writer = writer };

	for (note.number = from; note.number < to; note.number++) {
		while (dev_write(fd, H, &note, sizeof(note)) == ENOBUFS)
			sched_yield();
	}
}

static void count_event(const struct etl_event *e, void *context)
{
	uint64_t *count = context;

	++*count;
}

static void *see_events(void *arg);

static volatile bool is_over;	/* writers must stop */

/* A consumer thread; a slow one waits until all is written */
struct seer {
	struct consumer c;
	pthread_t thread;
	uint64_t events;
	bool is_slow;
	const char *error;
};

static int seer_begin(struct seer *s, __u64 session)
{
	int err = consumer_open(&s->c, session);

	return err ?: pthread_create(&s->thread, NULL, see_events, s);
}

static const char *seer_end(struct seer *s)
{
	pthread_join(s->thread, NULL);
	consumer_close(&s->c);
	return s->error;
}

static void see_event(const struct etl_event *e, void *context)
{
	struct seer *s = context;

	s->events++;
	while (s->is_slow && !is_over)
		usleep(1000);
}

static void *see_events(void *arg)
{
	struct seer *s = arg;

	s->error = consumer_drain(&s->c, -1, see_event, s);
	return NULL;
}

TEST_F(stream, CONSUME_errors)
{
	struct evntrace_start not_real_time = { .log_file_mode = 0 };
	struct evntrace_open_consumer arg;
	struct consumer c[EVNTRACE_MAX_CONSUMERS];
	__u64 forged[] = { 1, ~0ull, 1ull << 16, 63, 64, 0xffff };
	const __u32 right = EVNTRACE_RIGHT_ACCESS_REALTIME;
	unsigned int i;
	int fd;

	for (i = 0; i < sizeof(forged) / sizeof(*forged); i++)
		EXPECT_EQ(-ESRCH, dev_open_session(self->trace, forged[i], right));
	ASSERT_EQ(0, start(self, LOG, &not_real_time));
	fd = dev_open_session(self->trace, self->session, right);
	ASSERT_LE(0, fd);
	EXPECT_EQ(EOPNOTSUPP, consumer_bind(fd, &arg));
	EXPECT_EQ(0, stop(self, NULL));
	EXPECT_EQ(ESRCH, consumer_bind(fd, &arg));
	close(fd);

	ASSERT_EQ(0, start(self, NULL, &real_time));
	for (i = 0; i < EVNTRACE_MAX_CONSUMERS; i++)
		ASSERT_EQ(0, consumer_open(&c[i], self->session));
	fd = dev_open_session(self->trace, self->session, right);
	ASSERT_LE(0, fd);
	EXPECT_EQ(EUSERS, consumer_bind(fd, &arg));
	EXPECT_EQ(EBUSY, consumer_bind(c[0].fd, &arg));
	consumer_close(&c[0]);
	EXPECT_EQ(0, consumer_bind(fd, &arg));
	EXPECT_EQ(EBUSY, consumer_bind(fd, &arg));
	arg.reserved = 1;
	EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_OPEN_CONSUMER, &arg));
	for (i = 1; i < EVNTRACE_MAX_CONSUMERS; i++)
		consumer_close(&c[i]);
	close(fd);
}

#define OF_A_FILE	(EVNTRACE_MODE_SEQUENTIAL | EVNTRACE_MODE_CIRCULAR | \
			 EVNTRACE_MODE_PREALLOCATE)

TEST_F(stream, START_errors)
{
	struct evntrace_start how = real_time;
	__u32 mode;

	how.log_file_mode = EVNTRACE_MODE_BUFFERING;
	EXPECT_EQ(EINVAL, start(self, LOG, &how));
	how.log_file_mode |= EVNTRACE_MODE_REAL_TIME;
	EXPECT_EQ(EINVAL, start(self, NULL, &how));
	how.log_file_mode = EVNTRACE_MODE_BUFFERING | EVNTRACE_MODE_SEQUENTIAL;
	EXPECT_EQ(EINVAL, start(self, NULL, &how));
	how.log_file_mode = EVNTRACE_MODE_SEQUENTIAL;
	EXPECT_EQ(EBADF, start(self, NULL, &how));
	/* File modes require a file */
	how.max_file_size = 1;
	for (mode = EVNTRACE_MODE_SEQUENTIAL;
	     mode <= EVNTRACE_MODE_PREALLOCATE; mode <<= 1) {
		if (!(mode & OF_A_FILE))
			continue;
		how.log_file_mode = EVNTRACE_MODE_REAL_TIME | mode;
		EXPECT_EQ(EBADF, start(self, NULL, &how)) {
			TH_LOG("mode %x", mode);
		}
	}
	EXPECT_EQ(0, self->session);
}

TEST_F(stream, NEXT_and_RELEASE_errors)
{
	struct evntrace_next next = { .size = sizeof(next) };
	struct evntrace_next r = { .size = sizeof(r) };
	struct consumer c;
	uint32_t held, last = 0, i;
	int fd;

	ASSERT_EQ(0, start(self, NULL, &real_time));
	fd = dev_open_session(self->trace, self->session, 0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_NEXT, &next));
	EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_RELEASE, &r));
	close(fd);
	ASSERT_EQ(0, consumer_open(&c, self->session));
	EXPECT_EQ(EAGAIN, consumer_next(&c, &next, 0));
	for (i = 0; i < 100; i++)
		EXPECT_EQ(EINVAL, consumer_release(&c, i));
	EXPECT_EQ(EINVAL, consumer_release(&c, ~0u));
	r.reserved = 1;
	EXPECT_EQ(EINVAL, do_ioctl(c.fd, EVNTRACE_IOC_RELEASE, &r));

	/* A consumer may hold max_held buffers */
	for (held = 0; held < c.info.max_held; held++) {
		write_events(self->prov, 0, 0, 1);
		ASSERT_EQ(0, flush(self));
		do {
			ASSERT_EQ(0, consumer_next(&c, &next, 0));
		} while (!(next.state & EVNTRACE_NEXT_BUFFER));
		last = next.index;
	}
	EXPECT_EQ(EBUSY, consumer_next(&c, &next, 0));
	EXPECT_EQ(0, consumer_release(&c, last));
	EXPECT_EQ(EINVAL, consumer_release(&c, last));
	EXPECT_NE(EBUSY, consumer_next(&c, &next, 0));
	consumer_close(&c);
}

/* If the result cannot be copied out, the buffer is returned again */
TEST_F(stream, NEXT_with_an_unwritable_result_is_EFAULT_and_undone)
{
	struct evntrace_next *next, good;
	struct consumer c;

	next = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	next->size = sizeof(*next);
	ASSERT_EQ(0, start(self, NULL, &real_time));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	write_events(self->prov, 0, 0, 5);
	ASSERT_EQ(0, flush(self));
	ASSERT_EQ(0, mprotect(next, 4096, PROT_READ));
	EXPECT_EQ(EFAULT, do_ioctl(c.fd, EVNTRACE_IOC_NEXT, next));
	EXPECT_EQ(EFAULT, do_ioctl(c.fd, EVNTRACE_IOC_NEXT, next));
	ASSERT_EQ(0, consumer_next(&c, &good, 0));
	EXPECT_EQ(EVNTRACE_NEXT_BUFFER, good.state);
	EXPECT_EQ(0, good.events_missed);
	EXPECT_EQ(0, consumer_release(&c, good.index));
	consumer_close(&c);
	munmap(next, 4096);
}

TEST_F(stream, the_mapping_is_read_only_and_bounded)
{
	struct consumer c;
	size_t size, page = sysconf(_SC_PAGESIZE);
	uint8_t *p;

	EXPECT_EQ(MAP_FAILED, mmap(NULL, page, PROT_READ, MAP_SHARED,
				   self->trace, 0));
	ASSERT_EQ(0, start(self, NULL, &real_time));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	size = c.info.map_size;
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_SHARED, c.fd, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE, c.fd, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ | PROT_EXEC,
				   MAP_SHARED, c.fd, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size + page, PROT_READ, MAP_SHARED,
				   c.fd, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ, MAP_SHARED, c.fd,
				   page));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, page, PROT_READ, MAP_SHARED, c.fd,
				   size));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, page, PROT_READ, MAP_SHARED, c.fd,
				   (off_t)1 << 62));
	EXPECT_NE(0, mprotect(c.map, size, PROT_READ | PROT_WRITE));
	EXPECT_NE(0, mprotect(c.map, size, PROT_READ | PROT_EXEC));
	/* The mapping can be mapped again in part, but not extended */
	p = mmap(NULL, page, PROT_READ, MAP_SHARED, c.fd, 0);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_EQ(0, memcmp(p, c.map, page));
	EXPECT_EQ(MAP_FAILED, mremap(p, page, 2 * page, MREMAP_MAYMOVE));
	p = mremap(p, page, page, MREMAP_MAYMOVE);
	EXPECT_EQ(0, memcmp(p, c.map, page));
	munmap(p, page);
	consumer_close(&c);
}

static void read_each_page(const struct consumer *c)
{
	size_t at, page = sysconf(_SC_PAGESIZE);
	volatile uint8_t sum = 0;

	for (at = 0; at < c->info.map_size; at += page)
		sum += c->map[at];
}

/* The mapping's part for further consumers has no memory */
TEST_F(stream, access_beyond_the_buffers_is_SIGBUS)
{
	struct consumer c;
	int status;

	ASSERT_EQ(0, start(self, NULL, &real_time));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	if (!fork()) {
		read_each_page(&c);
		_exit(0);
	}
	ASSERT_LT(0, wait(&status));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(SIGBUS, WTERMSIG(status));
	consumer_close(&c);
}

TEST_F(stream, the_mapping_outlives_descriptor_and_session)
{
	uint64_t seen = 0, again = 0;
	struct evntrace_next next;
	unsigned int n = 0, i;
	struct consumer c;
	uint32_t held[10];

	ASSERT_EQ(0, start(self, NULL, &real_time));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	write_events(self->prov, 0, 0, 10);
	ASSERT_EQ(0, flush(self));
	/* In one buffer, or in several if the writer migrated or was slow */
	while (seen < 10 && n < ARRAY_SIZE(held)) {
		ASSERT_EQ(0, consumer_next(&c, &next, 0));
		if (!(next.state & EVNTRACE_NEXT_BUFFER))
			continue;
		ASSERT_EQ(NULL, consumer_scan(&c, next.index, count_event,
					      &seen));
		held[n++] = next.index;
	}
	EXPECT_EQ(10, seen);
	close(c.fd);
	EXPECT_EQ(0, stop(self, NULL));
	for (i = 0; i < n; i++)
		EXPECT_EQ(NULL, consumer_scan(&c, held[i], count_event,
					      &again));
	EXPECT_EQ(10, again);
	c.fd = open("/dev/null", O_RDONLY);
	consumer_close(&c);
}

TEST_F(stream, the_first_consumer_gets_earlier_events)
{
	struct consumer c;
	uint64_t seen = 0;

	ASSERT_EQ(0, start(self, NULL, &real_time));
	write_events(self->prov, 0, 0, 10);
	ASSERT_EQ(0, flush(self));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	EXPECT_EQ(NULL, consumer_drain(&c, 0, count_event, &seen));
	EXPECT_EQ(10, seen);
	EXPECT_EQ(0, c.events_missed);
	consumer_close(&c);
}

/* Without a flush or a full buffer */
TEST_F(stream, the_flush_timer_is_a_second_by_default)
{
	struct evntrace_session q;
	struct consumer c;
	uint64_t seen = 0;

	ASSERT_EQ(0, start(self, NULL, &real_time));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &q));
	EXPECT_EQ(1000, q.flush_ms);
	EXPECT_EQ(0, q.buffers_written);
	ASSERT_EQ(0, consumer_open(&c, self->session));
	write_events(self->prov, 0, 0, 1);
	EXPECT_EQ(NULL, consumer_drain(&c, 10000, count_event, &seen));
	EXPECT_EQ(1, seen);
	consumer_close(&c);
}

TEST_F(stream, QUERY_reports_consumers_and_their_buffers)
{
	struct evntrace_session q;
	struct consumer c[2];
	uint32_t i, buffers;

	ASSERT_EQ(0, start(self, NULL, &real_time));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &q));
	buffers = q.buffers;
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, consumer_open(&c[i], self->session));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &q));
	EXPECT_EQ(2, q.consumers);
	EXPECT_EQ(buffers + 2 * c[0].info.max_held, q.buffers);
	EXPECT_EQ(q.buffers, q.free_buffers);
	/* Buffers of a closed consumer are reused for the next one */
	consumer_close(&c[0]);
	ASSERT_EQ(0, consumer_open(&c[0], self->session));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &q));
	EXPECT_EQ(buffers + 2 * c[0].info.max_held, q.buffers);
	for (i = 0; i < 2; i++)
		consumer_close(&c[i]);
}

TEST_F(stream, STOP_wakes_waiting_consumers)
{
	struct seer s[2] = {};
	uint32_t i;

	ASSERT_EQ(0, start(self, NULL, &real_time));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, seer_begin(&s[i], self->session));
	write_events(self->prov, 0, 0, 7);
	EXPECT_EQ(0, stop(self, NULL));
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(NULL, seer_end(&s[i]));
		EXPECT_EQ(7, s[i].events);
	}
}

/* A consumer that still reads keeps neither the name nor the log file */
TEST_F(stream, STOP_does_not_wait_for_consumers)
{
	struct evntrace_next next;
	struct consumer c;
	uint64_t seen = 0;
	__u64 again;

	ASSERT_EQ(0, start(self, LOG, &real_time));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	write_events(self->prov, 0, 0, 7);
	EXPECT_EQ(0, stop(self, NULL));
	ASSERT_EQ(0, dev_start(self->trace, "stream", LOG, &real_time,
			       &again));
	EXPECT_EQ(0, dev_stop(self->trace, again, NULL));
	EXPECT_EQ(NULL, consumer_drain(&c, 0, count_event, &seen));
	EXPECT_EQ(7, seen);
	ASSERT_EQ(0, consumer_next(&c, &next, 0));
	EXPECT_EQ(EVNTRACE_NEXT_END, next.state);
	consumer_close(&c);
}

TEST_F(stream, the_module_cannot_be_unloaded_while_a_consumer_exists)
{
	struct consumer c;

	close(self->prov);
	self->prov = open("/dev/null", O_RDWR);
	ASSERT_EQ(0, start(self, NULL, &real_time));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	EXPECT_EQ(0, stop(self, NULL));
	close(self->trace);
	close(c.fd);
	/* Only the mapping is left, and it pins the module */
	EXPECT_EQ(-1, syscall(SYS_delete_module, "evntprov", O_NONBLOCK));
	EXPECT_EQ(EWOULDBLOCK, errno);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	c.fd = open("/dev/null", O_RDONLY);
	consumer_close(&c);
}

/* A consumer that holds all it may, and is idle, affects nothing else */
TEST_F(stream, stopped_and_killed_consumers_block_nothing)
{
	struct evntrace_session info;
	struct consumer c;
	struct seer s = {};
	int ready[2];
	pid_t pid;
	char byte;

	ASSERT_EQ(0, start(self, NULL, &real_time));
	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	if (!pid) {
		struct evntrace_next next;
		uint32_t held = 0;

		if (consumer_open(&c, self->session) ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		while (held < c.info.max_held) {
			consumer_next(&c, &next, -1);
			held += next.state & EVNTRACE_NEXT_BUFFER;
		}
		pause();
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	ASSERT_EQ(0, seer_begin(&s, self->session));
	write_events(self->prov, 0, 0, 20000);
	kill(pid, SIGSTOP);
	write_events(self->prov, 0, 20000, 40000);
	kill(pid, SIGKILL);
	wait(NULL);
	write_events(self->prov, 0, 40000, 60000);
	ASSERT_EQ(0, stop(self, &info));
	EXPECT_EQ(NULL, seer_end(&s));
	EXPECT_EQ(60000, info.events);
	EXPECT_EQ(info.events, s.events + s.c.events_missed);
	EXPECT_LT(0, info.real_time_buffers_lost);
	EXPECT_EQ(1, info.consumers);
	close(ready[0]);
	close(ready[1]);
}

TEST_F(stream, a_slow_consumer_gets_the_exact_number_of_missed_events)
{
	struct evntrace_session info;
	struct seer s = { .is_slow = true };

	is_over = false;
	ASSERT_EQ(0, start(self, NULL, &real_time));
	ASSERT_EQ(0, seer_begin(&s, self->session));
	write_events(self->prov, 0, 0, 50000);
	is_over = true;
	ASSERT_EQ(0, stop(self, &info));
	EXPECT_EQ(NULL, seer_end(&s));
	EXPECT_LT(0, s.c.events_missed);
	EXPECT_LT(0, s.c.buffers_missed);
	EXPECT_EQ(s.c.buffers_missed, info.real_time_buffers_lost);
	EXPECT_EQ(info.events, s.events + s.c.events_missed);
}

/* Writers that do not wait for room */
struct scribbler {
	pthread_t thread;
	uint32_t writer;
	uint64_t written;
	uint64_t refused;
	uint64_t odd;
};

static void *scribble(void *arg)
{
	struct scribbler *s = arg;
	int fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	struct note note = { .writer = s->writer };
	int err;

	dev_register(fd, H, 1, 0);
	while (!is_over) {
		err = dev_write(fd, H, &note, sizeof(note));
		s->written += !err;
		s->refused += err == ENOBUFS;
		s->odd += err && err != ENOBUFS;
		note.number += !err;
	}
	close(fd);
	return NULL;
}

static unsigned int full_speed_seconds(void)
{
	const char *s = getenv("STREAM_SECONDS");

	return s ? atoi(s) : 3;
}

static void scribble_for(struct scribbler *s, unsigned int seconds)
{
	uint32_t i;

	is_over = false;
	for (i = 0; i < WRITERS; i++) {
		s[i] = (struct scribbler) { .writer = i };
		pthread_create(&s[i].thread, NULL, scribble, &s[i]);
	}
	sleep(seconds);
	is_over = true;
	for (i = 0; i < WRITERS; i++)
		pthread_join(s[i].thread, NULL);
}

/* Each reader gets every event, or the number of missed ones */
TEST_F(stream, two_consumers_and_a_file_agree_at_full_speed)
{
	const struct evntrace_start how = {
		.log_file_mode = EVNTRACE_MODE_REAL_TIME,
		.buffer_size = 64 * KIB, .min_buffers = 64,
	};
	struct scribbler w[WRITERS];
	uint64_t written = 0, refused = 0;
	struct evntrace_session info;
	struct seer s[2] = {};
	struct etl_scan scan;
	uint32_t i;

	ASSERT_EQ(0, start(self, LOG, &how));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, seer_begin(&s[i], self->session));
	scribble_for(w, full_speed_seconds());
	ASSERT_EQ(0, stop(self, &info));
	for (i = 0; i < WRITERS; i++) {
		written += w[i].written;
		refused += w[i].refused;
		EXPECT_EQ(0, w[i].odd);
	}
	EXPECT_EQ(written, info.events);
	EXPECT_EQ(refused, info.events_no_buffer);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(NULL, seer_end(&s[i]));
		EXPECT_EQ(written, s[i].events + s[i].c.events_missed);
		printf("# consumer %u: %llu events, %llu missed\n", i,
		       (unsigned long long)s[i].events,
		       (unsigned long long)s[i].c.events_missed);
	}
	ASSERT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	EXPECT_EQ(written, scan.events + info.events_unwritten);
	printf("# %llu events written, %llu refused, %llu lost with the disk\n",
	       (unsigned long long)written, (unsigned long long)refused,
	       (unsigned long long)info.events_unwritten);
}

/* A consumer that merges the events of all CPUs, as the library does */
struct merger {
	struct consumer c;
	uint32_t held[512];
	uint32_t at[512];
	uint32_t count;
	int64_t mark;
	int64_t sure;		/* newest time below the mark so far */
	uint64_t events;
	uint64_t late;		/* older than an earlier mark */
	uint64_t backward;	/* older than @sure */
	uint64_t forced;
	uint64_t most;
};

static int64_t time_at(const struct merger *m, uint32_t i)
{
	return etl_u64(consumer_buffer(&m->c, m->held[i]) + m->at[i] + 16);
}

static uint32_t end_of(const struct merger *m, uint32_t i)
{
	return etl_u32(consumer_buffer(&m->c, m->held[i]) + 0x30);
}

/* Index of the held buffer with the oldest event, or -1 */
static int oldest(const struct merger *m)
{
	int best = -1;
	uint32_t i;

	for (i = 0; i < m->count; i++) {
		if (best < 0 || time_at(m, i) < time_at(m, best))
			best = i;
	}
	return best;
}

static void deliver(struct merger *m, uint32_t i)
{
	const uint8_t *b = consumer_buffer(&m->c, m->held[i]);
	int64_t time = time_at(m, i);
	struct etl_event e;

	/* Events about lost ones are not counted by the session */
	m->events += etl_parse_event(b + m->at[i], end_of(m, i) - m->at[i], 0,
				     &e) || !etl_is_loss(&e);
	m->backward += time < m->sure;
	if (time < m->mark)
		m->sure = time;
	m->at[i] += (etl_u16(b + m->at[i]) + 7) & ~7u;
	if (m->at[i] < end_of(m, i))
		return;
	consumer_release(&m->c, m->held[i]);
	m->count--;
	m->held[i] = m->held[m->count];
	m->at[i] = m->at[m->count];
}

static void merge_on(struct merger *m, const struct evntrace_next *next)
{
	int i;

	if (next->state & EVNTRACE_NEXT_BUFFER) {
		m->held[m->count] = next->index;
		m->at[m->count++] = 0x48;
		m->late += time_at(m, m->count - 1) < m->mark;
		if (m->most < m->count)
			m->most = m->count;
	}
	m->mark = next->watermark;
	while ((i = oldest(m)) >= 0 && time_at(m, i) < m->mark)
		deliver(m, i);
	while (m->count == m->c.info.max_held) {
		m->forced++;
		deliver(m, oldest(m));
	}
}

static void *merge(void *arg)
{
	struct merger *m = arg;
	struct evntrace_next next = {};

	m->mark = INT64_MIN;
	m->sure = INT64_MIN;
	while (!(next.state & EVNTRACE_NEXT_END)) {
		if (consumer_next(&m->c, &next, -1))
			break;
		merge_on(m, &next);
	}
	while (m->count)
		deliver(m, oldest(m));
	return NULL;
}

/* One CPU is busy, the others write little */
static void *write_little(void *arg)
{
	struct scribbler *s = arg;
	int fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	struct note note = { .writer = s->writer };

	stay_on(s->writer % sysconf(_SC_NPROCESSORS_ONLN));
	dev_register(fd, H, 1, 0);
	while (!is_over) {
		dev_write(fd, H, &note, sizeof(note));
		usleep(1000);
	}
	close(fd);
	return NULL;
}

TEST_F(stream, events_below_the_watermark_are_in_order)
{
	struct evntrace_start how = real_time;
	struct scribbler w[WRITERS] = {};
	struct evntrace_session info;
	struct merger m = {};
	pthread_t thread;
	uint32_t i;

	how.min_buffers = 64;
	how.flush_ms = 100;
	ASSERT_EQ(0, start(self, NULL, &how));
	ASSERT_EQ(0, consumer_open(&m.c, self->session));
	ASSERT_GE(512, m.c.info.max_held);
	ASSERT_EQ(0, pthread_create(&thread, NULL, merge, &m));
	is_over = false;
	for (i = 0; i < WRITERS; i++) {
		w[i].writer = i;
		pthread_create(&w[i].thread, NULL,
			       i ? write_little : scribble, &w[i]);
	}
	sleep(2);
	is_over = true;
	for (i = 0; i < WRITERS; i++)
		pthread_join(w[i].thread, NULL);
	ASSERT_EQ(0, stop(self, &info));
	pthread_join(thread, NULL);
	EXPECT_EQ(info.events, m.events + m.c.events_missed);
	printf("# %llu events, %llu missed, held %llu of %u, forced %llu times\n",
	       (unsigned long long)m.events,
	       (unsigned long long)m.c.events_missed,
	       (unsigned long long)m.most, m.c.info.max_held,
	       (unsigned long long)m.forced);
	/* EVNTRACE_IOC_NEXT guarantees the watermark, and so the order */
	EXPECT_EQ(0, m.late);
	EXPECT_EQ(0, m.backward);
	/*
	 * A writer preempted during an event holds the mark back.  A consumer
	 * that may not hold more buffers must go beyond it, but only rarely.
	 */
	EXPECT_GE(m.events / 2, m.forced);
	consumer_close(&m.c);
}

TEST_HARNESS_MAIN
