// SPDX-License-Identifier: MIT
/*
 * The manifest in a program's note, as announced to private sessions: to each
 * session that enables the provider, before its events, once, and again where
 * needed.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "selftests/unit/common/private_session.h"

#include <linux/evntprov.h>

#include "core/self_layout.h"
#include "selftests/unit/common/tap.h"

static const GUID other = { .Data1 = 0x55667788 };

/* Start of a compiled manifest: sizes, and the provider */
__asm__(".pushsection .note.evntprov, \"a\", @note\n"
	".balign 4\n"
	".long 9, 36, 1\n"
	".asciz \"evntprov\"\n"
	".balign 4\n"
	".ascii \"CRIM\"\n"
	".long 36, 0x10003, 1\n"
	".long 0x11223344, 0, 0, 0\n"
	".long 36\n"
	".popsection\n");

static struct {
	unsigned int manifests;
	unsigned int events;
	bool first;		/* was a manifest */
	bool wrong;
} seen;

static bool is_own(const EVENT_RECORD *r)
{
	static const struct evntprov_guid id = EVNTPROV_IMAGES_PROVIDER;

	return !memcmp(&r->EventHeader.ProviderId, &id, sizeof(id));
}

/* Test for this program's manifest, announced without a thread */
static bool is_right(const EVENT_RECORD *r)
{
	const char *text = (const char *)r->UserData + sizeof(GUID);
	char path[4096] = "";

	text += strlen(text) + 1;
	return r->EventHeader.EventDescriptor.Opcode ==
		       EVNTPROV_MANIFEST_OPCODE &&
	       r->EventHeader.ProcessId == (ULONG)getpid() &&
	       !r->EventHeader.ThreadId &&
	       !memcmp(r->UserData, &provider, sizeof(provider)) &&
	       readlink("/proc/self/exe", path, sizeof(path) - 1) > 0 &&
	       !strcmp(text, path);
}

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	if (private_is_header(r))
		return;
	if (!seen.events && !seen.manifests)
		seen.first = is_own(r);
	if (!is_own(r)) {
		seen.events++;
		return;
	}
	seen.manifests++;
	seen.wrong |= !is_right(r);
}

/* Number of manifests in a file; -1 if one is wrong or not at the start */
static int manifests_in(const char *name)
{
	memset(&seen, 0, sizeof(seen));
	if (private_read(private_path(name), on_event, NULL, NULL) ||
	    seen.wrong || (seen.manifests && !seen.first))
		return -1;
	return seen.manifests;
}

static ULONG control(TRACEHANDLE h, const GUID *id, ULONG code)
{
	return EnableTraceEx2(h, id, code, 0, 0, 0, 0, NULL);
}

static ULONG write_one(REGHANDLE r)
{
	EVENT_DESCRIPTOR d = { .Id = 1, .Level = 4 };

	return EventWrite(r, &d, 0, NULL);
}

static void test_reported(void)
{
	struct private_properties p, q;
	TRACEHANDLE h, second;
	REGHANDLE r, again;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "enabled", &h);
	private_start(&q, "not", &second);
	control(h, &provider, EVENT_CONTROL_CODE_ENABLE_PROVIDER);
	control(second, &other, EVENT_CONTROL_CODE_ENABLE_PROVIDER);
	write_one(r);
	EventRegister(&provider, NULL, NULL, &again);
	control(h, &provider, EVENT_CONTROL_CODE_DISABLE_PROVIDER);
	control(h, &provider, EVENT_CONTROL_CODE_ENABLE_PROVIDER);
	CHECK(!private_stop(&p, h) && manifests_in("enabled") == 1 &&
	      seen.events == 1,
	      "a session that enables the provider gets the manifest once");
	CHECK(!private_stop(&q, second) && !manifests_in("not"),
	      "a session that enables another provider gets no manifest");
	EventUnregister(again);
	EventUnregister(r);

	private_start(&p, "later", &h);
	control(h, &provider, EVENT_CONTROL_CODE_ENABLE_PROVIDER);
	EventRegister(&provider, NULL, NULL, &r);
	write_one(r);
	CHECK(!private_stop(&p, h) && manifests_in("later") == 1,
	      "a later registration announces the manifest before events");
	EventUnregister(r);
}

static void test_reported_again(void)
{
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "request", &h);
	control(h, &provider, EVENT_CONTROL_CODE_ENABLE_PROVIDER);
	control(h, &provider, EVENT_CONTROL_CODE_CAPTURE_STATE);
	private_init(&p, IN_PROC, "next");
	CHECK(!UpdateTraceA(h, NULL, &p.p) && manifests_in("request") == 2,
	      "a capture-state request announces the manifest again");
	write_one(r);
	CHECK(!private_stop(&p, h) && manifests_in("next") == 1 &&
	      seen.events == 1,
	      "the next log announces the manifest before events");
	EventUnregister(r);
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_reported();
	test_reported_again();
	private_clean();
	return tap_end();
}
