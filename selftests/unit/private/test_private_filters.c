// SPDX-License-Identifier: MIT
/*
 * Refused filters of private sessions: too long, empty, malformed, duplicate,
 * or unknown, of each type; and that a refusal changes nothing.
 */
#include <stdlib.h>

#include <linux/evntrace.h>

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/tap.h"

/* The layouts of EVENT_FILTER_EVENT_ID, _LEVEL_KW and _EVENT_NAME, with room */
union filter {
	BYTE bytes[EVNTRACE_MAX_PROGRAM_SIZE + 1];
	struct {
		BYTE in;
		BYTE reserved;
		USHORT count;
		USHORT id[1];
	} ids;
	struct {
		ULONGLONG any;
		ULONGLONG all;
		UCHAR level;
		BYTE in;
	} level_kw;
	struct {
		ULONGLONG any;
		ULONGLONG all;
		UCHAR level;
		BYTE in;
		USHORT count;
		char name[4];
	} names;
	struct {
		struct evntrace_program p;
		struct evntrace_instruction end;
	} program;
};

/* Each type, with the maximum and minimum length of well-formed data */
static const struct type {
	const char *name;
	ULONG type;
	ULONG min;
	ULONG max;
} types[] = {
	{ "EVENT_ID", EVENT_FILTER_TYPE_EVENT_ID, 6,
	  EVNTRACE_MAX_FILTER_SIZE },
	{ "EVENT_NAME", EVENT_FILTER_TYPE_EVENT_NAME, 24,
	  EVNTRACE_MAX_FILTER_NAMES_SIZE },
	{ "PAYLOAD", EVENT_FILTER_TYPE_PAYLOAD, 24,
	  EVNTRACE_MAX_PROGRAM_SIZE },
	{ "STACKWALK", EVENT_FILTER_TYPE_STACKWALK, 6,
	  EVNTRACE_MAX_FILTER_SIZE },
	{ "STACKWALK_NAME", EVENT_FILTER_TYPE_STACKWALK_NAME, 24,
	  EVNTRACE_MAX_FILTER_NAMES_SIZE },
	{ "STACKWALK_LEVEL_KW", EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW, 18,
	  EVNTRACE_MAX_FILTER_SIZE },
};

/* Fill in a filter that passes id 5 and name "Evt", or everything */
static void fill(union filter *f, ULONG type, ULONG len)
{
	memset(f, 0, sizeof(*f));
	switch (type) {
	case EVENT_FILTER_TYPE_EVENT_ID:
	case EVENT_FILTER_TYPE_STACKWALK:
		f->ids.in = TRUE;
		f->ids.count = 1;
		f->ids.id[0] = 5;
		break;
	case EVENT_FILTER_TYPE_EVENT_NAME:
	case EVENT_FILTER_TYPE_STACKWALK_NAME:
		f->names.in = TRUE;
		f->names.count = 1;
		memcpy(f->names.name, "Evt", 4);
		break;
	case EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW:
		f->level_kw.in = TRUE;
		break;
	default:
		f->program.p.size = len;
		f->program.p.version = EVNTRACE_PROGRAM_VERSION;
		f->program.p.count = 1;
		f->program.end.op = EVNTRACE_OP_END;
		f->program.end.arg = 1;
	}
}

static ULONG enable_one(TRACEHANDLE h, const void *data, ULONG len, ULONG type)
{
	EVENT_FILTER_DESCRIPTOR d = { (uintptr_t)data, len, type };

	return private_enable(h, 0, &d, 1);
}

static ULONG enable_len(TRACEHANDLE h, const struct type *t, ULONG len)
{
	union filter f;

	fill(&f, t->type, len);
	return enable_one(h, &f, len, t->type);
}

