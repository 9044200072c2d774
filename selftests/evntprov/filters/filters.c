// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that examine events: which of several sessions gets which event,
 * exhaustively on small domains and in random cases, compared with a plain
 * evaluator; and which filters are refused.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/filters/filters.h"

#define PLAIN		HANDLE(1, 1)
#define TYPED		HANDLE(2, 1)	/* has block types */
#define SESSIONS	3
#define CASES		10000
#define MAX_CASES	12000

FIXTURE(filters) {
	int prov;
	int trace;
	__u64 session[SESSIONS];
	char path[SESSIONS][32];
	struct dev_status before;
};

FIXTURE_SETUP(filters)
{
	struct evntrace_start start = { .buffer_size = 65536, .max_buffers = 64 };
	unsigned int i;
	__u8 types = 1;
	char name[16];

	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, PLAIN, 1, 0));
	ASSERT_EQ(0, dev_register(self->prov, TYPED, 1, 0));
	ASSERT_EQ(0, dev_set_info(self->prov, TYPED,
				  EVNTPROV_INFO_DESCRIPTOR_TYPE, &types, 1));
	for (i = 0; i < SESSIONS; i++) {
		sprintf(name, "filters%u", i);
		sprintf(self->path[i], "/tmp/filters%u.etl", i);
		ASSERT_EQ(0, dev_start(self->trace, name, self->path[i],
				       &start, &self->session[i]));
	}
}

FIXTURE_TEARDOWN(filters)
{
	unsigned int i;

	close(self->prov);
	for (i = 0; i < SESSIONS; i++) {
		if (self->session[i])
			dev_stop(self->trace, self->session[i], NULL);
		unlink(self->path[i]);
	}
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
}

/* Number of times a session got each case */
struct seen {
	unsigned int count[MAX_CASES];
	unsigned int wrong;
};

static void note(const struct etl_event *e, void *context)
{
	struct seen *seen = context;
	uint32_t number;

	memcpy(&number, e->data, sizeof(number));
	if (e->data_len != sizeof(number) || number >= MAX_CASES)
		seen->wrong++;
	else
		seen->count[number]++;
}

/* Stop session @i; returns how many of @cases differ from @expected */
static unsigned int differ(int trace, __u64 *session, const char *path,
			   const bool *expected, unsigned int cases)
{
	static struct seen seen;
	struct evntrace_session q;
	unsigned int n, different;
	struct etl_scan scan;

	memset(&seen, 0, sizeof(seen));
	if (dev_stop(trace, *session, &q) || q.events_lost)
		return cases + 1;
	*session = 0;
	if (!etl_scan(path, &scan, note, &seen))
		return cases + 2;
	different = seen.wrong;
	for (n = 0; n < cases; n++)
		different += seen.count[n] != expected[n];
	return different;
}

#define TABLE_NAMES	{ .has_names = true, .names_len = 9,		\
			  .names = { .count = 3, .names = "a\0abc\0cd",

static const struct config table[] = {
	{},
	{ .level = 3 },
	{ .any = 2, .all = 0 },
	{ .any = 3, .all = 1 },
	{ .property = EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 },
	{ .property = EVNTRACE_PROPERTY_ENABLE_KEYWORD_0 },
	{ .property = EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE },
	{ .property = EVNTRACE_PROPERTY_SID | EVNTRACE_PROPERTY_EVENT_KEY },
	{ .has_ids = true, .ids = { .in = 1, .count = 2, .id = { 1, 65535 } } },
	{ .has_ids = true, .ids = { .in = 0, .count = 2, .id = { 1, 65535 } } },
	{ .has_ids = true, .ids = { .in = 1, .count = 0 } },
	{ .has_ids = true, .ids = { .in = 0, .count = 0 } },
	{ .level = 3, .has_ids = true,
	  .ids = { .in = 1, .count = 3, .id = { 7, 0, 7 } } },
	TABLE_NAMES .in = 1 } },
	TABLE_NAMES .in = 0 } },
	TABLE_NAMES .in = 1, .level = 3 } },
	TABLE_NAMES .in = 0, .level = 3 } },
	TABLE_NAMES .in = 1, .match_any = 2, .match_all = 2 } },
	TABLE_NAMES .in = 1, .match_any = 0, .match_all = 2 } },
	{ .has_names = true, .names = { .in = 1 } },
	{ .has_names = true, .names = { .in = 0 } },
	{ .has_ids = true, .ids = { .in = 1, .count = 1, .id = { 7 } },
	  .property = EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 |
		      EVNTRACE_PROPERTY_TS_ID,
	  .has_names = true, .names_len = 3,
	  .names = { .in = 1, .count = 1, .names = "cd" } },
	{ .pid = SCOPE_US },
	{ .pid = SCOPE_OTHER },
	{ .pid = SCOPE_US, .exe = SCOPE_OTHER },
	{ .has_program = true, .relation = EVNTRACE_CMP_LT, .value = 6000 },
	{ .has_program = true, .value = 5000, .exe = SCOPE_US,
	  .relation = EVNTRACE_CMP_GT | EVNTRACE_CMP_EQ },
	{ .has_program = true, .relation = EVNTRACE_CMP_GT, .value = 100,
	  .has_ids = true, .ids = { .in = 1, .count = 2, .id = { 1, 65535 } } },
};

