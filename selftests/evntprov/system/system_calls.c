// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the kernel about system calls, by calls that nothing else makes.
 */
#include <sys/syscall.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/compat_call.h"
#include "selftests/evntprov/system/system_log.h"
#include <evntsystem.h>

#define SYSTEM_MODE	EVENT_TRACE_SYSTEM_LOGGER_MODE
#define FLAGS		(EVENT_TRACE_FLAG_SYSTEMCALL | EVENT_TRACE_FLAG_CSWITCH)

/* First addresses of the images that stand for numbers */
#define CALLS		0xffffffffffff0000ull
#define COMPAT_CALLS	0xfffffffffffe0000ull

FIXTURE(calls) {
	TRACEHANDLE session;
	struct system_log *log;
};

FIXTURE_SETUP(calls)
{
	stay_on(0);
}

FIXTURE_TEARDOWN(calls)
{
	system_end(self->session, self->log);
}

/*
 * Leave the processor to a child and return to it, so that the log has a switch
 * to this thread.  A sleep need not: its time may have passed before.
 */
static void be_switched(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
}

/*
 * The first call of this thread that begins at an address, or NULL.  This one
 * runs on its processor from the last switch until the next one.
 */
static const struct system_event *find_call(const struct system_log *log,
					    uint64_t address)
{
	const struct system_event *e = NULL;

	do {
		e = next_event(log, e, PERFINFO, CALL_ENTER, 0, address);
	} while (e && (field64(e, 0) != address ||
		       running_at(log, e) != (uint32_t)getpid()));
	return e;
}

/* The end of a call of this thread that began with @e */
static const struct system_event *end_of(const struct system_log *log,
					 const struct system_event *e)
{
	while (++e < log->e + log->count) {
		if (e->class == PERFINFO && e->type == CALL_EXIT && !e->cpu &&
		    running_at(log, e) == (uint32_t)getpid())
			return e;
	}
	return NULL;
}

TEST_F(calls, a_call_has_an_event_at_its_begin_and_end)
{
	const struct {
		uint64_t number;
		int32_t result;
	} want[] = {
		{ SYS_ioprio_get, -EINVAL },
		{ SYS_getsid, getsid(0) },
		{ 0xffff, -ENOSYS },	/* of the number below */
	};
	const struct system_event *e;
	unsigned int i;

	ASSERT_EQ(0, system_start(KERNEL_LOGGER_NAMEA, SYSTEM_LOG, 0, FLAGS,
				  &self->session));
	be_switched();
	syscall(SYS_ioprio_get, -1, 0);
	syscall(SYS_getsid, 0);
	syscall(1000000);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(0, self->log->lost);
	for (i = 0; i < 3; i++) {
		e = find_call(self->log, CALLS + want[i].number);
		ASSERT_NE(NULL, e);
		EXPECT_EQ(2, e->version);
		EXPECT_EQ(8, e->len);
		EXPECT_EQ(~0u, e->tid);
		e = end_of(self->log, e);
		ASSERT_NE(NULL, e);
		EXPECT_EQ(2, e->version);
		EXPECT_EQ(4, e->len);
		EXPECT_EQ(want[i].result, (int32_t)field(e, 0));
	}
}

TEST_F(calls, calls_of_32_bit_programs_have_numbers_of_their_own)
{
	if (!compat_is_there())
		SKIP(return, "this kernel runs no 32-bit programs");
	ASSERT_EQ(0, system_start(KERNEL_LOGGER_NAMEA, SYSTEM_LOG, 0, FLAGS,
				  &self->session));
	be_switched();
	compat_call(COMPAT_NR_GETPID, 0, 0, 0);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_NE(NULL, find_call(self->log, COMPAT_CALLS + COMPAT_NR_GETPID));
}

TEST_F(calls, the_rundown_has_images_for_the_numbers)
{
	static const struct {
		const char *name;
		uint64_t base;
	} images[] = {
		{ "[system calls]", CALLS },
		{ "[32-bit system calls]", COMPAT_CALLS },
	};
	static const uint8_t types[] = { DCSTART, DCEND };
	const struct system_event *e;
	unsigned int i, j;

	ASSERT_EQ(0, system_start("calls", SYSTEM_LOG, SYSTEM_MODE,
				  EVENT_TRACE_FLAG_SYSTEMCALL, &self->session));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	for (i = 0; i < 2; i++) {
		for (j = 0; j < 2; j++) {
			e = find_image(self->log, types[j], 0, images[i].name);
			ASSERT_NE(NULL, e);
			EXPECT_EQ(3, e->version);
			EXPECT_EQ(images[i].base, field64(e, 0));
			EXPECT_EQ(0x10000, field64(e, 8));
		}
	}
	/* And nothing else */
	EXPECT_EQ(NULL, next_event(self->log, NULL, IMAGE, DCSTART, 16,
				   getpid()));
}

TEST_F(calls, the_provider_of_system_calls_is_a_flag_by_keyword)
{
	const GUID provider = SystemSyscallProviderGuid;
	struct properties p = properties_for("");

	ASSERT_EQ(0, system_start("calls", SYSTEM_LOG, SYSTEM_MODE,
				  EVENT_TRACE_FLAG_CSWITCH, &self->session));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &provider,
				    EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0,
				    SYSTEM_SYSCALL_KW_GENERAL, 0, 0, NULL));
	ASSERT_EQ(0, QueryTraceA(self->session, NULL, &p.p));
	EXPECT_EQ(FLAGS, p.p.EnableFlags);
	ASSERT_EQ(0, EnableTraceEx2(self->session, &provider,
				    EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0, 0, 0,
				    0, NULL));
	be_switched();
	syscall(SYS_ioprio_get, -1, 0);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(NULL, find_call(self->log, CALLS + SYS_ioprio_get));
}

TEST_F(calls, the_begin_of_a_call_may_have_a_call_stack)
{
	const CLASSIC_EVENT_ID id = { PerfInfoGuid, CALL_ENTER };
	const struct system_event *call, *e;

	ASSERT_EQ(0, system_start("calls", SYSTEM_LOG, SYSTEM_MODE, FLAGS,
				  &self->session));
	ASSERT_EQ(0, TraceSetInformation(self->session, TraceStackTracingInfo,
					 (PVOID)&id, sizeof(id)));
	be_switched();
	syscall(SYS_ioprio_get, -1, 0);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	call = find_call(self->log, CALLS + SYS_ioprio_get);
	ASSERT_NE(NULL, call);
	e = find_stack(self->log, call->time, getpid());
	ASSERT_NE(NULL, e);
	EXPECT_EQ(getpid(), field(e, 8));
	EXPECT_LT(16, e->len);
}

TEST_HARNESS_MAIN
