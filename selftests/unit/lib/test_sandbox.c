// SPDX-License-Identifier: MIT
/*
 * Programs in a sandbox that forbids system calls: before they register, or
 * while a private session records them.  Nothing hangs, nothing kills the
 * program, and failures are reported.
 *
 * Each case is a child, which an alarm kills if it hangs.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/sandbox.h"
#include "selftests/unit/common/tap.h"

#define EVENTS	100u
#define TIMEOUT	120	/* in s, for slow machines */

/* Errors that StartTrace() documents, or generic ones */
static bool is_documented(ULONG code)
{
	return code == ERROR_ACCESS_DENIED || code == ERROR_NOT_ENOUGH_MEMORY ||
	       code == ERROR_NO_SYSTEM_RESOURCES || code == ERROR_NOT_SUPPORTED ||
	       code == ERROR_BAD_PATHNAME || code == ERROR_GEN_FAILURE;
}

static ULONG start(struct private_properties *p, TRACEHANDLE *h)
{
	ULONG code;

	private_init(p, IN_PROC, "sandbox");
	/*
	 * A sleeping thread that cannot be woken checks its work every second
	 */
	p->p.FlushTimer = 1;
	code = StartTraceA(h, "sandbox", &p->p);
	return code ? code : private_enable(*h, 0, NULL, 0);
}

static bool write_events(REGHANDLE r)
{
	GUID id;
	unsigned int i;

	for (i = 1; i <= EVENTS; i++) {
		if (private_write(r, i) ||
		    EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_SET_ID,
					   &id))
			return false;
	}
	return true;
}

/* Return 0, or the number of the failed step; the parent reads the log */
static int run_before(const struct sandbox *s, int error)
{
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;
	ULONG code;

	if (!enter(s, error))
		return 77;
	if (EventRegister(&provider, NULL, NULL, &r))
		return 2;
	if (s->stops) {
		code = start(&p, &h);
		if (s->starts ? code : !is_documented(code))
			return 3;
		if (!write_events(r))
			return 4;
		if (s->starts && (private_flush(h) || private_stop(&p, h)))
			return 5;
	} else if (!write_events(r)) {
		return 6;
	}
	return EventUnregister(r) ? 7 : 0;
}

static int run_within(const struct sandbox *s, int error)
{
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;

	if (EventRegister(&provider, NULL, NULL, &r) || start(&p, &h))
		return 2;
	if (!enter(s, error))
		return 77;
	if (!write_events(r))
		return 4;
	if (private_flush(h))
		return 5;
	if (!s->stops)
		return 0;
	return private_stop(&p, h) || EventUnregister(r) ? 6 : 0;
}

static int in_child(int (*run)(const struct sandbox *s, int error),
		    const struct sandbox *s, int error)
{
	int status = -1, pid;

	unlink(private_path("sandbox"));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(TIMEOUT);
		_exit(run(s, error));
	}
	waitpid(pid, &status, 0);
	return status;
}

static void test_sandbox(const struct sandbox *s, int error)
{
	const char *name = error == EPERM ? "EPERM" : "ENOSYS";
	int status = in_child(run_before, s, error);

	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		SKIP("this kernel has no seccomp filters");
		return;
	}
	CHECK(!status && (!s->starts ||
			  private_count(private_path("sandbox")) == EVENTS),
	      "%s: %s in all of the program (%#x)", s->name, name, status);
	status = in_child(run_within, s, error);
	CHECK(!status && private_count(private_path("sandbox")) == EVENTS,
	      "%s: %s while it is recorded (%#x)", s->name, name, status);
}

int main(void)
{
	unsigned int i;

	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	for (i = 0; i < sizeof(sandboxes) / sizeof(*sandboxes); i++) {
		test_sandbox(&sandboxes[i], EPERM);
		test_sandbox(&sandboxes[i], ENOSYS);
	}
	private_clean();
	return tap_end();
}
