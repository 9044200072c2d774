// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the kernel about processes, threads and images: a program whose
 * behaviour is known is recorded, and each fact found through the consumer API;
 * flags, rights, limits and losses.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/process.h"
#include "selftests/evntprov/system/system_log.h"
#include <evntsystem.h>
#include <sddl.h>

#define ALL		(EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD | \
			 EVENT_TRACE_FLAG_IMAGE_LOAD)
#define SYSTEM_MODE	EVENT_TRACE_SYSTEM_LOGGER_MODE
#define LIBRARY		"libm.so.6"

FIXTURE(system) {
	TRACEHANDLE session;
	struct system_log *log;
};

FIXTURE_SETUP(system)
{
}

FIXTURE_TEARDOWN(system)
{
	system_end(self->session, self->log);
}

/* Record what @run does; false on failure */
static bool record(FIXTURE_DATA(system) *self, ULONG flags,
		   void (*run)(void *context), void *context)
{
	if (system_start(KERNEL_LOGGER_NAMEA, SYSTEM_LOG, 0, flags,
			 &self->session))
		return false;
	run(context);
	self->log = system_log_end(&self->session);
	return self->log;
}

static pid_t gettid_(void)
{
	return syscall(SYS_gettid);
}

/* Facts about the recorded program */
struct facts {
	pid_t child;
	pid_t thread;
	pid_t killed;
	pid_t copy;
	uint64_t base;
	char path[256];
};

static void *note_thread(void *facts)
{
	((struct facts *)facts)->thread = gettid_();
	return NULL;
}

/* The kernel ends a thread after the join */
static void wait_for_end_of(pid_t thread)
{
	while (!syscall(SYS_tgkill, getpid(), thread, 0))
		usleep(1000);
}

/* Load and unload a library that nothing else uses */
static void use_library(struct facts *f)
{
	void *library = dlopen(LIBRARY, RTLD_NOW);
	struct link_map *map = library;

	if (!library)
		return;
	f->base = map->l_addr;
	if (!realpath(map->l_name, f->path))
		f->path[0] = 0;
	f->copy = fork();
	if (!f->copy)
		_exit(0);
	waitpid(f->copy, NULL, 0);
	dlclose(library);
}

static void behave(void *context)
{
	struct facts *f = context;
	pthread_t thread;

	f->child = fork();
	if (!f->child) {
		execl("/bin/sh", "sh", "-c", "exit 3", NULL);
		_exit(127);
	}
	waitpid(f->child, NULL, 0);
	if (!pthread_create(&thread, NULL, note_thread, f))
		pthread_join(thread, NULL);
	wait_for_end_of(f->thread);
	f->killed = fork();
	if (!f->killed) {
		for (;;)
			pause();
	}
	kill(f->killed, SIGKILL);
	waitpid(f->killed, NULL, 0);
	use_library(f);
}

TEST_F(system, a_fork_starts_a_process_and_execve_another_one)
{
	const struct system_event *e, *end;
	struct facts f = {};
	char name[64];

	ASSERT_TRUE(record(self, ALL, behave, &f));
	EXPECT_EQ(0, self->log->lost);
	e = find_process(self->log, START, f.child);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(4, e->version);
	EXPECT_EQ(getpid(), field(e, 12));
	EXPECT_EQ(0x103, field(e, 20));
	/* The creator is the thread of the header */
	EXPECT_EQ(getpid(), e->pid);
	EXPECT_EQ(getpid(), e->tid);
	/* User 0: S-1-22-1-0 behind a TOKEN_USER */
	EXPECT_EQ(1, field(e, 36));
	EXPECT_EQ(0x0201, field(e, 52));
	EXPECT_EQ(22u << 24, field(e, 56));
	EXPECT_EQ(1, field(e, 60));
	EXPECT_EQ(0, field(e, 64));
	EXPECT_EQ(0, strcmp("system", exe_of(e)));
	ASSERT_NE(NULL, realpath("/bin/sh", f.path));
	snprintf(name, sizeof(name), "%s", strrchr(f.path, '/') + 1);

	end = find_process(self->log, END, f.child);
	ASSERT_NE(NULL, end);
	EXPECT_EQ(field64(e, 0), field64(end, 0));
	e = next_event(self->log, e, PROCESS, START, 8, f.child);
	ASSERT_NE(NULL, e);
	EXPECT_LT(end, e);
	EXPECT_NE(field64(end, 0), field64(e, 0));
	EXPECT_EQ(0, strcmp(name, exe_of(e)));
	EXPECT_TRUE(has_command(e, "sh -c exit 3"));
	/* No package and no application id follow, as two empty strings */
	EXPECT_EQ(68 + strlen(name) + 1 + 2 * sizeof("sh -c exit 3") + 4,
		  e->len);
	EXPECT_EQ(f.child, e->pid);
	end = next_event(self->log, e, PROCESS, END, 8, f.child);
	ASSERT_NE(NULL, end);
	EXPECT_EQ(field64(e, 0), field64(end, 0));
	EXPECT_EQ(3, field(end, 20));
	EXPECT_EQ(NULL, next_event(self->log, end, PROCESS, END, 8, f.child));
	/* The new program's image follows its start */
	EXPECT_LT(e, find_image(self->log, LOAD, f.child, f.path));

	end = find_process(self->log, END, f.killed);
	ASSERT_NE(NULL, end);
	EXPECT_EQ(0x80000009, field(end, 20));
}

