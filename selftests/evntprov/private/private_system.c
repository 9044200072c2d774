// SPDX-License-Identifier: GPL-2.0
/*
 * System-wide private sessions: one controller, and processes that participate
 * or not, each with a file of its own.
 *
 * The processes run this program under another name, with EVNT_SERVE in the
 * environment: they obey commands of one letter, and reply with the result.
 */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define ONE		"/tmp/evnt_private_one"
#define TWO		"/tmp/evnt_private_two"
#define LOG		"/tmp/private_system.etl"
#define OTHER_LOG	"/tmp/private_system_2.etl"
#define NAME		"private_system"
#define SYSTEM		(EVENT_TRACE_PRIVATE_LOGGER_MODE |	\
			 EVENT_TRACE_FILE_MODE_SEQUENTIAL)

/* Commands to a process */
#define REGISTER	'r'	/* with a callback */
#define REGISTER_BARE	'b'	/* without */
#define UNREGISTER	'u'
#define WRITE		'w'
#define IS_ENABLED	'e'
#define CALLS		'c'	/* number of calls of the callback */
#define REPORTED		't'	/* control code of the last one */
#define FORK		'f'	/* the child writes, and exits */
#define FORK_SILENT	's'	/* the child only exits */
#define END_IN_CALLBACK	'd'	/* exit in the callback on disable */
#define REGISTER_OTHER	'o'	/* the second provider */
#define OTHER_DISABLED	'n'	/* number of its disable callbacks */
#define HOLD		'h'	/* block the first one's callback */
#define IS_HELD		'i'
#define LET_GO		'g'	/* release the callback */
#define UNDUMPABLE	'p'	/* deny ptrace by the same user */
#define END		'x'

static REGHANDLE served, other_served;
static volatile UCHAR calls, reported, other_disabled, hold, is_held,
	end_when_reported;

static void callback(LPCGUID source, ULONG control, UCHAR level, ULONGLONG any,
		     ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter,
		     PVOID context)
{
	reported = control;
	calls++;
	if (end_when_reported && control == EVENT_CONTROL_CODE_DISABLE_PROVIDER)
		exit(0);
	while (hold) {
		is_held = true;
		usleep(1000);
	}
	is_held = false;
}

static void other_callback(LPCGUID source, ULONG control, UCHAR level,
			   ULONGLONG any, ULONGLONG all,
			   PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	other_disabled += control == EVENT_CONTROL_CODE_DISABLE_PROVIDER;
}

static UCHAR write_event(USHORT id)
{
	const EVENT_DESCRIPTOR d = { .Id = id, .Level = 4, .Keyword = 1 };

	return EventWrite(served, &d, 0, NULL);
}

static UCHAR fork_and(bool write)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		exit(write ? write_event(7) : 0);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static UCHAR register_other(void)
{
	GUID provider = provider_id(2);

	return EventRegister(&provider, other_callback, NULL, &other_served);
}

/* Set up or query the callback of a serving process */
static UCHAR serve_callback(char what)
{
	switch (what) {
	case OTHER_DISABLED:
		return other_disabled;
	case IS_HELD:
		return is_held;
	case HOLD:
	case LET_GO:
		hold = what == HOLD;
		return 0;
	case END_IN_CALLBACK:
		end_when_reported = true;
		return 0;
	}
	exit(0);
}

static UCHAR serve_one(char what)
{
	static USHORT id;
	GUID provider = provider_id(1);

	switch (what) {
	case REGISTER:
		return EventRegister(&provider, callback, NULL, &served);
	case REGISTER_BARE:
		return EventRegister(&provider, NULL, NULL, &served);
	case UNREGISTER:
		return EventUnregister(served);
	case WRITE:
		return write_event(++id);
	case IS_ENABLED:
		return EventProviderEnabled(served, 4, 1);
	case CALLS:
		return calls;
	case REPORTED:
		return reported;
	case FORK:
	case FORK_SILENT:
		return fork_and(what == FORK);
	case REGISTER_OTHER:
		return register_other();
	case UNDUMPABLE:
		return !!prctl(PR_SET_DUMPABLE, 0);
	}
	return serve_callback(what);
}

static void __attribute__((constructor)) serve(void)
{
	char what, answer;

	if (!getenv("EVNT_SERVE"))
		return;
	while (read(0, &what, 1) == 1) {
		answer = serve_one(what);
		if (write(1, &answer, 1) != 1)
			break;
	}
	exit(0);
}

/* A serving process */
struct process {
	pid_t pid;
	int to;
	int from;
};

static void copy_self(const char *path)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	while (sendfile(to, from, NULL, 1 << 20) > 0)
		;
	close(from);
	close(to);
}

static struct process process_start_as(const char *path, uid_t uid)
{
	struct process p = { 0 };
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		return p;
	p.pid = fork();
	if (!p.pid) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		setenv("EVNT_SERVE", "1", 1);
		if (uid && (setgid(uid) || setuid(uid)))
			_exit(99);
		execl(path, path, NULL);
		_exit(98);
	}
	close(to[0]);
	close(from[1]);
	p.to = to[1];
	p.from = from[0];
	return p;
}

static struct process process_start(const char *path)
{
	return process_start_as(path, 0);
}

