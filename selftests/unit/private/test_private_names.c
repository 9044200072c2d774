// SPDX-License-Identifier: MIT
/*
 * The name of the process in private sessions: in each session that requests it
 * with a provider of the process, before the events, once, and again where
 * needed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "selftests/unit/common/private_session.h"

#include <evntlinux.h>
#include <linux/evntprov.h>

#include "core/package.h"
#include "core/self_layout.h"
#include "selftests/unit/common/tap.h"

static struct {
	unsigned int names;
	unsigned int events;
	bool first;		/* was a name */
	bool wrong;
} seen;

/* Return the package of this process, with an empty id if there is none */
static const struct evnt_package *own_package(void)
{
	static struct evnt_package package;
	FILE *file = fopen("/proc/self/cgroup", "r");
	char line[4096];

	package.id[0] = 0;
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		if (!strncmp(line, "0::", 3) &&
		    !evnt_package_parse(&package, line + 3))
			package.id[0] = 0;
	}
	if (file)
		fclose(file);
	return &package;
}

/* Test for the record in the form of Windows' kernel */
static bool is_right(const EVENT_RECORD *r)
{
	struct evntprov_process fixed;
	char expected[sizeof(fixed) + 1024] = "";
	const char *name = program_invocation_short_name;
	const struct evnt_package *package = own_package();
	const size_t len = sizeof(fixed) + strlen(name) + 1 + 3 * 2 +
			   2 * strlen(package->id);

	fixed = (struct evntprov_process) {
		.process_id = getpid(),
		.exit_status = 0x103,
		.flags = EVNTPROV_PROCESS_NAMED,
	};
	memcpy(expected, &fixed, sizeof(fixed));
	memcpy(expected + sizeof(fixed), name, strlen(name));
	for (size_t i = 0; package->id[i]; i++)
		expected[sizeof(fixed) + strlen(name) + 1 + 2 + 2 * i] =
			package->id[i];
	return r->EventHeader.EventDescriptor.Version == 4 &&
	       r->EventHeader.EventDescriptor.Opcode ==
		       EVENT_TRACE_TYPE_DC_START &&
	       r->UserDataLength == len && !memcmp(r->UserData, expected, len);
}

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	const bool is_name = r->EventHeader.ProviderId.Data1 == 0x3d6fa8d0;

	if (private_is_header(r))
		return;
	if (!seen.events && !seen.names)
		seen.first = is_name;
	seen.events += !is_name;
	seen.names += is_name;
	seen.wrong |= is_name && !is_right(r);
}

/*
 * Number of names in a file; -1 if one is wrong or not at the start, or counts
 * as a loss
 */
static int names_in(const char *file)
{
	TRACE_LOGFILE_HEADER header = {};

	memset(&seen, 0, sizeof(seen));
	if (private_read(private_path(file), on_event, NULL, &header) ||
	    seen.wrong || header.EventsLost || (seen.names && !seen.first))
		return -1;
	return seen.names;
}

static ULONG name_it(TRACEHANDLE h)
{
	return private_enable(h, EVNT_ENABLE_PROPERTY_PROCESS_NAME, NULL, 0);
}

static void test_named(void)
{
	struct private_properties p, q, u;
	TRACEHANDLE h, without, unused;
	REGHANDLE r, again;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "named", &h);
	private_start(&q, "without", &without);
	CHECK(!name_it(h) && !private_enable(without, 0, NULL, 0),
	      "a private session may request the name of its process");
	private_write(r, 1);
	EventRegister(&provider, NULL, NULL, &again);
	name_it(h);
	CHECK(!private_stop(&p, h) && names_in("named") == 1 &&
	      seen.events == 1,
	      "the name of the process precedes its events, and is written once");
	CHECK(!private_stop(&q, without) && !names_in("without") &&
	      seen.events == 1,
	      "a session that does not request the name has no record of it");
	EventUnregister(again);

	private_start(&p, "added", &h);
	private_enable(h, 0, NULL, 0);
	name_it(h);
	private_write(r, 1);
	CHECK(!private_stop(&p, h) && names_in("added") == 1,
	      "enabling again with the property adds the name");
	EventUnregister(r);

	private_start(&u, "unused", &unused);
	private_start(&p, "later", &h);
	name_it(h);
	name_it(unused);
	CHECK(!private_stop(&u, unused) && !names_in("unused"),
	      "a process without the provider is not named");
	EventRegister(&provider, NULL, NULL, &r);
	private_write(r, 1);
	CHECK(!private_stop(&p, h) && names_in("later") == 1,
	      "a later registration names the process before its events");
	EventUnregister(r);
}

static void test_named_again(void)
{
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "request", &h);
	name_it(h);
	EnableTraceEx2(h, &provider, EVENT_CONTROL_CODE_CAPTURE_STATE, 0, 0, 0,
		       0, NULL);
	private_init(&p, IN_PROC, "next");
	CHECK(!UpdateTraceA(h, NULL, &p.p) && names_in("request") == 2,
	      "a capture-state request names the process again");
	private_write(r, 1);
	CHECK(!private_stop(&p, h) && names_in("next") == 1 && seen.events == 1,
	      "the next log names the process before events");
	EventUnregister(r);
}

static void test_children(void)
{
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;
	int status;
	pid_t pid;

	EventRegister(&provider, NULL, NULL, &r);
	pid = fork();
	if (!pid) {
		private_start(&p, "child", &h);
		name_it(h);
		private_write(r, 1);
		_exit(private_stop(&p, h) || names_in("child") != 1);
	}
	waitpid(pid, &status, 0);
	CHECK(!status, "the child of a fork is named with its own process id");
	EventUnregister(r);
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_named();
	test_named_again();
	test_children();
	private_clean();
	return tap_end();
}
