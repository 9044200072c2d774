// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks of events: a session that requests them gets the writer's, from
 * the function that wrote the event outwards, even if the stack is corrupt.
 */
#include <sys/stat.h>
#include <sys/syscall.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/abi/actor.h"
#include "selftests/evntprov/filters/filters.h"
#include "selftests/evntprov/common/logs.h"
#include "selftests/evntprov/common/own_event.h"

#define H		HANDLE(1, 1)
#define TYPED		HANDLE(2, 1)
#define STACK_TRACE64	6
#define MAX_FRAMES	192
#define EVENTS		16
#define SESSIONS	3

/* Facts found about events, by id */
struct got {
	unsigned int count[EVENTS];
	unsigned int frames[EVENTS];	/* 0 without a stack */
	__u64 frame[EVENTS][MAX_FRAMES];
	unsigned int images;
	unsigned int wrong;
};

static void note(const struct etl_event *e, void *context)
{
	struct got *g = context;
	const __u8 *stack;
	unsigned int i;
	uint16_t len;

	if (is_own_event(e)) {
		g->images++;
		return;
	}
	if (e->id >= EVENTS) {
		g->wrong++;
		return;
	}
	g->count[e->id]++;
	stack = etl_ext(e, STACK_TRACE64, &len);
	if (!stack)
		return;
	g->frames[e->id] = len / 8 - 1;
	g->wrong += len % 8 || len < 16 || len > 8 + 8 * MAX_FRAMES ||
		    etl_u64(stack);
	for (i = 0; i < g->frames[e->id] && i < MAX_FRAMES; i++)
		g->frame[e->id][i] = etl_u64(stack + 8 + 8 * i);
}

FIXTURE(stack) {
	int prov;
	int trace;
	__u64 session[SESSIONS];
	struct got *got;
};

FIXTURE_SETUP(stack)
{
	/* The longest event must fit in a buffer */
	struct evntrace_start start = { .buffer_size = 131072 };
	unsigned int i;
	__u8 types = 1;

	self->got = calloc(SESSIONS, sizeof(*self->got));
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_register(self->prov, TYPED, 1, 0));
	ASSERT_EQ(0, dev_set_info(self->prov, TYPED,
				  EVNTPROV_INFO_DESCRIPTOR_TYPE, &types, 1));
	for (i = 0; i < SESSIONS; i++) {
		ASSERT_EQ(0, log_start(self->trace, "stack", i, &start,
				       &self->session[i]));
	}
}

/* Admit all users by the access lists, so that other checks decide */
static int give_rights(int trace, __u32 operation)
{
	struct evntrace_access arg = {
		.size = sizeof(arg), .guid = EVNTRACE_ACCESS_DEFAULT,
		.operation = operation,
		.rights = operation == EVNTRACE_ACCESS_REMOVE ?
			  0 : EVNTRACE_RIGHTS_ALL,
	};

	return do_ioctl(trace, EVNTRACE_IOC_SET_ACCESS, &arg) ?:
	       chmod("/dev/evntrace", operation == EVNTRACE_ACCESS_REMOVE ?
		     0660 : 0666) ? errno : 0;
}

#define RIGHTS_FOR_ALL() \
	ASSERT_EQ(0, give_rights(self->trace, EVNTRACE_ACCESS_SET))

FIXTURE_TEARDOWN(stack)
{
	EXPECT_EQ(0, give_rights(self->trace, EVNTRACE_ACCESS_REMOVE));
	close(self->prov);
	logs_remove(self->trace, "stack", self->session, SESSIONS);
	close(self->trace);
	free(self->got);
}

#define STOP_AND_READ()							\
	for (unsigned int i_ = 0; i_ < SESSIONS; i_++) {		\
		const char *error_ = log_finish(self->trace, "stack", i_,	\
			&self->session[i_], note, &self->got[i_]);	\
		ASSERT_EQ(NULL, error_) {				\
			TH_LOG("%s", error_);				\
		}							\
		EXPECT_EQ(0, self->got[i_].wrong);			\
	}

