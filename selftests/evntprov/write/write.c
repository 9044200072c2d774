// SPDX-License-Identifier: GPL-2.0
/*
 * The write ioctl: the file contains the data that was passed, for every size,
 * count, type and kind of memory; and refused events leave no trace.
 */
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define LOG	"/tmp/write.etl"
#define H	HANDLE(1, 1)
#define MAX	66000
/* Sizes of the headers of a buffer and of an event */
#define BUFFER_HEADER	0x48
#define EVENT_HEADER	0x50

/*
 * The last event that was written.  It need not be the last in the file: the
 * writer may have moved to another processor, which has other buffers.
 */
struct seen {
	unsigned int count;
	struct etl_event e;
	uint8_t record[65536];
};

static void see(const struct etl_event *e, void *context)
{
	struct seen *s = context;

	if (s->count++ && e->time < s->e.time)
		return;
	memcpy(s->record, e->record, e->size);
	s->e = *e;
	s->e.record = s->record;
	s->e.data = s->record + (e->data - e->record);
	s->e.provider = s->record + (e->provider - e->record);
	s->e.activity = s->record + (e->activity - e->record);
	if (e->ext)
		s->e.ext = s->record + (e->ext - e->record);
}

static uint8_t pattern[MAX];

FIXTURE(write) {
	int prov;
	int trace;
	__u64 session;
	struct dev_status before;
	struct seen *seen;
};

FIXTURE_SETUP(write)
{
	/* Room for all events that must be accepted, if the log thread pauses */
	struct evntrace_start big = {
		.buffer_size = 128 * 1024, .max_buffers = 64,
	};
	unsigned int i;

	for (i = 0; i < MAX; i++)
		pattern[i] = i * 7 + (i >> 8);
	self->seen = calloc(1, sizeof(*self->seen));
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "write", LOG, &big,
			       &self->session));
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
}

FIXTURE_TEARDOWN(write)
{
	if (self->session)
		EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
	close(self->prov);
	EXPECT_TRUE(dev_status_is(&self->before));
	free(self->seen);
	unlink(LOG);
}

/* Flush and read the file; evaluates to the number of events */
#define FLUSH_AND_READ() ({						\
	struct etl_scan scan_;						\
	ASSERT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH,	\
				 self->session, NULL));		\
	self->seen->count = 0;						\
	ASSERT_TRUE(etl_scan(LOG, &scan_, see, self->seen)) {		\
		TH_LOG("%s", scan_.error);				\
	}								\
	self->seen->count; })

TEST_F(write, header_fields_are_recorded)
{
	struct evntprov_data data = { (uintptr_t)"payload", 7 };
	struct evntprov_write w = write_arg(H, &data, 1);
	struct evntprov_guid provider = guid_of(1);
	struct etl_event *e = &self->seen->e;
	uint16_t len;

	w.descriptor = (struct evntprov_descriptor) {
		.id = 0x1234, .version = 5, .channel = 16, .level = 3,
		.opcode = 10, .task = 0x4321, .keyword = 1ull << 63 | 5,
	};
	w.activity = guid_of(2);
	w.related = guid_of(3);
	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	ASSERT_EQ(1, FLUSH_AND_READ());
	EXPECT_EQ(0x1234, e->id);
	EXPECT_EQ(5, e->version);
	EXPECT_EQ(16, e->channel);
	EXPECT_EQ(3, e->level);
	EXPECT_EQ(10, e->opcode);
	EXPECT_EQ(0x4321, e->task);
	EXPECT_EQ(1ull << 63 | 5, e->keyword);
	EXPECT_EQ(getpid(), (pid_t)e->pid);
	EXPECT_EQ(syscall(SYS_gettid), (pid_t)e->tid);
	EXPECT_EQ(0, memcmp(e->provider, &provider, 16));
	EXPECT_EQ(0, memcmp(e->activity, &w.activity, 16));
	EXPECT_EQ(0, e->flags);
	EXPECT_EQ(EVENT_HEADER + 7, e->size);
	EXPECT_EQ(0, memcmp(e->data, "payload", 7));

	w.flags = EVNTPROV_WRITE_RELATED | EVNTPROV_WRITE_STRING;
	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	ASSERT_EQ(2, FLUSH_AND_READ());
	EXPECT_EQ(5, e->flags);
	ASSERT_NE(NULL, etl_ext(e, 1, &len));
	EXPECT_EQ(16, len);
	EXPECT_EQ(0, memcmp(etl_ext(e, 1, &len), &w.related, 16));
	EXPECT_EQ(0, memcmp(e->data, "payload", 7));
}

