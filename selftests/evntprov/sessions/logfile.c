// SPDX-License-Identifier: GPL-2.0
/*
 * Failures of a log file: no space, no longer writable, no memory, no name.
 * The session reports them, counts the loss, and can be stopped.
 */
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/abi/world.h"

/* Start a session that writes to @log, and register a provider for it */
static __u64 start_on(struct world *w, int log)
{
	struct evntrace_start arg = start_arg(w->name, "faults", log);

	arg.buffer_size = 2 * PAGE;
	arg.max_buffers = 64;
	if (do_ioctl(w->trace, EVNTRACE_IOC_START, &arg))
		return 0;
	dev_register(w->prov, H, 1, 0);
	dev_enable(w->trace, arg.handle, 1);
	return arg.handle;
}

/* Write @count buffers with one event each; all are in the file or lost */
static void write_buffers(struct world *w, unsigned int count)
{
	static const char payload[5000];

	while (count--)
		w->accepted += !dev_write(w->prov, H, payload,
					  sizeof(payload));
	dev_control(w->trace, EVNTRACE_CONTROL_FLUSH, w->session[0], NULL);
}

/* Stop; accepted events are in the file, or counted as lost in both places */
static struct evntrace_session stop_and_count(struct __test_metadata *_metadata,
					      struct world *w, int log,
					      struct etl_scan *scan)
{
	struct evntrace_session q;
	char path[32];

	ASSERT_EQ(0, dev_stop(w->trace, w->session[0], &q));
	w->session[0] = 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", log);
	EXPECT_TRUE(etl_scan(path, scan, NULL, NULL)) {
		TH_LOG("%s", scan->error);
	}
	EXPECT_EQ(w->accepted, q.events);
	EXPECT_EQ(w->accepted, scan->events + q.events_lost);
	EXPECT_EQ(q.bytes_written, file_size(log));
	return q;
}

FIXTURE(log) {
	struct world w;
	struct state before;
};

FIXTURE_SETUP(log)
{
	mount_logs(_metadata, "size=256k");
	world_open(&self->w);
	state_get(&self->w, &self->before);
}

FIXTURE_TEARDOWN(log)
{
	struct state after;

	if (self->w.log >= 0)
		close(self->w.log);
	self->w.log = -1;
	dev_unregister(self->w.prov, H);
	state_get(&self->w, &after);
	after.slot = self->before.slot;
	EXPECT_EQ(NULL, state_differs(&self->before, &after));
	world_close(&self->w);
	unmount_logs(_metadata);
}

static void fill_disk(struct __test_metadata *_metadata)
{
	static const char zeros[PAGE];
	int fd = new_log(LOG_DIR "/full");

	while (write(fd, zeros, sizeof(zeros)) > 0)
		;
	EXPECT_EQ(ENOSPC, errno);
	close(fd);
}

TEST_F(log, START_on_a_full_disk_leaves_the_file_empty)
{
	struct world *w = &self->w;

	with_default_start(w);
	fill_disk(_metadata);
	EXPECT_EQ(ENOSPC, run_start(w));
	EXPECT_EQ(0, file_size(w->log));
	/* Space for a part of the header only */
	ASSERT_EQ(0, truncate(LOG_DIR "/full", 250 << 10));
	EXPECT_EQ(ENOSPC, run_start(w));
	EXPECT_EQ(0, file_size(w->log));
	ASSERT_EQ(0, unlink(LOG_DIR "/full"));
	ASSERT_EQ(0, run_start(w));
	undo_start(w);
}

/* The limit is below the number of tasks, so every fork() fails */
TEST_F(log, START_without_a_thread_is_ENOMEM)
{
	static const char sysctl[] = "/proc/sys/kernel/threads-max";
	struct world *w = &self->w;
	char threads[16];

	with_log(w);
	ASSERT_TRUE(inject_get(sysctl, threads, sizeof(threads)));
	ASSERT_TRUE(inject_put(sysctl, "1"));
	EXPECT_EQ(ENOMEM, run_start(w));
	ASSERT_TRUE(inject_put(sysctl, threads));
	EXPECT_EQ(0, file_size(w->log));
	ASSERT_EQ(0, run_start(w));
	undo_start(w);
}

