// SPDX-License-Identifier: GPL-2.0
/*
 * Bystanders: root and another user, tracing beside a hostile neighbour, see
 * hostile.c.  Whatever that does:
 *
 * - each of the bystanders' calls returns without an error, and in time;
 * - their sessions, which have enough buffers, lose no event.
 *
 * Time does not count while the bystander waits for a processor, or while the
 * whole machine is stopped, which a thread of the highest priority detects.  On
 * a machine that is slow even without a neighbour, calls may take longer.
 */
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "selftests/evntprov/common/etl_scan.h"
#include "neighbour.h"

#define MS		1000000ull
#define SECOND		(1000 * MS)
#define PERIOD		(5 * MS)	/* of the detecting thread */
#define BURST		20u
#define QUIET_TIMES	4u	/* sessions before the neighbour starts */
/* Maximum time of a call, as a multiple of the longest without a neighbour */
#define MULTIPLE	20u
#define MAX_WRITTEN	(1u << 20)

enum step {
	STEP_REGISTER,
	STEP_UNREGISTER,
	STEP_WRITE,
	STEP_START,
	STEP_ENABLE,
	STEP_ENABLE_PUBLIC,
	STEP_DISABLE,
	STEP_QUERY,
	STEP_QUERY_ALL,
	STEP_LIST,
	STEP_FLUSH,
	STEP_STOP,
	STEPS,
};

static const char * const step_names[STEPS] = {
	"register", "unregister", "write", "start", "enable",
	"enable in scope", "disable", "query", "query all sessions", "list",
	"flush", "stop",
};

/* Calls of one kind, and the longest of them, in ns */
struct times {
	uint64_t calls;
	uint64_t errors;
	uint64_t error;		/* the first one */
	uint64_t worst;
	uint64_t worst_counted;	/* without the time that does not count */
};

struct bystander {
	uid_t uid;
	enum step step;
	uint64_t since;		/* or 0: between two calls */
	struct times times[STEPS];
	uint64_t written;	/* to root's permanent session */
	uint32_t sessions;	/* started and stopped */
	bool stop;
	bool lost;		/* in one of these sessions */
};

static struct shared {
	struct bystander root;
	struct bystander other;
	struct evntrace_session ample;
	uint64_t stood_still;	/* ns */
	uint64_t quiet;		/* ns of the longest call without a neighbour */
	bool is_hostile;
	bool is_ready;
	bool stop;
} *shared;

static int schedstat = -1;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* Read how long this process was runnable but did not run */
static uint64_t waited_for_processor(void)
{
	char text[80] = "";
	uint64_t delay = 0;

	if (pread(schedstat, text, sizeof(text) - 1, 0) > 0)
		sscanf(text, "%*u %ju", (uintmax_t *)&delay);
	return delay;
}

/* Sum up the time for which the machine is stopped */
static void *notice(void *p)
{
	struct sched_param highest = {
		.sched_priority = sched_get_priority_max(SCHED_FIFO),
	};
	uint64_t before, took;

	pthread_setschedparam(pthread_self(), SCHED_FIFO, &highest);
	while (!__atomic_load_n(&shared->stop, __ATOMIC_RELAXED)) {
		before = now();
		usleep(PERIOD / 1000);
		took = now() - before;
		if (took > 2 * PERIOD)
			__atomic_fetch_add(&shared->stood_still, took - PERIOD,
					   __ATOMIC_RELAXED);
	}
	return p;
}

static uint64_t stood_still(void)
{
	return __atomic_load_n(&shared->stood_still, __ATOMIC_RELAXED);
}

struct stopwatch {
	uint64_t begin;
	uint64_t delay;
	uint64_t still;
};

static struct stopwatch begin_step(struct bystander *b, enum step step)
{
	struct stopwatch w = {
		.delay = waited_for_processor(), .still = stood_still(),
		.begin = now(),
	};

	b->step = step;
	__atomic_store_n(&b->since, w.begin, __ATOMIC_RELEASE);
	return w;
}