#define ENABLE(session, with, ...) ({					\
	const struct evntrace_filter f_[] = { __VA_ARGS__ };		\
	struct evntrace_enable e_ = enable_arg(1);		\
	e_.property = with;						\
	e_.filters = (uintptr_t)f_;					\
	e_.filter_count = sizeof(f_) / sizeof(*f_);			\
	dev_ioctl(self->trace, session, EVNTRACE_IOC_ENABLE, &e_); })
#define STACK	EVNTRACE_PROPERTY_STACK_TRACE

#if defined(__x86_64__)
/*
 * Write an event with @frame as the frame pointer, and nothing between that
 * frame and the system call.
 */
static __attribute__((noinline)) int write_at(int fd, struct evntprov_write *w,
					      void *frame)
{
	long result = SYS_ioctl;

	__asm__ volatile("push %%rbp\n\t"
			 "mov %[frame], %%rbp\n\t"
			 "syscall\n\t"
			 "pop %%rbp"
			 : "+a"(result)
			 : "D"((long)fd),
			   "S"((long)EVNTPROV_IOC_WRITE), "d"(w),
			   [frame] "r"(frame)
			 : "rcx", "r11", "memory");
	return -result;
}

/* Index of the process's first own frame, after the kernel's frames */
static unsigned int first_of_process(const struct got *g, unsigned int id)
{
	unsigned int i = 0;

	while (i < g->frames[id] && g->frame[id][i] >> 63)
		i++;
	return i;
}

/* Whether a kernel's frame of an event is in the module */
static bool has_frame_of_module(const struct got *g, unsigned int id)
{
	FILE *f = fopen("/proc/modules", "re");
	unsigned long size, base = 0;
	unsigned int i, first = first_of_process(g, id);
	char line[1024];

	while (f && !base && fgets(line, sizeof(line), f))
		sscanf(line, "evntprov %lu %*u %*s %*s %lx", &size, &base);
	if (!f || fclose(f) || !base)
		return true;
	for (i = 0; i < first; i++) {
		if (g->frame[id][i] - base < size)
			return true;
	}
	return false;
}

/* A chain of @n frames on the stack, whose addresses are 0x1000 and on */
static void make_chain(__u64 (*chain)[2], unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		chain[i][0] = i + 1 < n ? (uintptr_t)chain[i + 1] : 0;
		chain[i][1] = 0x1000 + i;
	}
}

TEST_F(stack, stacks_contain_frames_of_the_process_and_the_kernel)
{
	struct evntprov_write w = write_arg(H, NULL, 0);
	const struct got *g = &self->got[0];
	__u64 chain[3][2];
	unsigned int first;

	make_chain(chain, 3);
	ASSERT_EQ(0, ENABLE(self->session[0], STACK));
	ASSERT_EQ(0, ENABLE(self->session[1], 0));
	ASSERT_EQ(0, write_at(self->prov, &w, chain));
	STOP_AND_READ();
	first = first_of_process(g, 1);
	EXPECT_LT(1, first);
	EXPECT_FALSE(has_frame_of_module(g, 1));
	ASSERT_EQ(first + 4, g->frames[1]);
	/* The instruction after the system call in write_at() */
	EXPECT_LT((uintptr_t)write_at, g->frame[1][first]);
	EXPECT_GT((uintptr_t)write_at + 200, g->frame[1][first]);
	EXPECT_EQ(0x1000, g->frame[1][first + 1]);
	EXPECT_EQ(0x1002, g->frame[1][first + 3]);
	EXPECT_EQ(1, self->got[1].count[1]);
	EXPECT_EQ(0, self->got[1].frames[1]);
}

