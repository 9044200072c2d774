// SPDX-License-Identifier: GPL-2.0
/*
 * Extended items: a session's records contain those that it has requested, and
 * no others.
 */
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/logs.h"

#define H	HANDLE(1, 1)

/* The types of extended items */
#define RELATED		1
#define SID		2
#define TS_ID		3
#define EVENT_KEY	10
#define SCHEMA_TL	11
#define PROV_TRAITS	12
#define START_KEY	13
#define CONTAINER_ID	16

#define EVENTS		4

static const struct {
	__u32 property;
	__u16 type;
	__u16 len;
} items[] = {
	{ EVNTRACE_PROPERTY_SID, SID, 16 },
	{ EVNTRACE_PROPERTY_TS_ID, TS_ID, 4 },
	{ EVNTRACE_PROPERTY_EVENT_KEY, EVENT_KEY, 8 },
	{ EVNTRACE_PROPERTY_PROCESS_START_KEY, START_KEY, 8 },
	{ EVNTRACE_PROPERTY_CONTAINER, CONTAINER_ID, 36 },
	{ EVNTRACE_PROPERTY_SILOS, CONTAINER_ID, 36 },
};

#define COUNT(a)	(sizeof(a) / sizeof(*(a)))
/* One session for each property, one with all, one with none */
#define ALL		COUNT(items)
#define NONE		(COUNT(items) + 1)
#define SESSIONS	(COUNT(items) + 2)

/* An event in a session's log */
struct got {
	__u16 types[16];
	unsigned int count;
	__u8 item[20][40];
	__u16 len[20];
	unsigned int data_is_right;
	int64_t time;
};

struct log {
	struct got event[EVENTS];
	unsigned int count;
};

static void note(const struct etl_event *e, void *context)
{
	struct log *log = context;
	struct got *g = &log->event[log->count++];
	const __u8 *p = e->ext;

	g->data_is_right = e->data_len == 5 && !memcmp(e->data, "hello", 5);
	g->time = e->time;
	for (; p; p = etl_u16(p + 4) & 1 ? p + etl_u16(p) : NULL) {
		g->types[g->count++] = etl_u16(p + 2);
		g->len[etl_u16(p + 2)] = etl_u16(p + 6);
		memcpy(g->item[etl_u16(p + 2)], p + 8, etl_u16(p + 6));
	}
}

static bool has(const struct got *g, __u16 type)
{
	unsigned int i;

	for (i = 0; i < g->count; i++) {
		if (g->types[i] == type)
			return true;
	}
	return false;
}

/* Whether session @i requests items of this type */
static bool is_wanted(unsigned int i, __u16 type)
{
	return i == ALL || (i < COUNT(items) && items[i].type == type);
}

FIXTURE(items) {
	int prov;
	int trace;
	__u64 session[SESSIONS];
	struct log *log;
};

FIXTURE_SETUP(items)
{
	struct evntrace_enable e;
	unsigned int i, k;

	stay_on(0);
	self->log = calloc(SESSIONS, sizeof(*self->log));
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	for (i = 0; i < SESSIONS; i++) {
		ASSERT_EQ(0, log_start(self->trace, "items", i, NULL,
				       &self->session[i]));
		e = enable_arg(1);
		for (k = 0; k < COUNT(items); k++) {
			if (i == k || i == ALL)
				e.property |= items[k].property;
		}
		ASSERT_EQ(0, dev_ioctl(self->trace, self->session[i],
				       EVNTRACE_IOC_ENABLE, &e));
	}
}

FIXTURE_TEARDOWN(items)
{
	close(self->prov);
	logs_remove(self->trace, "items", self->session, SESSIONS);
	close(self->trace);
	free(self->log);
}

#define STOP_AND_READ()							\
	for (unsigned int i_ = 0; i_ < SESSIONS; i_++) {		\
		const char *error_ = log_finish(self->trace, "items", i_,	\
			&self->session[i_], note, &self->log[i_]);	\
		ASSERT_EQ(NULL, error_) {				\
			TH_LOG("%s", error_);				\
		}							\
	}

TEST_F(items, each_session_gets_only_the_items_it_requested)
{
	unsigned int i, k, n;
	const struct got *g;

	for (n = 0; n < EVENTS; n++)
		ASSERT_EQ(0, dev_write(self->prov, H, "hello", 5));
	STOP_AND_READ();
	for (i = 0; i < SESSIONS; i++) {
		EXPECT_EQ(EVENTS, self->log[i].count);
		for (n = 0; n < EVENTS; n++) {
			g = &self->log[i].event[n];
			EXPECT_EQ(i == ALL ? 5 : i != NONE, g->count);
			EXPECT_TRUE(g->data_is_right);
			/*
			 * Sessions allocate a buffer for the first event, so
			 * its times differ
			 */
			if (n)
				EXPECT_EQ(self->log[0].event[n].time, g->time);
			for (k = 0; k < COUNT(items); k++)
				EXPECT_EQ(is_wanted(i, items[k].type),
					  has(g, items[k].type));
			if (i < COUNT(items))
				EXPECT_EQ(items[i].len,
					  g->len[items[i].type]);
		}
	}
}

