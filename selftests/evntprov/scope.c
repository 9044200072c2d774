// SPDX-License-Identifier: GPL-2.0
/*
 * Filters by process: where a process is out of scope, the provider is not
 * enabled there.  Its enable area, its notifications, lists, and what becomes of
 * its events say the same.
 */
#include <grp.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "harness.h"

#include "door.h"
#include "etl_scan.h"
#include "fuse.h"
#include "loggers.h"
#include "process.h"

#define H	HANDLE(1, 1)
#define LOG	"/tmp/scope.etl"
#define CGROUP	"/tmp/scope.cgroup"
#define SILENT	"/tmp/scope.silent"
/* Hundredths of a second that nothing takes */
#define LONG	6000

/* A process that has registered the provider, and does as it is told */
struct child {
	pid_t pid;
	int to, from;
};

/* What it finds: as bits, so that it fits an exit of a pipe */
#define IS_ENABLED	1u	/* the enable area says so */
#define IS_TOLD		2u	/* and a notification, since it was asked last */
#define IS_TOLD_OFF	4u	/* that it is not any more */

static unsigned int look(int prov, volatile struct evntprov_enable *area)
{
	struct evntprov_notification n;
	unsigned int found = 0;

	while (read(prov, &n, sizeof(n)) == sizeof(n))
		found |= n.control == EVNTPROV_CONTROL_DISABLE ? IS_TOLD_OFF :
								 IS_TOLD;
	return found | (area[1].enabled ? IS_ENABLED : 0);
}

/* Orders to a child, besides that to look */
#define BE_ANOTHER	'a'	/* run /tmp/scope-two */
#define BE_YOUR_CHILD	'c'	/* fork, and be the new process alone */

