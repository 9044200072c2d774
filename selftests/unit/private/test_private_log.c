// SPDX-License-Identifier: MIT
/*
 * Write errors of private sessions' files: at the start, at the switch to
 * another file, in the middle, and in circular mode.  Each loss is counted,
 * earlier events stay, and the session goes on as soon as it can.
 *
 * Most files fail by RLIMIT_FSIZE, which needs no privileges.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/private_mounts.h"
#include "selftests/unit/common/tap.h"

#define BUFFER	4096u	/* bytes: the smallest */

static REGHANDLE r;

/* Make writes of this process beyond @bytes of a file fail */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void limit_no_files(void)
{
	limit_files(RLIM_INFINITY);
}

static ULONG start(struct private_properties *p, ULONG mode, ULONG size,
		   const char *name, TRACEHANDLE *h)
{
	ULONG code;

	private_init(p, IN_PROC | mode, name);
	p->p.BufferSize = BUFFER / 1024;
	p->p.MaximumFileSize = size;
	code = StartTraceA(h, name, &p->p);
	return code ? code : private_enable(*h, 0, NULL, 0);
}

/* Write @count events with ids from @first in one buffer, and flush */
static void write_buffer(TRACEHANDLE h, USHORT first, unsigned int count)
{
	for (; count; count--)
		private_write(r, first++);
	private_flush(h);
}

/* Test the counts that a query reports */
static bool has_counts(TRACEHANDLE h, ULONG written, ULONG buffers_lost,
		       ULONG events_lost)
{
	struct private_properties p;

	private_init(&p, IN_PROC, NULL);
	return !ControlTraceA(h, NULL, &p.p, EVENT_TRACE_CONTROL_QUERY) &&
	       p.p.BuffersWritten == written &&
	       p.p.LogBuffersLost == buffers_lost &&
	       p.p.EventsLost == events_lost;
}

static off_t size_of(const char *name)
{
	struct stat st;

	return stat(private_path(name), &st) ? -1 : st.st_size;
}

/* Test that a failed start has left no session, file or enablement */
static bool is_none(const char *name, TRACEHANDLE h)
{
	struct private_properties p;

	private_init(&p, IN_PROC, NULL);
	return !h && !EventProviderEnabled(r, 0, 0) &&
	       private_fd(private_path(name)) < 0 &&
	       private_is_left(private_path(name)) &&
	       ControlTraceA(0, name, &p.p, EVENT_TRACE_CONTROL_QUERY) ==
	       ERROR_WMI_INSTANCE_NOT_FOUND;
}

static void test_start_fails(void)
{
	struct private_properties p;
	unsigned int i, full = 0;
	TRACEHANDLE h;

	limit_files(BUFFER / 2);
	/* More failures than there are sessions */
	for (i = 0; i < 10; i++)
		full += start(&p, 0, 0, "start", &h) == ERROR_LOG_FILE_FULL;
	limit_no_files();
	CHECK(full == 10 && is_none("start", h),
	      "LOG_FILE_FULL: no room for a header, and no session remains");
	CHECK(!start(&p, 0, 0, "start", &h) && !private_write(r, 1) &&
	      !private_stop(&p, h) &&
	      PRIVATE_HAS(private_path("start"), NULL, 1),
	      "the session starts as soon as there is room");
}

static void test_next_log_fails(void)
{
	struct private_properties p, q;
	TRACEHANDLE h;
	ULONG code;

	start(&p, 0, 0, "old", &h);
	private_write(r, 1);
	private_init(&q, IN_PROC, "new");
	limit_files(BUFFER / 2);
	code = UpdateTraceA(h, NULL, &q.p);
	limit_no_files();
	CHECK(code == ERROR_LOG_FILE_FULL &&
	      private_fd(private_path("new")) < 0 &&
	      private_is_left(private_path("new")),
	      "LOG_FILE_FULL: UPDATE to a file without room for a header");
	private_init(&q, IN_PROC, NULL);
	CHECK(!ControlTraceA(h, NULL, &q.p, EVENT_TRACE_CONTROL_QUERY) &&
	      !strcmp(q.log, private_path("old")) && !private_write(r, 2) &&
	      !private_stop(&p, h) && !p.p.EventsLost &&
	      PRIVATE_HAS(private_path("old"), NULL, 1, 2),
	      "the session goes on in the file that it has");
}