/* Send a command; returns the reply, or 255 if the process has ended */
static UCHAR request(const struct process *p, char what)
{
	UCHAR answer;

	if (write(p->to, &what, 1) != 1 || read(p->from, &answer, 1) != 1)
		return 255;
	return answer;
}

static void process_wait(struct process *p)
{
	close(p->to);
	close(p->from);
	waitpid(p->pid, NULL, 0);
	p->pid = 0;
}

/* EVENT_TRACE_PROPERTIES_V2 with room for names and filters */
struct system {
	EVENT_TRACE_PROPERTIES_V2 p;
	char session[1100];
	char log[1100];
	EVENT_FILTER_DESCRIPTOR filter[4];
	ULONG pids[16];
	WCHAR names[128];
};

static struct system *system_for(struct system *s, const char *log)
{
	memset(s, 0, sizeof(*s));
	s->p.Wnode.BufferSize = offsetof(struct system, filter);
	s->p.Wnode.Flags = WNODE_FLAG_TRACED_GUID |
			   WNODE_FLAG_VERSIONED_PROPERTIES;
	s->p.Wnode.Guid = provider_id(1);
	s->p.V2Control = 2;
	s->p.LogFileMode = SYSTEM;
	s->p.LoggerNameOffset = offsetof(struct system, session);
	s->p.LogFileNameOffset = offsetof(struct system, log);
	s->p.FilterDesc = s->filter;
	snprintf(s->log, sizeof(s->log), "%s", log);
	return s;
}

static void add_filter(struct system *s, ULONG type, const void *data,
		       ULONG size)
{
	s->filter[s->p.FilterDescCount++] = (EVENT_FILTER_DESCRIPTOR) {
		.Ptr = (uintptr_t)data, .Size = size, .Type = type,
	};
}

static struct system *for_pids(struct system *s, const char *log, ULONG first,
			       ULONG second)
{
	system_for(s, log);
	s->pids[0] = first;
	s->pids[1] = second;
	add_filter(s, EVENT_FILTER_TYPE_PID, s->pids,
		   (second ? 2 : 1) * sizeof(ULONG));
	return s;
}

static void add_names(struct system *s, const char *names)
{
	size_t i;

	for (i = 0; names[i]; i++)
		s->names[i] = names[i];
	add_filter(s, EVENT_FILTER_TYPE_EXECUTABLE_NAME, s->names,
		   (i + 1) * sizeof(WCHAR));
}

static struct system *for_names(struct system *s, const char *log,
				const char *names)
{
	system_for(s, log);
	add_names(s, names);
	return s;
}

static ULONG start_as(struct system *s, const char *name, TRACEHANDLE *h)
{
	return StartTraceA(h, name, (void *)&s->p);
}

static ULONG start(struct system *s, TRACEHANDLE *h)
{
	return start_as(s, NAME, h);
}

/* Call ControlTrace() with a copy of @s, which the results do not change */
static ULONG control(const struct system *s, TRACEHANDLE h, const char *name,
		     ULONG code, struct system *out)
{
	struct system copy = *s;
	ULONG result;

	copy.p.FilterDesc = copy.filter;
	*copy.log = 0;
	result = ControlTraceA(h, name, (void *)&copy.p, code);
	if (out)
		*out = copy;
	return result;
}

static ULONG stop(const struct system *s, TRACEHANDLE h)
{
	return control(s, h, NULL, EVENT_TRACE_CONTROL_STOP, NULL);
}

static ULONG flush(const struct system *s, TRACEHANDLE h)
{
	return control(s, h, NULL, EVENT_TRACE_CONTROL_FLUSH, NULL);
}

static ULONG enable_with(TRACEHANDLE h, ULONG code, ULONG property,
			 PEVENT_FILTER_DESCRIPTOR filter)
{
	ENABLE_TRACE_PARAMETERS more = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableProperty = property,
		.EnableFilterDesc = filter,
		.FilterDescCount = !!filter,
	};
	GUID id = provider_id(1);

	return EnableTraceEx2(h, &id, code, 0, 0, 0, INFINITE, &more);
}

/* Enable, disable or capture state of provider @n */
static ULONG control_id(TRACEHANDLE h, unsigned int n, ULONG code, ULONG timeout)
{
	GUID id = provider_id(n);

	return EnableTraceEx2(h, &id, code, 0, 0, 0, timeout, NULL);
}

static ULONG enable(TRACEHANDLE h)
{
	return enable_with(h, EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0, NULL);
}

struct read_back {
	unsigned int events;
	ULONG pid;
	USHORT ids[8];
	ULONG items;	/* a bit for each EVENT_HEADER_EXT_TYPE_* */
	TRACE_LOGFILE_HEADER header;
};

static VOID WINAPI count(PEVENT_RECORD r)
{
	struct read_back *back = r->UserContext;
	GUID id = provider_id(1);
	USHORT i;

	if (memcmp(&r->EventHeader.ProviderId, &id, sizeof(id)) != 0)
		return;
	back->ids[back->events++ % 8] = r->EventHeader.EventDescriptor.Id;
	back->pid = r->EventHeader.ProcessId;
	for (i = 0; i < r->ExtendedDataCount; i++)
		back->items |= 1u << r->ExtendedData[i].ExtType;
}