TEST_F(system, threads_belong_to_processes)
{
	const struct system_event *e, *process;
	struct facts f = {};

	ASSERT_TRUE(record(self, ALL, behave, &f));
	e = find_thread(self->log, START, f.thread);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(3, e->version);
	EXPECT_EQ(72, e->len);
	EXPECT_EQ(getpid(), field(e, 0));
	EXPECT_EQ(getpid(), e->tid);
	/* Normal priority */
	EXPECT_EQ(8, field(e, 68) & 0xff);
	e = find_thread(self->log, END, f.thread);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(f.thread, e->tid);
	/* The process starts before its thread */
	process = find_process(self->log, START, f.killed);
	e = find_thread(self->log, START, f.killed);
	ASSERT_NE(NULL, process);
	EXPECT_LT(process, e);
	EXPECT_EQ(f.killed, field(e, 0));
	/* A thread that only runs has no start */
	EXPECT_EQ(NULL, find_thread(self->log, START, getpid()));
}

TEST_F(system, images_are_recorded_when_they_are_mapped_copied_and_unmapped)
{
	const struct system_event *e;
	struct facts f = {};

	ASSERT_TRUE(record(self, ALL, behave, &f));
	ASSERT_NE(0, f.base);
	e = find_image(self->log, LOAD, getpid(), f.path);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(3, e->version);
	EXPECT_EQ(f.base, field64(e, 0));
	EXPECT_LT(0, field64(e, 8));
	EXPECT_EQ(getpid(), e->pid);
	e = find_image(self->log, END, getpid(), f.path);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(f.base, field64(e, 0));
	/* A child that executes nothing has the images of its parent */
	e = find_image(self->log, LOAD, f.copy, f.path);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(f.base, field64(e, 0));
}

static void do_nothing(void *context)
{
}

TEST_F(system, the_rundown_has_what_existed)
{
	const struct system_event *process, *thread;
	char exe[256] = "";
	unsigned int i;

	ASSERT_LT(0, readlink("/proc/self/exe", exe, sizeof(exe) - 1));
	ASSERT_TRUE(record(self, ALL, do_nothing, NULL));
	for (i = DCSTART; i <= DCEND; i++) {
		process = find_process(self->log, i, getpid());
		ASSERT_NE(NULL, process);
		EXPECT_EQ(4, process->version);
		EXPECT_EQ(getppid(), field(process, 12));
		EXPECT_EQ(0, strcmp("system", exe_of(process)));
		/* Its record contains neither thread nor process */
		EXPECT_EQ(~0u, process->pid);
		EXPECT_EQ(~0u, process->tid);
		thread = find_thread(self->log, i, getpid());
		ASSERT_NE(NULL, thread);
		EXPECT_LT(process, thread);
		EXPECT_EQ(getpid(), field(thread, 0));
		EXPECT_EQ(0, thread->pid);
		EXPECT_NE(NULL, find_image(self->log, i, getpid(), exe));
		/* A thread of the kernel, which has no executable */
		process = find_process(self->log, i, 2);
		ASSERT_NE(NULL, process);
		EXPECT_EQ(0, strcmp("kthreadd", exe_of(process)));
	}
	EXPECT_LT(find_process(self->log, DCSTART, getpid()),
		  find_process(self->log, DCEND, getpid()));
}

/* Record with a session that ends with this process, which exits or is killed */
static void end_with_session(bool is_killed)
{
	const struct evntrace_start bound = {
		.flags = EVNTRACE_START_BOUND,
		.log_file_mode = EVNTRACE_MODE_SYSTEM_LOGGER,
	};
	__u64 session;
	int trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);

	if (dev_start(trace, "system-bound", SYSTEM_LOG, &bound, &session) ||
	    dev_set_number(trace, session, EVNTRACE_LIST_SYSTEM_FLAGS, ALL))
		_exit(1);
	if (is_killed)
		raise(SIGKILL);
	_exit(0);
}

