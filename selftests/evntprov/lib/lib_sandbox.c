// SPDX-License-Identifier: GPL-2.0
/*
 * A sandbox that forbids ioctl(): the module does not know its providers, and
 * private sessions record them, as without the module.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"
#include "selftests/unit/common/sandbox.h"

#define LOG	"/tmp/sandbox.etl"
#define SKIPPED	77

static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };

static VOID WINAPI count(PEVENT_RECORD r)
{
	const GUID id = provider_id(1);

	*(unsigned int *)r->UserContext +=
		!memcmp(&r->EventHeader.ProviderId, &id, sizeof(id));
}

/* Write an event to a private session of this process; return the first error */
static ULONG record(void)
{
	const GUID id = provider_id(1);
	struct properties p = properties_for(LOG);
	REGHANDLE handle;
	TRACEHANDLE session;
	ULONG code;

	p.p.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE |
			  EVENT_TRACE_PRIVATE_IN_PROC;
	code = EventRegister(&id, NULL, NULL, &handle);
	if (!code)
		code = StartTraceA(&session, "sandbox", &p.p);
	if (!code)
		code = session_enable(session, 1);
	if (!code)
		code = EventWrite(handle, &descriptor, 0, NULL);
	if (!code)
		code = session_stop(session, NULL);
	return code ? code : EventUnregister(handle);
}

/* Record in a child that enters a sandbox; @late: when the device is open */
static int run(bool late)
{
	const GUID other = provider_id(2);
	REGHANDLE handle;
	int status, pid = fork();

	if (!pid) {
		if (late && EventRegister(&other, NULL, NULL, &handle))
			_exit(1);
		_exit(enter(&sandboxes[0], EPERM) ? record() != 0 : SKIPPED);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void check(struct __test_metadata *_metadata, bool late)
{
	unsigned int events = 0;
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)LOG,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = count,
		.Context = &events,
	};
	int status = run(late);

	if (status == SKIPPED)
		SKIP(return, "this kernel has no seccomp filters");
	EXPECT_EQ(status, 0);
	EXPECT_EQ(log_process(&l), 0);
	EXPECT_EQ(events, 1);
	unlink(LOG);
}

TEST(registration_without_ioctl)
{
	check(_metadata, false);
}

TEST(registration_after_ioctl_was_forbidden)
{
	check(_metadata, true);
}

TEST_HARNESS_MAIN