/* Fail in the middle of buffers, first with a later success, then at the end */
static void test_writing_fails(ULONG mode, ULONG size, const char *name)
{
	struct private_properties p;
	TRACE_LOGFILE_HEADER header = {};
	TRACEHANDLE h;
	bool counted;

	start(&p, mode, size, name, &h);
	write_buffer(h, 1, 3);
	limit_files(2 * BUFFER + BUFFER / 2);
	write_buffer(h, 11, 5);
	counted = has_counts(h, 2, 1, 5);
	limit_no_files();
	CHECK(counted && size_of(name) == 2 * BUFFER + BUFFER / 2,
	      "%s: all events of a buffer that is written in part are lost",
	      name);
	CHECK(PRIVATE_HAS(private_path(name), &header, 1, 2, 3) &&
	      header.BuffersWritten == 2 && header.BuffersLost == 1 &&
	      header.EventsLost == 5,
	      "%s: the file can be read, and its header counts them", name);
	write_buffer(h, 21, 1);
	CHECK(has_counts(h, 3, 1, 5) &&
	      PRIVATE_HAS(private_path(name), NULL, 1, 2, 3, 21),
	      "%s: the next buffer takes the place of the lost one", name);
	private_write(r, 31);
	private_write(r, 32);
	limit_files(3 * BUFFER + BUFFER / 2);
	counted = !private_stop(&p, h);
	limit_no_files();
	CHECK(counted && p.p.LogBuffersLost == 2 && p.p.EventsLost == 7 &&
	      p.p.BuffersWritten == 3, "%s: a stop counts what it loses", name);
	CHECK(size_of(name) == 3 * BUFFER,
	      "%s: the part of a buffer at the end is cut off", name);
	CHECK(PRIVATE_HAS(private_path(name), &header, 1, 2, 3, 21) &&
	      header.BuffersWritten == 3 && header.BuffersLost == 2 &&
	      header.EventsLost == 7 && header.EndTime.QuadPart,
	      "%s: the header is complete", name);
}

/* Test whether the file's ids are consecutive up to @last, followed by @end */
static bool has_tail(const char *name, USHORT last, USHORT end)
{
	static struct private_ids ids;
	unsigned int i;

	ids.count = 0;
	if (private_read(private_path(name), private_take_id, &ids, NULL) ||
	    ids.count < 2 || ids.count > PRIVATE_MAX_IDS)
		return false;
	for (i = 1; i + 1 < ids.count; i++) {
		if (ids.id[i] != ids.id[i - 1] + 1)
			return false;
	}
	return ids.id[0] > 1 && ids.id[ids.count - 2] == last &&
	       ids.id[ids.count - 1] == end;
}

#define CIRCLE_MB	4u
#define CIRCLE		(CIRCLE_MB * 1024 * 1024 / BUFFER - 1)

/*
 * A full circular file drops whole epochs.  The size limit allows the first
 * buffer of an epoch to be emptied and written, but not the second to be
 * emptied, so nothing may be written.
 */
static void test_giving_way_fails(void)
{
	struct private_properties p;
	TRACEHANDLE h;
	unsigned int i;
	bool counted;

	private_init(&p, IN_PROC | EVENT_TRACE_FILE_MODE_CIRCULAR, "way");
	p.p.BufferSize = BUFFER / 1024;
	p.p.MaximumFileSize = CIRCLE_MB;
	p.p.MaximumBuffers = 4;
	StartTraceA(&h, "way", &p.p);
	private_enable(h, 0, NULL, 0);
	/*
	 * An epoch has at least one buffer per buffer in memory, and four per
	 * CPU
	 */
	if (p.p.NumberOfBuffers > CIRCLE / 4 ||
	    sysconf(_SC_NPROCESSORS_CONF) > CIRCLE / 16) {
		SKIP("too many processors for epochs in %u buffers", CIRCLE);
		private_stop(&p, h);
		return;
	}
	for (i = 1; i <= CIRCLE; i++)
		write_buffer(h, i, 1);
	CHECK(has_counts(h, 1 + CIRCLE, 0, 0), "a circle is full");
	limit_files(2 * BUFFER);
	write_buffer(h, 2001, 1);
	counted = has_counts(h, 1 + CIRCLE, 1, 1);
	limit_no_files();
	CHECK(counted && has_tail("way", CIRCLE - 1, CIRCLE),
	      "a buffer is lost if an old one cannot give way to it");
	write_buffer(h, 2002, 1);
	CHECK(!private_stop(&p, h) && p.p.EventsLost == 1 &&
	      has_tail("way", CIRCLE, 2002),
	      "the next one takes the place of a whole epoch");
}

