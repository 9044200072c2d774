// SPDX-License-Identifier: GPL-2.0
/*
 * Concurrent operations on one provider: it is enabled, disabled and registered
 * repeatedly while several threads write events and read notifications through
 * one open file.  A debug kernel reports use after free and data races.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define LOG		"/tmp/storm.etl"
#define H		HANDLE(1, 1)
#define BRIEF(n)	HANDLE(2 + (n), 1)
#define EACH		2
#define SECONDS		5

static atomic_bool over;
static atomic_uint strange;

struct worker {
	pthread_t thread;
	int prov;
	unsigned int number;
	unsigned long done;
};

static void *write_events(void *p)
{
	struct worker *w = p;
	int err;

	while (!over) {
		err = dev_write(w->prov, H, "storm", 5);
		if (err && err != ENOBUFS)
			strange++;
		w->done++;
	}
	return NULL;
}

static void *read_notifications(void *p)
{
	struct evntprov_notification n;
	struct worker *w = p;
	ssize_t got;

	while (!over) {
		got = read(w->prov, &n, sizeof(n));
		if (got < 0 ? errno != EAGAIN : got != sizeof(n))
			strange++;
		w->done += got > 0;
	}
	return NULL;
}

static void *register_briefly(void *p)
{
	struct worker *w = p;
	int err;

	while (!over) {
		if (dev_register(w->prov, BRIEF(w->number), 1,
				 EVNTPROV_REGISTER_NOTIFY))
			strange++;
		err = dev_write(w->prov, BRIEF(w->number), "brief", 5);
		if ((err && err != ENOBUFS) ||
		    dev_unregister(w->prov, BRIEF(w->number)))
			strange++;
		w->done++;
	}
	return NULL;
}

FIXTURE(storm) {
	int prov;
	int trace;
	__u64 session;
	struct dev_status before;
};

FIXTURE_SETUP(storm)
{
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	ASSERT_LE(0, self->prov);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, EVNTPROV_REGISTER_NOTIFY));
	ASSERT_EQ(0, dev_start(self->trace, "storm", LOG, NULL,
			       &self->session));
}

FIXTURE_TEARDOWN(storm)
{
	close(self->prov);
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
	unlink(LOG);
}

/* Change the enablements repeatedly; returns how often */
static unsigned long toggle(int trace, __u64 session)
{
	struct evntrace_enable arg = enable_arg(1);
	time_t end = time(NULL) + SECONDS;
	unsigned long n;

	for (n = 0; time(NULL) < end; n++) {
		arg.level = n % 5;
		arg.control = n % 3 ? EVNTPROV_CONTROL_ENABLE :
				      EVNTPROV_CONTROL_DISABLE;
		if (dev_ioctl(trace, session, EVNTRACE_IOC_ENABLE, &arg))
			strange++;
	}
	return n;
}

TEST_F_TIMEOUT(storm, enabling_writing_reading_and_registering_at_once, 300)
{
	void *(*const kinds[])(void *) = {
		write_events, read_notifications, register_briefly,
	};
	struct worker workers[3 * EACH] = {};
	unsigned long toggles, done[3] = {};
	struct etl_scan scan;
	unsigned int i;

	for (i = 0; i < 3 * EACH; i++) {
		workers[i].prov = self->prov;
		workers[i].number = i;
		ASSERT_EQ(0, pthread_create(&workers[i].thread, NULL,
					    kinds[i % 3], &workers[i]));
	}
	toggles = toggle(self->trace, self->session);
	over = true;
	for (i = 0; i < 3 * EACH; i++) {
		pthread_join(workers[i].thread, NULL);
		done[i % 3] += workers[i].done;
	}
	TH_LOG("%lu changes, %lu events, %lu reads, %lu registrations", toggles,
	       done[0], done[1], done[2]);
	EXPECT_EQ(0, strange);
	EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
}

TEST_HARNESS_MAIN