TEST_F(log, START_beyond_the_size_limit_is_EFBIG)
{
	struct rlimit limit = { PAGE, RLIM_INFINITY };
	struct world *w = &self->w;

	with_default_start(w);
	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	EXPECT_EQ(EFBIG, run_start(w));
	EXPECT_EQ(0, file_size(w->log));
	limit.rlim_cur = RLIM_INFINITY;
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	ASSERT_EQ(0, run_start(w));
	undo_start(w);
}

/* Files in /proc report that they are regular */
TEST_F(log, START_on_a_file_that_the_kernel_cannot_write_is_EINVAL)
{
	struct world *w = &self->w;

	with_log(w);
	w->start.log_fd = open("/proc/self/comm", O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, w->start.log_fd);
	EXPECT_EQ(EINVAL, run_start(w));
	close(w->start.log_fd);
}

TEST_F(log, a_temporarily_full_disk_loses_counted_buffers)
{
	struct world *w = &self->w;
	struct evntrace_session q;
	struct etl_scan scan;
	__u64 lost;

	w->log = new_log(LOG);
	w->session[0] = start_on(w, w->log);
	ASSERT_NE(0, w->session[0]);
	write_buffers(w, 5);
	fill_disk(_metadata);
	write_buffers(w, 5);
	dev_control(w->trace, DEV_QUERY, w->session[0], &q);
	EXPECT_EQ(ENOSPC, q.log_errno);
	EXPECT_EQ(5, q.buffers_lost);
	EXPECT_EQ(5, q.events_lost);
	EXPECT_EQ(6, q.buffers_written);
	lost = q.events_lost;
	ASSERT_EQ(0, unlink(LOG_DIR "/full"));
	write_buffers(w, 5);
	q = stop_and_count(_metadata, w, w->log, &scan);
	EXPECT_EQ(lost, q.events_lost);
	EXPECT_EQ(lost, scan.events_lost);
	EXPECT_EQ(10, scan.events);
	EXPECT_NE(0, scan.end_time);
}

