// SPDX-License-Identifier: GPL-2.0
/*
 * A session that enters and leaves real-time mode, with and without a log file,
 * also at full speed: events accepted before the call go where the old mode
 * sends them, later events where the new mode does.
 */
#include <pthread.h>
#include <sched.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/consumer.h"

#define H		HANDLE(1, 1)
#define LOG		"/tmp/convert.etl"
#define OTHER		"/tmp/convert2.etl"
#define WRITERS		2
#define TURNS		20

FIXTURE(convert) {
	int prov;
	int trace;
	__u64 session;
	struct dev_status before;
};

FIXTURE_SETUP(convert)
{
	self->session = 0;
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
}

FIXTURE_TEARDOWN(convert)
{
	if (self->session)
		EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
	close(self->prov);
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
	unlink(LOG);
	unlink(OTHER);
}

static int start(FIXTURE_DATA(convert) *self, __u32 mode, const char *path)
{
	struct evntrace_start how = {
		.log_file_mode = mode, .buffer_size = 16384,
		.max_file_size = mode & ~EVNTRACE_MODE_REAL_TIME ? 1 : 0,
	};
	int err = dev_start(self->trace, "convert", path, &how,
			    &self->session);

	return err ?: dev_enable(self->trace, self->session, 1);
}

/* Update the session; EVNTRACE_UPDATE_LOG switches to OTHER */
static int update(FIXTURE_DATA(convert) *self, __u32 flags)
{
	static const __u16 name[] = { 'o', 't', 'h', 'e', 'r' };
	struct evntrace_update arg = {
		.size = sizeof(arg), .flags = flags,
		.log_fd = -1,
	};
	int err;

	if (flags & EVNTRACE_UPDATE_LOG) {
		arg.log_name = (uintptr_t)name;
		arg.log_name_len = 5;
		arg.log_fd = new_log(OTHER);
	}
	err = dev_ioctl(self->trace, self->session, EVNTRACE_IOC_UPDATE, &arg);
	if (arg.log_fd >= 0)
		close(arg.log_fd);
	return err;
}

static void write_events(FIXTURE_DATA(convert) *self, unsigned int count)
{
	while (count--)
		dev_write(self->prov, H, "event", 5);
}

static struct evntrace_session query(FIXTURE_DATA(convert) *self)
{
	struct evntrace_session q;

	dev_control(self->trace, DEV_QUERY, self->session, &q);
	return q;
}

static void count_event(const struct etl_event *e, void *context)
{
	uint64_t *count = context;

	++*count;
}

/* Count events that a consumer gets until the end, or until a pause */
static int64_t consume(struct consumer *c)
{
	uint64_t count = 0;

	return consumer_drain(c, 0, count_event, &count) ? -1 : (int64_t)count;
}

static bool has_ended(struct consumer *c)
{
	struct evntrace_next next;

	return !consumer_next(c, &next, 0) && next.state == EVNTRACE_NEXT_END &&
	       next.watermark == INT64_MAX;
}

static int flush(FIXTURE_DATA(convert) *self)
{
	return dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, self->session,
			   NULL);
}

/* Number of events in a complete file */
static int64_t events_in(const char *path)
{
	struct etl_scan scan;

	return etl_scan(path, &scan, NULL, NULL) && scan.end_time ?
	       (int64_t)scan.events : -1;
}

static int stop(FIXTURE_DATA(convert) *self)
{
	__u64 session = self->session;

	self->session = 0;
	return dev_stop(self->trace, session, NULL);
}

TEST_F(convert, real_time_on_delivers_later_events_to_consumers)
{
	struct consumer c;

	ASSERT_EQ(0, start(self, 0, LOG));
	EXPECT_EQ(EOPNOTSUPP, consumer_open(&c, self->session));
	write_events(self, 3);
	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_REAL_TIME));
	EXPECT_EQ(EVNTRACE_MODE_REAL_TIME, query(self).log_file_mode);
	EXPECT_EQ(1000, query(self).flush_ms);
	ASSERT_EQ(0, consumer_open(&c, self->session));
	write_events(self, 5);
	ASSERT_EQ(0, flush(self));
	EXPECT_EQ(5, consume(&c));
	EXPECT_EQ(0, stop(self));
	EXPECT_EQ(0, consume(&c));
	EXPECT_TRUE(has_ended(&c));
	EXPECT_EQ(0, c.events_missed);
	EXPECT_EQ(8, events_in(LOG));
	consumer_close(&c);
}