static void test_lengths(void)
{
	struct private_properties p;
	const struct type *t;
	TRACEHANDLE h;
	unsigned int i;

	private_start(&p, "lengths", &h);
	for (i = 0; i < EVNT_ARRAY_SIZE(types); i++) {
		t = &types[i];
		CHECK(!enable_len(h, t, t->min) && !enable_len(h, t, t->max),
		      "%s: the shortest and the longest filter", t->name);
		CHECK(enable_len(h, t, t->max + 1) == ERROR_INVALID_PARAMETER,
		      "INVALID_PARAMETER: %s: a filter a byte too long",
		      t->name);
		CHECK(enable_len(h, t, t->min - 1) == ERROR_INVALID_PARAMETER,
		      "INVALID_PARAMETER: %s: a filter a byte too short",
		      t->name);
		CHECK(enable_len(h, t, 0) == ERROR_INVALID_PARAMETER &&
		      enable_one(h, NULL, t->min, t->type) ==
		      ERROR_INVALID_PARAMETER,
		      "INVALID_PARAMETER: %s: empty, or not there", t->name);
	}
	private_stop(&p, h);
}

static void test_two_of_a_type(void)
{
	EVENT_FILTER_DESCRIPTOR d[2 * EVNT_ARRAY_SIZE(types)];
	static union filter f[EVNT_ARRAY_SIZE(types)];
	const unsigned int count = EVNT_ARRAY_SIZE(types);
	struct private_properties p;
	const struct type *t;
	TRACEHANDLE h;
	unsigned int i;

	private_start(&p, "two", &h);
	for (i = 0; i < count; i++) {
		t = &types[i];
		fill(&f[i], t->type, t->min);
		d[i] = (EVENT_FILTER_DESCRIPTOR) {
			(uintptr_t)&f[i], t->min, t->type,
		};
	}
	CHECK(!private_enable(h, 0, d, count),
	      "one filter of each type is accepted");
	/* After one filter of each type, which must all be freed */
	for (i = 0; i < count; i++) {
		d[count] = d[i];
		CHECK(private_enable(h, 0, d, count + 1) ==
		      ERROR_INVALID_PARAMETER,
		      "INVALID_PARAMETER: a second filter of %s",
		      types[i].name);
	}
	private_stop(&p, h);
}

static void test_other_types(void)
{
	static const ULONG others[] = {
		EVENT_FILTER_TYPE_PID, EVENT_FILTER_TYPE_EXECUTABLE_NAME,
		EVENT_FILTER_TYPE_PACKAGE_ID, EVENT_FILTER_TYPE_PACKAGE_APP_ID,
		EVENT_FILTER_TYPE_CONTAINER, EVENT_FILTER_TYPE_TRACEHANDLE,
		EVENT_FILTER_TYPE_SYSTEM_FLAGS, 0x80010000,
	};
	const ULONG data[2] = { 'a' };
	EVENT_FILTER_DESCRIPTOR many[MAX_EVENT_FILTERS_COUNT + 1] = {};
	struct private_properties p;
	unsigned int i, refused = 0;
	TRACEHANDLE h;

	private_start(&p, "others", &h);
	for (i = 0; i < EVNT_ARRAY_SIZE(others); i++)
		refused += enable_one(h, data, sizeof(data), others[i]) ==
			   ERROR_NOT_SUPPORTED;
	CHECK(refused == EVNT_ARRAY_SIZE(others),
	      "NOT_SUPPORTED: other types, also those of processes");
	CHECK(private_enable(h, 0, many, MAX_EVENT_FILTERS_COUNT + 1) ==
	      ERROR_INVALID_PARAMETER &&
	      private_enable(h, 0, NULL, 1) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: too many filters or a count without filters");
	private_stop(&p, h);
}

/* Arguments of the last enable callback */
static struct {
	unsigned int calls;
	ULONG control;
} reported;

static VOID WINAPI on_control(LPCGUID source, ULONG control, UCHAR level,
			      ULONGLONG any, ULONGLONG all,
			      PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)source;
	(void)level;
	(void)any;
	(void)all;
	(void)filter;
	(void)context;
	reported.calls++;
	reported.control = control;
}

