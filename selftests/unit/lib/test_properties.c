// SPDX-License-Identifier: MIT
/*
 * EVENT_TRACE_PROPERTIES as the library reads and fills them: names to their
 * last byte, the name and id of the NT Kernel Logger, and the time zone.
 *
 * Properties are allocated with the exact size, so that the sanitizer detects
 * reads beyond it.
 */
#include <stdlib.h>

#include "evntcons.h"
#include "lib/base/properties.h"
#include "selftests/unit/common/tap.h"

#define HEAD	((ULONG)sizeof(EVENT_TRACE_PROPERTIES))

/* Allocate properties with @room bytes after them, where both names begin */
static EVENT_TRACE_PROPERTIES *make(ULONG room)
{
	EVENT_TRACE_PROPERTIES *p = calloc(1, HEAD + room);

	if (!p)
		abort();
	p->Wnode.BufferSize = HEAD + room;
	p->Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p->LoggerNameOffset = HEAD;
	p->LogFileNameOffset = HEAD;
	return p;
}

/* Check a name by StartTrace()'s rules, with @room bytes for it */
static ULONG check_name(const void *name, bool wide, ULONG room)
{
	EVENT_TRACE_PROPERTIES *p = make(room);
	ULONG code = evnt_properties_check(p, name, wide);

	free(p);
	return code;
}

static void test_room_for_a_name(void)
{
	CHECK(!check_name("12345", false, 6) &&
	      check_name("12345", false, 5) == ERROR_BAD_LENGTH,
	      "a name needs room for its characters and a nul");
	CHECK(!check_name(u"12345", true, 12) &&
	      check_name(u"12345", true, 11) == ERROR_BAD_LENGTH &&
	      check_name(u"12345", true, 10) == ERROR_BAD_LENGTH,
	      "a wide name needs two bytes for each of these");
}

static void test_length_of_a_name(void)
{
	char name[1026];
	WCHAR wide[1026];
	unsigned int i;

	for (i = 0; i < 1025; i++) {
		name[i] = 'n';
		wide[i] = 'n';
	}
	name[1025] = 0;
	wide[1025] = 0;
	CHECK(check_name(name, false, 4096) == ERROR_INVALID_PARAMETER &&
	      check_name(wide, true, 4096) == ERROR_INVALID_PARAMETER,
	      "a name of 1,025 characters is too long");
	name[1024] = 0;
	wide[1024] = 0;
	CHECK(!check_name(name, false, 4096) && !check_name(wide, true, 4096),
	      "a name of 1,024 characters is not");
}

static ULONG check_kernel(const char *name, const WCHAR *wide, bool has_id)
{
	EVENT_TRACE_PROPERTIES *p = make(64);
	ULONG code;

	if (has_id)
		p->Wnode.Guid = SystemTraceControlGuid;
	code = evnt_properties_check(p, name, false);
	if (evnt_properties_check(p, wide, true) != code)
		code = ~0u;
	free(p);
	return code;
}

static ULONG check_kernel_control(const char *name, const WCHAR *wide)
{
	EVENT_TRACE_PROPERTIES *p = make(64);
	ULONG code;

	p->Wnode.Guid = SystemTraceControlGuid;
	code = evnt_properties_check_control(p, name, false);
	if (evnt_properties_check_control(p, wide, true) != code)
		code = ~0u;
	free(p);
	return code;
}

static void test_kernel_logger(void)
{
	static const WCHAR wide[] = KERNEL_LOGGER_NAMEW;

	CHECK(check_kernel("x", u"x", true) == ERROR_INVALID_PARAMETER,
	      "the id of the NT Kernel Logger goes with its name alone");
	CHECK(!check_kernel(KERNEL_LOGGER_NAMEA, wide, true) &&
	      !check_kernel(KERNEL_LOGGER_NAMEA, wide, false),
	      "the NT Kernel Logger needs no id");
	CHECK(!check_kernel("x", u"x", false) &&
	      !check_kernel("NT Kernel Logger ", u"NT Kernel Logger ", false) &&
	      !check_kernel("NT Kernel Logge", u"NT Kernel Logge", false),
	      "other names are those of other sessions");
	CHECK(check_kernel_control("x", u"x") == ERROR_INVALID_PARAMETER &&
	      !check_kernel_control(KERNEL_LOGGER_NAMEA, wide) &&
	      !check_kernel_control(NULL, NULL),
	      "control requests for the NT Kernel Logger pass the check");
}