/* Obey the parent, with a registration that is there already */
static void obey(int from, int to, int prov)
{
	volatile struct evntprov_enable *area;
	char byte, text[3][16];
	unsigned int found;

	area = mmap(NULL, EVNTPROV_ENABLE_AREA_SIZE, PROT_READ, MAP_SHARED,
		    prov, 0);
	while (read(from, &byte, 1) == 1) {
		if (byte == BE_YOUR_CHILD && fork())
			_exit(0);
		if (byte == BE_ANOTHER) {
			fcntl(prov, F_SETFD, 0);
			sprintf(text[0], "%d", from);
			sprintf(text[1], "%d", to);
			sprintf(text[2], "%d", prov);
			execl("/tmp/scope-two", "scope-two", "obey", text[0],
			      text[1], text[2], NULL);
			break;
		}
		found = look(prov, area);
		byte = found | door_write(prov, H, "x", 1) << 4;
		if (write(to, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static void serve(int from, int to, const char *cgroup)
{
	int prov, fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (cgroup) {
		fd = open(cgroup, O_WRONLY);
		if (write(fd, "0", 1) != 1)
			_exit(2);
		close(fd);
	}
	prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (door_register(prov, H, 1, EVNTPROV_REGISTER_NOTIFY))
		_exit(1);
	obey(from, to, prov);
}

static void *serve_when_alone(void *ends)
{
	const int *end = ends;

	if (!comes_to(getpid(), "Z", LONG))
		_exit(4);
	serve(end[0], end[1], NULL);
	return NULL;
}

/* As serve(), after the main thread has exited */
static void serve_in_thread(int from, int to)
{
	static int ends[2];
	pthread_t thread;

	ends[0] = from;
	ends[1] = to;
	if (pthread_create(&thread, NULL, serve_when_alone, ends))
		_exit(5);
	syscall(SYS_exit, 0);
}

static struct child start_as(const char *exe, const char *how,
			     const char *cgroup)
{
	int to[2], from[2];
	struct child c;

	if (pipe2(to, exe ? 0 : O_CLOEXEC) || pipe2(from, exe ? 0 : O_CLOEXEC))
		abort();
	c.pid = fork();
	if (!c.pid) {
		char a[16], b[16];

		sprintf(a, "%d", to[0]);
		sprintf(b, "%d", from[1]);
		close(to[1]);
		close(from[0]);
		if (exe)
			execl(exe, exe, how, a, b, NULL);
		else
			serve(to[0], from[1], cgroup);
		_exit(3);
	}
	close(to[0]);
	close(from[1]);
	c.to = to[1];
	c.from = from[0];
	return c;
}

static struct child start_child(const char *exe, const char *cgroup)
{
	return start_as(exe, "serve", cgroup);
}

static void end_child(struct child *c)
{
	close(c->to);
	close(c->from);
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
}

static unsigned int ask_as(const struct child *c, char byte)
{
	if (write(c->to, &byte, 1) != 1 || read(c->from, &byte, 1) != 1)
		return ~0u;
	return (unsigned char)byte;
}

/* Have it look, and write an event */
static unsigned int ask(const struct child *c)
{
	return ask_as(c, 0);
}

FIXTURE(scope) {
	int trace;
	__u64 session;
	struct evntrace_status before;
};

FIXTURE_SETUP(scope)
{
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = door_status(self->trace);
	ASSERT_EQ(0, door_start(self->trace, "scope", LOG, NULL,
				&self->session));
}

FIXTURE_TEARDOWN(scope)
{
	unsigned int tries = 0;

	if (self->session)
		door_stop(self->trace, self->session, NULL);
	while (!door_status_is(self->trace, &self->before) && tries++ < 500)
		usleep(10000);
	EXPECT_TRUE(door_status_is(self->trace, &self->before));
	close(self->trace);
	unlink(LOG);
}

static int enable_scope(int trace, __u64 session,
			const struct evntrace_filter *f, unsigned int count)
{
	struct evntrace_enable arg = enable_arg(session, 1);

	arg.filters = (uintptr_t)f;
	arg.filter_count = count;
	return do_ioctl(trace, EVNTRACE_IOC_ENABLE, &arg);
}

#define ENABLE(...) ({							\
	const struct evntrace_filter f_[] = { __VA_ARGS__ };		\
	enable_scope(self->trace, self->session, f_,			\
		     sizeof(f_) / sizeof(*f_)); })
#define PIDS(p)		{ (uintptr_t)(p), sizeof(p), EVNTRACE_FILTER_PID }
#define TEXT(type, t)	{ (uintptr_t)(t), strlen(t), EVNTRACE_FILTER_##type }

static int disable(int trace, __u64 session)
{
	struct evntrace_enable arg = enable_arg(session, 1);

	arg.control = EVNTPROV_CONTROL_DISABLE;
	return do_ioctl(trace, EVNTRACE_IOC_ENABLE, &arg);
}

static void count_pid(const struct etl_event *e, void *pids)
{
	uint32_t *p = pids;

	for (; *p; p += 2) {
		if (*p == e->pid)
			p[1]++;
	}
}

TEST_F(scope, only_processes_that_are_named)
{
	struct child in = start_child(NULL, NULL);
	struct child out = start_child(NULL, NULL);
	uint32_t counts[] = { in.pid, 0, out.pid, 0, 0 };
	__u32 pids[] = { in.pid, 0, 0x7fffffff };
	struct etl_scan scan;

	EXPECT_EQ(0, ask(&in));
	EXPECT_EQ(0, ask(&out));
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&in));
	EXPECT_EQ(0, ask(&out));
	/* The other one instead */
	pids[0] = out.pid;
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(IS_TOLD_OFF, ask(&in));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&out));
	/* All */
	EXPECT_EQ(0, enable_scope(self->trace, self->session, NULL, 0));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&in));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&out));
	pids[0] = in.pid;
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&in));
	EXPECT_EQ(IS_TOLD_OFF, ask(&out));
	EXPECT_EQ(0, disable(self->trace, self->session));
	EXPECT_EQ(IS_TOLD_OFF, ask(&in));
	EXPECT_EQ(0, ask(&out));
	EXPECT_EQ(0, door_stop(self->trace, self->session, NULL));
	self->session = 0;
	ASSERT_TRUE(etl_scan(LOG, &scan, count_pid, counts)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(3, counts[1]);
	EXPECT_EQ(2, counts[3]);
	EXPECT_EQ(5, scan.events);
	end_child(&in);
	end_child(&out);
}

TEST_F(scope, lists_say_who_is_in_scope)
{
	struct child in = start_child(NULL, NULL);
	struct child out = start_child(NULL, NULL);
	struct evntrace_registration r[8] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .what = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(*r), .elements = (uintptr_t)r,
		.count = 8,
	};
	__u32 pids[] = { in.pid };
	unsigned int i, found = 0;

	ask(&in);
	ask(&out);
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	for (i = 0; i < l.count && i < 8; i++) {
		if (r[i].pid == in.pid) {
			EXPECT_EQ(1ull << EVNTRACE_HANDLE_ID(self->session),
				  r[i].sessions);
			found++;
		}
		if (r[i].pid == out.pid) {
			EXPECT_EQ(0, r[i].sessions);
			found++;
		}
	}
	EXPECT_EQ(2, found);
	end_child(&in);
	end_child(&out);
}