/* A lost buffer does not count towards the file's limit */
static void test_limit_after_failure(void)
{
	struct private_properties p, q;
	TRACEHANDLE h;
	unsigned int i;

	start(&p, EVENT_TRACE_FILE_MODE_SEQUENTIAL |
		  EVENT_TRACE_USE_KBYTES_FOR_SIZE, 4 * BUFFER / 1024, "limit",
	      &h);
	write_buffer(h, 1, 1);
	limit_files(2 * BUFFER);
	for (i = 0; i < 5; i++)
		write_buffer(h, 11 + i, 1);
	limit_no_files();
	CHECK(has_counts(h, 2, 5, 5) && EventProviderEnabled(r, 0, 0),
	      "buffers that are lost do not count for the file's limit");
	write_buffer(h, 21, 1);
	private_init(&q, IN_PROC, NULL);
	private_write(r, 22);
	FlushTraceA(h, NULL, &q.p);
	for (i = 0; i < 60000 && !ControlTraceA(h, NULL, &q.p,
						EVENT_TRACE_CONTROL_QUERY); i++)
		usleep(1000);
	CHECK(i < 60000 && size_of("limit") == 4 * BUFFER &&
	      PRIVATE_HAS(private_path("limit"), NULL, 1, 21, 22),
	      "the session ends when buffers in the file reach it");
}