/* Read the events of a process's file; -1 if there is none or on an error */
static int read_file(const char *log, pid_t pid, struct read_back *back)
{
	EVENT_TRACE_LOGFILEA l = {
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = count,
		.Context = back,
	};
	char path[64];
	ULONG code;

	memset(back, 0, sizeof(*back));
	snprintf(path, sizeof(path), "%s_%d", log, pid);
	l.LogFileName = path;
	code = log_process(&l);
	back->header = l.LogfileHeader;
	return code ? -1 : (int)back->events;
}

static int events_of(const char *log, pid_t pid)
{
	struct read_back back;

	return read_file(log, pid, &back);
}

FIXTURE(private_system) {
	struct process one;
	struct process two;
	struct system s;
	TRACEHANDLE h;
};

FIXTURE_SETUP(private_system)
{
	signal(SIGPIPE, SIG_IGN);
	copy_self(ONE);
	copy_self(TWO);
	self->one = process_start(ONE);
	self->two = process_start(TWO);
	ASSERT_EQ(0, request(&self->one, REGISTER));
	ASSERT_EQ(0, request(&self->two, REGISTER));
	for_pids(&self->s, LOG, self->one.pid, 0);
}

FIXTURE_TEARDOWN(private_system)
{
	if (self->one.pid)
		process_wait(&self->one);
	if (self->two.pid)
		process_wait(&self->two);
	EXPECT_EQ(0, system("rm -f " ONE " " TWO " " LOG "* " OTHER_LOG "*"));
}

/* Start the session and enable the provider */
static ULONG begin(FIXTURE_DATA(private_system) *self)
{
	ULONG code = start(&self->s, &self->h);

	return code ? code : enable(self->h);
}

TEST_F(private_system, a_given_process_writes_its_own_file)
{
	struct read_back back;

	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(1, request(&self->one, IS_ENABLED));
	EXPECT_EQ(0, request(&self->two, IS_ENABLED));
	EXPECT_EQ(0, request(&self->one, WRITE));
	EXPECT_EQ(0, request(&self->one, WRITE));
	EXPECT_EQ(0, request(&self->two, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(0, request(&self->one, IS_ENABLED));
	EXPECT_EQ(2, read_file(LOG, self->one.pid, &back));
	EXPECT_EQ(self->one.pid, back.pid);
	EXPECT_NE(0, back.header.EndTime.QuadPart);
	EXPECT_EQ(-1, events_of(LOG, self->two.pid));
}

TEST_F(private_system, two_processes_write_a_file_each)
{
	for_pids(&self->s, LOG, self->one.pid, self->two.pid);
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, WRITE));
	EXPECT_EQ(0, request(&self->two, WRITE));
	EXPECT_EQ(0, request(&self->two, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(1, events_of(LOG, self->one.pid));
	EXPECT_EQ(2, events_of(LOG, self->two.pid));
}

TEST_F(private_system, a_process_is_found_by_its_executable)
{
	for_names(&self->s, LOG, "nothing;EVNT_private_two");
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, IS_ENABLED));
	EXPECT_EQ(1, request(&self->two, IS_ENABLED));
	EXPECT_EQ(0, request(&self->two, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(-1, events_of(LOG, self->one.pid));
	EXPECT_EQ(1, events_of(LOG, self->two.pid));
}

TEST_F(private_system, a_process_must_match_both_filters)
{
	for_pids(&self->s, LOG, self->one.pid, self->two.pid);
	add_names(&self->s, "evnt_private_two");
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, IS_ENABLED));
	EXPECT_EQ(1, request(&self->two, IS_ENABLED));
	ASSERT_EQ(0, stop(&self->s, self->h));
}