static int door_filter_pid(int trace, __u64 session, __u32 pid)
{
	const struct evntrace_filter f = {
		.ptr = (uintptr_t)&pid, .len = sizeof(pid),
		.type = EVNTRACE_FILTER_PID,
	};

	return enable_scope(trace, session, &f, 1);
}

/* The first process that a session has a filter for, or -1 */
static pid_t filter_pid(int trace, __u64 session)
{
	struct {
		struct evntrace_filter_info info;
		__u32 pids[2];
	} shown;
	struct evntrace_filters arg = {
		.size = sizeof(arg), .handle = session, .provider = guid_of(1),
		.buffer = (uintptr_t)&shown, .len = sizeof(shown),
	};

	if (do_ioctl(trace, EVNTRACE_IOC_FILTERS, &arg) || arg.count != 1)
		return -1;
	return shown.pids[0];
}

/* The sessions that have enabled registrations of @pid; or all bits, there is none */
static __u64 sessions_of(int trace, __u32 pid)
{
	struct evntrace_registration r[8] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .what = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(*r), .elements = (uintptr_t)r,
		.count = 8,
	};
	unsigned int i;

	if (do_ioctl(trace, EVNTRACE_IOC_LIST, &l))
		return ~0ull;
	for (i = 0; i < l.count && i < 8; i++) {
		if (r[i].pid == pid)
			return r[i].sessions;
	}
	return ~0ull;
}

/* Become root, and have the next child become the first process, of namespaces */
static int map_users(void)
{
	FILE *map;

	if (setgroups(0, NULL) || setgid(65534) || setuid(65534) ||
	    prctl(PR_SET_DUMPABLE, 1) ||
	    unshare(CLONE_NEWUSER | CLONE_NEWPID))
		return 1;
	map = fopen("/proc/self/uid_map", "we");
	if (!map)
		return 2;
	fprintf(map, "0 65534 1");
	return fclose(map) ? 3 : 0;
}

/* Error that a process has found inside, or 0, and the session that it has started */
struct inside {
	__u64 found;
	__u64 session;
};

/* Check the ids that the module tells inside; @other is the outer session */
static unsigned int look_from_inside(int trace, __u64 other, __u64 *session)
{
	int prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	struct evntrace_start buffering = {
		.log_file_mode = EVNTRACE_MODE_BUFFERING,
	};
	struct evntrace_session q = {};
	__u64 bit;

	if (getpid() != 1 || getuid() || door_register(prov, H, 1, 0))
		return 10;
	/* The one outside has no number here */
	if (sessions_of(trace, 1) || sessions_of(trace, 0))
		return 11;
	if (door_start(trace, "inside", NULL, &buffering, session))
		return 12;
	bit = 1ull << EVNTRACE_HANDLE_ID(*session);
	if (door_filter_pid(trace, *session, 1))
		return 13;
	if (sessions_of(trace, 1) != bit || sessions_of(trace, 0) ||
	    filter_pid(trace, *session) != 1)
		return 14;
	if (door_control(trace, EVNTRACE_IOC_QUERY, *session, &q) ||
	    q.owner_pid != 1 || q.owner_uid || q.writer_tid)
		return 15;
	if (door_control(trace, EVNTRACE_IOC_QUERY, other, &q) ||
	    q.owner_pid || q.owner_uid != 65534 || q.writer_tid)
		return 16;
	return 0;
}

/* Look, report the result, and stay until the other end of @go is closed */
static void stay_inside(int trace, __u64 other, int ready, int go)
{
	struct inside i = {};
	char byte;

	i.found = look_from_inside(trace, other, &i.session);
	if (write(ready, &i, sizeof(i)) != sizeof(i) || read(go, &byte, 1))
		_exit(9);
	_exit(0);
}

/* The first process of new namespaces; its number outside is written to @ready, too */
static void run_inside(int trace, __u64 other, int ready, int go)
{
	int status = map_users();
	pid_t inner;

	if (status)
		_exit(status);
	inner = fork();
	if (!inner)
		stay_inside(trace, other, ready, go);
	if (waitpid(inner, &status, 0) != inner)
		_exit(8);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 7);
}