/* Replace a descriptor by one of the program's own files, of 5 bytes */
static bool replace_by_own(int fd)
{
	int own = open(private_path("own"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	bool ok = own >= 0 && write(own, "mine", 5) == 5 &&
		  dup2(own, fd) == fd;

	close(own);
	return ok;
}

static bool own_is_unharmed(int fd)
{
	char text[6] = "";

	return pread(fd, text, sizeof(text), 0) == 5 && !strcmp(text, "mine");
}

/* The program has closed the log's descriptor and reused its number */
static void test_closed_log(void)
{
	struct private_properties p;
	TRACEHANDLE h;
	int fd;

	start(&p, 0, 0, "closed", &h);
	fd = private_fd(private_path("closed"));
	CHECK(fd >= 100, "a log has a high descriptor");
	write_buffer(h, 1, 1);
	CHECK(replace_by_own(fd), "the program puts its own file there");
	write_buffer(h, 2, 3);
	CHECK(has_counts(h, 3, 0, 0) && own_is_unharmed(fd) &&
	      PRIVATE_HAS(private_path("closed"), NULL, 1, 2, 3, 4),
	      "the log is opened again, and the program's file is not touched");
	CHECK(!private_stop(&p, h) && !p.p.EventsLost && own_is_unharmed(fd) &&
	      private_is_left(private_path("closed")),
	      "a stop leaves the program's file open");
	close(fd);
}

/* The same, and the log has been removed */
static void test_closed_and_gone(void)
{
	struct private_properties p, q;
	TRACEHANDLE h;
	int fd;

	start(&p, 0, 0, "closed", &h);
	fd = private_fd(private_path("closed"));
	write_buffer(h, 1, 1);
	CHECK(replace_by_own(fd) && !unlink(private_path("closed")),
	      "a log is replaced and removed by the program");
	write_buffer(h, 2, 3);
	CHECK(has_counts(h, 2, 1, 3) && own_is_unharmed(fd) &&
	      size_of("closed") < 0,
	      "events are lost and counted, and no other file is made");
	private_init(&q, IN_PROC, "reopened");
	CHECK(!UpdateTraceA(h, NULL, &q.p) && own_is_unharmed(fd),
	      "UPDATE leaves the program's file open");
	private_write(r, 5);
	CHECK(!private_stop(&p, h) && p.p.LogBuffersLost == 1 &&
	      p.p.EventsLost == 3 &&
	      PRIVATE_HAS(private_path("reopened"), NULL, 5),
	      "the session goes on in the next file, and counts what it lost");

	start(&p, 0, 0, "closed", &h);
	fd = private_fd(private_path("closed"));
	replace_by_own(fd);
	unlink(private_path("closed"));
	close(open(private_path("closed"), O_CREAT | O_WRONLY, 0600));
	private_write(r, 1);
	CHECK(!private_stop(&p, h) && p.p.LogBuffersLost == 1 &&
	      p.p.EventsLost == 1 && own_is_unharmed(fd) &&
	      !size_of("closed"),
	      "a stop leaves another file of that name as it is");
	close(fd);
}

/* Close all descriptors like closefrom() in daemons */
static void test_closed_and_busy(void)
{
	struct private_properties p;
	TRACEHANDLE h;
	unsigned int i;

	start(&p, 0, 0, "from", &h);
	CHECK(!syscall(SYS_close_range, 3, ~0u, 0) &&
	      private_fd(private_path("from")) < 0,
	      "the program closes all that it does not know");
	for (i = 1; i <= 1000; i++)
		private_write(r, i);
	CHECK(!private_stop(&p, h) && !p.p.EventsLost &&
	      private_count(private_path("from")) == 1000,
	      "the log contains all of 1000 later events");
}

static void test_renamed_log(void)
{
	struct private_properties p, q;
	char to[128];
	TRACEHANDLE h;

	start(&p, 0, 0, "renamed", &h);
	write_buffer(h, 1, 1);
	snprintf(to, sizeof(to), "%s", private_path("renamed.1"));
	CHECK(!rename(private_path("renamed"), to), "a log is renamed");
	write_buffer(h, 2, 1);
	private_init(&q, IN_PROC, "between");
	UpdateTraceA(h, NULL, &q.p);
	private_init(&q, IN_PROC, "renamed");
	CHECK(!UpdateTraceA(h, NULL, &q.p) && PRIVATE_HAS(to, NULL, 1, 2),
	      "events follow it, and its old name is free");
	private_write(r, 3);
	CHECK(!private_stop(&p, h) && !p.p.EventsLost &&
	      PRIVATE_HAS(private_path("renamed"), NULL, 3),
	      "the file that has taken its name is another one");
}

/*
 * Truncated as by logrotate's copytruncate: the header is written again,
 * buffers are not
 */
static void test_emptied_log(void)
{
	struct private_properties p;
	TRACEHANDLE h;

	start(&p, 0, 0, "emptied", &h);
	write_buffer(h, 1, 1);
	write_buffer(h, 2, 1);
	CHECK(!truncate(private_path("emptied"), 0), "a log is emptied");
	write_buffer(h, 3, 1);
	CHECK(PRIVATE_HAS(private_path("emptied"), NULL, 3),
	      "the next event can be read");
	CHECK(!private_stop(&p, h) && !p.p.EventsLost &&
	      PRIVATE_HAS(private_path("emptied"), NULL, 3),
	      "an emptied log has later events after the stop");
}

/* A child that the library does not notice, as by vfork() or posix_spawn() */
static void test_child_holds_the_file(void)
{
	struct private_properties p;
	TRACEHANDLE h, second;
	int fds[2], status;
	char byte;
	long pid;

	start(&p, 0, 0, "held", &h);
	if (pipe(fds))
		return;
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		syscall(SYS_close, fds[1]);
		syscall(SYS_read, fds[0], &byte, 1);
		syscall(SYS_exit_group, 0);
	}
	close(fds[0]);
	CHECK(pid > 0 && !private_stop(&p, h) &&
	      private_is_left(private_path("held")),
	      "a child that has the file open does not keep its lock");
	CHECK(!start(&p, 0, 0, "held", &second) && !private_stop(&p, second),
	      "another session may have the file");
	close(fds[1]);
	waitpid(pid, &status, 0);
}

static void test_fork_closes_the_file(void)
{
	struct private_properties p;
	int status = -1, pid;
	TRACEHANDLE h;

	start(&p, 0, 0, "forked", &h);
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(private_fd(private_path("forked")) >= 0 ? 1 : 0);
	waitpid(pid, &status, 0);
	CHECK(!status && private_fd(private_path("forked")) >= 0,
	      "a child has not its parent's file open");
	private_stop(&p, h);
}

static bool limit_is_pending(void)
{
	sigset_t pending;

	return sigpending(&pending) || sigismember(&pending, SIGXFSZ);
}

/*
 * SIGXFSZ is sent to the writing thread.  At the start and at a switch of files
 * this is the program's; later it is the library's, which blocks signals.
 */
static int child_meets_the_limit(void)
{
	struct private_properties p, q;
	TRACEHANDLE h;

	signal(SIGXFSZ, SIG_DFL);
	limit_files(BUFFER / 2);
	if (start(&p, 0, 0, "signal", &h) != ERROR_LOG_FILE_FULL ||
	    limit_is_pending())
		return 4;
	limit_no_files();
	if (start(&p, 0, 0, "signal", &h))
		return 1;
	limit_files(BUFFER / 2);
	private_init(&q, IN_PROC, "signal2");
	if (UpdateTraceA(h, NULL, &q.p) != ERROR_LOG_FILE_FULL ||
	    limit_is_pending())
		return 5;
	limit_files(BUFFER);
	write_buffer(h, 1, 1);
	if (!has_counts(h, 1, 1, 1))
		return 2;
	return private_stop(&p, h) ? 3 : 0;
}

/* Limit descriptors of this process to @count; returns the old limit */
static rlim_t limit_descriptors(rlim_t count)
{
	struct rlimit limit;
	rlim_t before;

	getrlimit(RLIMIT_NOFILE, &limit);
	before = limit.rlim_cur;
	limit.rlim_cur = count;
	setrlimit(RLIMIT_NOFILE, &limit);
	return before;
}

#define MANY_FDS	90

/*
 * Use all descriptors up to MANY_FDS, so that the next free ones are
 * consecutive
 */
static unsigned int use_descriptors(int *fds)
{
	unsigned int count = 0;

	do
		fds[count] = dup(STDIN_FILENO);
	while (fds[count] >= 0 && fds[count++] < MANY_FDS);
	return count;
}

static void test_no_descriptor(void)
{
	int fds[MANY_FDS + 1], lowest;
	unsigned int count = use_descriptors(fds);
	struct private_properties p;
	ULONG code[3], i;
	TRACEHANDLE h[3];
	rlim_t before;

	if (!count) {
		CHECK(false, "descriptors");
		return;
	}
	lowest = fds[count - 1] + 1;
	for (i = 0; i < 3; i++) {
		before = limit_descriptors(lowest + i);
		code[i] = start(&p, 0, 0, "descriptor", &h[i]);
		limit_descriptors(before);
		if (i < 2)
			CHECK(code[i] == ERROR_NO_SYSTEM_RESOURCES && !h[i] &&
			      private_fd(private_path("descriptor")) < 0,
			      "NO_SYSTEM_RESOURCES: %u descriptors are left", i);
	}
	while (count)
		close(fds[--count]);
	CHECK(!code[2] && !private_write(r, 1) && !private_stop(&p, h[2]) &&
	      PRIVATE_HAS(private_path("descriptor"), NULL, 1),
	      "a session starts with two, though its file's is low");
}

#define A_USER	54321

/* RLIMIT_NPROC counts threads: the child's user has no other process */
static int child_has_no_thread(void)
{
	const struct rlimit one = { 1, 1 };
	struct private_properties p;
	TRACEHANDLE h;

	if (chdir(private_folder) || setrlimit(RLIMIT_NPROC, &one) ||
	    setresuid(A_USER, A_USER, A_USER))
		return 77;
	private_init(&p, IN_PROC, NULL);
	strcpy(p.log, "open/thread.etl");
	if (StartTraceA(&h, "thread", &p.p) != ERROR_NOT_ENOUGH_MEMORY || h)
		return 1;
	if (private_fd("open/thread.etl") >= 0 ||
	    !private_is_left("open/thread.etl"))
		return 2;
	private_init(&p, IN_PROC, NULL);
	return ControlTraceA(0, "thread", &p.p, EVENT_TRACE_CONTROL_QUERY) ==
	       ERROR_WMI_INSTANCE_NOT_FOUND ? 0 : 3;
}

static void test_no_thread(void)
{
	char path[128];
	int status;

	snprintf(path, sizeof(path), "%s/open", private_folder);
	if (mkdir(path, 0700) || chmod(path, 0777) ||
	    chmod(private_folder, 0711)) {
		CHECK(false, "a folder for another user");
		return;
	}
	status = private_in_child(child_has_no_thread);
	if (status == 77) {
		SKIP("this user cannot become another one");
		return;
	}
	CHECK(!status,
	      "NOT_ENOUGH_MEMORY: no thread, and no session remains");
}

static char disk[80];

/* Mount a disk of @size in this process's mount namespace */
static bool mount_disk(const char *size)
{
	snprintf(disk, sizeof(disk), "%s/disk", private_folder);
	return mounts_begin() && !mkdir(disk, 0700) &&
	       !mount("none", disk, "tmpfs", 0, size);
}

/* Fill the disk; returns whether that succeeded */
static bool fill_disk(void)
{
	static const char block[BUFFER];
	char path[100];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/filler", disk);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	do
		n = write(fd, block, sizeof(block));
	while (n > 0);
	close(fd);
	return n < 0 && errno == ENOSPC;
}

static void empty_disk(void)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/filler", disk);
	unlink(path);
}