TEST_F(convert, real_time_off_delivers_earlier_events_and_the_end)
{
	struct consumer c, late;

	ASSERT_EQ(0, start(self, EVNTRACE_MODE_REAL_TIME, LOG));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	write_events(self, 3);
	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_NO_REAL_TIME));
	EXPECT_EQ(0, query(self).log_file_mode);
	EXPECT_EQ(EOPNOTSUPP, consumer_open(&late, self->session));
	write_events(self, 5);
	ASSERT_EQ(0, flush(self));
	EXPECT_EQ(3, consume(&c));
	EXPECT_TRUE(has_ended(&c));
	EXPECT_EQ(0, c.events_missed);
	consumer_close(&c);
	EXPECT_EQ(0, stop(self));
	EXPECT_EQ(8, events_in(LOG));
}

/* A later consumer is not ended, and gets no event of the first phase */
TEST_F(convert, real_time_can_be_turned_off_and_on_again)
{
	struct consumer old, new;

	ASSERT_EQ(0, start(self, EVNTRACE_MODE_REAL_TIME, LOG));
	ASSERT_EQ(0, consumer_open(&old, self->session));
	write_events(self, 3);
	ASSERT_EQ(0, flush(self));
	EXPECT_EQ(3, consume(&old));
	write_events(self, 4);
	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_NO_REAL_TIME));
	write_events(self, 5);
	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_REAL_TIME));
	ASSERT_EQ(0, consumer_open(&new, self->session));
	write_events(self, 6);
	ASSERT_EQ(0, flush(self));
	/* The rest was dropped, and the old consumer's counter shows it */
	EXPECT_EQ(0, consume(&old));
	EXPECT_TRUE(has_ended(&old));
	EXPECT_EQ(4, old.events_missed);
	EXPECT_EQ(6, consume(&new));
	EXPECT_FALSE(has_ended(&new));
	EXPECT_EQ(0, new.events_missed);
	consumer_close(&old);
	consumer_close(&new);
	EXPECT_EQ(0, stop(self));
	EXPECT_EQ(18, events_in(LOG));
}

/* Unread buffers are freed at once, held buffers when they are released */
TEST_F(convert, real_time_off_releases_the_buffers)
{
	struct evntrace_next next;
	struct consumer c;
	uint32_t free;

	ASSERT_EQ(0, start(self, EVNTRACE_MODE_REAL_TIME, LOG));
	free = query(self).free_buffers;
	write_events(self, 1);
	ASSERT_EQ(0, flush(self));
	EXPECT_EQ(free - 1, query(self).free_buffers);
	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_NO_REAL_TIME));
	EXPECT_EQ(free, query(self).free_buffers);

	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_REAL_TIME));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	free = query(self).free_buffers;
	write_events(self, 1);
	ASSERT_EQ(0, flush(self));
	write_events(self, 1);
	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_NO_REAL_TIME));
	EXPECT_EQ(free - 2, query(self).free_buffers);
	ASSERT_EQ(0, consumer_next(&c, &next, 0));
	EXPECT_EQ(EVNTRACE_NEXT_BUFFER, next.state & EVNTRACE_NEXT_BUFFER);
	EXPECT_EQ(0, consumer_release(&c, next.index));
	consumer_close(&c);
	EXPECT_EQ(free, query(self).free_buffers);
}

/* With too few buffers for a backlog, the update allocates more */
TEST_F(convert, real_time_on_works_with_few_buffers)
{
	struct evntrace_start how = { .buffer_size = 4096, .max_buffers = 1 };
	struct consumer c;
	uint32_t before;

	ASSERT_EQ(0, dev_start(self->trace, "few", LOG, &how,
			       &self->session));
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	before = query(self).buffers;
	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_REAL_TIME));
	EXPECT_LT(before, query(self).buffers);
	ASSERT_EQ(0, consumer_open(&c, self->session));
	write_events(self, 5);
	ASSERT_EQ(0, flush(self));
	EXPECT_EQ(5, consume(&c));
	EXPECT_EQ(0, c.events_missed);
	consumer_close(&c);
}