/* A session with filters is given others that are refused */
static void test_refusal_changes_nothing(void)
{
	const struct type *t = &types[0];
	EVENT_FILTER_DESCRIPTOR d[2];
	struct private_properties p;
	union filter f;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, on_control, NULL, &r);
	private_start(&p, "refused", &h);
	fill(&f, t->type, t->min);
	d[0] = (EVENT_FILTER_DESCRIPTOR) { (uintptr_t)&f, t->min, t->type };
	d[1] = d[0];
	CHECK(private_enable(h, 0, d, 2) && !reported.calls &&
	      !EventProviderEnabled(r, 0, 0),
	      "a refusal enables nothing, and calls no callback");
	CHECK(!private_enable(h, 0, d, 1) && reported.calls == 1 &&
	      reported.control == EVENT_CONTROL_CODE_ENABLE_PROVIDER,
	      "a filter is set");
	/* The session has a copy */
	memset(&f, 0xff, sizeof(f));
	private_write(r, 5);
	private_write(r, 6);
	fill(&f, t->type, t->min);
	f.ids.id[0] = 6;
	CHECK(private_enable(h, 0, d, 2) == ERROR_INVALID_PARAMETER &&
	      reported.calls == 1, "two others are refused");
	private_write(r, 5);
	private_write(r, 6);
	CHECK(!private_flush(h) &&
	      PRIVATE_HAS(private_path("refused"), NULL, 5, 5),
	      "the first one is still there");
	CHECK(!private_enable(h, 0, NULL, 0) && reported.calls == 2 &&
	      !private_write(r, 6) && !private_stop(&p, h) &&
	      PRIVATE_HAS(private_path("refused"), NULL, 5, 5, 6),
	      "enabling without filters takes it away");
	EventUnregister(r);
}

/* Write an event whose data, a number behind three bytes, is in four blocks */
static ULONG write_blocks(REGHANDLE r, USHORT id, ULONG number)
{
	BYTE bytes[7] = { 0xff, 0xff, 0xff };
	EVENT_DESCRIPTOR d = { .Id = id, .Level = 4 };
	EVENT_DATA_DESCRIPTOR data[4];

	memcpy(bytes + 3, &number, sizeof(number));
	EventDataDescCreate(&data[0], bytes, 2);
	EventDataDescCreate(&data[1], bytes, 0);
	EventDataDescCreate(&data[2], bytes + 2, 2);
	EventDataDescCreate(&data[3], bytes + 4, 3);
	return EventWrite(r, &d, EVNT_ARRAY_SIZE(data), data);
}

static void test_blocks(void)
{
	const struct {
		struct evntrace_program p;
		struct evntrace_instruction i[3];
	} is_number = {
		{ sizeof(is_number), EVNTRACE_PROGRAM_VERSION, 3 },
		{ { EVNTRACE_OP_COMPARE,
		    EVNTRACE_CMP_EQ | EVNTRACE_NUMBER_4, 1, 3, 0x04030201 },
		  { EVNTRACE_OP_END, 0, 0, 1, 0 },
		  { EVNTRACE_OP_END, 0, 0, 0, 0 } },
	};
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "blocks", &h);
	CHECK(!enable_one(h, &is_number, sizeof(is_number),
			  EVENT_FILTER_TYPE_PAYLOAD) &&
	      !write_blocks(r, 1, 0x04030201) &&
	      !write_blocks(r, 2, 0x05030201) &&
	      !write_blocks(r, 3, 0x04030200) && !private_write(r, 4) &&
	      !private_stop(&p, h) &&
	      PRIVATE_HAS(private_path("blocks"), NULL, 1),
	      "a program reads a number that begins in one block and ends in another");
	EventUnregister(r);
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_lengths();
	test_two_of_a_type();
	test_other_types();
	test_refusal_changes_nothing();
	test_blocks();
	private_clean();
	return tap_end();
}
