// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that change under load: each event is filtered by one configuration
 * as a whole, even while configurations are exchanged.
 *
 * Each configuration accepts ids and data that no other accepts, and requests
 * its own extended items: an accepted event identifies its configuration in
 * three ways.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/filters/filters.h"
#include "selftests/evntprov/common/etl_scan.h"

#define H		HANDLE(1, 1)
#define LOG		"/tmp/filters_storm.etl"
#define THREADS		8
#define CONFIGS		4
#define CHANGES		10000
/* Upper limit in seconds: a debug kernel under emulation is slow */
#define SECONDS		100
#define IDS		16

#define SID		2
#define TS_ID		3

struct found {
	unsigned int of[CONFIGS];
	unsigned int mixed;
};

/*
 * Configuration @n accepts ids equal to n modulo 4 with n as the first data
 * byte
 */
static void note(const struct etl_event *e, void *context)
{
	struct found *f = context;
	unsigned int config = e->id % CONFIGS;
	uint16_t len;

	f->of[config]++;
	f->mixed += e->data_len != 8 || e->data[0] != config ||
		    !!etl_ext(e, SID, &len) != (config & 1) ||
		    !!etl_ext(e, TS_ID, &len) != config / 2;
}

static int enable_config(int trace, __u64 session, unsigned int n)
{
	struct { struct evntrace_program p; struct evntrace_instruction i[3]; }
	program = {
		{ sizeof(program), EVNTRACE_PROGRAM_VERSION, 3 }, {
			{ EVNTRACE_OP_COMPARE, EVNTRACE_CMP_EQ, 1, 0, n },
			{ EVNTRACE_OP_END, .arg = 1 },
			{ EVNTRACE_OP_END },
		}
	};
	struct id_filter ids = { .in = 1 };
	__u32 pids[] = { getpid() };
	struct evntrace_filter filters[3] = {
		{ (uintptr_t)&program, sizeof(program),
		  EVNTRACE_FILTER_PAYLOAD },
		{ (uintptr_t)&ids, 4 + 2 * IDS, EVNTRACE_FILTER_EVENT_ID },
		{ (uintptr_t)pids, sizeof(pids), EVNTRACE_FILTER_PID },
	};
	struct evntrace_enable arg = enable_arg(1);

	for (ids.count = 0; ids.count < IDS; ids.count++)
		ids.id[ids.count] = ids.count * CONFIGS + n;
	arg.property = (n & 1 ? EVNTRACE_PROPERTY_SID : 0) |
		       (n & 2 ? EVNTRACE_PROPERTY_TS_ID : 0);
	arg.filters = (uintptr_t)filters;
	/* Odd configurations have a scope, so effective sets differ */
	arg.filter_count = n % 2 ? 3 : 2;
	return dev_ioctl(trace, session, EVNTRACE_IOC_ENABLE, &arg);
}

static bool stop;
static unsigned int written;

static void *write_all(void *fd)
{
	__u8 bytes[8] = {};
	struct evntprov_data data = { (uintptr_t)bytes, sizeof(bytes) };
	struct evntprov_write w = write_arg(H, &data, 1);
	unsigned int n;

	for (n = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); n++) {
		w.descriptor.id = n % (IDS * CONFIGS);
		bytes[0] = n / 3 % CONFIGS;
		ioctl(*(int *)fd, EVNTPROV_IOC_WRITE, &w);
	}
	__atomic_fetch_add(&written, n, __ATOMIC_RELAXED);
	return NULL;
}

/* Register and exit repeatedly, out of scope */
static void come_and_go(void)
{
	int fd;

	for (;;) {
		fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
		dev_register(fd, H, 1, EVNTPROV_REGISTER_NOTIFY);
		dev_write(fd, H, "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
		close(fd);
	}
}

FIXTURE(storm) {
	int prov, trace;
	__u64 session;
	struct dev_status before;
	pid_t other;
};

FIXTURE_SETUP(storm)
{
	struct evntrace_start start = {
		.buffer_size = 65536, .max_buffers = 64,
	};

	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "storm", LOG, &start,
			       &self->session));
	self->other = fork();
	if (!self->other)
		come_and_go();
}

FIXTURE_TEARDOWN(storm)
{
	kill(self->other, SIGKILL);
	waitpid(self->other, NULL, 0);
	close(self->prov);
	if (self->session)
		dev_stop(self->trace, self->session, NULL);
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
	unlink(LOG);
}

TEST_F_TIMEOUT(storm, each_event_is_filtered_by_one_configuration, 300)
{
	const time_t end = monotonic_seconds() + many(SECONDS);
	struct found found = {};
	pthread_t thread[THREADS];
	struct etl_scan scan;
	unsigned int i;

	ASSERT_EQ(0, enable_config(self->trace, self->session, 0));
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, write_all,
					    &self->prov));
	for (i = 0; i < many(CHANGES) && monotonic_seconds() < end; i++) {
		ASSERT_EQ(0, enable_config(self->trace, self->session,
					   i * 7 / 3 % CONFIGS));
		/* In the course of time with each configuration */
		if (i % 5 == 0)
			usleep(200);
	}
	TH_LOG("%u changes", i);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	self->session = 0;
	ASSERT_TRUE(etl_scan(LOG, &scan, note, &found)) {
		TH_LOG("%s", scan.error);
	}
	TH_LOG("%u events written, %u %u %u %u let through", written,
	       found.of[0], found.of[1], found.of[2], found.of[3]);
	EXPECT_EQ(0, found.mixed);
	for (i = 0; i < CONFIGS; i++)
		EXPECT_LT(0, found.of[i]);
}

TEST_HARNESS_MAIN