/* The old file is complete, and its limits no longer apply */
TEST_F(convert, a_session_with_a_file_can_become_real_time_only)
{
	static const __u32 modes[] = {
		0, EVNTRACE_MODE_SEQUENTIAL, EVNTRACE_MODE_CIRCULAR,
		EVNTRACE_MODE_SEQUENTIAL | EVNTRACE_MODE_PREALLOCATE,
	};
	struct evntrace_session q;
	struct consumer c;
	unsigned int i;

	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		ASSERT_EQ(0, start(self, modes[i], LOG));
		write_events(self, 3);
		ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_REAL_TIME |
					  EVNTRACE_UPDATE_NO_LOG));
		EXPECT_EQ(3, events_in(LOG));
		ASSERT_EQ(0, consumer_open(&c, self->session));
		write_events(self, 5);
		ASSERT_EQ(0, flush(self));
		EXPECT_EQ(5, consume(&c));
		q = query(self);
		EXPECT_EQ(EVNTRACE_MODE_REAL_TIME, q.log_file_mode);
		EXPECT_EQ(0, q.log_name_len);
		EXPECT_EQ(8, q.events);
		EXPECT_EQ(0, q.events_lost);
		consumer_close(&c);
		EXPECT_EQ(0, stop(self));
		EXPECT_EQ(3, events_in(LOG));
	}
}

TEST_F(convert, a_real_time_session_can_continue_in_a_file)
{
	struct consumer c;

	ASSERT_EQ(0, start(self, EVNTRACE_MODE_REAL_TIME, NULL));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	write_events(self, 3);
	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_LOG |
				  EVNTRACE_UPDATE_NO_REAL_TIME));
	write_events(self, 5);
	EXPECT_EQ(3, consume(&c));
	EXPECT_TRUE(has_ended(&c));
	consumer_close(&c);
	EXPECT_EQ(0, stop(self));
	EXPECT_EQ(5, events_in(OTHER));
}

static void see_mode(const uint8_t *header, uint32_t *mode)
{
	/* LogFileMode, after the headers of the buffer and of the record */
	memcpy(mode, header + 72 + 32 + 32, sizeof(*mode));
}

static uint32_t mode_in(const char *path)
{
	uint8_t header[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint32_t mode = ~0u;

	if (read(fd, header, sizeof(header)) == sizeof(header))
		see_mode(header, &mode);
	close(fd);
	return mode;
}

TEST_F(convert, headers_contain_the_mode)
{
	uint32_t mode = 0;
	struct consumer c;

	ASSERT_EQ(0, start(self, EVNTRACE_MODE_SEQUENTIAL, LOG));
	EXPECT_EQ(EVNTRACE_MODE_SEQUENTIAL, mode_in(LOG));
	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_REAL_TIME));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	see_mode(c.map, &mode);
	EXPECT_EQ(EVNTRACE_MODE_SEQUENTIAL | EVNTRACE_MODE_REAL_TIME, mode);
	consumer_close(&c);
	EXPECT_EQ(0, stop(self));
	EXPECT_EQ(EVNTRACE_MODE_SEQUENTIAL | EVNTRACE_MODE_REAL_TIME,
		  mode_in(LOG));
}

TEST_F(convert, UPDATE_errors)
{
	static const __u32 excluded[] = {
		EVNTRACE_UPDATE_REAL_TIME | EVNTRACE_UPDATE_NO_REAL_TIME,
		EVNTRACE_UPDATE_LOG | EVNTRACE_UPDATE_NO_LOG,
		/* The session would have neither a file nor a consumer */
		EVNTRACE_UPDATE_NO_LOG,
		EVNTRACE_UPDATE_NO_LOG | EVNTRACE_UPDATE_NO_REAL_TIME,
		0x10, 0x80000000,
	};
	unsigned int i;
	__u64 ended;

	ASSERT_EQ(0, start(self, 0, LOG));
	for (i = 0; i < sizeof(excluded) / sizeof(*excluded); i++)
		EXPECT_EQ(EINVAL, update(self, excluded[i]));
	EXPECT_EQ(0, update(self, EVNTRACE_UPDATE_NO_REAL_TIME));
	EXPECT_EQ(0, stop(self));

	ASSERT_EQ(0, start(self, EVNTRACE_MODE_REAL_TIME, NULL));
	EXPECT_EQ(EINVAL, update(self, EVNTRACE_UPDATE_NO_REAL_TIME));
	EXPECT_EQ(0, update(self, EVNTRACE_UPDATE_REAL_TIME));
	EXPECT_EQ(0, update(self, EVNTRACE_UPDATE_NO_LOG));
	EXPECT_EQ(0, stop(self));

	ASSERT_EQ(0, start(self, EVNTRACE_MODE_BUFFERING, NULL));
	EXPECT_EQ(EINVAL, update(self, EVNTRACE_UPDATE_REAL_TIME));
	EXPECT_EQ(EINVAL, update(self, EVNTRACE_UPDATE_NO_LOG));
	EXPECT_EQ(EINVAL, update(self, EVNTRACE_UPDATE_REAL_TIME |
				       EVNTRACE_UPDATE_NO_LOG));
	ended = self->session;
	EXPECT_EQ(0, stop(self));
	self->session = ended;
	EXPECT_EQ(ESRCH, update(self, EVNTRACE_UPDATE_REAL_TIME));
	self->session = 0;
}