static int end_step(struct bystander *b, const struct stopwatch *w, int err)
{
	struct times *t = &b->times[b->step];
	uint64_t took = now() - w->begin;
	uint64_t delay = waited_for_processor() - w->delay;
	uint64_t still = stood_still() - w->still;
	uint64_t other = delay > still ? delay : still;

	__atomic_store_n(&b->since, 0, __ATOMIC_RELEASE);
	t->calls++;
	if (err && !t->errors++)
		t->error = err;
	if (took > t->worst)
		t->worst = took;
	took -= other < took ? other : took;
	if (took > t->worst_counted)
		t->worst_counted = took;
	if (!__atomic_load_n(&shared->is_hostile, __ATOMIC_RELAXED) &&
	    took > shared->quiet)
		shared->quiet = took;
	return err;
}

#define TIMED(b, step, call)						\
	({								\
		struct stopwatch watch_ = begin_step(b, step);		\
		end_step(b, &watch_, call);				\
	})

static bool is_stopped(const struct bystander *b)
{
	return __atomic_load_n(&b->stop, __ATOMIC_RELAXED);
}

/* Start a session with an access list and a log of its own */
static int start_session(int fd, struct bystander *b, const char *name,
			 const char *path, unsigned int id, uint32_t buffers,
			 __u64 *handle)
{
	__u16 text[EVNTRACE_MAX_NAME];
	int log = new_log(path), err;
	struct evntrace_start arg = start_arg(text, name, log);

	arg.guid = guid_of(id);
	arg.buffer_size = 64 * 1024;
	arg.max_buffers = buffers;
	err = TIMED(b, STEP_START, do_ioctl(fd, EVNTRACE_IOC_START, &arg));
	close(log);
	*handle = arg.handle;
	return err;
}

/* Query the sessions of all users; some may end in between */
static void query_all(struct bystander *b, int fd)
{
	static __u64 handles[EVNTRACE_MAX_SESSIONS];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_SESSIONS,
		.element_size = sizeof(__u64), .elements = (uintptr_t)handles,
		.count = EVNTRACE_MAX_SESSIONS,
	};
	unsigned int i;

	TIMED(b, STEP_LIST, do_ioctl(fd, EVNTRACE_IOC_LIST, &l));
	for (i = 0; i < l.count && i < EVNTRACE_MAX_SESSIONS; i++)
		TIMED(b, STEP_QUERY_ALL, ({
			dev_control(fd, DEV_QUERY, handles[i], NULL);
			0;
		}));
}

static void list_registrations(struct bystander *b, int fd)
{
	static struct evntrace_registration room[64];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(room[0]), .elements = (uintptr_t)room,
		.count = 64,
	};

	TIMED(b, STEP_LIST, do_ioctl(fd, EVNTRACE_IOC_LIST, &l));
}

/* Enable the public provider in the hostile programs, by their names and ids */
static void enable_in_scope(struct bystander *b, int fd, __u64 session)
{
	static const char names[] = "init;torture";
	__u32 pids[] = { 1, getpid(), getpid() + 20, getpid() + 40 };
	struct evntrace_filter filters[] = {
		{ .ptr = (uintptr_t)names, .len = sizeof(names) - 1,
		  .type = EVNTRACE_FILTER_EXECUTABLE_NAME },
		{ .ptr = (uintptr_t)pids, .len = sizeof(pids),
		  .type = EVNTRACE_FILTER_PID },
	};
	struct evntrace_enable arg = enable_arg(PUBLIC_PROVIDER);

	arg.filters = (uintptr_t)filters;
	arg.filter_count = 1 + b->times[STEP_ENABLE_PUBLIC].calls % 2;
	TIMED(b, STEP_ENABLE_PUBLIC, dev_ioctl(fd, session,
					       EVNTRACE_IOC_ENABLE, &arg));
	arg.control = EVNTPROV_CONTROL_DISABLE;
	arg.filter_count = 0;
	TIMED(b, STEP_DISABLE, dev_ioctl(fd, session, EVNTRACE_IOC_ENABLE,
					 &arg));
}

#define H_QUIET		HANDLE(1, 1)
#define H_OWN		HANDLE(2, 1)