/* Check filters of these types, without data */
static ULONG check_filters(ULONG mode, ULONG count, const ULONG *types)
{
	EVENT_FILTER_DESCRIPTOR f[MAX_EVENT_FILTERS_COUNT + 1] = {};
	EVENT_TRACE_PROPERTIES_V2 p = {
		.Wnode = {
			.BufferSize = sizeof(p),
			.Flags = WNODE_FLAG_TRACED_GUID |
				 WNODE_FLAG_VERSIONED_PROPERTIES,
		},
		.LogFileMode = mode,
		.V2Control = 2,
		.FilterDescCount = count,
		.FilterDesc = types ? f : NULL,
	};
	ULONG i;

	for (i = 0; types && i < count; i++)
		f[i].Type = types[i];
	return evnt_properties_check_offsets((EVENT_TRACE_PROPERTIES *)&p);
}

static void test_filters(void)
{
	const ULONG all = EVENT_TRACE_PRIVATE_LOGGER_MODE;
	const ULONG pid = EVENT_FILTER_TYPE_PID;
	const ULONG name = EVENT_FILTER_TYPE_EXECUTABLE_NAME;
	const ULONG refused = ERROR_INVALID_PARAMETER;
	const ULONG both[] = { name, pid }, twice[] = { name, pid, name };
	const ULONG other[] = { EVENT_FILTER_TYPE_EVENT_ID };
	const ULONG none[] = { EVENT_FILTER_TYPE_NONE };

	CHECK(!check_filters(all, 1, both) && !check_filters(all, 2, both),
	      "a private session has filters by process and by program");
	CHECK(check_filters(all, 3, twice) == refused,
	      "a private session has one filter of each type");
	CHECK(check_filters(all, 1, other) == refused &&
	      check_filters(all, 1, none) == refused,
	      "a private session has no filters of other types");
	CHECK(check_filters(all, 1, NULL) == refused &&
	      !check_filters(all, 0, NULL),
	      "filters at NULL are refused where there are any");
	CHECK(check_filters(0, 1, both) == refused &&
	      check_filters(EVENT_TRACE_PRIVATE_IN_PROC | all, 1, both) == refused,
	      "other sessions have no filters");
}

/* Get the name of a log file from properties with @room bytes after them */
static ULONG log_name(WCHAR **name, const void *bytes, ULONG room, bool wide)
{
	EVENT_TRACE_PROPERTIES *p = make(room);
	ULONG code;

	memcpy(p + 1, bytes, room);
	*name = NULL;
	code = evnt_log_name_get(name, p, wide);
	free(p);
	return code;
}

static bool takes_log(const void *bytes, ULONG room, bool wide,
		      const WCHAR *want)
{
	WCHAR *name;
	ULONG code = log_name(&name, bytes, room, wide);
	bool same = !code && name && evnt_same_text(name, want);

	free(name);
	return same;
}

static bool takes_no_log(const void *bytes, ULONG room, bool wide)
{
	WCHAR *name;
	ULONG code = log_name(&name, bytes, room, wide);
	bool none = !code && !name;

	free(name);
	return none;
}

static bool refuses_log(const void *bytes, ULONG room, bool wide)
{
	WCHAR *name;
	ULONG code = log_name(&name, bytes, room, wide);

	free(name);
	return code == ERROR_INVALID_PARAMETER;
}