TEST_F(private_system, a_later_process_participates_at_once)
{
	struct process late;

	for_names(&self->s, LOG, "evnt_private_one");
	ASSERT_EQ(0, begin(self));
	late = process_start(ONE);
	ASSERT_EQ(0, request(&late, REGISTER));
	EXPECT_EQ(1, request(&late, CALLS));
	EXPECT_EQ(1, request(&late, IS_ENABLED));
	EXPECT_EQ(0, request(&late, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(1, events_of(LOG, late.pid));
	EXPECT_EQ(0, events_of(LOG, self->one.pid));
	process_wait(&late);
}

TEST_F(private_system, without_a_callback_recording_begins_with_the_first_event)
{
	struct process bare = process_start(ONE);

	ASSERT_EQ(0, request(&bare, REGISTER_BARE));
	for_pids(&self->s, LOG, bare.pid, 0);
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(-1, events_of(LOG, bare.pid));
	EXPECT_EQ(0, request(&bare, WRITE));
	EXPECT_EQ(0, request(&bare, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(2, events_of(LOG, bare.pid));
	process_wait(&bare);
}

TEST_F(private_system, a_process_that_ends_completes_its_file)
{
	struct read_back back;
	pid_t pid = self->one.pid;
	struct system out;

	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, WRITE));
	process_wait(&self->one);
	EXPECT_EQ(1, read_file(LOG, pid, &back));
	EXPECT_NE(0, back.header.EndTime.QuadPart);
	ASSERT_EQ(0, control(&self->s, self->h, NULL, EVENT_TRACE_CONTROL_STOP,
			     &out));
	/* The total still includes the exited process */
	EXPECT_EQ(2, out.p.BuffersWritten);
}

TEST_F(private_system, the_file_of_a_killed_process_is_complete)
{
	struct read_back back;
	pid_t pid = self->one.pid;

	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, flush(&self->s, self->h));
	EXPECT_EQ(0, request(&self->one, WRITE));
	kill(pid, SIGKILL);
	process_wait(&self->one);
	EXPECT_EQ(2, read_file(LOG, pid, &back));
	EXPECT_NE(0, back.header.EndTime.QuadPart);
	EXPECT_EQ(0, stop(&self->s, self->h));
}

TEST_F(private_system, a_name_in_use_is_ALREADY_EXISTS)
{
	struct system other;
	TRACEHANDLE h;

	ASSERT_EQ(0, start(&self->s, &self->h));
	for_pids(&other, OTHER_LOG, self->two.pid, 0);
	EXPECT_EQ(ERROR_ALREADY_EXISTS, start(&other, &h));
	EXPECT_EQ(0, h);
	EXPECT_EQ(0, start_as(&other, "private_system_2", &h));
	EXPECT_EQ(0, stop(&other, h));
	EXPECT_EQ(0, stop(&self->s, self->h));
}

TEST_F(private_system, an_id_in_use_with_the_same_filters_is_ALREADY_EXISTS)
{
	struct system other;
	TRACEHANDLE h;

	ASSERT_EQ(0, start(&self->s, &self->h));
	for_pids(&other, OTHER_LOG, self->one.pid, 0);
	EXPECT_EQ(ERROR_ALREADY_EXISTS, start_as(&other, "another", &h));
	EXPECT_EQ(0, stop(&self->s, self->h));
}

TEST_F(private_system, ControlTrace_requires_the_same_filters)
{
	struct properties plain = properties_for("");
	struct system other;

	ASSERT_EQ(0, start(&self->s, &self->h));
	for_pids(&other, "", self->two.pid, 0);
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND, stop(&other, self->h));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  control(&other, 0, NAME, EVENT_TRACE_CONTROL_STOP, NULL));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  ControlTraceA(self->h, NULL, &plain.p,
				EVENT_TRACE_CONTROL_QUERY));
	EXPECT_EQ(0, control(&self->s, 0, NAME, EVENT_TRACE_CONTROL_STOP, NULL));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND, stop(&self->s, self->h));
}

/* Result of each filter instead of the right one */
TEST_F(private_system, invalid_filters_are_rejected)
{
	struct system *s = &self->s;

#define START_FAILS(code, ...) ({					\
	for_pids(s, LOG, self->one.pid, 0);				\
	__VA_ARGS__;							\
	EXPECT_EQ(code, start(s, &self->h));				\
	EXPECT_EQ(0, self->h); })
	START_FAILS(ERROR_INVALID_PARAMETER,
		    s->filter[0].Type = EVENT_FILTER_TYPE_EVENT_ID);
	START_FAILS(ERROR_INVALID_PARAMETER,
		    s->filter[0].Type = EVENT_FILTER_TYPE_PACKAGE_ID);
	START_FAILS(ERROR_INVALID_PARAMETER,
		    add_filter(s, EVENT_FILTER_TYPE_PID, s->pids, 4));
	START_FAILS(ERROR_INVALID_PARAMETER, s->filter[0].Size = 0);
	START_FAILS(ERROR_INVALID_PARAMETER, s->filter[0].Size = 3);
	START_FAILS(ERROR_INVALID_PARAMETER, s->filter[0].Size = 9 * 4);
	START_FAILS(ERROR_INVALID_PARAMETER, s->filter[0].Ptr = 0);
	START_FAILS(ERROR_INVALID_PARAMETER, s->p.FilterDesc = NULL);
	START_FAILS(ERROR_INVALID_PARAMETER, s->p.FilterDescCount = 14);
	START_FAILS(ERROR_INVALID_PARAMETER,
		    s->filter[0].Type = EVENT_FILTER_TYPE_EXECUTABLE_NAME;
		    s->filter[0].Size = 1025 * 2);
	START_FAILS(ERROR_INVALID_PARAMETER,
		    s->filter[0].Type = EVENT_FILTER_TYPE_EXECUTABLE_NAME;
		    s->pids[0] = ';');
}

TEST_F(private_system, filters_require_a_private_session)
{
	struct system *s = &self->s;

	START_FAILS(ERROR_INVALID_PARAMETER,
		    s->p.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL);
	START_FAILS(ERROR_INVALID_PARAMETER,
		    s->p.LogFileMode |= EVENT_TRACE_PRIVATE_IN_PROC);
}

TEST_F(private_system, modes_that_private_sessions_lack_are_rejected)
{
	static const ULONG modes[] = {
		EVENT_TRACE_REAL_TIME_MODE, EVENT_TRACE_FILE_MODE_APPEND,
		EVENT_TRACE_FILE_MODE_NEWFILE,
		EVENT_TRACE_FILE_MODE_PREALLOCATE,
		EVENT_TRACE_INDEPENDENT_SESSION_MODE,
		EVENT_TRACE_FILE_MODE_CIRCULAR,
	};
	struct system *s = &self->s;
	unsigned int i;

	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		START_FAILS(ERROR_INVALID_PARAMETER,
			    s->p.MaximumFileSize = 1;
			    s->p.LogFileMode |= modes[i]);
	}
	START_FAILS(ERROR_NOT_SUPPORTED,
		    s->p.LogFileMode |= EVENT_TRACE_SECURE_MODE);
	START_FAILS(ERROR_INVALID_PARAMETER,
		    memset(&s->p.Wnode.Guid, 0, sizeof(GUID)));
	START_FAILS(ERROR_BAD_PATHNAME, *s->log = 0);
}