static unsigned int own_provider(const struct bystander *b)
{
	return QUIET_PROVIDER + 10 + (b == &shared->other);
}

/* Use a session from start to stop; its log must have all events */
static void trace_once(struct bystander *b, int prov, int fd)
{
	const unsigned int id = QUIET_SESSION + (b == &shared->other);
	struct evntrace_session q;
	char name[32], path[64];
	struct etl_scan scan;
	__u64 session;
	uint32_t i;

	snprintf(name, sizeof(name), "quiet-%u", b->uid);
	snprintf(path, sizeof(path), QUIET_DIR "/%u.etl", b->uid);
	if (start_session(fd, b, name, path, id, 0, &session))
		return;
	TIMED(b, STEP_ENABLE, dev_enable(fd, session, own_provider(b)));
	TIMED(b, STEP_REGISTER, dev_register(prov, H_OWN, own_provider(b), 0));
	for (i = 0; i < BURST; i++)
		TIMED(b, STEP_WRITE, dev_write(prov, H_OWN, "quiet", 5));
	TIMED(b, STEP_UNREGISTER, dev_unregister(prov, H_OWN));
	TIMED(b, STEP_FLUSH,
	      dev_control(fd, EVNTRACE_CONTROL_FLUSH, session, NULL));
	TIMED(b, STEP_QUERY,
	      dev_control(fd, DEV_QUERY, session, NULL));
	TIMED(b, STEP_STOP, dev_stop(fd, session, &q));
	if (!etl_scan(path, &scan, NULL, NULL) || scan.events != BURST ||
	    q.events_lost)
		b->lost = true;
	unlink(path);
	__atomic_fetch_add(&b->sessions, 1, __ATOMIC_RELAXED);
}

/* Write to the session that root keeps during the whole round */
static void write_burst(struct bystander *b, int prov)
{
	uint32_t i, number;

	for (i = 0; i < BURST && b->written < MAX_WRITTEN; i++) {
		number = b->written;
		if (!TIMED(b, STEP_WRITE,
			   dev_write(prov, H_QUIET, &number, sizeof(number))))
			b->written++;
	}
}

/* Play another user: a member of the group, without capabilities */
static void play_other(struct bystander *b)
{
	struct stat st;
	int prov, fd;

	stat("/dev/evntrace", &st);
	if (setgroups(1, &st.st_gid) || setresgid(b->uid, b->uid, b->uid) ||
	    setresuid(b->uid, b->uid, b->uid))
		_exit(1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	fd = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	TIMED(b, STEP_REGISTER, dev_register(prov, H_QUIET, QUIET_PROVIDER, 0));
	while (!is_stopped(b)) {
		write_burst(b, prov);
		trace_once(b, prov, fd);
		list_registrations(b, fd);
	}
	TIMED(b, STEP_UNREGISTER, dev_unregister(prov, H_QUIET));
	_exit(0);
}

static void play_root(struct bystander *b)
{
	int prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	int fd = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	__u64 ample = 0, scoped = 0;

	start_session(fd, b, "ample", QUIET_DIR "/ample.etl", QUIET_SESSION + 2,
		      256, &ample);
	TIMED(b, STEP_ENABLE, dev_enable(fd, ample, QUIET_PROVIDER));
	start_session(fd, b, "scoped", QUIET_DIR "/scoped.etl",
		      QUIET_SESSION + 3, 0, &scoped);
	__atomic_store_n(&shared->is_ready, true, __ATOMIC_RELEASE);
	while (!is_stopped(b)) {
		trace_once(b, prov, fd);
		enable_in_scope(b, fd, scoped);
		query_all(b, fd);
	}
	TIMED(b, STEP_STOP, dev_stop(fd, scoped, NULL));
	TIMED(b, STEP_STOP, dev_stop(fd, ample, &shared->ample));
	_exit(0);
}

static int change_access(int fd, unsigned int id, uint32_t operation, uid_t uid)
{
	struct evntrace_access arg = {
		.size = sizeof(arg), .guid = guid_of(id),
		.operation = operation,
	};

	if (operation != EVNTRACE_ACCESS_REMOVE) {
		arg.subject = EVNTRACE_SUBJECT_USER;
		arg.id = uid;
		arg.rights = EVNTRACE_RIGHTS_ALL;
	}
	return do_ioctl(fd, EVNTRACE_IOC_SET_ACCESS, &arg);
}

/* Deny other users the bystanders' sessions and provider */
static int protect(int fd)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < 4; i++)
		err = err ?: change_access(fd, QUIET_SESSION + i,
					   EVNTRACE_ACCESS_SET,
					   i == 1 ? OTHER : 0);
	err = err ?: change_access(fd, QUIET_SESSION + 1, EVNTRACE_ACCESS_ADD, 0);
	err = err ?: change_access(fd, QUIET_PROVIDER, EVNTRACE_ACCESS_SET, 0);
	return err ?: change_access(fd, QUIET_PROVIDER, EVNTRACE_ACCESS_ADD,
				    OTHER);
}

