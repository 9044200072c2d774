// SPDX-License-Identifier: GPL-2.0
/*
 * Filters by process: the provider is not enabled in processes out of scope.
 * The enable area, notifications, lists, and recorded events agree on that.
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

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/sessions/fuse.h"
#include "selftests/evntprov/private/private_ioctl.h"
#include "selftests/evntprov/common/process.h"

#define H	HANDLE(1, 1)
#define LOG	"/tmp/scope.etl"
#define CGROUP	"/tmp/scope.cgroup"
#define SILENT	"/tmp/scope.silent"
/* A timeout in hundredths of a second that is never reached */
#define LONG	6000

/* A process that has registered the provider, and obeys commands */
struct child {
	pid_t pid;
	int to, from;
};

/* State of the child, as bits that fit a byte of a pipe */
#define IS_ENABLED	1u	/* in the enable area */
#define IS_ENABLE_SENT	2u	/* by a notification since last time */
#define IS_DISABLE_SENT	4u	/* no longer, by a notification */

static unsigned int look(int prov, volatile struct evntprov_enable *area)
{
	struct evntprov_notification n;
	unsigned int found = 0;

	while (read(prov, &n, sizeof(n)) == sizeof(n))
		found |= n.control == EVNTPROV_CONTROL_DISABLE ?
			 IS_DISABLE_SENT : IS_ENABLE_SENT;
	return found | (area[1].enabled ? IS_ENABLED : 0);
}

/* Commands to a child; any other byte only queries its state */
#define BE_ANOTHER	'a'	/* run /tmp/scope-two */
#define BE_YOUR_CHILD	'c'	/* fork, and let only the child go on */

/* Obey the parent, with a registration that exists already */
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
		byte = found | dev_write(prov, H, "x", 1) << 4;
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
	if (dev_register(prov, H, 1, EVNTPROV_REGISTER_NOTIFY))
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

/* Like serve(), after the main thread has exited */
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

static unsigned int request_as(const struct child *c, char byte)
{
	if (write(c->to, &byte, 1) != 1 || read(c->from, &byte, 1) != 1)
		return ~0u;
	return (unsigned char)byte;
}

/* Query the state, and write an event */
static unsigned int request(const struct child *c)
{
	return request_as(c, 0);
}

FIXTURE(scope) {
	int trace;
	__u64 session;
	struct dev_status before;
};

FIXTURE_SETUP(scope)
{
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	ASSERT_EQ(0, dev_start(self->trace, "scope", LOG, NULL,
			       &self->session));
}

FIXTURE_TEARDOWN(scope)
{
	unsigned int tries = 0;

	if (self->session)
		dev_stop(self->trace, self->session, NULL);
	while (!dev_status_is(&self->before) && tries++ < LONG)
		usleep(10000);
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
	unlink(LOG);
}

static int enable_scope(int trace, __u64 session,
			const struct evntrace_filter *f, unsigned int count)
{
	struct evntrace_enable arg = enable_arg(1);

	arg.filters = (uintptr_t)f;
	arg.filter_count = count;
	return dev_ioctl(trace, session, EVNTRACE_IOC_ENABLE, &arg);
}

#define ENABLE(...) ({							\
	const struct evntrace_filter f_[] = { __VA_ARGS__ };		\
	enable_scope(self->trace, self->session, f_,			\
		     sizeof(f_) / sizeof(*f_)); })
#define PIDS(p)		{ (uintptr_t)(p), sizeof(p), EVNTRACE_FILTER_PID }
#define TEXT(type, t)	{ (uintptr_t)(t), strlen(t), EVNTRACE_FILTER_##type }

static int disable(int trace, __u64 session)
{
	struct evntrace_enable arg = enable_arg(1);

	arg.control = EVNTPROV_CONTROL_DISABLE;
	return dev_ioctl(trace, session, EVNTRACE_IOC_ENABLE, &arg);
}

static void count_pid(const struct etl_event *e, void *pids)
{
	uint32_t *p = pids;

	for (; *p; p += 2) {
		if (*p == e->pid)
			p[1]++;
	}
}

TEST_F(scope, only_the_given_processes_are_enabled)
{
	struct child in = start_child(NULL, NULL);
	struct child out = start_child(NULL, NULL);
	uint32_t counts[] = { in.pid, 0, out.pid, 0, 0 };
	__u32 pids[] = { in.pid, 0, 0x7fffffff };
	struct etl_scan scan;

	EXPECT_EQ(0, request(&in));
	EXPECT_EQ(0, request(&out));
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&in));
	EXPECT_EQ(0, request(&out));
	/* Replace the filter by the other process */
	pids[0] = out.pid;
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(IS_DISABLE_SENT, request(&in));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&out));
	/* All */
	EXPECT_EQ(0, enable_scope(self->trace, self->session, NULL, 0));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&in));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&out));
	pids[0] = in.pid;
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&in));
	EXPECT_EQ(IS_DISABLE_SENT, request(&out));
	EXPECT_EQ(0, disable(self->trace, self->session));
	EXPECT_EQ(IS_DISABLE_SENT, request(&in));
	EXPECT_EQ(0, request(&out));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
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