/* The start time of this process in clock ticks, from /proc */
static unsigned long long start_time(void)
{
	unsigned long long ticks = 0;
	char text[1024] = {}, *p;
	FILE *f = fopen("/proc/self/stat", "r");
	int i;

	if (f && fread(text, 1, sizeof(text) - 1, f)) {
		p = strrchr(text, ')');
		for (i = 0; p && i < 20; i++)
			p = strchr(p + 1, ' ');
		ticks = p ? strtoull(p, NULL, 10) : 0;
	}
	if (f)
		fclose(f);
	return ticks;
}

TEST_F(items, items_identify_the_writer)
{
	static const __u8 sid[] = { 1, 2, 0, 0, 0, 0, 0, 22, 1, 0, 0, 0 };
	const struct got *root, *user;
	__u64 key;
	pid_t pid;
	int status;

	ASSERT_EQ(0, dev_write(self->prov, H, "hello", 5));
	pid = fork();
	if (!pid)
		_exit(setresuid(0x12345678, 0x12345678, 0x12345678) ||
		      dev_write(self->prov, H, "hello", 5));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	STOP_AND_READ();
	root = &self->log[ALL].event[0];
	user = &self->log[ALL].event[1];
	if (root->time > user->time)
		root = user, user = &self->log[ALL].event[0];
	EXPECT_EQ(0, memcmp(root->item[SID], sid, sizeof(sid)));
	EXPECT_EQ(0, etl_u32(root->item[SID] + 12));
	EXPECT_EQ(0x12345678, etl_u32(user->item[SID] + 12));
	key = etl_u64(root->item[START_KEY]);
	EXPECT_EQ(getpid(), key & 0x3fffff);
	EXPECT_EQ(start_time(), key >> 22);
	EXPECT_EQ(pid, etl_u64(user->item[START_KEY]) & 0x3fffff);
	EXPECT_EQ(0, memcmp(root->item[CONTAINER_ID], "00000000-0000-0000-", 19));
	EXPECT_EQ('-', root->item[CONTAINER_ID][23]);
}

/* Each event has a key of its own, the same in each session */
TEST_F(items, each_event_has_a_unique_key)
{
	const struct got *one, *all;
	unsigned int n, k;

	for (n = 0; n < EVENTS; n++)
		ASSERT_EQ(0, dev_write(self->prov, H, "hello", 5));
	STOP_AND_READ();
	for (n = 0; n < EVENTS; n++) {
		one = &self->log[2].event[n];
		all = &self->log[ALL].event[n];
		EXPECT_EQ(0, memcmp(one->item[EVENT_KEY], all->item[EVENT_KEY],
				    8));
		EXPECT_NE(0, etl_u64(one->item[EVENT_KEY]));
		for (k = 0; k < n; k++)
			EXPECT_NE(etl_u64(one->item[EVENT_KEY]),
				  etl_u64((one - n + k)->item[EVENT_KEY]));
	}
}

/* Including items that the writer causes, in the order of Windows */
TEST_F(items, items_have_the_documented_order)
{
	static const __u16 order[] = { RELATED, SID, TS_ID, EVENT_KEY, START_KEY,
				       CONTAINER_ID, PROV_TRAITS, SCHEMA_TL };
	static const char metadata[] = "\5\0\1e", traits[] = "\4\0t";
	struct evntprov_data data[] = {
		{ (uintptr_t)"hel", 3 },
		{ (uintptr_t)metadata, 5, EVNTPROV_DATA_EVENT_METADATA },
		{ (uintptr_t)traits, 4, EVNTPROV_DATA_PROVIDER_METADATA },
		{ (uintptr_t)"lo", 2 },
	};
	struct evntprov_write w = write_arg(H, data, 4);
	const struct got *g;
	unsigned int i, n;
	__u8 types = 1;

	ASSERT_EQ(0, dev_set_info(self->prov, H, EVNTPROV_INFO_DESCRIPTOR_TYPE,
				  &types, 1));
	w.flags = EVNTPROV_WRITE_RELATED;
	w.related = guid_of(77);
	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	/* Traits of the registration are used if no block has them */
	ASSERT_EQ(0, dev_set_info(self->prov, H, EVNTPROV_INFO_TRAITS, traits,
				  4));
	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	STOP_AND_READ();
	for (n = 0; n < 2; n++) {
		g = &self->log[ALL].event[n];
		EXPECT_EQ(0, memcmp(order, g->types, sizeof(order)));
		for (i = 0; i < SESSIONS; i++) {
			g = &self->log[i].event[n];
			EXPECT_EQ(i == ALL ? 8 : 3 + (i != NONE), g->count);
			EXPECT_TRUE(g->data_is_right);
			EXPECT_EQ(0, memcmp(g->item[SCHEMA_TL], metadata, 5));
			EXPECT_EQ(0, memcmp(g->item[PROV_TRAITS], traits, 4));
			EXPECT_EQ(77, g->item[RELATED][12]);
		}
	}
}

/* An event too long for one session's items is lost for all sessions */
TEST_F(items, an_event_too_long_with_its_items_is_EOVERFLOW)
{
	const unsigned int longest = 65535 - 0x50;
	static __u8 data[65536];
	struct evntrace_session q;
	unsigned int i;

	EXPECT_EQ(EOVERFLOW, dev_write(self->prov, H, data, longest));
	for (i = 0; i < SESSIONS; i++) {
		dev_control(self->trace, DEV_QUERY, self->session[i], &q);
		EXPECT_EQ(0, q.events);
		EXPECT_EQ(1, q.events_lost);
	}
}

TEST_HARNESS_MAIN