TEST_F(system, the_rundown_of_a_process_that_ends_has_what_exists)
{
	char exe[256] = "";
	int i, status;
	pid_t child;

	ASSERT_LT(0, readlink("/proc/self/exe", exe, sizeof(exe) - 1));
	for (i = 0; i < 2; i++) {
		child = fork();
		if (!child)
			end_with_session(i);
		ASSERT_EQ(child, waitpid(child, &status, 0));
		ASSERT_EQ(i ? SIGKILL : 0, status);
		self->log = system_log_read(SYSTEM_LOG);
		ASSERT_NE(NULL, self->log);
		EXPECT_NE(NULL, find_process(self->log, DCEND, getpid()));
		EXPECT_NE(NULL, find_thread(self->log, DCEND, getpid()));
		EXPECT_NE(NULL, find_image(self->log, DCEND, getpid(), exe));
		system_log_free(self->log);
		self->log = NULL;
	}
}

/*
 * Set the command line of this process to @text, at the end of a page, and to
 * four bytes of the next one, which is the same page in memory.  @is_absent: the
 * process has never used the next page.
 */
static bool set_command(const char *text, bool is_absent)
{
	const long size = sysconf(_SC_PAGESIZE), len = strlen(text);
	int fd = memfd_create("command", MFD_CLOEXEC);
	char *map = mmap(NULL, 2 * size, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long start = (unsigned long)map + size - len;
	int i;

	if (fd < 0 || ftruncate(fd, size) || map == MAP_FAILED)
		return false;
	for (i = 0; i < 2; i++) {
		if (mmap(map + i * size, size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			return false;
	}
	close(fd);
	memset(map, '+', size);
	memcpy(map + size - len, text, len);
	if (!is_absent)
		map[size] = '+';
	return !prctl(PR_SET_MM, PR_SET_MM_ARG_START, start, 0, 0) &&
	       !prctl(PR_SET_MM, PR_SET_MM_ARG_END, start + len + 4, 0, 0);
}

TEST_F(system, the_rundown_has_command_lines_across_pages)
{
	const struct system_event *process;

	ASSERT_TRUE(set_command("two pages", false));
	ASSERT_TRUE(record(self, ALL, do_nothing, NULL));
	process = find_process(self->log, DCSTART, getpid());
	ASSERT_NE(NULL, process);
	EXPECT_TRUE(has_command(process, "two pages++++"));
}

/* A page that is not in memory may take any time to get there */
TEST_F(system, the_rundown_reads_no_absent_page)
{
	const struct system_event *process;

	ASSERT_TRUE(set_command("one page", true));
	ASSERT_TRUE(record(self, ALL, do_nothing, NULL));
	process = find_process(self->log, DCSTART, getpid());
	ASSERT_NE(NULL, process);
	EXPECT_TRUE(has_command(process, "one page"));
}

#define PROGRAM		"/tmp/system-program"

/* Run a copy of a program that waits; returns its process, or -1 */
static pid_t run_copy(void)
{
	int fds[2];
	char byte;
	pid_t pid;

	if (system("cp /bin/sleep " PROGRAM) || pipe2(fds, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		execl(PROGRAM, PROGRAM, "1000", NULL);
		_exit(127);
	}
	close(fds[1]);
	/* Its end of the pipe is closed when it executes the copy */
	if (read(fds[0], &byte, 1))
		pid = -1;
	close(fds[0]);
	return pid;
}

/* Until then, its executable cannot be written, and its memory is not freed */
TEST_F(system, a_process_of_the_rundown_ends_completely)
{
	const pid_t pid = run_copy();
	int fd;

	ASSERT_LT(0, pid);
	ASSERT_TRUE(record(self, ALL, do_nothing, NULL));
	EXPECT_NE(NULL, find_process(self->log, DCSTART, pid));
	EXPECT_NE(NULL, find_process(self->log, DCEND, pid));
	EXPECT_EQ(-1, open(PROGRAM, O_WRONLY | O_CLOEXEC));
	EXPECT_EQ(ETXTBSY, errno);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	do {
		usleep(1000);
		fd = open(PROGRAM, O_WRONLY | O_CLOEXEC);
	} while (fd < 0 && errno == ETXTBSY);
	EXPECT_LE(0, fd);
	close(fd);
	unlink(PROGRAM);
}

#define SLEEP_MS	50

/* A thread that waits for a byte, and then sleeps */
struct waiter {
	int pipe[2];
	pid_t thread;
	int64_t written;
};

static void *wait_and_sleep(void *context)
{
	struct waiter *w = context;
	char byte;

	__atomic_store_n(&w->thread, gettid_(), __ATOMIC_RELEASE);
	if (read(w->pipe[0], &byte, 1) == 1)
		usleep(SLEEP_MS * 1000);
	return NULL;
}

/*
 * Both threads run on one processor: when this one runs there after the other one
 * has ended, the last switch from the other one has been recorded.
 */
static void wake_waiter(void *context)
{
	struct waiter *w = context;
	pthread_t thread;

	stay_on(0);
	if (pthread_create(&thread, NULL, wait_and_sleep, w))
		return;
	while (!__atomic_load_n(&w->thread, __ATOMIC_ACQUIRE))
		usleep(1000);
	if (!comes_to(w->thread, "S", 6000))
		return;
	w->written = boot_ns();
	if (write(w->pipe[1], "", 1) == 1)
		pthread_join(thread, NULL);
	wait_for_end_of(w->thread);
	usleep(100000);
}

TEST_F(system, switches_and_wake_ups_show_why_a_thread_waited)
{
	const struct system_event *out, *ready, *in;
	struct waiter w = {};

	ASSERT_EQ(0, pipe(w.pipe));
	ASSERT_TRUE(record(self, EVENT_TRACE_FLAG_CSWITCH |
			   EVENT_TRACE_FLAG_DISPATCHER, wake_waiter, &w));
	close(w.pipe[0]);
	close(w.pipe[1]);
	EXPECT_EQ(0, self->log->lost);
	/* It waited for the byte: at the request of the user */
	out = nearest(self->log, false, w.written, THREAD, CSWITCH, 4,
		      w.thread);
	ASSERT_NE(NULL, out);
	EXPECT_EQ(4, out->version);
	EXPECT_EQ(24, out->len);
	EXPECT_EQ(~0u, out->tid);
	EXPECT_EQ(8, out->data[9]);
	EXPECT_EQ(6, out->data[12]);
	EXPECT_EQ(1, out->data[13]);
	EXPECT_EQ(5, out->data[14]);
	EXPECT_EQ(out->cpu, out->data[15]);
	/* The writer of the byte made it ready */
	ready = nearest(self->log, true, w.written, THREAD, READY, 0, w.thread);
	ASSERT_NE(NULL, ready);
	EXPECT_EQ(2, ready->version);
	EXPECT_EQ(8, ready->len);
	EXPECT_EQ(getpid(), running_at(self->log, ready));
	in = nearest(self->log, true, ready->time, THREAD, CSWITCH, 0,
		     w.thread);
	ASSERT_NE(NULL, in);
	/*
	 * Then it slept, whatever else it waited for before and after that.  The
	 * sleep has begun after that switch, but maybe long before the next one.
	 */
	for (out = in; out; out = nearest(self->log, true, out->time, THREAD,
					  CSWITCH, 4, w.thread)) {
		ready = nearest(self->log, true, out->time, THREAD, READY, 0,
				w.thread);
		if (out != in && out->data[14] == 5 && ready &&
		    ready->time - in->time >= SLEEP_MS * 1000000)
			break;
	}
	ASSERT_NE(NULL, out);
	/* Its last switch ends it */
	out = nearest(self->log, false, INT64_MAX, THREAD, CSWITCH, 4,
		      w.thread);
	EXPECT_EQ(4, out->data[14]);
	EXPECT_EQ(NULL, find_thread(self->log, START, w.thread));
}

/* Compute for 300 ms; the section contains nothing else */
__attribute__((noinline, section("system_compute")))
static void compute(clock_t until)
{
	volatile unsigned int i;

	for (i = 0; i < 20000000; i++) {
		if (i % 100000 == 0 && clock() > until)
			break;
	}
}

extern const char __start_system_compute[], __stop_system_compute[];

static void run_computation(void *context)
{
	compute(clock() + 3 * CLOCKS_PER_SEC / 10);
}

/* Count the samples of this thread: in compute(), of the kernel, and of 0 */
static void count_samples(const struct system_log *log, uint32_t tid,
			  uint32_t *own, uint32_t *kernel, uint32_t *hidden)
{
	const struct system_event *e = NULL;
	uint64_t at;

	while ((e = next_event(log, e, PERFINFO, SAMPLE, 8, tid))) {
		at = field64(e, 0);
		*own += at >= (uintptr_t)__start_system_compute &&
			at < (uintptr_t)__stop_system_compute;
		*kernel += at >> 63;
		*hidden += !at;
	}
}

TEST_F(system, samples_show_where_a_thread_computes)
{
	uint32_t own = 0, kernel = 0, hidden = 0, rounds;
	const struct system_event *e;

	/* Emulated processors lose ticks, on a busy host most of them */
	for (rounds = 0; rounds < 40 && own < 30; rounds++) {
		system_log_free(self->log);
		ASSERT_TRUE(record(self, EVENT_TRACE_FLAG_PROFILE,
				   run_computation, NULL));
		count_samples(self->log, getpid(), &own, &kernel, &hidden);
	}
	e = next_event(self->log, NULL, PERFINFO, COLLECTION, 0, 0);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(3, e->version);
	EXPECT_EQ(10000, field(e, 4));
	EXPECT_TRUE(is_text16(e, 12, "Timer"));
	e = next_event(self->log, NULL, PERFINFO, SAMPLE, 8, getpid());
	ASSERT_NE(NULL, e);
	EXPECT_EQ(2, e->version);
	EXPECT_EQ(16, e->len);
	/* Count 1, and normal priority */
	EXPECT_EQ(1, field(e, 12) & 0xffff);
	EXPECT_EQ(8, e->data[14] >> 3);
	EXPECT_LE(30, own);
	EXPECT_EQ(0, hidden);
	/* Idle processors are not sampled */
	EXPECT_EQ(NULL, next_event(self->log, NULL, PERFINFO, SAMPLE, 8, 0));
}

/*
 * Compute in a session whose interval of samples is shortened from a second to
 * ten milliseconds.  Return the number of samples of this thread, 0 on failure.
 */
static unsigned int sample_more_often(FIXTURE_DATA(system) *self)
{
	const int class = TraceSampledProfileIntervalInfo;
	TRACE_PROFILE_INTERVAL i = { .Interval = 10000000 };
	const struct system_event *e = NULL;
	unsigned int n = 0;

	if (TraceSetInformation(0, class, &i, sizeof(i)) ||
	    system_start("system-interval", SYSTEM_LOG, SYSTEM_MODE,
			 EVENT_TRACE_FLAG_PROFILE, &self->session))
		return 0;
	i.Interval = 100000;
	if (TraceSetInformation(self->session, class, &i, sizeof(i)))
		return 0;
	run_computation(NULL);
	if (session_stop(self->session, NULL))
		return 0;
	self->session = 0;
	system_log_free(self->log);
	self->log = system_log_read(SYSTEM_LOG);
	while (self->log && (e = next_event(self->log, e, PERFINFO, SAMPLE, 8,
					    getpid())))
		n++;
	return n;
}

TEST_F(system, the_interval_of_samples_is_set_and_recorded)
{
	const int class = TraceSampledProfileIntervalInfo;
	static const ULONG wrong[] = { 0, 999, 10000001, ~0u };
	TRACE_PROFILE_INTERVAL was, i = {}, got;
	unsigned int rounds, n = 0;
	const struct system_event *e;
	struct stat st;
	ULONG len = 0;

	ASSERT_EQ(0, TraceQueryInformation(0, class, &was, sizeof(was), &len));
	EXPECT_EQ(8, len);
	EXPECT_EQ(0, was.Source);
	for (len = 0; len < sizeof(wrong) / sizeof(*wrong); len++) {
		i.Interval = wrong[len];
		EXPECT_EQ(87, TraceSetInformation(0, class, &i, sizeof(i)));
	}
	i.Interval = 1000;
	EXPECT_EQ(0, TraceSetInformation(0, class, &i, sizeof(i)));
	i.Interval = 10000000;
	EXPECT_EQ(0, TraceSetInformation(0, class, &i, sizeof(i)));
	i.Source = 1;
	EXPECT_EQ(87, TraceSetInformation(0, class, &i, sizeof(i)));
	i.Source = 0;
	EXPECT_EQ(ERROR_BAD_LENGTH, TraceSetInformation(0, class, &i, 7));
	ASSERT_EQ(0, stat("/dev/evntrace", &st));
	ASSERT_EQ(0, chmod("/dev/evntrace", 0666));
	EXPECT_EQ(5, AS_NOBODY(TraceSetInformation(0, class, &i, sizeof(i))));
	EXPECT_EQ(0, chmod("/dev/evntrace", st.st_mode & 07777));
	/*
	 * Sessions that sample already sample at the new interval; the old one
	 * would allow one or two, on each processor.  Emulated processors lose
	 * ticks, on a busy host most of them.
	 */
	for (rounds = 0; rounds < 40 && n < 6; rounds++)
		n = sample_more_often(self);
	EXPECT_LE(6, n);
	EXPECT_EQ(0, TraceQueryInformation(0, class, &got, sizeof(got), NULL));
	EXPECT_EQ(100000, got.Interval);
	EXPECT_EQ(0, TraceSetInformation(0, class, &was, sizeof(was)));
	ASSERT_NE(NULL, self->log);
	e = next_event(self->log, NULL, PERFINFO, COLLECTION, 0, 0);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(10000000, field(e, 4));
	e = next_event(self->log, NULL, PERFINFO, INTERVAL, 0, 0);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(3, e->version);
	EXPECT_EQ(100000, field(e, 4));
	EXPECT_EQ(10000000, field(e, 8));
	EXPECT_TRUE(is_text16(e, 12, "Timer"));
	EXPECT_EQ(getpid(), e->tid);
}

TEST_F(system, each_flag_requests_its_events)
{
	static const struct {
		ULONG flag;
		uint32_t class;
	} flags[] = {
		{ EVENT_TRACE_FLAG_PROCESS, PROCESS },
		{ EVENT_TRACE_FLAG_THREAD, THREAD },
		{ EVENT_TRACE_FLAG_IMAGE_LOAD, IMAGE },
		/* No source on Linux: accepted, without events */
		{ EVENT_TRACE_FLAG_REGISTRY | EVENT_TRACE_FLAG_ALPC, 0 },
		{ 0, 0 },
	};
	struct facts f = {};
	uint32_t i, n, found;

	for (i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		ASSERT_TRUE(record(self, flags[i].flag, behave, &f));
		for (n = 0, found = 0; n < self->log->count; n++) {
			uint32_t class = self->log->e[n].class;

			if (class != PROCESS && class != THREAD &&
			    class != IMAGE)
				continue;
			EXPECT_EQ(flags[i].class, class);
			found++;
		}
		EXPECT_EQ(!flags[i].class, !found);
		system_log_free(self->log);
		self->log = NULL;
	}
}

TEST_F(system, flags_can_be_queried_and_changed)
{
	const int class = TraceSystemTraceEnableFlagsInfo;
	struct properties p = properties_for("");
	ULONG masks[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, len;
	struct facts f = {};

	ASSERT_EQ(0, system_start("system-flags", SYSTEM_LOG, SYSTEM_MODE,
				  EVENT_TRACE_FLAG_THREAD, &self->session));
	EXPECT_EQ(0, QueryTraceA(self->session, NULL, &p.p));
	EXPECT_EQ(EVENT_TRACE_FLAG_THREAD, p.p.EnableFlags);
	EXPECT_EQ(SYSTEM_MODE, p.p.LogFileMode);
	EXPECT_EQ(0, TraceQueryInformation(self->session, class, masks,
					   sizeof(masks), &len));
	EXPECT_EQ(EVENT_TRACE_FLAG_THREAD, masks[0]);
	EXPECT_EQ(0, masks[1] | masks[7]);

	masks[0] = EVENT_TRACE_FLAG_PROCESS;
	EXPECT_EQ(0, TraceSetInformation(self->session, class, masks,
					 sizeof(masks)));
	behave(&f);
	p = properties_for("");
	p.p.EnableFlags = EVENT_TRACE_FLAG_IMAGE_LOAD;
	EXPECT_EQ(0, UpdateTraceA(self->session, NULL, &p.p));
	EXPECT_EQ(EVENT_TRACE_FLAG_IMAGE_LOAD, p.p.EnableFlags);
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	self->log = system_log_read(SYSTEM_LOG);
	ASSERT_NE(NULL, self->log);
	/* Each flag has its rundown when it is set */
	EXPECT_NE(NULL, find_thread(self->log, DCSTART, getpid()));
	EXPECT_NE(NULL, find_process(self->log, DCSTART, getpid()));
	EXPECT_NE(NULL, next_event(self->log, NULL, IMAGE, DCSTART, 16,
				   getpid()));
	EXPECT_NE(NULL, find_process(self->log, START, f.child));
	EXPECT_EQ(NULL, find_thread(self->log, START, f.child));
	EXPECT_EQ(NULL, find_process(self->log, DCEND, getpid()));
	EXPECT_NE(NULL, next_event(self->log, NULL, IMAGE, DCEND, 16,
				   getpid()));
}

TEST_F(system, system_providers_are_flags_by_keyword)
{
	const GUID process = SystemProcessProviderGuid;
	const GUID scheduler = SystemSchedulerProviderGuid;
	const GUID profile = SystemProfileProviderGuid;
	struct properties p = properties_for("");

#define ENABLE(provider, code, any) EnableTraceEx2(self->session, &(provider), \
		EVENT_CONTROL_CODE_ ## code ## _PROVIDER, 0, any, 0, 0, NULL)
#define FLAGS() (QueryTraceA(self->session, NULL, &p.p) ? ~0u : p.p.EnableFlags)
	ASSERT_EQ(0, system_start("system-kw", SYSTEM_LOG, SYSTEM_MODE, 0,
				  &self->session));
	EXPECT_EQ(0, ENABLE(process, ENABLE, SYSTEM_PROCESS_KW_THREAD));
	EXPECT_EQ(EVENT_TRACE_FLAG_THREAD, FLAGS());
	EXPECT_EQ(0, ENABLE(scheduler, ENABLE, SYSTEM_SCHEDULER_KW_DISPATCHER |
			    SYSTEM_SCHEDULER_KW_CONTEXT_SWITCH));
	EXPECT_EQ(0, ENABLE(profile, ENABLE, SYSTEM_PROFILE_KW_GENERAL));
	/* The keywords of a provider replace its previous ones */
	EXPECT_EQ(0, ENABLE(process, ENABLE, SYSTEM_PROCESS_KW_GENERAL |
			    SYSTEM_PROCESS_KW_LOADER));
	EXPECT_EQ(EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_IMAGE_LOAD |
		  EVENT_TRACE_FLAG_DISPATCHER | EVENT_TRACE_FLAG_CSWITCH |
		  EVENT_TRACE_FLAG_PROFILE, FLAGS());
	EXPECT_EQ(0, ENABLE(scheduler, DISABLE, 0));
	EXPECT_EQ(0, ENABLE(profile, DISABLE, 0));
	EXPECT_EQ(0, ENABLE(process, ENABLE, 0));
	EXPECT_EQ(ALL, FLAGS());
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	self->log = system_log_read(SYSTEM_LOG);
	ASSERT_NE(NULL, self->log);
	EXPECT_NE(NULL, find_process(self->log, DCSTART, getpid()));
	/* In another session they have no events */
	self->session = session_start("system");
	ASSERT_NE(0, self->session);
	EXPECT_EQ(0, ENABLE(process, ENABLE, 0));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
}

TEST_F(system, other_sessions_have_no_flags)
{
	const int class = TraceSystemTraceEnableFlagsInfo;
	struct properties p = properties_for("");
	ULONG masks[8] = { EVENT_TRACE_FLAG_PROCESS };

	self->session = session_start("system");
	ASSERT_NE(0, self->session);
	EXPECT_EQ(50, TraceSetInformation(self->session, class, masks,
					  sizeof(masks)));
	p.p.EnableFlags = EVENT_TRACE_FLAG_PROCESS;
	EXPECT_EQ(50, UpdateTraceA(self->session, NULL, &p.p));
}

TEST_F(system, extended_flags_and_private_sessions_are_refused)
{
	GUID id = SystemTraceControlGuid;
	struct properties p = properties_for(SYSTEM_LOG);

	EXPECT_EQ(50, system_start("system-x", SYSTEM_LOG, SYSTEM_MODE,
				   EVENT_TRACE_FLAG_EXTENSION, &self->session));
	EXPECT_EQ(50, system_start("system-x", SYSTEM_LOG, SYSTEM_MODE |
				   EVENT_TRACE_PRIVATE_LOGGER_MODE |
				   EVENT_TRACE_PRIVATE_IN_PROC, 0,
				   &self->session));
	EXPECT_EQ(87, system_start(KERNEL_LOGGER_NAMEA, SYSTEM_LOG,
				   EVENT_TRACE_PRIVATE_LOGGER_MODE |
				   EVENT_TRACE_PRIVATE_IN_PROC, 0,
				   &self->session));
	p.p.Wnode.Guid = id;
	EXPECT_EQ(87, StartTraceA(&self->session, "system-x", &p.p));
	EXPECT_EQ(-1, size_of(SYSTEM_LOG));
}

TEST_F(system, a_ninth_session_is_NO_SYSTEM_RESOURCES)
{
	struct properties q = properties_for("");
	TRACEHANDLE h[8], more;
	struct facts f = {};
	char name[32], path[64];
	unsigned int i;

	for (i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "system-%u", i);
		snprintf(path, sizeof(path), "/tmp/system-%u.etl", i);
		ASSERT_EQ(0, system_start(name, path, SYSTEM_MODE,
					  EVENT_TRACE_FLAG_PROCESS, &h[i]));
	}
	EXPECT_EQ(ERROR_NO_SYSTEM_RESOURCES,
		  system_start("system-8", SYSTEM_LOG, SYSTEM_MODE,
			       EVENT_TRACE_FLAG_PROCESS, &more));
	/* The session that failed does not exist */
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  QueryTraceA(0, "system-8", &q.p));
	behave(&f);
	for (i = 0; i < 8; i++) {
		EXPECT_EQ(0, session_stop(h[i], NULL));
		snprintf(path, sizeof(path), "/tmp/system-%u.etl", i);
		self->log = system_log_read(path);
		ASSERT_NE(NULL, self->log);
		EXPECT_NE(NULL, find_process(self->log, START, f.child));
		EXPECT_NE(NULL, find_process(self->log, DCEND, getpid()));
		system_log_free(self->log);
		self->log = NULL;
		unlink(path);
	}
}

/* Start a session in a child with the group of the device alone */
static int start_as_nobody(ULONG mode)
{
	return AS_NOBODY(({
		TRACEHANDLE h;
		struct properties p = properties_for("");
		ULONG code_;

		p.p.LogFileNameOffset = 0;
		p.p.LogFileMode = mode | EVENT_TRACE_REAL_TIME_MODE;
		p.p.EnableFlags = EVENT_TRACE_FLAG_PROCESS;
		code_ = StartTraceA(&h, "system-nobody", &p.p);
		if (!code_)
			code_ = session_stop(h, NULL);
		(int)code_;
	}));
}

TEST_F(system, the_right_to_trace_the_kernel_is_required)
{
	GUID id = SystemTraceControlGuid, all = DefaultTraceSecurityGuid;
	struct stat st;
	PSID nobody;

	ASSERT_EQ(0, stat("/dev/evntrace", &st));
	ASSERT_EQ(0, chmod("/dev/evntrace", 0666));
	ASSERT_TRUE(ConvertStringSidToSidA("S-1-22-1-65534", &nobody));
	EXPECT_EQ(5, start_as_nobody(SYSTEM_MODE));
	EXPECT_EQ(0, EventAccessControl(&all, EventSecurityAddDACL, nobody,
					0x1fff, TRUE));
	/* The right to all sessions is not enough */
	EXPECT_EQ(0, start_as_nobody(0));
	EXPECT_EQ(5, start_as_nobody(SYSTEM_MODE));
	/* A list of the control GUID is */
	EXPECT_EQ(0, EventAccessControl(&id, EventSecurityAddDACL, nobody,
					TRACELOG_ACCESS_KERNEL_LOGGER, TRUE));
	EXPECT_EQ(0, start_as_nobody(SYSTEM_MODE));
	EXPECT_EQ(0, EventAccessRemove(&id));
	EXPECT_EQ(5, start_as_nobody(SYSTEM_MODE));
	EXPECT_EQ(0, EventAccessRemove(&all));
	LocalFree(nobody);
	EXPECT_EQ(0, chmod("/dev/evntrace", st.st_mode & 07777));
}

/* Record a profile of the kernel as a user with the right, but not CAP_PERFMON */
static int profile_as_nobody(void)
{
	return AS_NOBODY(({
		static char zeroes[1 << 20];
		clock_t until_ = clock() + CLOCKS_PER_SEC / 2;
		int fd_ = open("/dev/zero", O_RDONLY);
		TRACEHANDLE h;
		ULONG code_ = system_start("system-nobody",
					   "/tmp/system-nobody.etl",
					   SYSTEM_MODE,
					   EVENT_TRACE_FLAG_PROFILE, &h);

		while (!code_ && clock() < until_ &&
		       read(fd_, zeroes, sizeof(zeroes)) > 0)
			;
		if (!code_)
			code_ = session_stop(h, NULL);
		(int)code_;
	}));
}

/* Count the samples of the kernel in that log: with an address, and without */
static bool count_addresses(FIXTURE_DATA(system) *self, uint32_t *kernel,
			    uint32_t *hidden)
{
	const struct system_event *e;

	system_log_free(self->log);
	self->log = system_log_read("/tmp/system-nobody.etl");
	unlink("/tmp/system-nobody.etl");
	if (!self->log)
		return false;
	for (e = self->log->e; e < self->log->e + self->log->count; e++) {
		if (e->class != PERFINFO || e->type != SAMPLE)
			continue;
		*kernel += field64(e, 0) >> 63;
		*hidden += !field64(e, 0);
	}
	return true;
}

TEST_F(system, addresses_of_the_kernel_require_CAP_PERFMON)
{
	uint32_t hidden = 0, kernel = 0, rounds;
	struct kernel_right right;

	ASSERT_TRUE(kernel_right_add(&right));
	/* Emulated processors lose ticks, on a busy host most of them */
	for (rounds = 0; rounds < 40 && !hidden; rounds++) {
		EXPECT_EQ(0, profile_as_nobody());
		ASSERT_TRUE(count_addresses(self, &kernel, &hidden));
	}
	EXPECT_TRUE(kernel_right_remove(&right));
	EXPECT_EQ(0, kernel);
	EXPECT_LT(0, hidden);
}

static void fork_often(void *context)
{
	unsigned int i, *count = context;
	pid_t child;

	for (i = 0; i < *count; i++) {
		child = fork();
		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
}

/* Each event is either recorded or counted as lost */
TEST_F(system, events_without_room_are_counted)
{
	struct properties p = properties_for(SYSTEM_LOG), q;
	unsigned int count = 300, found = 0;
	uint32_t i;

	p.p.LogFileMode = SYSTEM_MODE;
	p.p.EnableFlags = EVENT_TRACE_FLAG_IMAGE_LOAD;
	p.p.BufferSize = 4;
	p.p.MinimumBuffers = 1;
	p.p.MaximumBuffers = 1;
	ASSERT_EQ(0, StartTraceA(&self->session, "system-loss", &p.p));
	fork_often(&count);
	ASSERT_EQ(0, session_stop(self->session, &q));
	self->session = 0;
	self->log = system_log_read(SYSTEM_LOG);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(q.p.EventsLost, self->log->lost);
	for (i = 0; i < self->log->count; i++)
		found += self->log->e[i].class == IMAGE &&
			 self->log->e[i].type == LOAD;
	/* A child has this program, the C library and its loader at least */
	EXPECT_LE(3 * count, found + self->log->lost);
}

TEST_HARNESS_MAIN
