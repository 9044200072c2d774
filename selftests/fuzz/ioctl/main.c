// SPDX-License-Identifier: GPL-2.0
/*
 * The fuzzer: several worker processes that make programs and run them, and a
 * watcher.  Prints TAP.
 *
 *	fuzz run SECONDS SEED CORPUS OUT
 *		OUT gets new programs, and those that ran when the kernel
 *		reported something
 *	fuzz replay PROGRAM...
 *		prints each call
 *	fuzz minimise CORPUS OUT
 *		keeps programs that reach something that smaller ones do not
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/evntrace.h>

#include "fuzz.h"
#include "selftests/evntprov/common/device.h"

#define WORKERS		4
#define LAST		8	/* programs remembered per worker */
#define PROGRAM_MS	1000	/* then calls are interrupted */
#define STUCK_S		60	/* then the worker is killed */
#define DIE_S		60	/* then the kernel is stuck */
#define EMPTY_S		60	/* until all resources must be released */

struct worker {
	pid_t pid;
	uint64_t programs;
	uint64_t calls;
	time_t moved;		/* as the watcher saw it */
	uint64_t seen;
	struct program last[LAST];
};

static struct {
	struct worker workers[WORKERS];
	struct coverage coverage;
} *shared;

static volatile bool late;

static void on_alarm(int sig)
{
	(void)sig;
	late = true;
}

/* Limit a program's time; after that, each further call is interrupted */
static void set_timer(bool on)
{
	struct itimerval t = {
		.it_value = { .tv_sec = on ? PROGRAM_MS / 1000 : 0 },
		.it_interval = { .tv_usec = on ? 100000 : 0 },
	};

	setitimer(ITIMER_REAL, &t, NULL);
}

static uint32_t run_program(const struct program *p)
{
	uint32_t n;

	late = false;
	set_timer(true);
	coverage_begin();
	n = calls_run(p, &late);
	set_timer(false);
	return n;
}

