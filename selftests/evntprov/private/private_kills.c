// SPDX-License-Identifier: GPL-2.0
/*
 * Ends of processes with a private session, which do not wait for the session's
 * thread: the log has each event whose write had returned, and at most one more
 * of each thread.
 *
 * EVNT_PRIVATE_KILLS is the number of processes that are killed; EVNT_SEED
 * repeats the moments of another run, as far as the scheduler has no part in them.
 */
#include <dirent.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/ring/ring_writers.h"
#include "selftests/evntprov/sessions/stall.h"

#define KILLS	40
#define EVENTS	20000u	/* of a thread at most */
#define AFTER	2000u	/* events of a thread before the process is killed */
#define LOGS	200u	/* files of a process that switches */
#define LOG	"/tmp/private_kills.etl"
#define MODE	(EVENT_TRACE_PRIVATE_LOGGER_MODE | EVENT_TRACE_PRIVATE_IN_PROC)
#define SEQUENTIAL	(MODE | EVENT_TRACE_FILE_MODE_SEQUENTIAL)
#define CIRCULAR	(MODE | EVENT_TRACE_FILE_MODE_CIRCULAR)
#define CIRCULAR_SIZE	(1024 * 1024)
#define END_TIME	0x78	/* its offset in the file */
#define FEW	100u	/* events of a process that does not write on */

/* Times of the events of each thread, where the logs have them */
static struct {
	int64_t times[THREADS][EVENTS];
	int64_t first;
	int64_t last;
	unsigned int end[THREADS];
	unsigned int events;
	off_t size;
	bool may_lack_end;
	const char *wrong;
} logged;

static void take(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(PROVIDER);
	struct mark mark;

	(void)context;
	if (memcmp(e->provider, &id, sizeof(id)))
		return;
	memcpy(&mark, e->data, sizeof(mark));
	if (!is_mark(e) || mark.number >= EVENTS ||
	    e->data_len != sizeof(mark) + more_of(mark.number)) {
		logged.wrong = "an event is not as written";
		return;
	}
	if (logged.times[mark.thread][mark.number])
		logged.wrong = "an event is recorded twice";
	logged.times[mark.thread][mark.number] = e->time;
	if (!logged.events++ || e->time < logged.first)
		logged.first = e->time;
	if (e->time > logged.last)
		logged.last = e->time;
	if (mark.number >= logged.end[mark.thread])
		logged.end[mark.thread] = mark.number + 1;
}

static void read_log(const char *path)
{
	struct etl_scan s;

	logged.size = size_of(path);
	if (!etl_scan(path, &s, take, NULL))
		logged.wrong = s.error;
	else if (s.events && !s.end_time && !logged.may_lack_end)
		logged.wrong = "a log with events has no end";
	unlink(path);
}

/* Whether no event is missing between two that are not older than @since */
static bool is_whole(unsigned int t, int64_t since)
{
	bool is_missing = false;

	for (unsigned int n = logged.end[t]; n; n--) {
		const int64_t time = logged.times[t][n - 1];

		if (time && time < since)
			return true;
		if (time && is_missing)
			return false;
		is_missing |= !time;
	}
	return !is_missing || since;
}

/*
 * Compare the logs with the writes that have returned.  A circular log that is
 * full begins later, and may have gaps in the first half of its time.
 */
static const char *compare(bool is_circular)
{
	const bool is_full = is_circular &&
			     logged.size >= CIRCULAR_SIZE;
	const int64_t since = logged.first + (logged.last - logged.first) / 2;

	for (unsigned int t = 0; t < THREADS; t++) {
		const unsigned int returned = shared->returned[t];
		const unsigned int n = logged.end[t];

		if (n > returned + 1)
			return "an event is recorded that was not written";
		if (n < returned && (n || !is_full))
			return "an event is lost whose write had returned";
		if (!is_whole(t, is_full ? since : 0))
			return "an event is lost before others";
	}
	return shared->codes ? "the process could not begin" : logged.wrong;
}

static TRACEHANDLE session;

static void start_private(ULONG mode, ULONG kb, ULONG buffers)
{
	struct properties p = properties_for(LOG);

	p.p.LogFileMode = mode;
	p.p.BufferSize = kb;
	p.p.MinimumBuffers = buffers;
	p.p.MaximumBuffers = buffers;
	p.p.MaximumFileSize = mode == CIRCULAR ? 1 : 0;
	p.p.FlushTimer = 1;
	if (StartTraceA(&session, "private_kills", &p.p) ||
	    session_enable(session, PROVIDER) || !provider_register())
		shared->codes = ERROR_GEN_FAILURE;
}