TEST_F(write, payloads_of_0_to_65536_bytes_are_recorded)
{
	static const uint32_t sizes[] = { 0, 1, 7, 8, 9, 4095, 4096, 4097,
		32768, 65535 - EVENT_HEADER, 65536 - EVENT_HEADER, 65535,
		65536, 66000 };
	unsigned int i, n = 0;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		int err = dev_write(self->prov, H, pattern, sizes[i]);

		if (sizes[i] + EVENT_HEADER > 65535) {
			EXPECT_EQ(EOVERFLOW, err);
			EXPECT_EQ(n, FLUSH_AND_READ());
			continue;
		}
		EXPECT_EQ(0, err);
		ASSERT_EQ(++n, FLUSH_AND_READ());
		EXPECT_EQ(sizes[i], self->seen->e.data_len);
		EXPECT_EQ(0, memcmp(self->seen->e.data, pattern, sizes[i]));
	}
}

TEST_F(write, lengths_that_overflow_are_EOVERFLOW)
{
	struct evntprov_data data[4];
	struct evntprov_write w = write_arg(H, data, 4);
	unsigned int i;

	for (i = 0; i < 4; i++)
		data[i] = (struct evntprov_data) { (uintptr_t)pattern,
						   0xffffffff };
	EXPECT_EQ(EOVERFLOW, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	for (i = 0; i < 4; i++)
		data[i].len = 0x40000000;
	EXPECT_EQ(EOVERFLOW, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	for (i = 0; i < 4; i++)
		data[i].len = 20000;
	EXPECT_EQ(EOVERFLOW, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	EXPECT_EQ(0, FLUSH_AND_READ());
}

TEST_F(write, up_to_128_descriptors_are_accepted)
{
	struct evntprov_data data[130];
	unsigned int count, i, n = 0;
	struct evntprov_write w;

	for (count = 0; count <= 130; count++) {
		uint32_t total = 0;

		for (i = 0; i < count && i < 130; i++) {
			data[i] = (struct evntprov_data) {
				(uintptr_t)pattern + total, i % 11 };
			total += data[i].len;
		}
		w = write_arg(H, data, count);
		if (count > EVNTPROV_MAX_DATA) {
			EXPECT_EQ(EINVAL, do_ioctl(self->prov,
						   EVNTPROV_IOC_WRITE, &w));
			continue;
		}
		ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
		n++;
		if (count % 8 > 1 && count < 127)
			continue;
		ASSERT_EQ(n, FLUSH_AND_READ());
		EXPECT_EQ(total, self->seen->e.data_len);
		EXPECT_EQ(0, memcmp(self->seen->e.data, pattern, total));
	}
	w = write_arg(H, NULL, 0xffffffff);
	EXPECT_EQ(EINVAL, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
}

static int write_one_block(int prov, const void *data, __u64 len)
{
	struct evntprov_write w = write_arg(H, data, 0);

	w.flags = EVNTPROV_WRITE_ONE_BLOCK;
	w.data_count = len;
	return do_ioctl(prov, EVNTPROV_IOC_WRITE, &w);
}

TEST_F(write, ONE_BLOCK_passes_the_only_block_without_an_array)
{
	static const uint32_t sizes[] = { 0, 1, 127, 128, 129, 4097,
					  65535 - EVENT_HEADER };
	unsigned int i, n = 0, typed;
	__u8 yes = 1;

	for (typed = 0; typed < 2; typed++) {
		for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			ASSERT_EQ(0, write_one_block(self->prov, pattern,
						     sizes[i]));
			ASSERT_EQ(++n, FLUSH_AND_READ());
			EXPECT_EQ(sizes[i], self->seen->e.data_len);
			EXPECT_EQ(0, memcmp(self->seen->e.data, pattern,
					    sizes[i]));
		}
		EXPECT_EQ(EOVERFLOW, write_one_block(self->prov, pattern,
						     65536 - EVENT_HEADER));
		EXPECT_EQ(EOVERFLOW, write_one_block(self->prov, pattern,
						     0xffffffff));
		EXPECT_EQ(EINVAL, write_one_block(self->prov, pattern,
						  0x100000000));
		EXPECT_EQ(EINVAL, write_one_block(self->prov, pattern, ~0ull));
		EXPECT_EQ(EFAULT, write_one_block(self->prov, NULL, 1));
		EXPECT_EQ(EFAULT, write_one_block(self->prov, (void *)-1ul, 1));
		EXPECT_EQ(EFAULT, write_one_block(self->prov, (void *)-4096ul,
						  2000));
		ASSERT_EQ(0, dev_set_info(self->prov, H,
					  EVNTPROV_INFO_DESCRIPTOR_TYPE, &yes,
					  1));
	}
	EXPECT_EQ(n, FLUSH_AND_READ());
}

/* Map two pages, the second of which is inaccessible */
static uint8_t *half_mapped(void)
{
	uint8_t *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(p + 4096, 4096);
	return p;
}

TEST_F(write, memory_that_cannot_be_read_is_EFAULT)
{
	uint8_t *half = half_mapped();
	struct evntprov_data data[20] = {};
	struct evntprov_write w;
	void *bad[] = { NULL, (void *)1, half + 4096, half + 4095,
			(void *)(1ul << 63), (void *)-1ul, (void *)-4096ul };
	unsigned int i, count;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		EXPECT_EQ(EFAULT, dev_write(self->prov, H, bad[i], 2));
	EXPECT_EQ(0, dev_write(self->prov, H, NULL, 0));
	EXPECT_EQ(0, dev_write(self->prov, H, half + 4094, 2));
	ASSERT_EQ(2, FLUSH_AND_READ());

	/* A bad array, short enough for the stack copy and too long for it */
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		for (count = 1; count <= 128; count += 127) {
			w = write_arg(H, bad[i], count);
			EXPECT_EQ(EFAULT, do_ioctl(self->prov,
						   EVNTPROV_IOC_WRITE, &w));
		}
	}
	memcpy(half + 4096 - 20 * 16, data, 20 * 16);
	w = write_arg(H, (void *)(half + 4096 - 20 * 16), 20);
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	w.data_count = 21;
	EXPECT_EQ(EFAULT, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	/* A good block before a bad one: nothing of the event stays */
	data[0] = (struct evntprov_data) { (uintptr_t)pattern, 100 };
	data[1] = (struct evntprov_data) { (uintptr_t)half + 4090, 100 };
	w = write_arg(H, data, 2);
	EXPECT_EQ(EFAULT, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	EXPECT_EQ(3, FLUSH_AND_READ());
	munmap(half, 4096);
}

/* Absent pages are faulted in, and the event is recorded */
TEST_F(write, memory_not_present_is_faulted_in)
{
	uint32_t len = 60000;
	unsigned int i;
	uint8_t *p;
	int fd;

	fd = open("/tmp/write.data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	ASSERT_EQ(MAX, write(fd, pattern, MAX));
	for (i = 1; i <= 50; i++) {
		p = mmap(NULL, MAX, PROT_READ, MAP_PRIVATE, fd, 0);
		ASSERT_NE(MAP_FAILED, (void *)p);
		madvise(p, MAX, MADV_DONTNEED);
		ASSERT_EQ(0, i % 2 ? dev_write(self->prov, H, p, len) :
				     write_one_block(self->prov, p, len));
		munmap(p, MAX);
	}
	ASSERT_EQ(50, FLUSH_AND_READ());
	EXPECT_EQ(0, memcmp(self->seen->e.data, pattern, len));
	close(fd);
	unlink("/tmp/write.data");
}

TEST_F(write, NO_FAULTING_fails_rather_than_fault)
{
	struct evntprov_data data = { 0, 5000 };
	struct evntprov_write w = write_arg(H, &data, 1);
	uint8_t *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	data.ptr = (uintptr_t)p;
	w.flags = EVNTPROV_WRITE_NO_FAULTING;
	EXPECT_EQ(EFAULT, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	memset(p, 1, 8192);
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	EXPECT_EQ(1, FLUSH_AND_READ());
	munmap(p, 8192);
}

#define BLOCK(text, t) { (uintptr_t)(text), sizeof(text) - 1, (t), {} }

TEST_F(write, block_types_are_ignored_until_requested)
{
	struct evntprov_data data[] = {
		BLOCK("traits", EVNTPROV_DATA_PROVIDER_METADATA),
		BLOCK("meta", EVNTPROV_DATA_EVENT_METADATA),
		BLOCK("one", EVNTPROV_DATA_NONE),
		BLOCK("data", EVNTPROV_DATA_EVENT_METADATA),
		BLOCK("two", 77),
	};
	struct evntprov_write w = write_arg(H, data, 5);
	struct etl_event *e = &self->seen->e;
	uint16_t len;

	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	ASSERT_EQ(1, FLUSH_AND_READ());
	EXPECT_EQ(20, e->data_len);
	EXPECT_EQ(0, memcmp(e->data, "traitsmetaonedatatwo", 20));

	ASSERT_EQ(0, dev_set_info(self->prov, H,
				  EVNTPROV_INFO_DESCRIPTOR_TYPE, "\1", 1));
	EXPECT_EQ(EINVAL, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	data[4].type = EVNTPROV_DATA_TIMESTAMP_OVERRIDE;
	EXPECT_EQ(EOPNOTSUPP, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	data[4].type = EVNTPROV_DATA_NONE;
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	ASSERT_EQ(2, FLUSH_AND_READ());
	EXPECT_EQ(6, e->data_len);
	EXPECT_EQ(0, memcmp(e->data, "onetwo", 6));
	ASSERT_NE(NULL, etl_ext(e, 11, &len));
	EXPECT_EQ(8, len);
	EXPECT_EQ(0, memcmp(etl_ext(e, 11, &len), "metadata", 8));
	ASSERT_NE(NULL, etl_ext(e, 12, &len));
	EXPECT_EQ(6, len);
	EXPECT_EQ(0, memcmp(etl_ext(e, 12, &len), "traits", 6));
}

TEST_F(write, registered_traits_override_traits_of_the_event)
{
	struct evntprov_data data[] = {
		BLOCK("traits", EVNTPROV_DATA_PROVIDER_METADATA),
		BLOCK("x", EVNTPROV_DATA_NONE),
	};
	struct evntprov_write w = write_arg(H, data, 2);
	uint16_t len;

	ASSERT_EQ(0, dev_set_info(self->prov, H, EVNTPROV_INFO_TRAITS,
				  "\7\0Name", 7));
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	ASSERT_EQ(1, FLUSH_AND_READ());
	ASSERT_NE(NULL, etl_ext(&self->seen->e, 12, &len));
	EXPECT_EQ(7, len);
	EXPECT_EQ(0, memcmp(etl_ext(&self->seen->e, 12, &len), "\7\0Name", 7));
	EXPECT_EQ(1, self->seen->e.data_len);
}

TEST_F(write, items_count_towards_the_64_KiB)
{
	struct evntprov_data data[] = {
		{ (uintptr_t)pattern, 40000, EVNTPROV_DATA_EVENT_METADATA, {} },
		{ (uintptr_t)pattern, 25000, EVNTPROV_DATA_NONE, {} },
	};
	struct evntprov_write w = write_arg(H, data, 2);

	ASSERT_EQ(0, dev_set_info(self->prov, H,
				  EVNTPROV_INFO_DESCRIPTOR_TYPE, "\1", 1));
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	data[1].len = 65535 - 40008 - EVENT_HEADER;
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	data[1].len++;
	EXPECT_EQ(EOVERFLOW, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	EXPECT_EQ(2, FLUSH_AND_READ());
}

/* An event too large for a buffer of 4 KiB is EMSGSIZE, and counted as lost */
TEST_F(write, larger_than_a_buffer_is_EMSGSIZE)
{
	struct evntrace_start small = { .buffer_size = 4096 };
	uint32_t most = 4096 - BUFFER_HEADER - EVENT_HEADER;
	struct evntrace_session q;

	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	ASSERT_EQ(0, dev_start(self->trace, "write", LOG, &small,
			       &self->session));
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	EXPECT_EQ(0, dev_write(self->prov, H, pattern, most));
	EXPECT_EQ(EMSGSIZE, dev_write(self->prov, H, pattern, most + 1));
	EXPECT_EQ(EMSGSIZE, dev_write(self->prov, H, pattern, 65000));
	ASSERT_EQ(1, FLUSH_AND_READ());
	EXPECT_EQ(most, self->seen->e.data_len);
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &q));
	EXPECT_EQ(1, q.events);
	EXPECT_EQ(2, q.events_lost);
	EXPECT_EQ(2, q.events_too_large);
}

/* If one of several sessions fails, no session gets the event */
TEST_F(write, an_event_reaches_all_sessions_or_none)
{
	struct evntrace_start small = { .buffer_size = 4096 };
	struct evntrace_session q;
	__u64 second;

	ASSERT_EQ(0, dev_start(self->trace, "small", "/tmp/write2.etl",
			       &small, &second));
	ASSERT_EQ(0, dev_enable(self->trace, second, 1));
	EXPECT_EQ(0, dev_write(self->prov, H, pattern, 100));
	EXPECT_EQ(EMSGSIZE, dev_write(self->prov, H, pattern, 5000));
	EXPECT_EQ(1, FLUSH_AND_READ());
	EXPECT_EQ(0, dev_stop(self->trace, second, &q));
	EXPECT_EQ(1, q.events);
	EXPECT_EQ(1, q.events_lost);
	EXPECT_EQ(1, q.events_too_large);
	EXPECT_EQ(0, dev_write(self->prov, H, pattern, 5000));
	EXPECT_EQ(2, FLUSH_AND_READ());
	unlink("/tmp/write2.etl");
	/* The other session does not get it either, because of the small one */
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &q));
	EXPECT_EQ(2, q.events);
	EXPECT_EQ(1, q.events_lost);
	EXPECT_EQ(1, q.events_blocked);
	EXPECT_EQ(second, q.blocker);
}

/* EventWriteEx: a set bit keeps the event from that session */
TEST_F(write, excluded_sessions_do_not_get_the_event)
{
	struct evntprov_write w = write_arg(H, NULL, 0);
	struct evntrace_session q;
	__u64 second;

	ASSERT_EQ(0, dev_start(self->trace, "second", "/tmp/write2.etl", NULL,
			       &second));
	ASSERT_EQ(0, dev_enable(self->trace, second, 1));
	w.exclude = 1ull << EVNTRACE_HANDLE_ID(second);
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	w.exclude = ~0ull;
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	w.exclude = ~(1ull << EVNTRACE_HANDLE_ID(second));
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	EXPECT_EQ(1, FLUSH_AND_READ());
	EXPECT_EQ(0, dev_stop(self->trace, second, &q));
	EXPECT_EQ(2, q.events);
	unlink("/tmp/write2.etl");
}

TEST_F(write, properties_of_the_enablement_exclude_events)
{
	struct evntrace_enable e = enable_arg(1);
	struct evntprov_write w = write_arg(H, NULL, 0);

	e.property = EVNTRACE_PROPERTY_IGNORE_KEYWORD_0;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &e));
	w.descriptor.keyword = 0;
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	EXPECT_EQ(0, FLUSH_AND_READ());
	w.descriptor.keyword = 1;
	w.flags = EVNTPROV_WRITE_INPRIVATE;
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	EXPECT_EQ(1, FLUSH_AND_READ());
	e.property = EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &e));
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	EXPECT_EQ(1, FLUSH_AND_READ());
	w.flags = 0;
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	EXPECT_EQ(2, FLUSH_AND_READ());
}

/* The blocks change while they are read: an event is complete, or refused */
struct changer {
	struct evntprov_data *data;
	volatile bool stop;
};

static void *change(void *p)
{
	struct changer *c = p;
	unsigned int i = 0;

	while (!c->stop) {
		c->data[100].len = i++ & 1 ? 8 : 4000;
		c->data[101].ptr = i & 2 ? (uintptr_t)pattern : 8;
		c->data[102].type = i & 3;
	}
	return NULL;
}

TEST_F(write, blocks_may_change_while_they_are_read)
{
	static struct evntprov_data data[128];
	struct evntprov_write w = write_arg(H, data, 128);
	struct changer c = { .data = data };
	unsigned int i, accepted = 0;
	pthread_t thread;
	int err;

	ASSERT_EQ(0, dev_set_info(self->prov, H,
				  EVNTPROV_INFO_DESCRIPTOR_TYPE, "\1", 1));
	for (i = 0; i < 128; i++)
		data[i] = (struct evntprov_data) { (uintptr_t)pattern, 8 };
	pthread_create(&thread, NULL, change, &c);
	for (i = 0; i < 20000; i++) {
		err = do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w);
		accepted += !err;
		ASSERT_TRUE(!err || err == EFAULT || err == EINVAL ||
			    err == EOPNOTSUPP || err == EAGAIN ||
			    err == ENOBUFS);
	}
	c.stop = true;
	pthread_join(thread, NULL);
	EXPECT_EQ(accepted, FLUSH_AND_READ());
}

/* Pages vanish continually: each event is recorded once, or its write fails */
static void *vanish(void *p)
{
	struct changer *c = p;

	while (!c->stop)
		madvise(c->data, MAX, MADV_DONTNEED);
	return NULL;
}

TEST_F(write, pages_may_vanish_while_they_are_read)
{
	struct changer c = {};
	unsigned int i, accepted = 0;
	struct evntrace_session q;
	pthread_t thread;
	int err;

	c.data = mmap(NULL, MAX, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_create(&thread, NULL, vanish, &c);
	for (i = 0; i < 3000; i++) {
		err = dev_write(self->prov, H, c.data, 20000);
		accepted += !err;
		ASSERT_TRUE(!err || err == EAGAIN || err == ENOBUFS);
	}
	c.stop = true;
	pthread_join(thread, NULL);
	EXPECT_EQ(accepted, FLUSH_AND_READ());
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &q));
	EXPECT_EQ(accepted, q.events);
	EXPECT_EQ(3000, q.events + q.events_lost);
	EXPECT_EQ(q.events_lost, q.events_unreadable + q.events_no_buffer);
}

TEST_HARNESS_MAIN