static void set_up_process(void)
{
	struct sigaction alarm = { .sa_handler = on_alarm };

	sigaction(SIGALRM, &alarm, NULL);
	signal(SIGIO, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	memory_setup();
}

static void work(struct worker *w, uint64_t seed, struct corpus *corpus,
		 const char *out)
{
	struct coverage *mine = calloc(1, sizeof(*mine));
	uint64_t chance = seed * 0x9e3779b97f4a7c15ull + 1;
	struct program *p;
	uint32_t first = 0;
	char name[17];
	int null = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	dup2(null, 0);
	dup2(null, 1);
	set_up_process();
	coverage_setup();
	for (;;) {
		p = &w->last[w->programs % LAST];
		/* Run the loaded corpus first */
		if (first < corpus->count)
			*p = corpus->programs[first++];
		else
			program_make(corpus, &chance, p);
		w->calls += run_program(p);
		__atomic_fetch_add(&w->programs, 1, __ATOMIC_RELEASE);
		if (!coverage_end(mine, &shared->coverage) ||
		    first < corpus->count)
			continue;
		corpus_add(corpus, p);
		first = corpus->count;
		program_name(p, name);
		program_save(p, out, name);
	}
}

static void start_worker(uint32_t i, uint64_t seed, struct corpus *corpus,
			 const char *out)
{
	struct worker *w = &shared->workers[i];
	pid_t pid = fork();

	if (!pid)
		work(w, seed + w->programs * WORKERS + i, corpus, out);
	/* The child must not write to this shared structure */
	w->pid = pid;
	w->moved = time(NULL);
}

/* Make the kernel log where workers are stuck */
static void say_where_stuck(void)
{
	int fd = open("/proc/sysrq-trigger", O_WRONLY);

	if (write(fd, "w", 1) != 1)
		printf("# no stacks: %s\n", strerror(errno));
	close(fd);
}

/* Kill a worker and its children at any point; false if it does not exit */
static bool end_worker(struct worker *w)
{
	time_t end = time(NULL) + DIE_S;

	while (time(NULL) < end) {
		kill(w->pid, SIGKILL);
		kill(-w->pid, SIGKILL);
		waitpid(w->pid, NULL, WNOHANG);
		if (kill(-w->pid, 0) && kill(w->pid, 0))
			return true;
		usleep(10000);
	}
	say_where_stuck();
	return false;
}

/* Open the kernel's log at its end */
static int open_kernel_log(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	lseek(fd, 0, SEEK_END);
	return fd;
}

static bool has_any(const char *line, const char * const *texts, uint32_t count)
{
	while (count--) {
		if (strstr(line, texts[count]))
			return true;
	}
	return false;
}

/*
 * A data race is the module's if one side of it is in the module: the kernel
 * has some of its own, in interrupts during the module's code, and in writing
 * files.  Stacks are read from their top; see also vm.
 */
static bool is_our_race(const char *line, bool *in_stack)
{
	static const char * const begins[] = { " by task ", " by interrupt " };
	static const char * const ends[] = {
		"=====", "asm_", "kernel_write", "vfs_"
	};

	if (has_any(line, begins, ARRAY_SIZE(begins)))
		*in_stack = true;
	else if (has_any(line, ends, ARRAY_SIZE(ends)))
		*in_stack = false;
	return *in_stack && strstr(line, "[evntprov]");
}

static bool kernel_reports(int fd)
{
	static const char * const reports[] = {
		"WARNING:", "Oops", "BUG: KASAN:", "BUG: sched", "BUG: sleep",
		"BUG: unable", "BUG: using", "UBSAN:", "INFO: task",
		"general protection fault", "suspicious RCU", "refcount_t:",
		"possible circular", "possible recursive",
	};
	static bool in_stack;
	char line[1024];
	ssize_t n;

	while ((n = read(fd, line, sizeof(line) - 1)) > 0 || errno == EPIPE) {
		line[n > 0 ? n : 0] = '\0';
		if (has_any(line, reports, ARRAY_SIZE(reports)) ||
		    is_our_race(line, &in_stack)) {
			printf("# the kernel reports: %s", line);
			return true;
		}
		errno = 0;
	}
	return false;
}

/* Save the last programs of each worker, the newest with the highest number */
static void save_last(const char *out)
{
	uint64_t n, last;
	uint32_t i;
	char name[64];

	for (i = 0; i < WORKERS; i++)
		kill(shared->workers[i].pid, SIGSTOP);
	for (i = 0; i < WORKERS; i++) {
		struct worker *w = &shared->workers[i];

		last = w->programs;
		for (n = last < LAST ? 0 : last - LAST + 1; n <= last; n++) {
			snprintf(name, sizeof(name), "report-worker-%u-%06llu",
				 i, (unsigned long long)n);
			program_save(&w->last[n % LAST], out, name);
		}
	}
	printf("# the programs that ran are %s/report-*: replay them\n", out);
}

/* Sessions outlive programs; stop some of them, or no new ones could start */
static void stop_sessions(int fd, uint32_t most, bool verbose)
{
	__u64 handles[EVNTRACE_MAX_SESSIONS];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_SESSIONS,
		.element_size = sizeof(__u64), .elements = (uintptr_t)handles,
		.count = EVNTRACE_MAX_SESSIONS,
	};
	uint32_t i;
	int err;

	if (ioctl(fd, EVNTRACE_IOC_LIST, &l))
		return;
	for (i = 0; i < l.count && i < most; i++) {
		err = dev_stop(fd, handles[i], NULL);
		if (err && verbose)
			printf("# left: session %llx does not stop: %s\n",
			       handles[i], strerror(err));
	}
}

/* Do not wait for participants, which keep their files open for long */
static int stop_at_once(int fd, __u64 handle)
{
	struct sigaction alarm = { .sa_handler = on_alarm }, before;
	struct itimerval t = {
		.it_value = { .tv_usec = 100000 },
		.it_interval = { .tv_usec = 100000 },
	};
	int err;

	sigaction(SIGALRM, &alarm, &before);
	setitimer(ITIMER_REAL, &t, NULL);
	err = dev_stop(fd, handle, NULL);
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	sigaction(SIGALRM, &before, NULL);
	return err == EINTR ? 0 : err;
}

static void stop_private_sessions(int fd, uint32_t most, bool verbose)
{
	__u64 handles[EVNTRACE_MAX_PRIVATE];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_PRIVATE,
		.element_size = sizeof(__u64), .elements = (uintptr_t)handles,
		.count = EVNTRACE_MAX_PRIVATE,
	};
	uint32_t i;
	int err;

	if (ioctl(fd, EVNTRACE_IOC_LIST, &l))
		return;
	for (i = 0; i < l.count && i < most; i++) {
		err = stop_at_once(fd, handles[i]);
		if (err && verbose)
			printf("# left: private session %llx does not stop: %s\n",
			       handles[i], strerror(err));
	}
}

