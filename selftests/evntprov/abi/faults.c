// SPDX-License-Identifier: GPL-2.0
/*
 * Each allocation and each copy fails once, in each system call on the devices:
 * the call returns a documented errno or does without, the module's state is as
 * before, and the same call then succeeds.
 */
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/abi/faults_private.h"

/*
 * Kernel caches make fault points come and go, so a call with few points is
 * walked several times.
 */
#define ROUNDS	3
#define MANY	25
/* In a long call, only the first points are all tried */
#define DENSE	20

/* Fault points of one call, and their outcomes */
struct tally {
	unsigned int points;
	unsigned int kinds[INJECT_KINDS];
	unsigned int no_memory;
	unsigned int no_copy;
};

static void report(const struct call *c, const struct tally *t)
{
	unsigned int failed = t->no_memory + t->no_copy;

	fprintf(stderr, "# %s: %u points (%u slab, %u page, %u copy)",
		c->name, t->points, t->kinds[INJECT_SLAB],
		t->kinds[INJECT_PAGE], t->kinds[INJECT_COPY]);
	fprintf(stderr, ": %u ENOMEM, %u EFAULT, %u passed\n",
		t->no_memory, t->no_copy, t->points - failed);
}

static bool is_allowed(const struct call *c, int kind, int err)
{
	return !err || err == (kind == INJECT_COPY ? c->copy : c->alloc);
}

static void call_if(void (*fn)(struct world *w), struct world *w)
{
	if (fn)
		fn(w);
}

/* After a failure, check that nothing has changed and that a retry succeeds */
static void check_failed(struct __test_metadata *_metadata,
			 const struct call *c, struct world *w,
			 const struct state *before)
{
	struct state after;
	int err;

	state_get(w, &after);
	if (!c->ends)
		EXPECT_EQ(NULL, state_differs(before, &after)) {
			TH_LOG("%s has changed", state_differs(before, &after));
		}
	err = c->run(w);
	EXPECT_TRUE(!err || (c->ends && err == ESRCH)) {
		TH_LOG("the next call gives %s", strerrorname_np(err));
	}
}

/* Try the n-th point. Returns whether it exists. */
static bool try_point(struct __test_metadata *_metadata, const struct call *c,
		      struct world *w, struct injector *in, unsigned int n,
		      struct tally *t)
{
	struct state idle, before, after;
	int err, kind;

	state_get(w, &idle);
	call_if(c->prepare, w);
	state_get(w, &before);
	ASSERT_TRUE(inject_arm(in->nth, n));
	err = c->run(w);
	kind = inject_disarm(in, in->nth);
	if (kind >= 0) {
		t->points++;
		t->kinds[kind]++;
		t->no_memory += err == ENOMEM;
		t->no_copy += err == EFAULT;
	}
	EXPECT_TRUE(kind >= 0 ? is_allowed(c, kind, err) : !err) {
		TH_LOG("%s", strerrorname_np(err));
	}
	if (err)
		check_failed(_metadata, c, w, &before);
	call_if(c->undo, w);
	EXPECT_EQ(NULL, w->wrong);
	state_get(w, &after);
	after.session = idle.session;
	after.slot = idle.slot;
	after.log_size = idle.log_size;
	EXPECT_EQ(NULL, state_differs(&idle, &after)) {
		TH_LOG("%s is not as it was", state_differs(&idle, &after));
	}
	if (!_metadata->passed)
		TH_LOG("%s: point %u, %s", c->name, n,
		       kind < 0 ? "no fault" : inject_names[kind]);
	return kind >= 0;
}

/* The session must count exactly the events that were written */
static void check_events(struct __test_metadata *_metadata,
			 const struct call *c, struct world *w)
{
	struct evntrace_session q;

	if (!w->session[0])
		return;
	dev_control(w->trace, DEV_QUERY, w->session[0], &q);
	EXPECT_TRUE(c->images ? w->accepted < q.events :
				w->accepted == q.events);
	EXPECT_EQ(0, q.events_lost);
}