TEST_F(scope, lists_report_which_processes_are_in_scope)
{
	struct child in = start_child(NULL, NULL);
	struct child out = start_child(NULL, NULL);
	struct evntrace_registration r[8] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(*r), .elements = (uintptr_t)r,
		.count = 8,
	};
	__u32 pids[] = { in.pid };
	unsigned int i, found = 0;

	request(&in);
	request(&out);
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

static int dev_filter_pid(int trace, __u64 session, __u32 pid)
{
	const struct evntrace_filter f = {
		.ptr = (uintptr_t)&pid, .len = sizeof(pid),
		.type = EVNTRACE_FILTER_PID,
	};

	return enable_scope(trace, session, &f, 1);
}

/* The first process in a session's filter, or -1 */
static pid_t filter_pid(int trace, __u64 session)
{
	struct {
		struct evntrace_filter info;
		__u32 pids[2];
	} shown;
	struct evntrace_list arg = {
		.size = sizeof(arg), .kind = EVNTRACE_LIST_FILTERS,
		.element_size = sizeof(__u64), .elements = (uintptr_t)&shown,
		.count = 3, .provider = guid_of(1),
	};

	if (dev_list_of(trace, session, &arg) || arg.count != 3)
		return -1;
	return shown.pids[0];
}

/* Sessions that have enabled registrations of @pid; ~0 if it has none */
static __u64 sessions_of(int trace, __u32 pid)
{
	struct evntrace_registration r[8] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_REGISTRATIONS,
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

/* Map root into the user namespace, and fork the pid namespace's init */
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

/* First error that the inner process found, or 0, and its session */
struct inside {
	__u64 found;
	__u64 session;
};

/* Check pids as seen inside; @other is the outer session */
static unsigned int look_from_inside(int trace, __u64 other, __u64 *session)
{
	int prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	struct evntrace_start buffering = {
		.log_file_mode = EVNTRACE_MODE_BUFFERING,
	};
	struct evntrace_session q = {};
	__u64 bit;

	if (getpid() != 1 || getuid() || dev_register(prov, H, 1, 0))
		return 10;
	/* The outer process has no pid here */
	if (sessions_of(trace, 1) || sessions_of(trace, 0))
		return 11;
	if (dev_start(trace, "inside", NULL, &buffering, session))
		return 12;
	bit = 1ull << EVNTRACE_HANDLE_ID(*session);
	if (dev_filter_pid(trace, *session, 1))
		return 13;
	if (sessions_of(trace, 1) != bit || sessions_of(trace, 0) ||
	    filter_pid(trace, *session) != 1)
		return 14;
	if (dev_control(trace, DEV_QUERY, *session, &q) ||
	    q.owner_pid != 1 || q.owner_uid || q.writer_tid)
		return 15;
	if (dev_control(trace, DEV_QUERY, other, &q) ||
	    q.owner_pid || q.owner_uid != 65534 || q.writer_tid)
		return 16;
	return 0;
}

/* Check, report the result, and stay until the other end of @go is closed */
static void stay_inside(int trace, __u64 other, int ready, int go)
{
	struct inside i = {};
	char byte;

	i.found = look_from_inside(trace, other, &i.session);
	if (write(ready, &i, sizeof(i)) != sizeof(i) || read(go, &byte, 1))
		_exit(9);
	_exit(0);
}

/* Run init of new namespaces; its outer pid is also written to @ready */
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

/* The process other than @known with a registration, or 0 */
static pid_t other_registered(int trace, pid_t known)
{
	struct evntrace_registration r[8] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_REGISTRATIONS,
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

TEST_F(scope, ids_are_mapped_to_the_callers_namespaces)
{
	struct child out = start_child(NULL, NULL);
	struct evntrace_session q = {};
	struct inside i = { 99 };
	int ready[2], go[2], status;
	pid_t outer, inner;

	request(&out);
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
	EXPECT_EQ(0, dev_control(self->trace, DEV_QUERY, i.session, &q));
	EXPECT_EQ(inner, (pid_t)q.owner_pid);
	EXPECT_EQ(65534, q.owner_uid);
	EXPECT_NE(0, q.writer_tid);
	EXPECT_EQ(0, dev_stop(self->trace, i.session, NULL));
	close(go[1]);
	close(ready[0]);
	EXPECT_EQ(outer, waitpid(outer, &status, 0));
	EXPECT_EQ(0, status);
	end_child(&out);
}

/* The filter covers processes that exist, not later ones with the same pid */
TEST_F(scope, a_later_process_with_the_same_id_does_not_match)
{
	struct child c = start_child(NULL, NULL);
	__u32 pids[] = { c.pid };
	char text[16];
	int fd, len;

	request(&c);
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
	EXPECT_EQ(0, request(&c));
	/* The new process matches a new filter, but its successor does not */
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&c));
	end_child(&c);
	fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
	ASSERT_EQ(len, write(fd, text, len));
	close(fd);
	c = start_child(NULL, NULL);
	ASSERT_EQ(pids[0], c.pid);
	EXPECT_EQ(0, request(&c));
	end_child(&c);
}