/* The walk ends at each corrupt frame, and reads nothing beyond it */
TEST_F(stack, a_stack_walk_ends_at_a_corrupt_frame)
{
	struct evntprov_write w = write_arg(H, NULL, 0);
	const struct got *g = &self->got[0];
	static __u64 low[2] = { 0, 0x1000 };
	__u64 chain[400][2];
	unsigned int i;

	ASSERT_EQ(0, ENABLE(self->session[0], STACK));
	make_chain(chain, 400);
	w.descriptor.id = 1;	/* longer than the maximum */
	ASSERT_EQ(0, write_at(self->prov, &w, chain));
	chain[1][0] = (uintptr_t)chain[0];
	w.descriptor.id = 2;	/* back */
	ASSERT_EQ(0, write_at(self->prov, &w, chain));
	chain[1][0] = (uintptr_t)chain[1];
	w.descriptor.id = 3;	/* points to itself */
	ASSERT_EQ(0, write_at(self->prov, &w, chain));
	chain[1][0] = (uintptr_t)chain[2] + 1;
	w.descriptor.id = 4;	/* not aligned */
	ASSERT_EQ(0, write_at(self->prov, &w, chain));
	chain[1][0] = 0xffffffff81000000ull;
	w.descriptor.id = 5;	/* into the kernel */
	ASSERT_EQ(0, write_at(self->prov, &w, chain));
	chain[1][0] = 0x8000000000000000ull;
	w.descriptor.id = 6;	/* not canonical */
	ASSERT_EQ(0, write_at(self->prov, &w, chain));
	w.descriptor.id = 7;	/* below the stack */
	ASSERT_EQ(0, write_at(self->prov, &w, low));
	w.descriptor.id = 8;	/* no frame */
	ASSERT_EQ(0, write_at(self->prov, &w, NULL));
	w.descriptor.id = 9;
	ASSERT_EQ(0, write_at(self->prov, &w, (void *)-16));
	chain[1][0] = (uintptr_t)chain[2];
	chain[1][1] = 0;
	w.descriptor.id = 10;	/* unmapped */
	ASSERT_EQ(0, write_at(self->prov, &w, chain));
	STOP_AND_READ();
	EXPECT_EQ(MAX_FRAMES, g->frames[1]);
	for (i = 2; i <= 6; i++)
		EXPECT_EQ(3, g->frames[i] - first_of_process(g, i));
	for (i = 7; i <= 9; i++)
		EXPECT_EQ(1, g->frames[i] - first_of_process(g, i));
	EXPECT_EQ(2, g->frames[10] - first_of_process(g, 10));
}

static int write_id(int prov, unsigned int id)
{
	struct evntprov_write w = write_arg(H, NULL, 0);

	w.descriptor.id = id;
	return do_ioctl(prov, EVNTPROV_IOC_WRITE, &w);
}

/* A change of user has made the process undumpable */
static void become_dumpable(unsigned int uid)
{
	become(uid, 0);
	if (prctl(PR_SET_DUMPABLE, 1))
		_exit(99);
}

static void become_capable(unsigned int uid)
{
	become_with(uid, CAP_NET_RAW);
	if (prctl(PR_SET_DUMPABLE, 1))
		_exit(99);
}

static void become_apart_dumpable(unsigned int uid)
{
	become_apart(uid, CLONE_NEWUSER);
	if (prctl(PR_SET_DUMPABLE, 1))
		_exit(99);
}

#define WRITES(before, id)						\
	EXPECT_EQ(0, IN_CHILD(before, write_id(self->prov, id)))

/* Write from several processes, each with its own id */
#define WRITE_AS_ALL() do {						\
	EXPECT_EQ(0, write_id(self->prov, 1));				\
	WRITES(become_dumpable(ALICE), 2);				\
	WRITES(become(ALICE, 0), 3);					\
	WRITES(become_dumpable(BOB), 4);				\
	WRITES(become_capable(ALICE), 5);				\
	WRITES(become_apart_dumpable(ALICE), 6);			\
} while (0)

TEST_F(stack, without_CAP_PERFMON_only_traceable_processes_have_stacks)
{
	const struct got *g = self->got;
	unsigned int i;

	RIGHTS_FOR_ALL();
	ASSERT_EQ(0, ENABLE(self->session[0], STACK));
	EXPECT_EQ(0, AS(ALICE, 0, ENABLE(self->session[1], STACK)));
	/* A user that has no writing process */
	EXPECT_EQ(0, AS(65533, 0, ENABLE(self->session[2], STACK)));
	WRITE_AS_ALL();
	STOP_AND_READ();
	for (i = 1; i <= 6; i++) {
		EXPECT_EQ(1, g[0].count[i] & g[1].count[i] & g[2].count[i]);
		EXPECT_LT(0, g[0].frames[i]);
		/*
		 * The first process's frames are not shared with unprivileged
		 * sessions
		 */
		EXPECT_EQ(i != 2, !!first_of_process(&g[0], i));
		EXPECT_EQ(i == 2, !!g[1].frames[i]);
		EXPECT_EQ(0, g[2].frames[i]);
	}
	EXPECT_EQ(0, first_of_process(&g[1], 2));
	/* The same holds for image events of the stacks */
	EXPECT_LT(g[1].images, g[0].images);
	EXPECT_LT(0, g[1].images);
	EXPECT_EQ(0, g[2].images);
}