static const __u16 some_ids[] = { 0, 1, 2, 7, 65535 };
static const __u8 some_levels[] = { 0, 3, 4 };
static const __u64 some_keywords[] = { 0, 1, 2, 3 };
static const char *const some_names[] = { NULL, "a", "ab", "abc", "cd", "" };

#define EVENTS	(COUNT(some_ids) * COUNT(some_levels) *			\
		 COUNT(some_keywords) * COUNT(some_names))

static struct event nth_event(unsigned int n)
{
	struct event e;

	e.inprivate = n % 7 == 0;
	e.id = some_ids[n % COUNT(some_ids)];
	n /= COUNT(some_ids);
	e.level = some_levels[n % COUNT(some_levels)];
	n /= COUNT(some_levels);
	e.keyword = some_keywords[n % COUNT(some_keywords)];
	e.name = some_names[n / COUNT(some_keywords)];
	return e;
}

/* Write each event of the small domain, and store the expected receivers */
static unsigned int write_all(int prov, const struct config *const c[2],
			      bool expected[2][MAX_CASES], unsigned int from)
{
	unsigned int n, failed = 0;
	struct event e;

	for (n = 0; n < EVENTS; n++) {
		e = nth_event(n);
		e.number = from + n;
		expected[0][from + n] = lets(c[0], &e);
		expected[1][from + n] = lets(c[1], &e);
		failed += !!write_event(prov, e.name || n % 2 ? TYPED : PLAIN,
					&e);
	}
	return failed;
}

TEST_F_TIMEOUT(filters, each_pair_of_filters_passes_the_events_of_the_reference, 300)
{
	static bool expected[2][MAX_CASES];
	const struct config *c[2];
	struct evntrace_start start = { .buffer_size = 65536 };
	unsigned int i, j, k, n = 0;
	char name[16];

	for (i = 0; i < COUNT(table); i++) {
		for (j = 0; j < COUNT(table); j++) {
			c[0] = &table[i];
			c[1] = &table[j];
			ASSERT_EQ(0, enable_with(self->trace, self->session[0],
						 1, c[0]));
			ASSERT_EQ(0, enable_with(self->trace, self->session[1],
						 1, c[1]));
			EXPECT_EQ(0, write_all(self->prov, c, expected, n));
			n += EVENTS;
			if (n + EVENTS <= MAX_CASES)
				continue;
			for (k = 0; k < 2; k++) {
				EXPECT_EQ(0, differ(self->trace,
						    &self->session[k],
						    self->path[k], expected[k],
						    n));
				sprintf(name, "filters%u", k);
				ASSERT_EQ(0, dev_start(self->trace, name,
						       self->path[k], &start,
						       &self->session[k]));
			}
			n = 0;
		}
	}
	for (k = 0; k < 2; k++)
		EXPECT_EQ(0, differ(self->trace, &self->session[k],
				    self->path[k], expected[k], n));
}

static unsigned int pick(unsigned int *seed, unsigned int n)
{
	return rand_r(seed) / 7 % n;
}

static struct config random_config(unsigned int *seed)
{
	struct config c = {
		.level = some_levels[pick(seed, COUNT(some_levels))],
		.any = pick(seed, 4),
		.all = pick(seed, 8) ? 0 : pick(seed, 4),
		.pid = pick(seed, 8) ? pick(seed, 2) : SCOPE_OTHER,
		.exe = pick(seed, 8) ? pick(seed, 2) : SCOPE_OTHER,
		.has_ids = pick(seed, 2),
		.has_names = pick(seed, 2),
		.has_program = pick(seed, 2),
		.relation = 1 + pick(seed, 7),
		.value = pick(seed, CASES),
	};
	static const __u32 property[] = {
		EVNTRACE_PROPERTY_SID, EVNTRACE_PROPERTY_IGNORE_KEYWORD_0,
		EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE,
		EVNTRACE_PROPERTY_CONTAINER,
	};
	static const char *const names[] = { "a", "ab", "abc", "abcd", "b",
					     "", "\xff", "\x7f" };
	unsigned int i;