static void unprotect(int fd)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		change_access(fd, QUIET_SESSION + i, EVNTRACE_ACCESS_REMOVE, 0);
	change_access(fd, QUIET_PROVIDER, EVNTRACE_ACCESS_REMOVE, 0);
}

static bool is_debug_kernel(void)
{
	return !access("/sys/kernel/debug/kcsan", F_OK) ||
	       !access("/sys/kernel/debug/kmemleak", F_OK);
}

/* Maximum time of a call; debug kernels are slow */
static uint64_t limit(void)
{
	const uint64_t least = is_debug_kernel() ? 30 * SECOND : SECOND;
	const uint64_t multiple = shared->quiet * MULTIPLE;

	return multiple > least ? multiple : least;
}

static void start_bystander(struct bystander *b, uid_t uid, pid_t *pid,
			    void (*play)(struct bystander *b))
{
	b->uid = uid;
	*pid = fork();
	if (*pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	schedstat = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
	play(b);
}

static bool has_ended(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) == pid;
}

/* End it while the neighbour goes on; false if one of its calls hangs */
static bool end_bystander(struct bystander *b, pid_t pid)
{
	const uint64_t patience = limit() * 2 + 30 * SECOND;
	uint64_t since, begin = now();

	__atomic_store_n(&b->stop, true, __ATOMIC_RELAXED);
	while (!has_ended(pid)) {
		usleep(10000);
		since = __atomic_load_n(&b->since, __ATOMIC_ACQUIRE);
		if (now() - begin < patience || !since ||
		    now() - since < patience)
			continue;
		printf("# user %u has been in \"%s\" for %ju ms\n", b->uid,
		       step_names[b->step], (uintmax_t)((now() - since) / MS));
		return false;
	}
	return true;
}

static bool evaluate_times(const struct bystander *b)
{
	const struct times *t = b->times;
	bool ok = true;
	uint32_t i;

	for (i = 0; i < STEPS; i++, t++) {
		if (!t->calls)
			continue;
		printf("# user %u: %s: %ju calls, %.1f ms at most, %.1f ms without waits for a processor\n",
		       b->uid, step_names[i], (uintmax_t)t->calls,
		       (double)t->worst / MS, (double)t->worst_counted / MS);
		if (t->errors)
			printf("# user %u: %s: %ju errors, the first: %s\n",
			       b->uid, step_names[i], (uintmax_t)t->errors,
			       strerror(t->error));
		ok &= !t->errors && t->worst_counted <= limit();
	}
	return ok;
}

struct found {
	uint8_t *times;
	uint64_t strange;
	uint64_t events;
};

static void find_event(const struct etl_event *e, void *context)
{
	struct found *f = context;
	uint32_t number;

	memcpy(&number, e->data, sizeof(number));
	if (e->data_len != sizeof(number) || number >= MAX_WRITTEN ||
	    f->times[number]++)
		f->strange++;
	f->events++;
}