/* The second session's enablement stays, and is the only one in the end */
TEST_F(scope, the_scope_of_one_session_does_not_affect_another)
{
	struct evntrace_enable all = enable_arg(1);
	struct child in = start_child(NULL, NULL);
	struct child out = start_child(NULL, NULL);
	__u32 pids[] = { in.pid };
	__u64 second;

	request(&in);
	request(&out);
	ASSERT_EQ(0, dev_start(self->trace, "scope2", "/tmp/scope2.etl", NULL,
			       &second));
	EXPECT_EQ(0, dev_ioctl(self->trace, second, EVNTRACE_IOC_ENABLE, &all));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&in));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&out));
	EXPECT_EQ(0, ENABLE(PIDS(pids)));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&in));
	/* Its effective set is unchanged, so there is no notification */
	EXPECT_EQ(IS_ENABLED, request(&out));
	EXPECT_EQ(0, dev_stop(self->trace, second, NULL));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&in));
	EXPECT_EQ(IS_DISABLE_SENT, request(&out));
	/* Processes out of scope get no capture-state request */
	all.control = EVNTPROV_CONTROL_CAPTURE_STATE;
	EXPECT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &all));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&in));
	EXPECT_EQ(0, request(&out));
	end_child(&in);
	end_child(&out);
	unlink("/tmp/scope2.etl");
}

/* Names are matched on enabling, and when later processes register */
TEST_F(scope, executables_select_processes)
{
	struct child before, after, other;

	if (system("cp /proc/$PPID/exe /tmp/Scope-One &&"
		   " cp /tmp/Scope-One /tmp/scope-two"))
		SKIP(return, "the test cannot be copied");
	before = start_child("/tmp/Scope-One", NULL);
	other = start_child("/tmp/scope-two", NULL);
	EXPECT_EQ(0, request(&before));
	EXPECT_EQ(0, request(&other));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "nothing;scope-ONE;more")));
	after = start_child("/tmp/Scope-One", NULL);
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&before));
	EXPECT_EQ(IS_ENABLED, request(&after));
	EXPECT_EQ(0, request(&other));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope;cope-one;scope-one2")));
	EXPECT_EQ(IS_DISABLE_SENT, request(&before));
	EXPECT_EQ(IS_DISABLE_SENT, request(&after));
	/* Both filters must match */
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-one"),
			    { (uintptr_t)&other.pid, 4,
			      EVNTRACE_FILTER_PID }));
	EXPECT_EQ(0, request(&before));
	EXPECT_EQ(0, request(&other));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-one"),
			    { (uintptr_t)&before.pid, 4,
			      EVNTRACE_FILTER_PID }));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&before));
	EXPECT_EQ(0, request(&after));
	end_child(&before);
	end_child(&after);
	end_child(&other);
	unlink("/tmp/Scope-One");
	unlink("/tmp/scope-two");
}

TEST_F(scope, the_executable_is_known_after_the_main_thread_exits)
{
	struct child before, after;

	if (system("cp /proc/$PPID/exe /tmp/Scope-One"))
		SKIP(return, "the test cannot be copied");
	before = start_as("/tmp/Scope-One", "thread", NULL);
	EXPECT_EQ(0, request(&before));
	EXPECT_EQ('Z', state_of(before.pid));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-one")));
	after = start_as("/tmp/Scope-One", "thread", NULL);
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&before));
	EXPECT_EQ(IS_ENABLED, request(&after));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-two")));
	EXPECT_EQ(IS_DISABLE_SENT, request(&before));
	EXPECT_EQ(IS_DISABLE_SENT, request(&after));
	end_child(&before);
	end_child(&after);
	unlink("/tmp/Scope-One");
}