TEST_F(stack, reading_stacks_of_others_requires_CAP_PERFMON)
{
	struct evntrace_start start = {
		.log_file_mode = EVNTRACE_MODE_REAL_TIME,
	};
	int fd = self->trace;
	__u64 s;

	RIGHTS_FOR_ALL();
	ASSERT_EQ(0, dev_start(fd, "guarded", NULL, &start, &s));
	ASSERT_EQ(0, ENABLE(s, STACK));
	EXPECT_EQ(EPERM, AS(ALICE, 0, read_by_consuming(s)));
	EXPECT_EQ(EPERM, AS(ALICE, 0, read_by_snapshot(fd, s)));
	EXPECT_EQ(EPERM, AS(ALICE, 0, read_by_update(fd, s)));
	/* Capabilities in a user namespace do not count */
	EXPECT_EQ(EPERM, IN_CHILD(become_apart(ALICE, CLONE_NEWUSER),
				  read_by_consuming(s)));
	/* Root needs it too, and disabling does not lift the restriction */
	EXPECT_EQ(EPERM, IN_CHILD(keep_capability(CAP_SYS_BOOT),
				  read_by_consuming(s)));
	EXPECT_EQ(0, ENABLE(s, 0));
	EXPECT_EQ(EPERM, AS(ALICE, 0, read_by_consuming(s)));
	EXPECT_EQ(0, IN_CHILD(become_with(ALICE, CAP_PERFMON),
			      read_by_consuming(s)));
	EXPECT_EQ(0, read_by_snapshot(fd, s));
	EXPECT_EQ(0, dev_stop(fd, s, NULL));
}

TEST_F(stack, sessions_readable_by_others_get_no_privileged_stacks)
{
	struct evntrace_update real_time = {
		.size = sizeof(real_time),
		.flags = EVNTRACE_UPDATE_REAL_TIME, .log_fd = -1,
	};
	const struct got *g = self->got;
	unsigned int i;

	RIGHTS_FOR_ALL();
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_UPDATE, &real_time));
	/* A consumer admitted earlier limits the session for good */
	ASSERT_EQ(0, AS(ALICE, 0, read_by_consuming(self->session[0])));
	ASSERT_EQ(0, ENABLE(self->session[0], STACK));
	ASSERT_EQ(0, ENABLE(self->session[2], STACK));
	WRITE_AS_ALL();
	STOP_AND_READ();
	for (i = 1; i <= 6; i++) {
		EXPECT_EQ(1, g[0].count[i]);
		EXPECT_EQ(i == 2, !!g[0].frames[i]);
		EXPECT_EQ(i != 2, !!first_of_process(&g[2], i));
	}
}

TEST_F(stack, the_log_of_a_member_gets_no_privileged_stacks)
{
	__u64 *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	ASSERT_NE(MAP_FAILED, s);
	ASSERT_EQ(0, dev_stop(self->trace, self->session[0], NULL));
	unlink("/tmp/stack0.etl");
	ASSERT_EQ(0, AS(ALICE, 0, log_start(self->trace, "stack", 0, NULL, s)));
	self->session[0] = *s;
	munmap(s, sizeof(*s));
	/* Enabled by root, but the owner's rights count */
	ASSERT_EQ(0, ENABLE(self->session[0], STACK));
	WRITE_AS_ALL();
	STOP_AND_READ();
	for (i = 1; i <= 6; i++)
		EXPECT_EQ(i == 2, !!self->got[0].frames[i]);
	EXPECT_EQ(0, first_of_process(&self->got[0], 2));
}