/* With properties of version 1, it is a session of this process */
TEST_F(private_system, filters_are_read_only_from_EVENT_TRACE_PROPERTIES_V2)
{
	struct system *s = &self->s;
	struct properties plain = properties_for("");

	s->p.Wnode.Flags &= ~WNODE_FLAG_VERSIONED_PROPERTIES;
	ASSERT_EQ(0, start(s, &self->h));
	EXPECT_EQ(0, enable(self->h));
	EXPECT_EQ(0, request(&self->one, IS_ENABLED));
	EXPECT_EQ(0, ControlTraceA(self->h, NULL, &plain.p,
				   EVENT_TRACE_CONTROL_STOP));
}

TEST_F(private_system, a_query_returns_the_sum_of_all_processes)
{
	struct system out;

	for_pids(&self->s, LOG, self->one.pid, self->two.pid);
	self->s.p.BufferSize = 8;
	self->s.p.FlushTimer = 100;
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(self->h, self->s.p.Wnode.HistoricalContext);
	ASSERT_EQ(0, flush(&self->s, self->h));
	ASSERT_EQ(0, control(&self->s, 0, NAME, EVENT_TRACE_CONTROL_QUERY,
			     &out));
	/* One header per file */
	EXPECT_EQ(2, out.p.BuffersWritten);
	EXPECT_EQ(8, out.p.BufferSize);
	EXPECT_EQ(100, out.p.FlushTimer);
	EXPECT_EQ(0, out.p.EventsLost);
	EXPECT_LT(0, out.p.NumberOfBuffers);
	EXPECT_STREQ(NAME, out.session);
	EXPECT_STREQ(LOG, out.log);
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, flush(&self->s, self->h));
	ASSERT_EQ(0, control(&self->s, self->h, NULL,
			     EVENT_TRACE_CONTROL_QUERY, &out));
	EXPECT_EQ(3, out.p.BuffersWritten);
	EXPECT_EQ(0, stop(&self->s, self->h));
}

TEST_F(private_system, QueryAllTraces_omits_system_wide_private_sessions)
{
	struct properties p = properties_for("");
	EVENT_TRACE_PROPERTIES *all[1] = { &p.p };
	ULONG before = 9, after = 9;

	QueryAllTracesA(all, 1, &before);
	ASSERT_EQ(0, start(&self->s, &self->h));
	p = properties_for("");
	QueryAllTracesA(all, 1, &after);
	EXPECT_EQ(before, after);
	EXPECT_EQ(0, stop(&self->s, self->h));
}

TEST_F(private_system, UpdateTrace_continues_in_another_file)
{
	struct system other;

	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, WRITE));
	other = self->s;
	other.p.FilterDesc = other.filter;
	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  ControlTraceA(self->h, NULL, (void *)&other.p,
				EVENT_TRACE_CONTROL_UPDATE));
	other.p.LogFileMode |= EVENT_TRACE_REAL_TIME_MODE;
	strcpy(other.log, OTHER_LOG);
	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  ControlTraceA(self->h, NULL, (void *)&other.p,
				EVENT_TRACE_CONTROL_UPDATE));
	other = self->s;
	other.p.FilterDesc = other.filter;
	other.p.FlushTimer = 7;
	strcpy(other.log, OTHER_LOG);
	ASSERT_EQ(0, ControlTraceA(self->h, NULL, (void *)&other.p,
				   EVENT_TRACE_CONTROL_UPDATE));
	EXPECT_EQ(7, other.p.FlushTimer);
	EXPECT_STREQ(OTHER_LOG, other.log);
	EXPECT_EQ(0, request(&self->one, WRITE));
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(1, events_of(LOG, self->one.pid));
	EXPECT_EQ(2, events_of(OTHER_LOG, self->one.pid));
}

TEST_F(private_system, control_codes_of_other_modes_are_rejected)
{
	ASSERT_EQ(0, start(&self->s, &self->h));
	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  control(&self->s, self->h, NULL,
			  EVENT_TRACE_CONTROL_INCREMENT_FILE, NULL));
	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  control(&self->s, self->h, NULL,
			  EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME, NULL));
	EXPECT_EQ(0, stop(&self->s, self->h));
}

TEST_F(private_system, callbacks_are_notified)
{
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(1, request(&self->one, CALLS));
	EXPECT_EQ(EVENT_CONTROL_CODE_ENABLE_PROVIDER,
		  request(&self->one, REPORTED));
	ASSERT_EQ(0, enable_with(self->h, EVENT_CONTROL_CODE_CAPTURE_STATE, 0,
				 NULL));
	EXPECT_EQ(2, request(&self->one, CALLS));
	EXPECT_EQ(EVENT_CONTROL_CODE_CAPTURE_STATE,
		  request(&self->one, REPORTED));
	ASSERT_EQ(0, enable_with(self->h, EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0,
				 NULL));
	EXPECT_EQ(3, request(&self->one, CALLS));
	EXPECT_EQ(EVENT_CONTROL_CODE_DISABLE_PROVIDER,
		  request(&self->one, REPORTED));
	ASSERT_EQ(0, enable(self->h));
	EXPECT_EQ(4, request(&self->one, CALLS));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(5, request(&self->one, CALLS));
	EXPECT_EQ(EVENT_CONTROL_CODE_DISABLE_PROVIDER,
		  request(&self->one, REPORTED));
	EXPECT_EQ(0, request(&self->two, CALLS));
}