/* Access lists also outlive programs, and some may deny stopping to root */
static void remove_access_lists(int fd)
{
	static struct evntrace_access entries[1024];
	struct evntrace_access a = {
		.size = sizeof(a), .operation = EVNTRACE_ACCESS_REMOVE,
	};
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_ACCESS,
		.element_size = sizeof(*entries),
		.elements = (uintptr_t)entries,
	};
	uint32_t i;

	do {
		l.count = 1024;
		if (ioctl(fd, EVNTRACE_IOC_LIST, &l))
			return;
		for (i = 0; i < l.count && i < 1024; i++) {
			a.guid = entries[i].guid;
			ioctl(fd, EVNTRACE_IOC_SET_ACCESS, &a);
		}
	} while (l.count);
}

static bool is_empty(bool verbose)
{
	static const struct dev_status none;
	struct dev_status s = dev_status();

	if (!memcmp(&s, &none, sizeof(s)))
		return true;
	if (verbose)
		printf("# left: %llu files, %llu registrations, %llu providers, %llu enablements, %llu sessions, %llu buffers\n",
		       s.files, s.registrations, s.providers, s.enablements,
		       s.sessions, s.buffers);
	return false;
}

/* Resources that others release may take a moment */
static bool ends_empty(void)
{
	int fd = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	time_t end = time(NULL) + EMPTY_S;
	bool empty;

	remove_access_lists(fd);
	do {
		usleep(10000);
		stop_sessions(fd, EVNTRACE_MAX_SESSIONS, false);
		stop_private_sessions(fd, EVNTRACE_MAX_PRIVATE, false);
		empty = is_empty(false);
	} while (!empty && time(NULL) < end);
	if (!empty) {
		stop_sessions(fd, EVNTRACE_MAX_SESSIONS, true);
		stop_private_sessions(fd, EVNTRACE_MAX_PRIVATE, true);
		is_empty(true);
	}
	close(fd);
	return empty;
}

static void make_files(void)
{
	int fd;

	mkdir("/tmp/fuzz", 0755);
	mkdir("/tmp/fuzz/full", 0755);
	mount("full", "/tmp/fuzz/full", "tmpfs", 0, "size=64k");
	mkfifo("/tmp/fuzz/fifo", 0600);
	if (symlink("/tmp/fuzz/log-2", "/tmp/fuzz/link"))
		printf("# no symbolic link: %s\n", strerror(errno));
	fd = open("/tmp/fuzz/text", O_WRONLY | O_CREAT, 0600);
	if (write(fd, "not empty", 9) != 9)
		printf("# no file: %s\n", strerror(errno));
	close(fd);
	/* Sessions that are started from here on take events from rings */
	fd = open("/sys/module/evntprov/parameters/rings", O_WRONLY);
	if (write(fd, "Y", 1) != 1)
		printf("# no rings: %s\n", strerror(errno));
	close(fd);
	/* Keep the machine after an oops, to find its cause */
	fd = open("/proc/sys/kernel/panic_on_oops", O_WRONLY);
	if (write(fd, "0", 1) != 1)
		printf("# an oops will end the machine\n");
	close(fd);
}

static void sum_up(uint64_t *programs, uint64_t *calls)
{
	uint32_t i;

	*programs = *calls = 0;
	for (i = 0; i < WORKERS; i++) {
		*programs += shared->workers[i].programs;
		*calls += shared->workers[i].calls;
	}
}

/* Kill and restart a worker that has not finished a program for long */
static bool look_after(uint32_t i, uint64_t seed, struct corpus *corpus,
		       const char *out)
{
	struct worker *w = &shared->workers[i];
	time_t now = time(NULL);

	if (waitpid(w->pid, NULL, WNOHANG) == w->pid) {
		end_worker(w);
		start_worker(i, seed, corpus, out);
		return true;
	}
	if (w->seen != w->programs) {
		w->seen = w->programs;
		w->moved = now;
	}
	if (now - w->moved < STUCK_S)
		return true;
	printf("# worker %u is stuck\n", i);
	save_last(out);
	if (!end_worker(w))
		return false;
	start_worker(i, seed, corpus, out);
	return true;
}

static void print_progress(time_t seconds)
{
	uint64_t programs, calls;

	sum_up(&programs, &calls);
	printf("# %ld s: %llu programs, %llu calls, %u points\n",
	       (long)seconds, (unsigned long long)programs,
	       (unsigned long long)calls, coverage_points(&shared->coverage));
}