	if (pick(seed, 3) == 0)
		c.property = property[pick(seed, COUNT(property))];
	c.ids.in = pick(seed, 2);
	c.ids.count = pick(seed, EVNTRACE_MAX_FILTER_IDS + 1);
	for (i = 0; i < c.ids.count; i++)
		c.ids.id[i] = pick(seed, 4) ? pick(seed, 100) :
					      pick(seed, 65536);
	c.names.in = pick(seed, 2);
	c.names.level = some_levels[pick(seed, COUNT(some_levels))];
	c.names.match_any = pick(seed, 4);
	c.names.match_all = pick(seed, 4);
	for (i = pick(seed, 6); i; i--)
		add_name(&c, names[pick(seed, COUNT(names))]);
	return c;
}

static struct event random_event(unsigned int *seed, const struct config *c)
{
	static const char *const names[] = { "a", "ab", "abc", "abcd", "abcde",
					     "b", "", "\xff", "\x7f", "\x80" };
	struct event e = {
		.id = pick(seed, 100),
		.level = pick(seed, 6),
		.keyword = pick(seed, 4),
		.inprivate = pick(seed, 4) == 0,
	};

	if (c->ids.count && pick(seed, 2))
		e.id = c->ids.id[pick(seed, c->ids.count)] + pick(seed, 2);
	if (pick(seed, 2))
		e.name = names[pick(seed, COUNT(names))];
	return e;
}

#define PER_CONFIG	20

/* $EVNT_SEED selects another sequence */
TEST_F_TIMEOUT(filters, random_cases_match_the_reference, 300)
{
	static bool expected[SESSIONS][MAX_CASES];
	const char *text = getenv("EVNT_SEED");
	unsigned int seed = text ? strtoul(text, NULL, 0) : 1;
	struct config c[SESSIONS];
	struct event e;
	unsigned int i, n;

	for (n = 0; n < many(CASES); n++) {
		for (i = 0; n % PER_CONFIG == 0 && i < SESSIONS; i++) {
			c[i] = random_config(&seed);
			ASSERT_EQ(0, enable_with(self->trace, self->session[i],
						 1, &c[i]));
		}
		e = random_event(&seed, &c[n % SESSIONS]);
		e.number = n;
		for (i = 0; i < SESSIONS; i++)
			expected[i][n] = lets(&c[i], &e);
		EXPECT_EQ(0, write_event(self->prov, e.name || pick(&seed, 2) ?
					 TYPED : PLAIN, &e));
	}
	for (i = 0; i < SESSIONS; i++)
		EXPECT_EQ(0, differ(self->trace, &self->session[i],
				    self->path[i], expected[i], many(CASES)));
}

/* Enable with one filter; returns the errno */
static int try_filter(int trace, __u64 session, __u32 type, const void *p,
		      __u32 len)
{
	struct evntrace_filter f = { (uintptr_t)p, len, type };
	struct evntrace_enable arg = enable_arg(1);

	arg.filters = (uintptr_t)&f;
	arg.filter_count = 1;
	return dev_ioctl(trace, session, EVNTRACE_IOC_ENABLE, &arg);
}