static void test_full_disk(void)
{
	struct private_properties p, q;
	TRACE_LOGFILE_HEADER header = {};
	TRACEHANDLE h;

	if (!mount_disk("size=256k")) {
		SKIP("this process cannot mount a disk: %s", strerror(errno));
		return;
	}
	CHECK(fill_disk() &&
	      start(&p, 0, 0, "disk/a", &h) == ERROR_DISK_FULL &&
	      is_none("disk/a", h),
	      "DISK_FULL: a start, and no session remains");
	empty_disk();
	CHECK(!start(&p, 0, 0, "disk/a", &h), "a session on a disk with room");
	write_buffer(h, 1, 1);
	fill_disk();
	write_buffer(h, 11, 4);
	CHECK(has_counts(h, 2, 1, 4) &&
	      PRIVATE_HAS(private_path("disk/a"), &header, 1) &&
	      header.EventsLost == 4 && header.BuffersLost == 1,
	      "a disk that is full loses buffers, and the header counts them");
	private_init(&q, IN_PROC, "disk/b");
	CHECK(UpdateTraceA(h, NULL, &q.p) == ERROR_DISK_FULL &&
	      private_is_left(private_path("disk/b")),
	      "DISK_FULL: UPDATE to another file there");
	empty_disk();
	write_buffer(h, 21, 1);
	CHECK(has_counts(h, 3, 1, 4),
	      "a session continues when there is space again");
	fill_disk();
	private_write(r, 31);
	CHECK(!private_stop(&p, h) && p.p.EventsLost == 5 &&
	      size_of("disk/a") == 3 * BUFFER &&
	      PRIVATE_HAS(private_path("disk/a"), &header, 1, 21) &&
	      header.EventsLost == 5 && header.EndTime.QuadPart,
	      "a stop on a full disk completes the header");
	umount(disk);
}

/* Pin the thread, so that all events are in one buffer */
static void stay_here(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(sched_getcpu(), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	stay_here();
	signal(SIGXFSZ, SIG_IGN);
	EventRegister(&provider, NULL, NULL, &r);
	test_start_fails();
	test_next_log_fails();
	test_writing_fails(0, 0, "sequential");
	test_writing_fails(EVENT_TRACE_FILE_MODE_CIRCULAR, 1, "circular");
	test_giving_way_fails();
	test_limit_after_failure();
	test_closed_log();
	test_closed_and_gone();
	test_closed_and_busy();
	test_renamed_log();
	test_emptied_log();
	test_child_holds_the_file();
	test_fork_closes_the_file();
	CHECK(!private_in_child(child_meets_the_limit),
	      "a program is not killed for the file of its session");
	test_no_descriptor();
	test_no_thread();
	test_full_disk();
	EventUnregister(r);
	private_clean();
	return tap_end();
}