static void test_log_names(void)
{
	CHECK(takes_log("/a", 3, false, u"/a") &&
	      takes_log(u"/a", 6, true, u"/a"),
	      "the nul of a log file's name may be the last byte");
	CHECK(takes_log("/a\0b", 5, false, u"/a") &&
	      takes_log(u"/a\0b", 10, true, u"/a"), "the name ends at its nul");
	CHECK(refuses_log("/a", 2, false) && refuses_log(u"/a", 4, true) &&
	      refuses_log(u"/a", 5, true),
	      "a log file's name without its end is refused");
	CHECK(takes_no_log("", 1, false) && takes_no_log(u"", 2, true),
	      "an empty name is no log file");
	CHECK(refuses_log("\xff", 2, false), "malformed UTF-8 is refused");
}

static void test_no_log_name(void)
{
	EVENT_TRACE_PROPERTIES *p = make(0);
	WCHAR *name = NULL;

	p->LogFileNameOffset = 0;
	CHECK(!evnt_log_name_get(&name, p, false) &&
	      !evnt_log_name_get(&name, p, true) && !name,
	      "offset 0 is no log file");
	free(p);
}

/*
 * Put a name into @room bytes; *@there: the name, or nothing on failure, is
 * there
 */
static ULONG put(const WCHAR *name, bool wide, ULONG room, bool *there)
{
	EVENT_TRACE_PROPERTIES *p = make(room);
	const char *at = (const char *)(p + 1);
	ULONG code;

	code = evnt_properties_put_name(p, HEAD, name, wide);
	if (code)
		*there = room && *at;
	else if (wide)
		*there = !memcmp(at, name, (evnt_wcslen(name) + 1) * 2);
	else
		*there = takes_log(at, room, false, name);
	free(p);
	return code;
}

static void test_put_name(void)
{
	bool there;

	CHECK(!put(u"a\u00e4", false, 4, &there) && there &&
	      !put(u"a\u00e4", true, 6, &there) && there,
	      "a name is put where it just fits");
	CHECK(put(u"a\u00e4", false, 3, &there) == ERROR_MORE_DATA && !there &&
	      put(u"a\u00e4", true, 5, &there) == ERROR_MORE_DATA && !there,
	      "a name that does not fit is not put at all");
}

static TIME_ZONE_INFORMATION zone_of(const char *tz)
{
	setenv("TZ", tz, 1);
	return evnt_time_zone();
}

static bool is_text(const WCHAR *text, const char *want)
{
	while (*want && *text == (WCHAR)*want) {
		text++;
		want++;
	}
	return !*want && !*text;
}

static void test_time_zone(void)
{
	TIME_ZONE_INFORMATION zone = zone_of("WST5:30WDT");

	CHECK(zone.Bias == 330 && is_text(zone.StandardName, "WST") &&
	      is_text(zone.DaylightName, "WDT"),
	      "west of Greenwich the bias is positive, in minutes");
	zone = zone_of("<+03>-3");
	CHECK(zone.Bias == -180 && is_text(zone.StandardName, "+03"),
	      "east of Greenwich the bias is negative");
	zone = zone_of("<ABCDEFGHIJKLMNOPQRSTUVWXYZ01234>0"
		       "<BCDEFGHIJKLMNOPQRSTUVWXYZ012345>");
	CHECK(is_text(zone.StandardName, "ABCDEFGHIJKLMNOPQRSTUVWXYZ01234") &&
	      is_text(zone.DaylightName, "BCDEFGHIJKLMNOPQRSTUVWXYZ012345"),
	      "names of 31 characters are complete");
	zone = zone_of("<ABCDEFGHIJKLMNOPQRSTUVWXYZ012345>0"
		       "<BCDEFGHIJKLMNOPQRSTUVWXYZ0123456>");
	CHECK(is_text(zone.StandardName, "ABCDEFGHIJKLMNOPQRSTUVWXYZ01234") &&
	      is_text(zone.DaylightName, "BCDEFGHIJKLMNOPQRSTUVWXYZ012345"),
	      "longer names are cut, and end with a nul");
}

int main(void)
{
	test_room_for_a_name();
	test_length_of_a_name();
	test_kernel_logger();
	test_filters();
	test_log_names();
	test_no_log_name();
	test_put_name();
	test_time_zone();
	return tap_end();
}
