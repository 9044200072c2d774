// SPDX-License-Identifier: MIT
/*
 * The level and keyword rule, on an exhaustive table: each combination is
 * enabled in a private session, and events are enabled and written as the
 * documentation of EVENT_DESCRIPTOR requires.  Two sessions together enable the
 * events of either.
 */
#include <stdlib.h>

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/tap.h"

#define TOP	(1ull << 63)

static const UCHAR session_levels[] = { 0, 1, 2, 5, 254, 255 };
static const UCHAR event_levels[] = { 0, 1, 2, 3, 5, 6, 254, 255 };
/* All combinations of two low bits and the highest one */
static const ULONGLONG masks[] = { 0, 1, 2, 3, TOP, TOP | 1, TOP | 2, TOP | 3 };

#define LEVELS	EVNT_ARRAY_SIZE(event_levels)
#define MASKS	EVNT_ARRAY_SIZE(masks)
#define EVENTS	(LEVELS * MASKS)
#define RULES	(EVNT_ARRAY_SIZE(session_levels) * MASKS * MASKS)

/* Level and keywords of a session */
struct rule {
	UCHAR level;
	ULONGLONG any;
	ULONGLONG all;
};

static REGHANDLE registration;

/* Ids of events that must be in the log, and of events that are */
static struct private_ids want, found;

static struct rule rule_of(unsigned int i)
{
	return (struct rule) {
		.level = session_levels[i / (MASKS * MASKS)],
		.any = masks[i / MASKS % MASKS],
		.all = masks[i % MASKS],
	};
}

static EVENT_DESCRIPTOR event_of(unsigned int i)
{
	return (EVENT_DESCRIPTOR) {
		.Id = i,
		.Level = event_levels[i / MASKS],
		.Keyword = masks[i % MASKS],
	};
}

/*
 * A session's level 0 and MatchAny 0 match all; an event's level 0 and keyword
 * 0 always match.
 */
static bool documented(const struct rule *r, const EVENT_DESCRIPTOR *d)
{
	bool level = d->Level == 0 || r->level == 0 || d->Level <= r->level;
	bool word = d->Keyword == 0 ||
		    ((r->any == 0 || (d->Keyword & r->any) != 0) &&
		     (d->Keyword & r->all) == r->all);

	return level && word;
}

static ULONG enable(TRACEHANDLE h, const struct rule *r)
{
	return EnableTraceEx2(h, &provider, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
			      r->level, r->any, r->all, 0, NULL);
}

/* Write all events; returns how often they were enabled against the rule */
static unsigned int write_all(const struct rule *r)
{
	EVENT_DESCRIPTOR d;
	unsigned int i, wrong = 0;
	bool wanted;

	for (i = 0; i < EVENTS; i++) {
		d = event_of(i);
		wanted = documented(r, &d);
		wrong += EventEnabled(registration, &d) != wanted;
		wrong += EventProviderEnabled(registration, d.Level,
					      d.Keyword) != wanted;
		wrong += EventWrite(registration, &d, 0, NULL) != 0;
		if (wanted && want.count < PRIVATE_MAX_IDS)
			want.id[want.count++] = i;
	}
	return wrong;
}

static bool has_wanted(const char *name)
{
	found.count = 0;
	return !private_read(private_path(name), private_take_id, &found,
			     NULL) && found.count == want.count &&
	       !memcmp(found.id, want.id, want.count * sizeof(*want.id));
}

static void test_one_session(void)
{
	struct private_properties p;
	unsigned int i, wrong = 0;
	struct rule r;
	TRACEHANDLE h;

	want.count = 0;
	private_init(&p, IN_PROC, "one");
	p.p.MaximumBuffers = 64;
	if (StartTraceA(&h, "one", &p.p))
		abort();
	for (i = 0; i < RULES; i++) {
		r = rule_of(i);
		wrong += enable(h, &r) != 0;
		wrong += write_all(&r);
		private_flush(h);
	}
	CHECK(!wrong, "events are wanted as documented");
	CHECK(!private_stop(&p, h) && !p.p.EventsLost && want.count > RULES &&
	      want.count < PRIVATE_MAX_IDS && has_wanted("one"),
	      "wanted events are in the log, and no others");
}

/* Count events that match either session, but are not enabled */
static unsigned int count_missing(const struct rule *a, const struct rule *b)
{
	unsigned int i, missing = 0;
	EVENT_DESCRIPTOR d;

	for (i = 0; i < EVENTS; i++) {
		d = event_of(i);
		missing += (documented(a, &d) || documented(b, &d)) &&
			   !EventEnabled(registration, &d);
		EventWrite(registration, &d, 0, NULL);
		if (documented(a, &d))
			want.id[want.count++] = i;
	}
	return missing;
}

/* Combine each rule with a narrow one; each session gets only its own events */
static void test_two_sessions(void)
{
	const struct rule other = { .level = 2, .any = 2, .all = 2 };
	struct private_properties p, q;
	unsigned int i, missing = 0;
	TRACEHANDLE h, second;
	struct rule r;

	want.count = 0;
	private_init(&p, IN_PROC, "two");
	p.p.MaximumBuffers = 64;
	private_init(&q, IN_PROC, "other");
	q.p.MaximumBuffers = 64;
	if (StartTraceA(&h, "two", &p.p) || StartTraceA(&second, "other", &q.p) ||
	    enable(second, &other))
		abort();
	for (i = 0; i < RULES; i++) {
		r = rule_of(i);
		missing += enable(h, &r) != 0;
		missing += count_missing(&r, &other);
		private_flush(h);
		private_flush(second);
	}
	CHECK(!missing, "two sessions: an event that either wants is enabled");
	CHECK(!private_stop(&p, h) && !p.p.EventsLost && has_wanted("two"),
	      "two sessions: each has the events that it wants alone");
	private_stop(&q, second);
}

int main(void)
{
	EventRegister(&provider, NULL, NULL, &registration);
	test_one_session();
	test_two_sessions();
	EventUnregister(registration);
	private_clean();
	return tap_end();
}