static int sealed_log(struct world *w)
{
	w->log = memfd_create("log", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	w->session[0] = start_on(w, w->log);
	return w->session[0] ? 0 : errno;
}

/* The file may no longer grow, but its header still reports the loss */
TEST_F(log, a_grow_sealed_file_reports_losses_in_its_header)
{
	struct world *w = &self->w;
	struct evntrace_session q;
	struct etl_scan scan;

	ASSERT_EQ(0, sealed_log(w));
	write_buffers(w, 3);
	ASSERT_EQ(0, fcntl(w->log, F_ADD_SEALS, F_SEAL_GROW));
	write_buffers(w, 4);
	q = stop_and_count(_metadata, w, w->log, &scan);
	EXPECT_EQ(EPERM, q.log_errno);
	EXPECT_EQ(4, q.buffers_lost);
	EXPECT_EQ(4, scan.buffers_lost);
	EXPECT_EQ(4, scan.events_lost);
	EXPECT_NE(0, scan.end_time);
}

/* The file may not be written at all, and stays unchanged */
TEST_F(log, a_write_sealed_file_stays_unchanged)
{
	struct world *w = &self->w;
	struct evntrace_session q;
	struct etl_scan scan;

	ASSERT_EQ(0, sealed_log(w));
	write_buffers(w, 3);
	ASSERT_EQ(0, fcntl(w->log, F_ADD_SEALS, F_SEAL_WRITE));
	write_buffers(w, 4);
	q = stop_and_count(_metadata, w, w->log, &scan);
	EXPECT_EQ(EPERM, q.log_errno);
	EXPECT_EQ(4, q.buffers_lost);
	EXPECT_EQ(4, q.events_lost);
	EXPECT_EQ(3, scan.events);
	EXPECT_EQ(0, scan.end_time);
}

/* The file has no name left, but open descriptors read all of it */
TEST_F(log, a_removed_file_is_still_written)
{
	struct world *w = &self->w;
	struct evntrace_session q;
	struct etl_scan scan;

	w->log = new_log(LOG);
	w->session[0] = start_on(w, w->log);
	ASSERT_NE(0, w->session[0]);
	write_buffers(w, 3);
	ASSERT_EQ(0, unlink(LOG));
	write_buffers(w, 3);
	q = stop_and_count(_metadata, w, w->log, &scan);
	EXPECT_EQ(0, q.log_errno);
	EXPECT_EQ(0, q.events_lost);
	EXPECT_EQ(6, scan.events);
}

/* The session opens the file itself, so the caller's flags do not matter */
static void check_own_flags(struct __test_metadata *_metadata, struct world *w)
{
	struct evntrace_session q;
	struct etl_scan scan;

	ASSERT_LE(0, w->log);
	w->accepted = 0;
	w->session[0] = start_on(w, w->log);
	ASSERT_NE(0, w->session[0]);
	write_buffers(w, 3);
	ASSERT_EQ(0, fcntl(w->log, F_SETFL, O_APPEND));
	write_buffers(w, 3);
	q = stop_and_count(_metadata, w, w->log, &scan);
	EXPECT_EQ(0, q.log_errno);
	EXPECT_EQ(6, scan.events);
	EXPECT_NE(0, scan.end_time);
	dev_unregister(w->prov, H);
	close(w->log);
}

TEST_F(log, O_APPEND_that_the_controller_sets_later_has_no_effect)
{
	struct world *w = &self->w;

	w->log = new_log(LOG);
	check_own_flags(_metadata, w);
	w->log = open(LOG_DIR, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	check_own_flags(_metadata, w);
	w->log = memfd_create("log", MFD_CLOEXEC);
	check_own_flags(_metadata, w);
	w->log = -1;
}

/* The library locks the file, so that no other session uses it */
TEST_F(log, the_controllers_lock_lasts_as_long_as_the_log)
{
	struct world *w = &self->w;
	int log = new_log(LOG);

	ASSERT_EQ(0, flock(log, LOCK_EX));
	w->session[0] = start_on(w, log);
	ASSERT_NE(0, w->session[0]);
	close(log);
	w->log = open(LOG, O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(-1, flock(w->log, LOCK_EX | LOCK_NB));
	EXPECT_EQ(EWOULDBLOCK, errno);
	ASSERT_EQ(0, dev_stop(w->trace, w->session[0], NULL));
	w->session[0] = 0;
	EXPECT_EQ(0, flock(w->log, LOCK_EX | LOCK_NB));
}

/* The limit of the process that started the session applies */
TEST_F(log, RLIMIT_FSIZE_limits_the_log)
{
	struct rlimit limit = { 4 * 2 * PAGE, RLIM_INFINITY };
	struct world *w = &self->w;
	struct evntrace_session q;
	struct etl_scan scan;

	w->log = new_log(LOG);
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	w->session[0] = start_on(w, w->log);
	limit.rlim_cur = RLIM_INFINITY;
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	ASSERT_NE(0, w->session[0]);
	write_buffers(w, 5);
	q = stop_and_count(_metadata, w, w->log, &scan);
	EXPECT_EQ(EFBIG, q.log_errno);
	EXPECT_EQ(2, q.buffers_lost);
	EXPECT_EQ(2, scan.events_lost);
	EXPECT_EQ(4 * 2 * PAGE, file_size(w->log));
	EXPECT_NE(0, scan.end_time);
}

TEST_F(log, RLIMIT_FSIZE_limits_PREALLOCATE)
{
	struct rlimit limit = { 1 << 20, RLIM_INFINITY };
	struct world *w = &self->w;

	with_log(w);
	w->start.log_file_mode = EVNTRACE_MODE_PREALLOCATE;
	w->start.max_file_size = 2;
	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	EXPECT_EQ(EFBIG, run_start(w));
	limit.rlim_cur = RLIM_INFINITY;
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	EXPECT_EQ(0, file_size(w->log));
}

#define CGROUPS	"/sys/fs/cgroup"
#define CGROUP	CGROUPS "/evntprov"

static long long charged(void)
{
	char text[32] = "-1";

	inject_get(CGROUP "/memory.current", text, sizeof(text));
	return strtoll(text, NULL, 10);
}

/* Only the session's owner is in the cgroup, not the writer */
TEST_F(log, the_page_cache_of_a_log_is_charged_to_the_sessions_owner)
{
	const unsigned int count = 1000;
	unsigned int i;
	struct world *w = &self->w;
	struct evntrace_session q;
	struct etl_scan scan;
	long long before;

	if (!inject_put(CGROUPS "/cgroup.subtree_control", "+memory"))
		SKIP(return, "there is no memory controller");
	ASSERT_EQ(0, mount("none", LOG_DIR, "tmpfs", MS_REMOUNT, "size=64m"));
	ASSERT_EQ(0, mkdir(CGROUP, 0755));
	w->log = new_log(LOG);
	ASSERT_TRUE(inject_put(CGROUP "/cgroup.procs", "0"));
	w->session[0] = start_on(w, w->log);
	ASSERT_TRUE(inject_put(CGROUPS "/cgroup.procs", "0"));
	ASSERT_NE(0, w->session[0]);
	before = charged();
	for (i = 0; i < count; i += 25)
		write_buffers(w, 25);
	EXPECT_LE(before + (count - 200) * 2 * PAGE, charged());
	dev_control(w->trace, DEV_QUERY, w->session[0], &q);
	EXPECT_LT(count - 200, q.buffers_written);
	stop_and_count(_metadata, w, w->log, &scan);
	ASSERT_EQ(0, ftruncate(w->log, 0));
	EXPECT_EQ(0, rmdir(CGROUP));
}

/* Each allocation of the session's thread fails once */
TEST_F_TIMEOUT(log, the_log_thread_survives_failed_allocations, 300)
{
	unsigned int n, points = 0, slab = 0;
	struct world *w = &self->w;
	struct evntrace_session q;
	struct injector inject;
	struct etl_scan scan;
	__u64 lost = 0;
	int nth, kind;

	if (inject_missing())
		SKIP(return, "%s: %s", _metadata->name, inject_missing());
	ASSERT_EQ(0, mount("none", LOG_DIR, "tmpfs", MS_REMOUNT, "size=200m"));
	ASSERT_TRUE(inject_open(&inject));
	w->log = new_log(LOG);
	w->session[0] = start_on(w, w->log);
	ASSERT_NE(0, w->session[0]);
	dev_control(w->trace, DEV_QUERY, w->session[0], &q);
	nth = inject_task(q.writer_tid);
	for (n = 1; ; n++) {
		ASSERT_TRUE(inject_arm(nth, n));
		write_buffers(w, 40);
		kind = inject_disarm(&inject, nth);
		if (kind < 0)
			break;
		points++;
		slab += kind == INJECT_SLAB;
		dev_control(w->trace, DEV_QUERY, w->session[0], &q);
		EXPECT_TRUE(q.buffers_lost - lost <= 1);
		EXPECT_EQ(q.buffers_lost, q.events_lost);
		lost = q.buffers_lost;
	}
	close(nth);
	inject_close(&inject);
	EXPECT_LT(0, lost);
	q = stop_and_count(_metadata, w, w->log, &scan);
	EXPECT_EQ(ENOMEM, q.log_errno);
	EXPECT_EQ(lost, scan.buffers_lost);
	EXPECT_EQ(lost, scan.events_lost);
	TH_LOG("%u points (%u slab, %u page): %llu ENOMEM, %llu passed",
	       points, slab, points - slab, lost, points - lost);
}

TEST_HARNESS_MAIN