TEST_F(private_system, events_are_filtered)
{
	struct { EVENT_FILTER_EVENT_ID f; USHORT more; } ids = {
		.f = { .FilterIn = TRUE, .Count = 1, .Events = { 2 } },
	};
	EVENT_FILTER_DESCRIPTOR filter = {
		.Ptr = (uintptr_t)&ids, .Size = 6,
		.Type = EVENT_FILTER_TYPE_EVENT_ID,
	};
	struct read_back back;

	ASSERT_EQ(0, start(&self->s, &self->h));
	ASSERT_EQ(0, enable_with(self->h, EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0,
				 &filter));
	EXPECT_EQ(0, request(&self->one, WRITE));
	EXPECT_EQ(0, request(&self->one, WRITE));
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(1, read_file(LOG, self->one.pid, &back));
	EXPECT_EQ(2, back.ids[0]);
}

TEST_F(private_system, events_have_the_requested_extended_items)
{
	const ULONG items = 1u << EVENT_HEADER_EXT_TYPE_SID |
			    1u << EVENT_HEADER_EXT_TYPE_STACK_TRACE64;
	struct read_back back;

	ASSERT_EQ(0, start(&self->s, &self->h));
	ASSERT_EQ(0, enable_with(self->h, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
				 EVENT_ENABLE_PROPERTY_SID |
				 EVENT_ENABLE_PROPERTY_STACK_TRACE, NULL));
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(1, read_file(LOG, self->one.pid, &back));
	EXPECT_EQ(items, back.items);
}

TEST_F(private_system, filters_select_the_events_with_call_stacks)
{
	EVENT_FILTER_LEVEL_KW none = { .FilterIn = FALSE, .Level = 4 };
	EVENT_FILTER_DESCRIPTOR filter = {
		.Ptr = (uintptr_t)&none, .Size = sizeof(none),
		.Type = EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW,
	};
	struct read_back back;

	ASSERT_EQ(0, start(&self->s, &self->h));
	ASSERT_EQ(0, enable_with(self->h, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
				 EVENT_ENABLE_PROPERTY_STACK_TRACE, &filter));
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(1, read_file(LOG, self->one.pid, &back));
	EXPECT_EQ(0, back.items);
}

TEST_F(private_system, unsupported_enable_parameters_are_rejected)
{
	const ULONG on = EVENT_CONTROL_CODE_ENABLE_PROVIDER;
	ULONG pid = self->one.pid;
	EVENT_FILTER_DESCRIPTOR filter = {
		.Ptr = (uintptr_t)&pid, .Size = 4, .Type = EVENT_FILTER_TYPE_PID,
	};

	ASSERT_EQ(0, start(&self->s, &self->h));
	EXPECT_EQ(ERROR_NOT_SUPPORTED, enable_with(self->h, on, 0, &filter));
	EXPECT_EQ(ERROR_NOT_SUPPORTED,
		  enable_with(self->h, on, EVENT_ENABLE_PROPERTY_PROVIDER_GROUP,
			      NULL));
	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  enable_with(self->h, on,
			      EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 |
			      EVENT_ENABLE_PROPERTY_ENABLE_KEYWORD_0, NULL));
	EXPECT_EQ(ERROR_INVALID_PARAMETER, enable_with(self->h, 3, 0, NULL));
	EXPECT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND, enable(self->h));
}

TEST_F(private_system, a_65th_provider_is_rejected)
{
	unsigned int i;
	GUID id;

	ASSERT_EQ(0, start(&self->s, &self->h));
	for (i = 0; i < 65; i++) {
		id = provider_id(i);
		EXPECT_EQ(i < 64 ? 0 : ERROR_NO_SYSTEM_RESOURCES,
			  EnableTraceEx2(self->h, &id,
					 EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0,
					 0, 0, 0, NULL));
	}
	EXPECT_EQ(0, stop(&self->s, self->h));
}

/* Also if a stopped process gets both changes at once */
TEST_F(private_system, the_slot_of_a_disabled_provider_is_reused)
{
	const ULONG on = EVENT_CONTROL_CODE_ENABLE_PROVIDER;
	pid_t pid = self->one.pid;
	unsigned int i;
	int status;

	ASSERT_EQ(0, start(&self->s, &self->h));
	for (i = 0; i < 64; i++)
		EXPECT_EQ(0, control_id(self->h, 100 + i, on, 0));
	EXPECT_EQ(0, flush(&self->s, self->h));
	kill(pid, SIGSTOP);
	ASSERT_EQ(pid, waitpid(pid, &status, WUNTRACED));
	EXPECT_EQ(0, control_id(self->h, 100,
				EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0));
	EXPECT_EQ(0, control_id(self->h, 1, on, 0));
	kill(pid, SIGCONT);
	EXPECT_TRUE(EVENTUALLY(request(&self->one, IS_ENABLED) == 1));
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(1, events_of(LOG, pid));
}