TEST_F(convert, real_time_excludes_append_mode)
{
	struct evntrace_start how = {
		.log_file_mode = EVNTRACE_MODE_APPEND,
		.clock_type = EVNTRACE_CLOCK_SYSTEM_TIME,
	};
	struct consumer c;

	ASSERT_EQ(0, dev_start(self->trace, "append", LOG, &how,
			       &self->session));
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	write_events(self, 3);
	EXPECT_EQ(EINVAL, update(self, EVNTRACE_UPDATE_REAL_TIME));
	ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_REAL_TIME |
				  EVNTRACE_UPDATE_NO_LOG));
	EXPECT_EQ(3, events_in(LOG));
	ASSERT_EQ(0, consumer_open(&c, self->session));
	write_events(self, 5);
	ASSERT_EQ(0, flush(self));
	EXPECT_EQ(5, consume(&c));
	consumer_close(&c);
}

struct writer {
	pthread_t thread;
	int prov;
	uint64_t written;
	volatile bool is_to_end;
};

static void *write_always(void *arg)
{
	struct writer *w = arg;

	while (!w->is_to_end) {
		if (!dev_write(w->prov, H, &w->written, sizeof(w->written)))
			w->written++;
		else
			sched_yield();
	}
	return NULL;
}

/* A consumer thread, and the number of events it got */
struct reader {
	pthread_t thread;
	struct consumer c;
	uint64_t seen;
	const char *error;
};

static void *read_all(void *arg)
{
	struct reader *r = arg;

	r->error = consumer_drain(&r->c, -1, count_event, &r->seen);
	return NULL;
}

/*
 * The file has all events.  Each consumer has all those between its two
 * updates, and some from around them.
 */
TEST_F(convert, conversions_at_full_speed_lose_no_event)
{
	struct writer w[WRITERS] = {};
	struct evntrace_session q[2], last;
	struct reader r[2];
	uint64_t written = 0, all;
	unsigned int i, k;

	ASSERT_EQ(0, start(self, 0, LOG));
	for (i = 0; i < WRITERS; i++) {
		w[i].prov = self->prov;
		ASSERT_EQ(0, pthread_create(&w[i].thread, NULL, write_always,
					    &w[i]));
	}
	for (i = 0; i < many(TURNS); i++) {
		ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_REAL_TIME));
		for (k = 0; k < 2; k++) {
			r[k] = (struct reader) {};
			ASSERT_EQ(0, consumer_open(&r[k].c, self->session));
			q[k] = query(self);
			ASSERT_EQ(0, pthread_create(&r[k].thread, NULL,
						    read_all, &r[k]));
		}
		usleep(i * 1000);
		last = query(self);
		ASSERT_EQ(0, update(self, EVNTRACE_UPDATE_NO_REAL_TIME));
		for (k = 0; k < 2; k++) {
			pthread_join(r[k].thread, NULL);
			EXPECT_EQ(NULL, r[k].error);
			all = r[k].seen + r[k].c.events_missed;
			EXPECT_LE(last.events - q[k].events, all);
			consumer_close(&r[k].c);
		}
	}
	for (i = 0; i < WRITERS; i++) {
		w[i].is_to_end = true;
		pthread_join(w[i].thread, NULL);
		written += w[i].written;
	}
	EXPECT_EQ(0, stop(self));
	EXPECT_EQ(written, events_in(LOG));
}

TEST_HARNESS_MAIN
