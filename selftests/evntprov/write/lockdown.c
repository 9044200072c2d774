// SPDX-License-Identifier: GPL-2.0
/*
 * Under lockdown's confidentiality mode, call stacks contain no addresses of the
 * kernel, even for root.  Only a restart ends that mode, so "depends" names this
 * program last.
 */
#include <sys/mount.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/inject.h"
#include "selftests/evntprov/common/logs.h"
#include "selftests/evntprov/common/own_event.h"
#include "selftests/evntprov/system/system_log.h"
#include <evntsystem.h>

#define H		HANDLE(1, 1)
#define STACK_TRACE64	6
#define SECURITY	"/sys/kernel/security"
#define LOCKDOWN	SECURITY "/lockdown"
#define SESSIONS	2

/* Frames of all events of a session */
struct frames {
	unsigned int process;
	unsigned int kernel;
};

static void count_frames(const struct etl_event *e, void *context)
{
	struct frames *f = context;
	const __u8 *stack;
	uint16_t len = 0;
	unsigned int i;

	if (is_own_event(e))
		return;
	stack = etl_ext(e, STACK_TRACE64, &len);
	for (i = 8; stack && i < len; i += 8) {
		if (etl_u64(stack + i) >> 63)
			f->kernel++;
		else
			f->process++;
	}
}

FIXTURE(lockdown) {
	int prov;
	int trace;
	__u64 session[SESSIONS];
};

FIXTURE_SETUP(lockdown)
{
	unsigned int i;

	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	for (i = 0; i < SESSIONS; i++) {
		ASSERT_EQ(0, log_start(self->trace, "lockdown", i, NULL,
				       &self->session[i]));
	}
}

FIXTURE_TEARDOWN(lockdown)
{
	close(self->prov);
	logs_remove(self->trace, "lockdown", self->session, SESSIONS);
	close(self->trace);
}

/* Request stacks, write an event, end the session and count its frames */
static const char *record(FIXTURE_DATA(lockdown) *self, unsigned int i,
			  struct frames *f)
{
	struct evntrace_enable e = enable_arg(1);

	e.property = EVNTRACE_PROPERTY_STACK_TRACE;
	if (dev_ioctl(self->trace, self->session[i], EVNTRACE_IOC_ENABLE, &e))
		return "it cannot be enabled";
	if (dev_write(self->prov, H, "x", 1))
		return "the event is not accepted";
	return log_finish(self->trace, "lockdown", i, &self->session[i],
			  count_frames, f);
}

TEST_F(lockdown, confidentiality_hides_kernel_frames_even_from_root)
{
	struct frames f[SESSIONS] = {};

	mount("securityfs", SECURITY, "securityfs", 0, NULL);
	if (access(LOCKDOWN, W_OK))
		SKIP(return, "this kernel has no lockdown");
	ASSERT_EQ(NULL, record(self, 0, &f[0]));
	EXPECT_LT(0, f[0].kernel);
	ASSERT_TRUE(inject_put(LOCKDOWN, "confidentiality"));
	ASSERT_EQ(NULL, record(self, 1, &f[1]));
	EXPECT_EQ(0, f[1].kernel);
	EXPECT_LT(0, f[1].process);
}

TEST_F(lockdown, confidentiality_hides_kernel_frames_of_kernel_events)
{
	const CLASSIC_EVENT_ID switches = { ThreadGuid, CSWITCH };
	const struct system_event *e = NULL;
	unsigned int i, kernel = 0, process = 0;
	struct system_log *log;
	TRACEHANDLE h;

	mount("securityfs", SECURITY, "securityfs", 0, NULL);
	if (access(LOCKDOWN, W_OK))
		SKIP(return, "this kernel has no lockdown");
	/* The previous test may have done it */
	inject_put(LOCKDOWN, "confidentiality");
	ASSERT_EQ(0, system_start("lockdown", SYSTEM_LOG,
				  EVENT_TRACE_SYSTEM_LOGGER_MODE,
				  EVENT_TRACE_FLAG_CSWITCH, &h));
	EXPECT_EQ(0, TraceSetInformation(h, TraceStackTracingInfo,
					 (PVOID)&switches, sizeof(switches)));
	for (i = 0; i < 20; i++)
		usleep(1000);
	EXPECT_EQ(0, session_stop(h, NULL));
	log = system_log_read(SYSTEM_LOG);
	unlink(SYSTEM_LOG);
	ASSERT_NE(NULL, log);
	while ((e = next_event(log, e, STACKWALK, STACK, 12, getpid()))) {
		for (i = 16; i < e->len; i += 8) {
			if (field64(e, i) >> 63)
				kernel++;
			else
				process++;
		}
	}
	system_log_free(log);
	EXPECT_EQ(0, kernel);
	EXPECT_LT(0, process);
}

TEST_HARNESS_MAIN