/* A callback blocks while a provider earlier in the list is disabled */
TEST_F(private_system, unchanged_providers_stay_enabled_during_an_update)
{
	const ULONG on = EVENT_CONTROL_CODE_ENABLE_PROVIDER;

	ASSERT_EQ(0, request(&self->one, REGISTER_OTHER));
	ASSERT_EQ(0, start(&self->s, &self->h));
	EXPECT_EQ(0, control_id(self->h, 100, on, INFINITE));
	EXPECT_EQ(0, control_id(self->h, 1, on, INFINITE));
	EXPECT_EQ(0, control_id(self->h, 2, on, INFINITE));
	EXPECT_EQ(0, request(&self->one, HOLD));
	EXPECT_EQ(0, control_id(self->h, 1, on, 0));
	EXPECT_TRUE(EVENTUALLY(request(&self->one, IS_HELD) == 1));
	EXPECT_EQ(0, control_id(self->h, 100,
				EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0));
	EXPECT_EQ(0, request(&self->one, LET_GO));
	EXPECT_EQ(0, flush(&self->s, self->h));
	EXPECT_EQ(0, request(&self->one, OTHER_DISABLED));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(1, request(&self->one, OTHER_DISABLED));
}

TEST_F(private_system, a_65th_private_session_is_rejected)
{
	struct system all[65];
	TRACEHANDLE h[65];
	char name[16];
	unsigned int i;

	for (i = 0; i < 65; i++) {
		for_names(&all[i], LOG, "nothing.of.this.name");
		all[i].names[0] = 'A' + i;
		snprintf(name, sizeof(name), "private_%u", i);
		EXPECT_EQ(i < 64 ? 0 : ERROR_NO_SYSTEM_RESOURCES,
			  start_as(&all[i], name, &h[i]));
	}
	for (i = 0; i < 64; i++)
		EXPECT_EQ(0, stop(&all[i], h[i]));
}

/* A process with eight private sessions does not participate in a ninth */
TEST_F(private_system, a_process_participates_in_at_most_eight_sessions)
{
	struct system all[9];
	TRACEHANDLE h[9];
	char name[16], log[64];
	unsigned int i;

	for (i = 0; i < 9; i++) {
		snprintf(log, sizeof(log), LOG "_%u", i);
		for_pids(&all[i], log, self->one.pid, 99999 + i);
		snprintf(name, sizeof(name), "private_%u", i);
		ASSERT_EQ(0, start_as(&all[i], name, &h[i]));
		ASSERT_EQ(0, enable(h[i]));
	}
	EXPECT_EQ(0, request(&self->one, WRITE));
	for (i = 0; i < 9; i++) {
		EXPECT_EQ(0, stop(&all[i], h[i]));
		EXPECT_EQ(i < 8 ? 1 : -1, events_of(all[i].log, self->one.pid));
	}
}

TEST_F(private_system, a_provider_that_registers_again_is_still_enabled)
{
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, WRITE));
	EXPECT_EQ(0, request(&self->one, UNREGISTER));
	EXPECT_EQ(0, request(&self->one, REGISTER));
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(2, events_of(LOG, self->one.pid));
}

TEST_F(private_system, recording_stops_in_processes_without_registrations)
{
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, WRITE));
	EXPECT_EQ(0, request(&self->one, UNREGISTER));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(1, events_of(LOG, self->one.pid));
	EXPECT_EQ(0, request(&self->one, REGISTER));
	EXPECT_EQ(0, request(&self->one, IS_ENABLED));
}

/* The child's file has its own pid, so it is found by the program's name */
TEST_F(private_system, a_forked_child_that_writes_has_its_own_file)
{
	for_names(&self->s, LOG, "evnt_private_one");
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, FORK_SILENT));
	EXPECT_EQ(0, system("ls " LOG "_* | wc -l | grep -qx 1"));
	EXPECT_EQ(0, request(&self->one, FORK));
	EXPECT_EQ(0, system("ls " LOG "_* | wc -l | grep -qx 2"));
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(1, events_of(LOG, self->one.pid));
}

TEST_F(private_system, a_private_session_outlives_its_controller)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(begin(self));
	waitpid(pid, &status, 0);
	ASSERT_EQ(0, status);
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, control(&self->s, 0, NAME, EVENT_TRACE_CONTROL_STOP, NULL));
	EXPECT_EQ(1, events_of(LOG, self->one.pid));
}

/* A user's file must not be written with root's credentials */
TEST_F(private_system, processes_of_other_users_are_not_covered)
{
	struct process mine = process_start_as(ONE, 65534);

	ASSERT_EQ(0, request(&mine, REGISTER));
	ASSERT_EQ(0, chmod("/dev/evntrace", 0666));
	for_pids(&self->s, LOG, self->one.pid, mine.pid);
	EXPECT_EQ(0, AS_NOBODY(begin(self)));
	EXPECT_EQ(0, request(&self->one, IS_ENABLED));
	EXPECT_EQ(1, request(&mine, IS_ENABLED));
	EXPECT_EQ(0, control(&self->s, 0, NAME, EVENT_TRACE_CONTROL_STOP, NULL));
	EXPECT_EQ(-1, events_of(LOG, self->one.pid));
	EXPECT_EQ(0, events_of(LOG, mine.pid));
	ASSERT_EQ(0, chmod("/dev/evntrace", 0660));
	process_wait(&mine);
}