/* Write until the process ends; what finds no room is written again */
static void *keep_writing(void *arg)
{
	const unsigned int t = (uintptr_t)arg;
	unsigned int n;

	for (n = 0; n < EVENTS; n++) {
		while (write_mark(t, n, more_of(n)))
			usleep(50);
		shared->returned[t] = n + 1;
	}
	return NULL;
}

static void start_threads(void)
{
	pthread_t thread;

	for (unsigned int t = 0; t < THREADS; t++)
		pthread_create(&thread, NULL, keep_writing,
			       (void *)(uintptr_t)t);
}

static void write_few(unsigned int from)
{
	for (unsigned int n = from; n < from + FEW; n++) {
		shared->codes |= write_mark(0, n, more_of(n));
		shared->returned[0] = n + 1;
	}
}

static void path_of(char *path, unsigned int log)
{
	sprintf(path, log ? "%s.%u" : "%s", LOG, log);
}

static void switch_log(unsigned int log)
{
	struct properties p;
	char path[64];

	path_of(path, log);
	p = properties_for(path);
	p.p.LogFileMode = SEQUENTIAL;
	shared->codes |= ControlTraceA(session, NULL, &p.p,
				       EVENT_TRACE_CONTROL_UPDATE);
}

/* Switch to one log after another */
static void switch_logs(void)
{
	for (unsigned int i = 1; i < LOGS; i++) {
		switch_log(i);
		usleep(random() % 3000);
	}
}

static void read_logs(void)
{
	char path[64];

	for (unsigned int i = 0; i < LOGS; i++) {
		path_of(path, i);
		if (!access(path, F_OK) && size_of(path))
			read_log(path);
		unlink(path);
	}
}

static pid_t begin(void)
{
	pid_t child;

	memset(shared, 0, sizeof(*shared));
	memset(&logged, 0, sizeof(logged));
	child = fork();
	if (!child)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return child;
}