/* The process other than @known that has registered anything, or 0 */
static pid_t other_registered(int trace, pid_t known)
{
	struct evntrace_registration r[8] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .what = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(*r), .elements = (uintptr_t)r,
		.count = 8,
	};

	if (do_ioctl(trace, EVNTRACE_IOC_LIST, &l) || l.count != 2)
		return 0;
	return r[(pid_t)r[0].pid == known].pid;
}

static pid_t parent_of(pid_t pid)
{
	char path[64];
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (f && fscanf(f, "%*d (%*[^)]) %*c %d", &parent) != 1)
		parent = 0;
	if (f)
		fclose(f);
	return parent;
}

TEST_F(scope, ids_are_those_of_the_callers_namespaces)
{
	struct child out = start_child(NULL, NULL);
	struct evntrace_session q = {};
	struct inside i = { 99 };
	int ready[2], go[2], status;
	pid_t outer, inner;

	ask(&out);
	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(go));
	outer = fork();
	if (!outer) {
		close(go[1]);
		run_inside(self->trace, self->session, ready[1], go[0]);
	}
	close(ready[1]);
	close(go[0]);
	EXPECT_EQ(sizeof(i), read(ready[0], &i, sizeof(i)));
	EXPECT_EQ(0, i.found);
	inner = other_registered(self->trace, out.pid);
	EXPECT_EQ(outer, parent_of(inner));
	EXPECT_EQ(1ull << EVNTRACE_HANDLE_ID(i.session),
		  sessions_of(self->trace, inner));
	EXPECT_EQ(0, sessions_of(self->trace, out.pid));
	EXPECT_EQ(inner, filter_pid(self->trace, i.session));
	EXPECT_EQ(0, door_control(self->trace, EVNTRACE_IOC_QUERY, i.session,
				  &q));
	EXPECT_EQ(inner, (pid_t)q.owner_pid);
	EXPECT_EQ(65534, q.owner_uid);
	EXPECT_NE(0, q.writer_tid);
	EXPECT_EQ(0, door_stop(self->trace, i.session, NULL));
	close(go[1]);
	close(ready[0]);
	EXPECT_EQ(outer, waitpid(outer, &status, 0));
	EXPECT_EQ(0, status);
	end_child(&out);
}

/* Only those that were there: not who has the number, or registers, later */
TEST_F(scope, a_later_process_with_the_same_id_is_another)
{
	struct child c = start_child(NULL, NULL);
	__u32 pids[] = { c.pid };
	char text[16];
	int fd, len;

	ask(&c);
	end_child(&c);
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		SKIP(return, "no /proc/sys/kernel/ns_last_pid here");
	len = sprintf(text, "%d", pids[0] - 1);
	ASSERT_EQ(len, write(fd, text, len));
	close(fd);
	c = start_child(NULL, NULL);
	ASSERT_EQ(pids[0], c.pid);
	EXPECT_EQ(0, ask(&c));
	/* Named now, it is there; and is another one again after it has gone */
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&c));
	end_child(&c);
	fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
	ASSERT_EQ(len, write(fd, text, len));
	close(fd);
	c = start_child(NULL, NULL);
	ASSERT_EQ(pids[0], c.pid);
	EXPECT_EQ(0, ask(&c));
	end_child(&c);
}

/* What a second session wants stays, and is all that is left */
TEST_F(scope, another_session_is_not_concerned)
{
	struct evntrace_enable all = enable_arg(0, 1);
	struct child in = start_child(NULL, NULL);
	struct child out = start_child(NULL, NULL);
	__u32 pids[] = { in.pid };
	__u64 second;

	ask(&in);
	ask(&out);
	ASSERT_EQ(0, door_start(self->trace, "scope2", "/tmp/scope2.etl", NULL,
				&second));
	all.handle = second;
	EXPECT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_ENABLE, &all));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&in));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&out));
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&in));
	/* It is not even told */
	EXPECT_EQ(IS_ENABLED, ask(&out));
	EXPECT_EQ(0, door_stop(self->trace, second, NULL));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&in));
	EXPECT_EQ(IS_TOLD_OFF, ask(&out));
	/* Who is out of scope is not asked for its state */
	all.handle = self->session;
	all.control = EVNTPROV_CONTROL_CAPTURE_STATE;
	EXPECT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_ENABLE, &all));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&in));
	EXPECT_EQ(0, ask(&out));
	end_child(&in);
	end_child(&out);
	unlink("/tmp/scope2.etl");
}