/* Like a process with secrets: ptrace() requires CAP_SYS_PTRACE */
TEST_F(private_system, processes_that_are_not_dumpable_are_not_covered)
{
	struct process mine = process_start_as(ONE, 65534);

	ASSERT_EQ(0, request(&mine, UNDUMPABLE));
	ASSERT_EQ(0, request(&mine, REGISTER));
	ASSERT_EQ(0, chmod("/dev/evntrace", 0666));
	for_pids(&self->s, LOG, mine.pid, 0);
	EXPECT_EQ(0, AS_NOBODY(begin(self)));
	EXPECT_EQ(0, request(&mine, IS_ENABLED));
	EXPECT_EQ(0, control(&self->s, 0, NAME, EVENT_TRACE_CONTROL_STOP, NULL));
	ASSERT_EQ(0, chmod("/dev/evntrace", 0660));
	EXPECT_EQ(0, begin(self));
	EXPECT_EQ(1, request(&mine, IS_ENABLED));
	EXPECT_EQ(0, control(&self->s, 0, NAME, EVENT_TRACE_CONTROL_STOP, NULL));
	process_wait(&mine);
}

TEST_F(private_system, a_caller_with_less_reach_cannot_change_a_session)
{
	ASSERT_EQ(0, chmod("/dev/evntrace", 0666));
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(ERROR_ACCESS_DENIED, AS_NOBODY(stop(&self->s, self->h)));
	EXPECT_EQ(ERROR_ACCESS_DENIED, AS_NOBODY(flush(&self->s, self->h)));
	EXPECT_EQ(ERROR_ACCESS_DENIED, AS_NOBODY(enable(self->h)));
	EXPECT_EQ(ERROR_ACCESS_DENIED,
		  AS_NOBODY(control(&self->s, self->h, NULL,
				    EVENT_TRACE_CONTROL_UPDATE, NULL)));
	EXPECT_EQ(0, AS_NOBODY(control(&self->s, self->h, NULL,
				       EVENT_TRACE_CONTROL_QUERY, NULL)));
	ASSERT_EQ(0, chmod("/dev/evntrace", 0660));
	EXPECT_EQ(ERROR_ACCESS_DENIED, AS_NOBODY(stop(&self->s, self->h)));
	EXPECT_EQ(0, stop(&self->s, self->h));
}

TEST_F(private_system, a_symbolic_link_in_place_of_the_file_is_not_followed)
{
	char path[64];

	snprintf(path, sizeof(path), LOG "_%d", self->one.pid);
	ASSERT_EQ(0, symlink(OTHER_LOG, path));
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, IS_ENABLED));
	EXPECT_EQ(-1, size_of(OTHER_LOG));
	EXPECT_EQ(0, stop(&self->s, self->h));
}

/* The process catches up when it continues */
TEST_F(private_system, a_process_that_does_not_answer_is_a_timeout)
{
	pid_t pid = self->one.pid;
	int status;

	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, WRITE));
	kill(pid, SIGSTOP);
	/* All threads must have stopped */
	ASSERT_EQ(pid, waitpid(pid, &status, WUNTRACED));
	ASSERT_TRUE(WIFSTOPPED(status));
	EXPECT_EQ(ERROR_TIMEOUT, stop(&self->s, self->h));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND, stop(&self->s, self->h));
	kill(pid, SIGCONT);
	EXPECT_TRUE(EVENTUALLY(events_of(LOG, pid) == 1));
}

/* Sessions of the module and of the process do not notice it */
TEST_F(private_system, sessions_of_the_module_are_not_affected)
{
	TRACEHANDLE session = session_start("private_beside");
	struct etl_scan scan;

	ASSERT_NE(0, session);
	ASSERT_EQ(0, session_enable(session, 1));
	ASSERT_TRUE(EVENTUALLY(request(&self->one, IS_ENABLED) == 1));
	EXPECT_EQ(0, request(&self->one, WRITE));
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, WRITE));
	EXPECT_EQ(0, request(&self->two, WRITE));
	ASSERT_EQ(0, stop(&self->s, self->h));
	EXPECT_EQ(0, request(&self->one, WRITE));
	EXPECT_EQ(0, session_stop(session, NULL));
	EXPECT_EQ(1, events_of(LOG, self->one.pid));
	EXPECT_TRUE(etl_scan("/tmp/private_beside.etl", &scan, NULL, NULL));
	EXPECT_EQ(4, scan.events);
	unlink("/tmp/private_beside.etl");
}

/* The log's own thread runs the callback, so exit() must not wait for it */
TEST_F(private_system, a_callback_may_end_the_process_at_the_limit)
{
	unsigned int i;

	self->s.p.LogFileMode |= EVENT_TRACE_USE_KBYTES_FOR_SIZE;
	self->s.p.BufferSize = 4;
	self->s.p.MaximumFileSize = 8;
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(0, request(&self->one, END_IN_CALLBACK));
	for (i = 0; i < 5000 && request(&self->one, WRITE) != 255; i++)
		;
	ASSERT_TRUE(EVENTUALLY(request(&self->one, CALLS) == 255));
	process_wait(&self->one);
	EXPECT_EQ(0, stop(&self->s, self->h));
}

TEST_HARNESS_MAIN