/* Watch until the time is over, or something went wrong */
static bool watch(time_t seconds, uint64_t seed, struct corpus *corpus,
		  const char *out)
{
	int log = open_kernel_log(), trace = open("/dev/evntrace", O_RDWR);
	time_t begin = time(NULL), now, printed = begin;
	uint32_t i;
	bool ok = true;

	while (ok && (now = time(NULL)) < begin + seconds) {
		usleep(200000);
		stop_sessions(trace, 1, false);
		stop_private_sessions(trace, 1, false);
		for (i = 0; i < WORKERS; i++)
			ok &= look_after(i, seed, corpus, out);
		if (kernel_reports(log)) {
			save_last(out);
			ok = false;
		}
		if (now < printed + 10)
			continue;
		print_progress(now - begin);
		printed = now;
	}
	close(trace);
	close(log);
	return ok;
}

static int run(time_t seconds, uint64_t seed, const char *corpus_dir,
	       const char *out)
{
	struct corpus corpus = {};
	uint64_t programs, calls;
	bool ok, gone = true, empty;
	uint32_t i;

	printf("# seed %llu\n", (unsigned long long)seed);
	if (!corpus_load(&corpus, corpus_dir))
		printf("# no corpus at %s\n", corpus_dir);
	printf("# %u programs to begin with; %s\n", corpus.count,
	       access("/sys/kernel/debug/kcov", F_OK) ? "no KCOV: unguided" :
							"guided by KCOV");
	make_files();
	calls_setup();
	for (i = 0; i < WORKERS; i++)
		start_worker(i, seed, &corpus, out);
	ok = watch(seconds, seed, &corpus, out);
	for (i = 0; i < WORKERS; i++)
		gone &= end_worker(&shared->workers[i]);
	sum_up(&programs, &calls);
	/* Close the shared descriptors */
	for (i = 3; i < 64; i++)
		close(i);
	empty = ends_empty();
	printf("%sok 1 - fuzz: %llu programs, %llu calls, %u points, seed %llu\n",
	       ok && programs ? "" : "not ", (unsigned long long)programs,
	       (unsigned long long)calls, coverage_points(&shared->coverage),
	       (unsigned long long)seed);
	printf("%sok 2 - fuzz: every process can be killed\n",
	       gone ? "" : "not ");
	printf("%sok 3 - fuzz: nothing is left behind\n1..3\n",
	       empty ? "" : "not ");
	return !ok || !gone || !empty;
}

static int replay(char **paths)
{
	struct program p;

	make_files();
	calls_setup();
	set_up_process();
	calls_printed = true;
	for (; *paths; paths++) {
		if (!program_load(&p, *paths)) {
			fprintf(stderr, "fuzz: %s cannot be read\n", *paths);
			return 1;
		}
		printf("# %s\n", *paths);
		run_program(&p);
	}
	return 0;
}

static int by_len(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	return x->len < y->len ? -1 : x->len > y->len;
}

static int minimise(const char *dir, const char *out)
{
	struct coverage *mine = calloc(1, sizeof(*mine));
	struct corpus corpus = {};
	uint32_t i, kept = 0;
	char name[17];

	corpus_load(&corpus, dir);
	qsort(corpus.programs, corpus.count, sizeof(*corpus.programs), by_len);
	make_files();
	calls_setup();
	set_up_process();
	if (!coverage_setup()) {
		fprintf(stderr, "fuzz: this kernel has no KCOV\n");
		return 1;
	}
	for (i = 0; i < corpus.count; i++) {
		run_program(&corpus.programs[i]);
		if (!coverage_end(mine, &shared->coverage))
			continue;
		program_name(&corpus.programs[i], name);
		program_save(&corpus.programs[i], out, name);
		kept++;
	}
	printf("# %u of %u programs kept, %u points\n", kept, corpus.count,
	       coverage_points(&shared->coverage));
	return 0;
}

int main(int argc, char **argv)
{
	setlinebuf(stdout);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (argc == 6 && !strcmp(argv[1], "run"))
		return run(atoi(argv[2]), strtoull(argv[3], NULL, 0), argv[4],
			   argv[5]);
	if (argc >= 3 && !strcmp(argv[1], "replay"))
		return replay(argv + 2);
	if (argc == 4 && !strcmp(argv[1], "minimise"))
		return minimise(argv[2], argv[3]);
	fprintf(stderr, "usage: fuzz run SECONDS SEED CORPUS OUT\n"
			"       fuzz replay PROGRAM...\n"
			"       fuzz minimise CORPUS OUT\n");
	return 2;
}