/* The names are looked at when the provider is enabled, and registered later */
TEST_F(scope, executables)
{
	struct child before, after, other;

	if (system("cp /proc/$PPID/exe /tmp/Scope-One &&"
		   " cp /tmp/Scope-One /tmp/scope-two"))
		SKIP(return, "the test cannot be copied");
	before = start_child("/tmp/Scope-One", NULL);
	other = start_child("/tmp/scope-two", NULL);
	EXPECT_EQ(0, ask(&before));
	EXPECT_EQ(0, ask(&other));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "nothing;scope-ONE;more")));
	after = start_child("/tmp/Scope-One", NULL);
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&before));
	EXPECT_EQ(IS_ENABLED, ask(&after));
	EXPECT_EQ(0, ask(&other));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope;cope-one;scope-one2")));
	EXPECT_EQ(IS_TOLD_OFF, ask(&before));
	EXPECT_EQ(IS_TOLD_OFF, ask(&after));
	/* Both have to be so */
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-one"),
			    { (uintptr_t)&other.pid, 4,
			      EVNTRACE_FILTER_PID }));
	EXPECT_EQ(0, ask(&before));
	EXPECT_EQ(0, ask(&other));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-one"),
			    { (uintptr_t)&before.pid, 4,
			      EVNTRACE_FILTER_PID }));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&before));
	EXPECT_EQ(0, ask(&after));
	end_child(&before);
	end_child(&after);
	end_child(&other);
	unlink("/tmp/Scope-One");
	unlink("/tmp/scope-two");
}

TEST_F(scope, executable_of_a_process_whose_main_thread_has_exited)
{
	struct child before, after;

	if (system("cp /proc/$PPID/exe /tmp/Scope-One"))
		SKIP(return, "the test cannot be copied");
	before = start_as("/tmp/Scope-One", "thread", NULL);
	EXPECT_EQ(0, ask(&before));
	EXPECT_EQ('Z', state_of(before.pid));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-one")));
	after = start_as("/tmp/Scope-One", "thread", NULL);
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&before));
	EXPECT_EQ(IS_ENABLED, ask(&after));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-two")));
	EXPECT_EQ(IS_TOLD_OFF, ask(&before));
	EXPECT_EQ(IS_TOLD_OFF, ask(&after));
	end_child(&before);
	end_child(&after);
	unlink("/tmp/Scope-One");
}

/* Whatever becomes of the process, and of the file */
TEST_F(scope, executable_is_what_the_process_ran_when_it_registered)
{
	const char another = BE_ANOTHER;
	struct child other, parent;

	if (system("cp /proc/$PPID/exe /tmp/Scope-One &&"
		   " cp /tmp/Scope-One /tmp/scope-two"))
		SKIP(return, "the test cannot be copied");
	other = start_child("/tmp/Scope-One", NULL);
	parent = start_child("/tmp/Scope-One", NULL);
	EXPECT_EQ(0, ask(&other));
	EXPECT_EQ(0, ask(&parent));
	/* exec, fork and exit, and the file gets another name */
	EXPECT_EQ(1, write(other.to, &another, 1));
	EXPECT_EQ(0, ask(&other));
	EXPECT_EQ(0, ask_as(&parent, BE_YOUR_CHILD));
	EXPECT_EQ(parent.pid, waitpid(parent.pid, NULL, 0));
	EXPECT_EQ(0, rename("/tmp/Scope-One", "/tmp/scope-three"));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-two;scope-three")));
	EXPECT_EQ(0, ask(&other));
	EXPECT_EQ(0, ask(&parent));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-one")));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&other));
	/* The owner of the file has gone, so nobody is told */
	EXPECT_EQ(IS_ENABLED, ask(&parent));
	end_child(&other);
	close(parent.to);
	close(parent.from);
	unlink("/tmp/scope-two");
	unlink("/tmp/scope-three");
}

/**
 * struct rounds - what a controller and its parent share
 * @count: how often the controller has started and stopped a logger
 * @is_over: it is to end
 */
struct rounds {
	volatile unsigned int count;
	volatile bool is_over;
};