/* If a record is too long, its stack is dropped */
TEST_F(stack, an_event_too_long_with_its_stack_is_EOVERFLOW)
{
	static __u8 data[65535 - 0x50 - 20];
	struct evntrace_session q;

	ASSERT_EQ(0, ENABLE(self->session[0], 0));
	EXPECT_EQ(0, dev_write(self->prov, H, data, sizeof(data)));
	ASSERT_EQ(0, ENABLE(self->session[0], STACK));
	EXPECT_EQ(EOVERFLOW, dev_write(self->prov, H, data, sizeof(data)));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session[0], &q));
	EXPECT_EQ(1, q.events_lost);
}
#endif

/* Stack filters select which events have stacks, if the property is set */
TEST_F(stack, filters_select_the_events_with_stacks)
{
	const struct id_filter ids = { .in = 1, .count = 2, .id = { 1, 3 } };
	const struct name_filter names = { .in = 0, .count = 1, .names = "a" };
	const struct name_filter level = { .in = 1, .level = 3 };
	const struct evntrace_filter by_id = {
		(uintptr_t)&ids, 8, EVNTRACE_FILTER_STACKWALK
	}, by_name = {
		(uintptr_t)&names, offsetof(struct name_filter, names) + 2,
		EVNTRACE_FILTER_STACKWALK_NAME
	}, by_level = {
		(uintptr_t)&level, 18, EVNTRACE_FILTER_STACKWALK_LEVEL_KW
	};
	static const struct event events[] = {
		{ 1, 3, .number = 0 }, { 2, 3, .number = 1 },
		{ 3, 4, .number = 2 }, { 4, 4, .number = 3 },
		{ 5, 3, .number = 4, .name = "a" },
		{ 6, 3, .number = 5, .name = "b" },
		{ 7, 4, .number = 6, .name = "b" },
	};
	/* Indexed by session */
	static const char *const expected[SESSIONS] = {
		"1010011", "1010111", "1000010",
	};
	unsigned int i, k;

	ASSERT_EQ(0, ENABLE(self->session[0], STACK, by_id, by_name));
	ASSERT_EQ(0, ENABLE(self->session[1], STACK, by_id));
	ASSERT_EQ(0, ENABLE(self->session[2], STACK, by_id, by_name, by_level));
	for (i = 0; i < COUNT(events); i++)
		ASSERT_EQ(0, write_event(self->prov, TYPED, &events[i]));
	/* Stacks require the property */
	ASSERT_EQ(0, ENABLE(self->session[0], 0, by_id));
	ASSERT_EQ(0, write_event(self->prov, TYPED, &(struct event) { 9 }));
	STOP_AND_READ();
	for (i = 0; i < SESSIONS; i++) {
		for (k = 0; k < COUNT(events); k++)
			EXPECT_EQ(expected[i][k] == '1',
				  !!self->got[i].frames[events[k].id]);
	}
	EXPECT_EQ(0, self->got[0].frames[9]);
	EXPECT_EQ(1, self->got[0].count[9]);
}

TEST_F(stack, stack_filter_errors)
{
	struct level_kw { __u64 any, all; __u8 level, in; } kw = { .in = 1 };
	const struct id_filter ids = { .in = 1, .count = 1 };

	EXPECT_EQ(EINVAL, ENABLE(self->session[0], STACK, {
		(uintptr_t)&kw, 17, EVNTRACE_FILTER_STACKWALK_LEVEL_KW }));
	EXPECT_EQ(0, ENABLE(self->session[0], STACK, {
		(uintptr_t)&kw, 24, EVNTRACE_FILTER_STACKWALK_LEVEL_KW }));
	EXPECT_EQ(EINVAL, ENABLE(self->session[0], STACK, {
		(uintptr_t)&ids, 5, EVNTRACE_FILTER_STACKWALK }));
	EXPECT_EQ(EINVAL, ENABLE(self->session[0], STACK, {
		(uintptr_t)&kw, 19, EVNTRACE_FILTER_STACKWALK_NAME }));
}

TEST_HARNESS_MAIN