/* Check that each event written is found once, and that none was lost */
static bool evaluate_ample(void)
{
	const struct bystander *b = &shared->other;
	struct found f = { .times = calloc(1, MAX_WRITTEN) };
	struct etl_scan scan;
	bool ok;

	ok = etl_scan(QUIET_DIR "/ample.etl", &scan, find_event, &f);
	printf("# written %ju, kept %ju, lost %llu%s%s\n",
	       (uintmax_t)b->written, (uintmax_t)f.events,
	       shared->ample.events_lost, ok ? "" : ": ", scan.error ?: "");
	ok = ok && b->written && f.events == b->written && !f.strange &&
	     !shared->ample.events_lost && !scan.events_lost &&
	     !shared->root.lost && !b->lost;
	free(f.times);
	return ok;
}

static bool is_ready(void)
{
	return __atomic_load_n(&shared->is_ready, __ATOMIC_ACQUIRE);
}

static bool have_traced(void)
{
	return __atomic_load_n(&shared->root.sessions, __ATOMIC_RELAXED) >=
	       QUIET_TIMES &&
	       __atomic_load_n(&shared->other.sessions, __ATOMIC_RELAXED) >=
	       QUIET_TIMES;
}

/* Wait for the bystanders, but not forever: they may have failed */
static void wait_until(bool (*is_so)(void))
{
	uint32_t i;

	for (i = 0; i < 6000 && !is_so(); i++)
		usleep(10000);
}

/* Make the folders of logs */
static void make_dirs(void)
{
	mkdir(NEIGHBOUR_DIR, 0755);
	mkdir(QUIET_DIR, 0700);
	mkdir(HOSTILE_DIR, 0777);
	chmod(HOSTILE_DIR, 0777);
	if (chown(QUIET_DIR, OTHER, OTHER))
		printf("# %s cannot be given away\n", QUIET_DIR);
}

/* Kill a bystander that hung; by now it can die */
static void reap(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void end_server(pid_t pid, const char *dir)
{
	reap(pid);
	umount2(dir, MNT_DETACH);
}

/**
 * neighbour_round() - trace for a while beside a hostile neighbour
 * @seed: seed of the neighbour's choices
 * @seconds: duration
 * @kept: out: whether no event was lost
 *
 * Return: whether all calls returned in time and without an error.
 */
bool neighbour_round(uint64_t seed, uint32_t seconds, bool *kept)
{
	int fd = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	pid_t root, other, silent, frozen;
	pthread_t thread;
	bool ok;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	make_dirs();
	hostile_setup();
	silent = silent_serve(SILENT_DIR, true);
	frozen = silent_serve(FROZEN_DIR, false);
	ok = !protect(fd) && silent > 0 && frozen > 0;
	pthread_create(&thread, NULL, notice, NULL);
	start_bystander(&shared->root, 0, &root, play_root);
	wait_until(is_ready);
	start_bystander(&shared->other, OTHER, &other, play_other);
	wait_until(have_traced);
	__atomic_store_n(&shared->is_hostile, true, __ATOMIC_RELAXED);
	hostile_begin(seed, frozen);
	sleep(seconds);
	ok &= end_bystander(&shared->other, other);
	ok &= end_bystander(&shared->root, root);
	hostile_stop();
	end_server(silent, SILENT_DIR);
	end_server(frozen, FROZEN_DIR);
	ok &= hostile_end();
	reap(other);
	reap(root);
	__atomic_store_n(&shared->stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	rmdir(CGROUP);
	unprotect(fd);
	close(fd);
	ok &= evaluate_times(&shared->root);
	ok &= evaluate_times(&shared->other);
	*kept = evaluate_ample();
	printf("# longest call without a neighbour: %.1f ms, so the limit is %ju ms\n",
	       (double)shared->quiet / MS, (uintmax_t)(limit() / MS));
	printf("# the machine stood still for %ju ms; the neighbour: %ju registrations, %ju calls, %ju sessions, %ju kills, %ju ends with reads pending\n",
	       (uintmax_t)(shared->stood_still / MS),
	       (uintmax_t)hostile->registrations, (uintmax_t)hostile->calls,
	       (uintmax_t)hostile->sessions, (uintmax_t)hostile->kills,
	       (uintmax_t)hostile->pending);
	munmap(shared, sizeof(*shared));
	munmap(hostile, sizeof(*hostile));
	return ok;
}