/* A controller that looks at the executables of all registrations */
static pid_t start_controller(int trace, struct rounds *rounds)
{
	const struct evntrace_filter f = TEXT(EXECUTABLE_NAME, "x");
	pid_t pid = fork();
	__u64 logger;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (; !rounds->is_over; rounds->count++) {
		if (logger_start(trace, "scope", &f, &logger) ||
		    logger_control(trace, EVNTRACE_IOC_STOP, logger, &f))
			_exit(1);
	}
	_exit(0);
}

/* Have a read pending, which the process's end waits for */
static bool start_reading(const char *path)
{
	static char block[4096] __attribute__((aligned(4096)));
	struct iocb read = {
		.aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_buf = (uintptr_t)block, .aio_nbytes = sizeof(block),
		.aio_fildes = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC),
	}, *reads[] = { &read };
	aio_context_t context = 0;

	return !syscall(SYS_io_setup, 1, &context) &&
	       syscall(SYS_io_submit, context, 1, reads) == 1;
}

/* Many registrations, for a controller to look at */
static bool register_many(void)
{
	struct evntprov_loggers arg = {
		.size = sizeof(arg), .flags = EVNTPROV_LOGGERS_LATER,
	};
	int prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	unsigned int slot;

	if (do_ioctl(prov, EVNTPROV_IOC_LOGGERS, &arg))
		return false;
	for (slot = 1; slot <= EVNTPROV_MAX_REGISTRATIONS; slot++) {
		if (door_register(prov, HANDLE(slot, 1), 1, 0))
			return false;
	}
	return true;
}

/* A process that cannot give its memory back; it is ready when it stops */
static pid_t start_victim(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (register_many() && start_reading(SILENT "/file"))
		raise(SIGSTOP);
	_exit(1);
}

static bool goes_on(const struct rounds *rounds)
{
	const unsigned int before = rounds->count;
	unsigned int tries;

	for (tries = 0; tries < LONG && rounds->count < before + 20; tries++)
		usleep(10000);
	return rounds->count >= before + 20;
}

/*
 * The last to drop a process's memory waits for its reads.  This must not be a
 * controller, which has the lock that all others wait for.
 */
TEST_F(scope, a_process_whose_memory_cannot_go_holds_up_no_controller)
{
	struct rounds *rounds = mmap(NULL, sizeof(*rounds),
				     PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t controller, victim;
	struct fuse silent;
	bool fine = true;
	int i, fd, status;

	if (fuse_begin(&silent, SILENT))
		SKIP(return, "no file system in user space here");
	fd = open(SILENT "/file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	EXPECT_EQ(0, ftruncate(fd, 4096));
	close(fd);
	for (i = 0; i < 12 && fine; i++) {
		fuse_stall(&silent, FUSE_STALL(FUSE_READ));
		victim = start_victim();
		EXPECT_EQ(victim, waitpid(victim, &status, WUNTRACED));
		ASSERT_TRUE(WIFSTOPPED(status));
		fuse_wait(&silent, FUSE_STALL(FUSE_READ), 1);
		rounds->is_over = false;
		controller = start_controller(self->trace, rounds);
		EXPECT_TRUE(goes_on(rounds));
		kill(victim, SIGKILL);
		/* It dies meanwhile; its stat in /proc drops its memory, too */
		fine = goes_on(rounds);
		EXPECT_TRUE(fine);
		fuse_stall(&silent, 0);
		rounds->is_over = true;
		EXPECT_EQ(controller, waitpid(controller, &status, 0));
		EXPECT_EQ(0, status);
		EXPECT_EQ(victim, waitpid(victim, NULL, 0));
	}
	EXPECT_EQ(0, fuse_end(&silent));
	munmap(rounds, sizeof(*rounds));
}

TEST_F(scope, packages)
{
	struct child snap, unit;

	mkdir(CGROUP, 0700);
	if (mount("none", CGROUP, "cgroup2", 0, NULL)) {
		rmdir(CGROUP);
		SKIP(return, "no cgroup2 here");
	}
	mkdir(CGROUP "/snap.fire.fox.service", 0700);
	mkdir(CGROUP "/web.service", 0700);
	mkdir(CGROUP "/web.service/worker", 0700);
	snap = start_child(NULL, CGROUP "/snap.fire.fox.service/cgroup.procs");
	unit = start_child(NULL, CGROUP "/web.service/worker/cgroup.procs");
	EXPECT_EQ(0, ask(&snap));
	EXPECT_EQ(0, ask(&unit));
	EXPECT_EQ(0, ENABLE(TEXT(PACKAGE_ID, "fire")));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&snap));
	EXPECT_EQ(0, ask(&unit));
	EXPECT_EQ(0, ENABLE(TEXT(PACKAGE_APP_ID, "a;web.service")));
	EXPECT_EQ(IS_TOLD_OFF, ask(&snap));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&unit));
	EXPECT_EQ(0, ENABLE(TEXT(PACKAGE_APP_ID, "fire.fox"),
			    TEXT(PACKAGE_ID, "fire;web.service")));
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&snap));
	EXPECT_EQ(IS_TOLD_OFF, ask(&unit));
	end_child(&snap);
	end_child(&unit);
	rmdir(CGROUP "/web.service/worker");
	rmdir(CGROUP "/web.service");
	rmdir(CGROUP "/snap.fire.fox.service");
	umount(CGROUP);
	rmdir(CGROUP);
}

