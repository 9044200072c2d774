// SPDX-License-Identifier: GPL-2.0
/*
 * The level and keyword rule on an exhaustive table, including level 0 and
 * keyword 0: each combination is enabled and written, and recorded or not as
 * the expression in EVENT_DESCRIPTOR's documentation requires.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define LOG	"/tmp/rule.etl"
#define H	HANDLE(1, 1)

static const __u8 session_levels[] = { 0, 1, 2, 5, 254, 255 };
static const __u8 event_levels[] = { 0, 1, 2, 3, 5, 6, 254, 255 };
/* All combinations of two low bits and the highest one */
static const __u64 masks[] = { 0, 1, 2, 3, 1ull << 63, 1ull << 63 | 1,
			       1ull << 63 | 2, 1ull << 63 | 3 };

#define COUNT(a)	(sizeof(a) / sizeof(*(a)))
#define EVENTS		(COUNT(event_levels) * COUNT(masks))

/*
 * The rule in the documentation: a session's level 0 and MatchAny 0 match all;
 * an event's level 0 and keyword 0 always match.
 */
static bool documented(__u8 session_level, __u64 any, __u64 all,
		       __u8 event_level, __u64 keyword)
{
	bool level = event_level == 0 || session_level == 0 ||
		     event_level <= session_level;
	bool word = keyword == 0 ||
		    ((any == 0 || (keyword & any) != 0) &&
		     (keyword & all) == all);

	return level && word;
}

static void note(const struct etl_event *e, void *seen)
{
	((bool *)seen)[e->id] = true;
}

static void write_all(int prov)
{
	struct evntprov_write w = write_arg(H, NULL, 0);
	unsigned int i;

	for (i = 0; i < EVENTS; i++) {
		w.descriptor.id = i;
		w.descriptor.level = event_levels[i / COUNT(masks)];
		w.descriptor.keyword = masks[i % COUNT(masks)];
		ioctl(prov, EVNTPROV_IOC_WRITE, &w);
	}
}

/* Number of events that were not treated as documented */
static unsigned int check(int prov, int trace, __u8 level, __u64 any, __u64 all)
{
	struct evntrace_start small = { .buffer_size = 8192 };
	struct evntrace_enable e;
	bool seen[EVENTS] = {};
	struct etl_scan scan;
	unsigned int i, wrong = 0;
	__u64 s;

	if (dev_start(trace, "rule", LOG, &small, &s))
		return EVENTS;
	e = enable_arg(1);
	e.level = level;
	e.match_any = any;
	e.match_all = all;
	if (dev_ioctl(trace, s, EVNTRACE_IOC_ENABLE, &e))
		wrong++;
	write_all(prov);
	if (dev_stop(trace, s, NULL) || !etl_scan(LOG, &scan, note, seen))
		wrong++;
	for (i = 0; i < EVENTS; i++)
		wrong += seen[i] != documented(level, any, all,
					       event_levels[i / COUNT(masks)],
					       masks[i % COUNT(masks)]);
	return wrong;
}

FIXTURE(rule) {
	int prov;
	int trace;
};

FIXTURE_SETUP(rule)
{
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
}

FIXTURE_TEARDOWN(rule)
{
	close(self->prov);
	close(self->trace);
	unlink(LOG);
}

TEST_F_TIMEOUT(rule, level_and_keyword_follow_the_documented_rule, 300)
{
	unsigned int l, any, all;

	for (l = 0; l < COUNT(session_levels); l++)
		for (any = 0; any < COUNT(masks); any++)
			for (all = 0; all < COUNT(masks); all++)
				EXPECT_EQ(0, check(self->prov, self->trace,
						   session_levels[l],
						   masks[any], masks[all]));
}

TEST_HARNESS_MAIN