/* Changes of the process or the file do not matter later */
TEST_F(scope, the_executable_is_the_one_at_registration)
{
	const char another = BE_ANOTHER;
	struct child other, parent;

	if (system("cp /proc/$PPID/exe /tmp/Scope-One &&"
		   " cp /tmp/Scope-One /tmp/scope-two"))
		SKIP(return, "the test cannot be copied");
	other = start_child("/tmp/Scope-One", NULL);
	parent = start_child("/tmp/Scope-One", NULL);
	EXPECT_EQ(0, request(&other));
	EXPECT_EQ(0, request(&parent));
	/* Exec, fork and exit, and rename the file */
	EXPECT_EQ(1, write(other.to, &another, 1));
	EXPECT_EQ(0, request(&other));
	EXPECT_EQ(0, request_as(&parent, BE_YOUR_CHILD));
	EXPECT_EQ(parent.pid, waitpid(parent.pid, NULL, 0));
	EXPECT_EQ(0, rename("/tmp/Scope-One", "/tmp/scope-three"));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-two;scope-three")));
	EXPECT_EQ(0, request(&other));
	EXPECT_EQ(0, request(&parent));
	EXPECT_EQ(0, ENABLE(TEXT(EXECUTABLE_NAME, "scope-one")));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&other));
	/* The file's owner has exited, so no notification is sent */
	EXPECT_EQ(IS_ENABLED, request(&parent));
	end_child(&other);
	close(parent.to);
	close(parent.from);
	unlink("/tmp/scope-two");
	unlink("/tmp/scope-three");
}

/**
 * struct rounds - memory shared by a controller and its parent
 * @count: how often the controller has started and stopped a private
 *	session
 * @is_over: makes the controller exit
 */
struct rounds {
	volatile unsigned int count;
	volatile bool is_over;
};

/* Fork a controller that compares executables of all registrations */
static pid_t start_controller(int trace, struct rounds *rounds)
{
	const struct evntrace_filter f = TEXT(EXECUTABLE_NAME, "x");
	pid_t pid = fork();
	__u64 request;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (; !rounds->is_over; rounds->count++) {
		if (private_start(trace, "scope", &f, &request) ||
		    private_control(trace, EVNTRACE_CONTROL_STOP, request, &f))
			_exit(1);
	}
	_exit(0);
}

/* Start a read that stays pending, so that the process's exit waits for it */
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

/* Register often, to keep a controller busy */
static bool register_many(void)
{
	struct evntprov_private arg = {
		.size = sizeof(arg), .flags = EVNTPROV_PRIVATE_DEFER,
	};
	int prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	unsigned int slot;

	if (do_ioctl(prov, EVNTPROV_IOC_PRIVATE, &arg))
		return false;
	for (slot = 1; slot <= EVNTPROV_MAX_REGISTRATIONS; slot++) {
		if (dev_register(prov, HANDLE(slot, 1), 1, 0))
			return false;
	}
	return true;
}

/* Fork a process that cannot free its memory; it stops itself when ready */
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
 * The last user of a process's memory waits for its pending reads.  This must
 * not be a controller, which holds a lock that all others need.
 */
TEST_F(scope, a_process_with_stuck_memory_blocks_no_controller)
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
		/*
		 * The victim dies during these rounds.  Do not wait for that by
		 * its stat in /proc, as reading it may drop the memory, too.
		 */
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

TEST_F(scope, packages_select_processes)
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
	EXPECT_EQ(0, request(&snap));
	EXPECT_EQ(0, request(&unit));
	EXPECT_EQ(0, ENABLE(TEXT(PACKAGE_ID, "fire")));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&snap));
	EXPECT_EQ(0, request(&unit));
	EXPECT_EQ(0, ENABLE(TEXT(PACKAGE_APP_ID, "a;web.service")));
	EXPECT_EQ(IS_DISABLE_SENT, request(&snap));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&unit));
	EXPECT_EQ(0, ENABLE(TEXT(PACKAGE_APP_ID, "fire.fox"),
			    TEXT(PACKAGE_ID, "fire;web.service")));
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&snap));
	EXPECT_EQ(IS_DISABLE_SENT, request(&unit));
	end_child(&snap);
	end_child(&unit);
	rmdir(CGROUP "/web.service/worker");
	rmdir(CGROUP "/web.service");
	rmdir(CGROUP "/snap.fire.fox.service");
	umount(CGROUP);
	rmdir(CGROUP);
}

/* The writer of an event, and its package as ASCII */
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

/* Events of a process in a package name the package; others do not */
TEST_F(scope, PSM_KEY_contains_the_package_at_registration)
{
	struct package packages[4] = {};
	struct evntrace_enable e = enable_arg(1);
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
	EXPECT_EQ(0, request(&before));
	e.property = EVNTRACE_PROPERTY_PSM_KEY;
	EXPECT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &e));
	after = start_child(NULL, CGROUP "/snap.fire.fox.service/cgroup.procs");
	none = start_child(NULL, CGROUP "/cgroup.procs");
	packages[0].pid = before.pid;
	packages[1].pid = after.pid;
	packages[2].pid = none.pid;
	EXPECT_EQ(IS_ENABLED | IS_ENABLE_SENT, request(&before));
	EXPECT_EQ(IS_ENABLED, request(&after));
	EXPECT_EQ(IS_ENABLED, request(&none));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
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