/* Who wrote, and with which package, as ASCII */
struct package {
	pid_t pid;
	char name[32];
	unsigned int len;
	unsigned int events;
};

#define EXT_PSM_KEY	9

static void note_package(const struct etl_event *e, void *packages)
{
	struct package *p = packages;
	const uint8_t *text;
	uint16_t i, len = 0;

	while (p->pid && p->pid != (pid_t)e->pid)
		p++;
	p->events++;
	text = etl_ext(e, EXT_PSM_KEY, &len);
	p->len = text ? len : 0;
	for (i = 0; i < p->len / 2 && i < sizeof(p->name); i++)
		p->name[i] = etl_u16(text + 2 * i);
}

/* A process of a package has it with its events, and one of none has nothing */
TEST_F(scope, PSM_KEY_is_the_package_of_who_registered)
{
	struct package packages[4] = {};
	struct evntrace_enable e = enable_arg(self->session, 1);
	struct child before, after, none;
	struct etl_scan scan;

	mkdir(CGROUP, 0700);
	if (mount("none", CGROUP, "cgroup2", 0, NULL)) {
		rmdir(CGROUP);
		SKIP(return, "no cgroup2 here");
	}
	mkdir(CGROUP "/snap.fire.fox.service", 0700);
	mkdir(CGROUP "/web.service", 0700);
	before = start_child(NULL, CGROUP "/web.service/cgroup.procs");
	EXPECT_EQ(0, ask(&before));
	e.property = EVNTRACE_PROPERTY_PSM_KEY;
	EXPECT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_ENABLE, &e));
	after = start_child(NULL, CGROUP "/snap.fire.fox.service/cgroup.procs");
	none = start_child(NULL, CGROUP "/cgroup.procs");
	packages[0].pid = before.pid;
	packages[1].pid = after.pid;
	packages[2].pid = none.pid;
	EXPECT_EQ(IS_ENABLED | IS_TOLD, ask(&before));
	EXPECT_EQ(IS_ENABLED, ask(&after));
	EXPECT_EQ(IS_ENABLED, ask(&none));
	EXPECT_EQ(0, door_stop(self->trace, self->session, NULL));
	self->session = 0;
	ASSERT_TRUE(etl_scan(LOG, &scan, note_package, packages));
	EXPECT_EQ(1, packages[0].events);
	EXPECT_EQ(1, packages[1].events);
	EXPECT_EQ(1, packages[2].events);
	EXPECT_EQ(0, packages[3].events);
	EXPECT_STREQ("web.service", packages[0].name);
	EXPECT_EQ(2 * sizeof("web.service"), packages[0].len);
	EXPECT_STREQ("fire", packages[1].name);
	EXPECT_EQ(0, packages[2].len);
	end_child(&before);
	end_child(&after);
	end_child(&none);
	rmdir(CGROUP "/web.service");
	rmdir(CGROUP "/snap.fire.fox.service");
	umount(CGROUP);
	rmdir(CGROUP);
}

static void __attribute__((constructor)) be_a_child(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "serve"))
		serve(atoi(argv[2]), atoi(argv[3]), NULL);
	if (argc == 4 && !strcmp(argv[1], "thread"))
		serve_in_thread(atoi(argv[2]), atoi(argv[3]));
	if (argc == 5 && !strcmp(argv[1], "obey"))
		obey(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
}

TEST_HARNESS_MAIN