static void wait_and_kill(pid_t child)
{
	volatile unsigned int left;

	if (random() % 4)
		wait_for_writes(random() % THREADS, random() % AFTER);
	/* As often for a thousand turns as for a million */
	left = random() % (1u << random() % 22);
	while (left)
		left--;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* Kill processes that write; returns an error text or NULL */
static const char *run_and_kill(ULONG mode, bool switches)
{
	static const unsigned int sizes[] = { 4, 16, 64 };
	/* A circular log has room for four times the buffers in memory */
	const unsigned int kb = mode == CIRCULAR ? 4 : sizes[random() % 3];
	const unsigned int buffers = 16 + random() % 48;
	const pid_t child = begin();

	if (!child) {
		start_private(mode, kb, buffers);
		start_threads();
		if (switches)
			switch_logs();
		while (true)
			pause();
	}
	wait_and_kill(child);
	/* Between the first use of a log and the end of the one before */
	logged.may_lack_end = switches;
	/* Killed before it had a log */
	if (!shared->returned[0] && access(LOG, F_OK))
		return NULL;
	read_logs();
	return compare(mode == CIRCULAR);
}

static const char *kill_many(ULONG mode, bool switches, unsigned int kills)
{
	const unsigned int seed = number_of("EVNT_SEED", getpid());
	unsigned long events = 0;
	const char *wrong = NULL;
	unsigned int i;

	srandom(seed);
	for (i = 0; i < kills && !wrong; i++) {
		wrong = run_and_kill(mode, switches);
		events += logged.events;
	}
	ksft_print_msg("%u processes, %lu events, EVNT_SEED=%u\n", i, events,
		       seed);
	return events || wrong ? wrong : "no event was written";
}

TEST_F_TIMEOUT(rings, a_killed_process_loses_nothing_of_a_sequential_log, 36000)
{
	const char *wrong = kill_many(SEQUENTIAL, false,
			number_of("EVNT_PRIVATE_KILLS", many(KILLS)));

	EXPECT_STREQ("", wrong ?: "");
}

TEST_F_TIMEOUT(rings, a_killed_process_loses_nothing_new_of_a_circular_log, 36000)
{
	const char *wrong = kill_many(CIRCULAR, false,
			number_of("EVNT_PRIVATE_KILLS", many(KILLS)));

	EXPECT_STREQ("", wrong ?: "");
}

TEST_F_TIMEOUT(rings, a_killed_process_loses_nothing_while_logs_are_switched, 36000)
{
	const char *wrong = kill_many(SEQUENTIAL, true,
			number_of("EVNT_PRIVATE_KILLS", many(KILLS)));

	EXPECT_STREQ("", wrong ?: "");
}

/* Run @end in a process that has written; returns an error text or NULL */
static const char *end_by(void (*end)(void), unsigned int events)
{
	const pid_t child = begin();
	int status;

	if (!child) {
		start_private(SEQUENTIAL, 16, 16);
		write_few(0);
		end();
		_exit(1);
	}
	waitpid(child, &status, 0);
	if (shared->returned[0] != events || WIFSTOPPED(status))
		return "the process has not written";
	read_logs();
	return compare(false);
}

static void by_exit(void)
{
	_exit(0);
}

static void by_exec(void)
{
	execl("/bin/true", "true", NULL);
}

static void by_signal(void)
{
	raise(SIGSEGV);
}

TEST_F(rings, a_process_that_ends_without_handlers_loses_nothing)
{
	EXPECT_STREQ("", end_by(by_exit, FEW) ?: "");
	EXPECT_STREQ("", end_by(by_exec, FEW) ?: "");
	EXPECT_STREQ("", end_by(by_signal, FEW) ?: "");
}

/* The child outlives its parent, and ends in its own way */
static void by_signal_after_fork(void)
{
	if (!fork()) {
		usleep(300000);
		exit(0);
	}
	write_few(FEW);
	raise(SIGKILL);
}

TEST_F(rings, a_child_process_does_not_delay_the_end_of_its_parents_log)
{
	EXPECT_STREQ("", end_by(by_signal_after_fork, 2 * FEW) ?: "");
}

/* The device stays open for the log alone */
static void by_signal_after_unregister(void)
{
	EventUnregister(handle);
	raise(SIGKILL);
}

TEST_F(rings, a_process_without_providers_loses_nothing)
{
	EXPECT_STREQ("", end_by(by_signal_after_unregister, FEW) ?: "");
}

/* Close each descriptor of the device, as a daemon does */
static void close_device(void)
{
	DIR *dir = opendir("/proc/self/fd");
	char target[64], path[300];
	struct dirent *d;
	ssize_t len;

	while ((d = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/self/fd/%s", d->d_name);
		len = readlink(path, target, sizeof(target) - 1);
		target[len > 0 ? len : 0] = 0;
		if (!strcmp(target, "/dev/evntprov"))
			close(atoi(d->d_name));
	}
	closedir(dir);
}

/* The library opens the device again when another provider is registered */
static void by_signal_after_close(void)
{
	GUID id = provider_id(PROVIDER + 1);
	REGHANDLE other;

	close_device();
	EventRegister(&id, NULL, NULL, &other);
	write_few(FEW);
	raise(SIGKILL);
}

TEST_F(rings, a_device_that_is_opened_again_completes_the_log)
{
	EXPECT_STREQ("", end_by(by_signal_after_close, 2 * FEW) ?: "");
}

static void *switch_to_second(void *arg)
{
	switch_log(1);
	return arg;
}

/* Another device is opened while the session begins its second log */
static void by_signal_after_both(void)
{
	GUID id = provider_id(PROVIDER + 1);
	REGHANDLE other;
	pthread_t thread;

	pthread_create(&thread, NULL, switch_to_second, NULL);
	usleep(random() % 2000);
	close_device();
	EventRegister(&id, NULL, NULL, &other);
	pthread_join(thread, NULL);
	write_few(FEW);
	raise(SIGKILL);
}

TEST_F(rings, another_device_completes_the_log_that_begins_just_then)
{
	for (unsigned int i = 0; i < many(KILLS); i++)
		ASSERT_STREQ("", end_by(by_signal_after_both, 2 * FEW) ?: "");
}

/* The log of a session that has stopped is the program's: here it removes its end */
static void by_signal_after_stop(void)
{
	struct properties p = properties_for("");
	const uint64_t end = 0;
	int fd;

	shared->codes |= ControlTraceA(session, NULL, &p.p,
				       EVENT_TRACE_CONTROL_STOP);
	fd = open(LOG, O_RDWR);
	if (pwrite(fd, &end, sizeof(end), END_TIME) != sizeof(end))
		shared->codes = ERROR_GEN_FAILURE;
	raise(SIGKILL);
}

TEST_F(rings, nothing_is_written_to_the_log_of_a_session_that_has_stopped)
{
	EXPECT_STREQ("a log with events has no end",
		     end_by(by_signal_after_stop, FEW) ?: "");
}

/* Write an event with data that are absent, and so never complete it */
static void *write_absent(void *absent)
{
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, ((struct absent *)absent)->pages, 100);
	EventWrite(handle, &descriptor, 1, &data);
	return NULL;
}

static void by_signal_during_a_write(void)
{
	static struct absent absent;
	pthread_t thread;

	shared->codes |= absent_open(&absent, 1);
	pthread_create(&thread, NULL, write_absent, &absent);
	shared->codes |= absent_wanted(&absent) < 0;
	write_few(FEW);
	raise(SIGKILL);
}

TEST_F(rings, an_event_that_is_being_written_is_not_recorded)
{
	stay_on(0);
	EXPECT_STREQ("", end_by(by_signal_during_a_write, 2 * FEW) ?: "");
}

TEST_HARNESS_MAIN