static void walk(struct __test_metadata *_metadata, const struct call *c,
		 struct injector *in)
{
	struct tally t = {};
	unsigned int n, round;
	struct world w;

	world_open(&w);
	call_if(c->set_up, &w);
	read_all(w.prov);
	ASSERT_EQ(NULL, w.wrong);
	for (round = 0; round < ROUNDS && t.points < MANY; round++) {
		n = 1;
		while (_metadata->passed &&
		       try_point(_metadata, c, &w, in, n, &t))
			n += n > DENSE && c->stride ? c->stride : 1;
	}
	/* A walk without any failure would prove nothing */
	EXPECT_TRUE(t.points || !(c->alloc || c->copy));
	EXPECT_EQ((c->alloc || c->copy) && !c->heals,
		  t.no_memory || t.no_copy);
	check_events(_metadata, c, &w);
	world_close(&w);
	report(c, &t);
}

FIXTURE(faults) {
	struct injector inject;
	const char *missing;
};

FIXTURE_SETUP(faults)
{
	self->missing = inject_missing();
	mount_logs(_metadata, NULL);
	if (!self->missing)
		ASSERT_TRUE(inject_open(&self->inject));
}

FIXTURE_TEARDOWN(faults)
{
	if (!self->missing)
		inject_close(&self->inject);
	unmount_logs(_metadata);
}

#define NEEDS_INJECTION() do {						\
	if (self->missing)						\
		SKIP(return, "%s: %s", _metadata->name, self->missing);	\
} while (0)

#define WALK_ALL(calls) do {						\
	unsigned int i_;						\
									\
	for (i_ = 0; i_ < ARRAY_SIZE(calls) && _metadata->passed; i_++)	\
		walk(_metadata, &calls[i_], &self->inject);		\
} while (0)

TEST_F_TIMEOUT(faults, ioctls_of_evntprov_survive_failed_steps, 240)
{
	NEEDS_INJECTION();
	WALK_ALL(prov_calls);
}

TEST_F_TIMEOUT(faults, ioctls_of_evntrace_survive_failed_steps, 240)
{
	NEEDS_INJECTION();
	WALK_ALL(trace_calls);
}

TEST_F_TIMEOUT(faults, ioctls_of_private_sessions_survive_failed_steps, 240)
{
	NEEDS_INJECTION();
	WALK_ALL(private_calls);
}

TEST_F_TIMEOUT(faults, starts_of_sessions_survive_failed_steps, 240)
{
	NEEDS_INJECTION();
	WALK_ALL(start_calls);
}

/* Find memory leaked by all of the tests above */

#define LEAKS	"/sys/kernel/debug/kmemleak"

FIXTURE(memory) {
};

FIXTURE_SETUP(memory)
{
}

FIXTURE_TEARDOWN(memory)
{
}

static bool is_ours(const char *line)
{
	return strstr(line, "evnt_") || strstr(line, "[evntprov]");
}

TEST_F_TIMEOUT(memory, no_memory_has_leaked, 600)
{
	unsigned int leaks = 0;
	char line[512];
	time_t start;
	FILE *f;

	if (access(LEAKS, R_OK | W_OK))
		SKIP(return, "%s: this kernel has no kmemleak",
		     _metadata->name);
	/* kmemleak ignores objects younger than five seconds */
	start = time(NULL);
	ASSERT_TRUE(inject_put(LEAKS, "scan"));
	while (time(NULL) - start < 6)
		sleep(1);
	ASSERT_TRUE(inject_put(LEAKS, "scan"));
	f = fopen(LEAKS, "r");
	ASSERT_NE(NULL, f);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (is_ours(line) && ++leaks < 20)
			TH_LOG("%s", line);
	}
	fclose(f);
	EXPECT_EQ(0, leaks);
}

TEST_HARNESS_MAIN