#define TRY(type, p, len) \
	try_filter(self->trace, self->session[0], EVNTRACE_FILTER_##type, p, len)

TEST_F(filters, event_id_errors)
{
	struct { struct id_filter f; __u16 more; } ids = { { .in = 1 } };

	EXPECT_EQ(EINVAL, TRY(EVENT_ID, &ids, 0));
	EXPECT_EQ(EINVAL, TRY(EVENT_ID, &ids, 3));
	EXPECT_EQ(0, TRY(EVENT_ID, &ids, 4));
	ids.f.count = 1;
	EXPECT_EQ(EINVAL, TRY(EVENT_ID, &ids, 4));
	EXPECT_EQ(EINVAL, TRY(EVENT_ID, &ids, 5));
	EXPECT_EQ(0, TRY(EVENT_ID, &ids, 6));
	ids.f.count = 64;
	EXPECT_EQ(EINVAL, TRY(EVENT_ID, &ids, 4 + 2 * 64 - 1));
	EXPECT_EQ(0, TRY(EVENT_ID, &ids, 4 + 2 * 64));
	ids.f.count = 65;
	EXPECT_EQ(EINVAL, TRY(EVENT_ID, &ids, 4 + 2 * 65));
	ids.f.count = 65535;
	EXPECT_EQ(EINVAL, TRY(EVENT_ID, &ids, 4 + 2 * 64));
	ids.f.count = 1;
	EXPECT_EQ(EFAULT, TRY(EVENT_ID, (void *)8, 6));
	EXPECT_EQ(EINVAL, TRY(EVENT_ID, &ids, 1025));
	EXPECT_EQ(EINVAL, TRY(EVENT_ID, &ids, 0xffffffff));
}

TEST_F(filters, event_name_errors)
{
	static struct { struct name_filter f; char more[4096]; } n;
	const __u32 fixed = offsetof(struct name_filter, names);

	EXPECT_EQ(EINVAL, TRY(EVENT_NAME, &n, fixed - 1));
	EXPECT_EQ(0, TRY(EVENT_NAME, &n, fixed));
	n.f.count = 1;
	EXPECT_EQ(EINVAL, TRY(EVENT_NAME, &n, fixed));
	EXPECT_EQ(0, TRY(EVENT_NAME, &n, fixed + 1));
	strcpy(n.f.names, "name");
	EXPECT_EQ(EINVAL, TRY(EVENT_NAME, &n, fixed + 4));
	EXPECT_EQ(0, TRY(EVENT_NAME, &n, fixed + 5));
	EXPECT_EQ(0, TRY(EVENT_NAME, &n, fixed + 6));
	n.f.count = 3;
	EXPECT_EQ(EINVAL, TRY(EVENT_NAME, &n, fixed + 6));
	n.f.count = 65535;
	EXPECT_EQ(EINVAL, TRY(EVENT_NAME, &n, 4096));
	n.f.count = 4096 - fixed - 4;
	EXPECT_EQ(0, TRY(EVENT_NAME, &n, 4096));
	EXPECT_EQ(EINVAL, TRY(EVENT_NAME, &n, 4097));
}

TEST_F(filters, pid_errors)
{
	__u32 pids[9] = { getpid() };

	EXPECT_EQ(EINVAL, TRY(PID, pids, 0));
	EXPECT_EQ(EINVAL, TRY(PID, pids, 3));
	EXPECT_EQ(0, TRY(PID, pids, 4));
	EXPECT_EQ(0, TRY(PID, pids, 32));
	EXPECT_EQ(EINVAL, TRY(PID, pids, 36));
}

TEST_F(filters, lists_of_names_errors)
{
	static char text[1600];

	EXPECT_EQ(EINVAL, TRY(EXECUTABLE_NAME, text, 0));
	EXPECT_EQ(EINVAL, TRY(EXECUTABLE_NAME, "", 1));
	EXPECT_EQ(EINVAL, TRY(EXECUTABLE_NAME, ";;;", 3));
	EXPECT_EQ(EINVAL, TRY(PACKAGE_ID, ";", 2));
	EXPECT_EQ(EINVAL, TRY(PACKAGE_APP_ID, "\0a", 3));
	EXPECT_EQ(0, TRY(EXECUTABLE_NAME, "a", 1));
	EXPECT_EQ(0, TRY(PACKAGE_ID, "a;", 2));
	EXPECT_EQ(0, TRY(PACKAGE_APP_ID, ";a;;b", 6));
	memset(text, 'x', sizeof(text));
	EXPECT_EQ(0, TRY(EXECUTABLE_NAME, text, 1536));
	EXPECT_EQ(EINVAL, TRY(EXECUTABLE_NAME, text, 1537));
}

TEST_F(filters, unknown_and_duplicate_types_are_errors)
{
	struct id_filter ids = { .count = 1 };
	struct evntrace_filter f[EVNTRACE_MAX_FILTERS + 1] = {
		{ (uintptr_t)&ids, 6, EVNTRACE_FILTER_EVENT_ID },
		{ (uintptr_t)&ids, 6, EVNTRACE_FILTER_EVENT_ID },
	};
	struct evntrace_enable arg = enable_arg(1);

	EXPECT_EQ(EOPNOTSUPP, try_filter(self->trace, self->session[0], 0,
					 &ids, 6));
	EXPECT_EQ(EOPNOTSUPP, try_filter(self->trace, self->session[0],
					 0x80000001, &ids, 4));
	EXPECT_EQ(EOPNOTSUPP, try_filter(self->trace, self->session[0],
					 0xffffffff, &ids, 4));
	arg.filters = (uintptr_t)f;
	arg.filter_count = 2;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, self->session[0],
				    EVNTRACE_IOC_ENABLE, &arg));
	arg.filter_count = EVNTRACE_MAX_FILTERS + 1;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, self->session[0],
				    EVNTRACE_IOC_ENABLE, &arg));
	arg.filter_count = 0xffffffff;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, self->session[0],
				    EVNTRACE_IOC_ENABLE, &arg));
	arg.filter_count = 1;
	arg.filters = 8;
	EXPECT_EQ(EFAULT, dev_ioctl(self->trace, self->session[0],
				    EVNTRACE_IOC_ENABLE, &arg));
	/* None of it took effect */
	EXPECT_EQ(self->before.enablements, dev_status().enablements);
	/* Filters are checked only when a provider is enabled */
	arg.control = EVNTPROV_CONTROL_DISABLE;
	EXPECT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &arg));
	arg = enable_arg(1);
	arg.property = EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 |
		       EVNTRACE_PROPERTY_ENABLE_KEYWORD_0;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, self->session[0],
				    EVNTRACE_IOC_ENABLE, &arg));
}

TEST_HARNESS_MAIN
