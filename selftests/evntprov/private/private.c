// SPDX-License-Identifier: GPL-2.0
/* Private sessions beside the module's sessions: neither disturbs the other. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define MODULE_LOG	"/tmp/private_module.etl"
#define PRIVATE_LOG	"/tmp/private_private.etl"
#define VICTIM		"/tmp/private_victim"
#define CHILDS_LOG	"/tmp/private_childs.etl"
#define IN_PROC		(EVENT_TRACE_PRIVATE_LOGGER_MODE | \
			 EVENT_TRACE_PRIVATE_IN_PROC)
#define ITEMS		(EVENT_ENABLE_PROPERTY_SID |		\
			 EVENT_ENABLE_PROPERTY_TS_ID |		\
			 EVENT_ENABLE_PROPERTY_PROCESS_START_KEY)
#define SECOND		10000000ll	/* in units of FILETIME */
#define MAX_EVENTS	64
#define MAX_TEXT	4096

/* A decoded event except its time; private_same.c compares events completely */
struct decoded {
	unsigned int len;
	BYTE text[MAX_TEXT];
	ULONG thread;
	ULONG process;
	USHORT flags;
	LONGLONG time;
};

struct decoded_log {
	unsigned int count;
	struct decoded event[MAX_EVENTS];
};

static void put(struct decoded *d, const void *data, unsigned int len)
{
	if (d->len + len <= MAX_TEXT)
		memcpy(d->text + d->len, data, len);
	d->len += len;
}

static VOID WINAPI decode(PEVENT_RECORD r)
{
	static const GUID own = { 0x137cb736, 0xe926, 0x55b2,
		{ 0xed, 0x8d, 0x46, 0xdd, 0x97, 0x6d, 0xfa, 0xda } };
	struct decoded_log *log = r->UserContext;
	struct decoded *d = &log->event[log->count];
	USHORT i;

	/* Skip the header, and the image and manifest events */
	if (r->EventHeader.ProviderId.Data1 == 0x68fdd900 ||
	    !memcmp(&r->EventHeader.ProviderId, &own, sizeof(own)) ||
	    log->count == MAX_EVENTS)
		return;
	log->count++;
	d->len = 0;
	put(d, &r->EventHeader.ProviderId, sizeof(GUID));
	put(d, &r->EventHeader.ActivityId, sizeof(GUID));
	put(d, &r->EventHeader.EventDescriptor, sizeof(EVENT_DESCRIPTOR));
	for (i = 0; i < r->ExtendedDataCount; i++) {
		put(d, &r->ExtendedData[i].ExtType, sizeof(USHORT));
		put(d, (void *)(uintptr_t)r->ExtendedData[i].DataPtr,
		    r->ExtendedData[i].DataSize);
	}
	put(d, r->UserData, r->UserDataLength);
	d->thread = r->EventHeader.ThreadId;
	d->process = r->EventHeader.ProcessId;
	d->flags = r->EventHeader.Flags;
	d->time = r->EventHeader.TimeStamp.QuadPart;
}

static ULONG read_log(const char *path, struct decoded_log *log)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD |
				    PROCESS_TRACE_MODE_RAW_TIMESTAMP,
		.EventRecordCallback = decode,
		.Context = log,
	};

	memset(log, 0, sizeof(*log));
	return log_process(&l);
}

static TRACEHANDLE start(const char *path, ULONG mode, ULONG clock)
{
	struct properties p = properties_for(path);
	TRACEHANDLE handle;

	p.p.LogFileMode = mode | EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	p.p.Wnode.ClientContext = clock;
	return StartTraceA(&handle, "private_test", &p.p) ? 0 : handle;
}

static ULONG enable(TRACEHANDLE h, UCHAR level, ULONGLONG any, ULONG property)
{
	ENABLE_TRACE_PARAMETERS more = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableProperty = property,
	};
	GUID id = provider_id(1);

	return EnableTraceEx2(h, &id, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
			      level, any, 0, INFINITE, &more);
}

static const BYTE traits[] = { 7, 0, 'N', 'a', 'm', 'e', 0 };
static const BYTE metadata[] = { 12, 0, 0, 'E', 'v', 't', 0, 'a', 0, 1, 0, 0 };

/* Write events with all optional parts */
static ULONG write_some(REGHANDLE r)
{
	const GUID activity = { 7 }, related = { 8 };
	EVENT_DESCRIPTOR d = { .Id = 1, .Version = 2, .Channel = 3, .Level = 4,
			       .Opcode = 5, .Task = 6, .Keyword = 7 };
	EVENT_DATA_DESCRIPTOR data[4];
	static BYTE block[1000];
	ULONG code = 0, i;

	for (i = 0; i < sizeof(block); i++)
		block[i] = i;
	for (i = 0; i < 4; i++) {
		EventDataDescCreate(&data[i], block + i, i * 77);
		data[i].Type = 0;
	}
	code |= EventWrite(r, &d, 0, NULL);
	code |= EventWrite(r, &d, 4, data);
	code |= EventWriteTransfer(r, &d, &activity, NULL, 2, data);
	code |= EventWriteEx(r, &d, 0, EVENT_WRITE_FLAG_INPRIVATE, &activity,
			     &related, 3, data);
	code |= EventWriteString(r, 3, 1, u"a string");
	EventDataDescCreate(&data[0], traits, sizeof(traits));
	data[0].Type = EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA;
	EventDataDescCreate(&data[1], metadata, sizeof(metadata));
	data[1].Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	d.Channel = 11;
	code |= EventWriteTransfer(r, &d, NULL, &related, 3, data);
	/* Events above the level, or without the keyword */
	d.Level = 5;
	code |= EventWrite(r, &d, 0, NULL);
	d.Level = 4;
	d.Keyword = 8;
	code |= EventWrite(r, &d, 0, NULL);
	return code;
}

FIXTURE(private) {
	TRACEHANDLE module;
	TRACEHANDLE own;
	REGHANDLE r;
	struct decoded_log logs[2];
};

FIXTURE_SETUP(private)
{
	GUID id = provider_id(1);

	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &self->r));
}

FIXTURE_TEARDOWN(private)
{
	EXPECT_EQ(0, EventUnregister(self->r));
	unlink(MODULE_LOG);
	unlink(PRIVATE_LOG);
	unlink(VICTIM);
}

/* Both files contain the same, except for documented differences */
static void expect_same(struct __test_metadata *_metadata,
			const struct decoded_log *module,
			const struct decoded_log *own)
{
	unsigned int i;

	ASSERT_EQ(module->count, own->count);
	for (i = 0; i < module->count; i++) {
		const struct decoded *m = &module->event[i];
		const struct decoded *p = &own->event[i];

		EXPECT_EQ(m->len, p->len);
		EXPECT_EQ(0, memcmp(m->text, p->text, m->len));
		EXPECT_EQ(m->thread, p->thread);
		EXPECT_EQ(m->process, p->process);
		EXPECT_EQ(m->flags | EVENT_HEADER_FLAG_PRIVATE_SESSION,
			  p->flags);
		EXPECT_EQ(0, m->flags & EVENT_HEADER_FLAG_PRIVATE_SESSION);
	}
}

/* Each event is in both logs, at about the same time */
TEST_F(private, private_and_module_sessions_both_get_an_event)
{
	unsigned int i;

	self->own = start(PRIVATE_LOG, IN_PROC, 1);
	self->module = start(MODULE_LOG, 0, 1);
	ASSERT_NE(0, self->own);
	ASSERT_NE(0, self->module);
	EXPECT_EQ(0, EventSetInformation(self->r, EventProviderSetTraits,
					 (void *)traits, sizeof(traits)));
	EXPECT_EQ(0, enable(self->own, 4, 7, ITEMS));
	EXPECT_EQ(0, enable(self->module, 4, 7, ITEMS));
	EXPECT_EQ(0, write_some(self->r));
	EXPECT_EQ(0, session_stop(self->module, NULL));
	EXPECT_EQ(0, session_stop(self->own, NULL));
	ASSERT_EQ(0, read_log(MODULE_LOG, &self->logs[0]));
	ASSERT_EQ(0, read_log(PRIVATE_LOG, &self->logs[1]));
	expect_same(_metadata, &self->logs[0], &self->logs[1]);
	/* Differences in ns */
	for (i = 0; i < self->logs[0].count; i++) {
		EXPECT_GT(60 * 100 * SECOND,
			  llabs(self->logs[1].event[i].time -
				self->logs[0].event[i].time));
	}
}

static bool is_enabled(REGHANDLE r, UCHAR level, ULONGLONG keyword)
{
	EVENT_DESCRIPTOR d = { .Level = level, .Keyword = keyword };

	EventWrite(r, &d, 0, NULL);
	return EventEnabled(r, &d);
}

/* Each session gets what it enabled; the provider's state combines both */
TEST_F(private, each_session_gets_the_events_that_it_enabled)
{
	self->own = start(PRIVATE_LOG, IN_PROC, 1);
	self->module = start(MODULE_LOG, 0, 1);
	ASSERT_NE(0, self->own);
	ASSERT_NE(0, self->module);
	EXPECT_FALSE(is_enabled(self->r, 1, 0));
	EXPECT_EQ(0, enable(self->module, 2, 0, 0));
	EXPECT_TRUE(is_enabled(self->r, 2, 0));
	EXPECT_FALSE(is_enabled(self->r, 3, 0));
	EXPECT_EQ(0, enable(self->own, 4, 0x10, 0));
	EXPECT_TRUE(is_enabled(self->r, 4, 0x10));
	EXPECT_TRUE(is_enabled(self->r, 2, 0x1));
	EXPECT_FALSE(is_enabled(self->r, 5, 0));
	EXPECT_EQ(0, session_stop(self->own, NULL));
	EXPECT_TRUE(is_enabled(self->r, 2, 0));
	EXPECT_FALSE(is_enabled(self->r, 4, 0x10));
	EXPECT_EQ(0, session_stop(self->module, NULL));
	EXPECT_FALSE(is_enabled(self->r, 1, 0));
	ASSERT_EQ(0, read_log(MODULE_LOG, &self->logs[0]));
	ASSERT_EQ(0, read_log(PRIVATE_LOG, &self->logs[1]));
	EXPECT_EQ(3, self->logs[0].count);
	EXPECT_EQ(1, self->logs[1].count);
}

static struct {
	unsigned int calls;
	ULONG control;
	UCHAR level;
} reported;

static VOID WINAPI on_control(LPCGUID source, ULONG control, UCHAR level,
			      ULONGLONG any, ULONGLONG all,
			      PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	reported.control = control;
	reported.level = level;
	__atomic_fetch_add(&reported.calls, 1, __ATOMIC_RELEASE);
}

static unsigned int calls(void)
{
	return __atomic_load_n(&reported.calls, __ATOMIC_ACQUIRE);
}

/* Callbacks get both sessions' levels and keywords combined */
TEST_F(private, callbacks_run_for_both_kinds_of_session)
{
	GUID id = provider_id(1);
	REGHANDLE r;

	self->own = start(PRIVATE_LOG, IN_PROC, 1);
	self->module = start(MODULE_LOG, 0, 1);
	ASSERT_NE(0, self->own);
	ASSERT_NE(0, self->module);
	reported.calls = 0;
	EXPECT_EQ(0, EventRegister(&id, on_control, NULL, &r));
	EXPECT_EQ(0, calls());
	EXPECT_EQ(0, enable(self->module, 3, 0, 0));
	EXPECT_EQ(1, calls());
	EXPECT_EQ(3, reported.level);
	EXPECT_EQ(0, enable(self->own, 2, 0, 0));
	EXPECT_EQ(2, calls());
	EXPECT_EQ(3, reported.level);
	EXPECT_EQ(0, session_stop(self->module, NULL));
	EXPECT_TRUE(EVENTUALLY(calls() == 3));
	EXPECT_EQ(1, reported.control);
	EXPECT_EQ(2, reported.level);
	EXPECT_EQ(0, session_stop(self->own, NULL));
	EXPECT_EQ(4, calls());
	EXPECT_EQ(0, reported.control);
	EXPECT_EQ(0, EventUnregister(r));
}

/* A child has the module's sessions, but none of its parent's private ones */
TEST_F(private, a_child_writes_only_to_the_modules_sessions)
{
	EVENT_DESCRIPTOR d = { .Level = 4 };
	int status;
	pid_t pid;

	self->own = start(PRIVATE_LOG, IN_PROC, 1);
	self->module = start(MODULE_LOG, 0, 1);
	ASSERT_NE(0, self->own);
	ASSERT_NE(0, self->module);
	EXPECT_EQ(0, enable(self->own, 5, 0, 0));
	EXPECT_EQ(0, enable(self->module, 4, 0, 0));
	pid = fork();
	if (!pid)
		_exit(!EventProviderEnabled(self->r, 4, 0) ||
		      EventProviderEnabled(self->r, 5, 0) ||
		      EventWrite(self->r, &d, 0, NULL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(EventProviderEnabled(self->r, 5, 0));
	EXPECT_EQ(0, EventWrite(self->r, &d, 0, NULL));
	EXPECT_EQ(0, session_stop(self->own, NULL));
	EXPECT_EQ(0, session_stop(self->module, NULL));
	ASSERT_EQ(0, read_log(MODULE_LOG, &self->logs[0]));
	ASSERT_EQ(0, read_log(PRIVATE_LOG, &self->logs[1]));
	EXPECT_EQ(2, self->logs[0].count);
	EXPECT_EQ(1, self->logs[1].count);
}

/* Without any right, even if other users may start sessions of the module */
static int as_nobody(REGHANDLE r)
{
	EVENT_DESCRIPTOR d = { .Level = 4 };
	TRACEHANDLE h;

	unlink(PRIVATE_LOG);
	h = start(PRIVATE_LOG, IN_PROC, 1);
	return !h || enable(h, 0, 0, 0) || !EventProviderEnabled(r, 1, 0) ||
	       EventWrite(r, &d, 0, NULL) || session_stop(h, NULL);
}

TEST_F(private, private_sessions_require_no_right)
{
	EXPECT_EQ(0, AS_NOBODY(as_nobody(self->r)));
	ASSERT_EQ(0, read_log(PRIVATE_LOG, &self->logs[1]));
	EXPECT_EQ(1, self->logs[1].count);
}

/* QueryAllTraces() does not return private sessions */
TEST_F(private, QueryAllTraces_omits_private_sessions)
{
	struct properties p = properties_for("");
	EVENT_TRACE_PROPERTIES *all[] = { &p.p };
	ULONG before, count;

	QueryAllTracesA(all, 1, &before);
	self->own = start(PRIVATE_LOG, IN_PROC, 1);
	ASSERT_NE(0, self->own);
	p = properties_for("");
	QueryAllTracesA(all, 1, &count);
	EXPECT_EQ(before, count);
	EXPECT_EQ(0, session_stop(self->own, NULL));
}

/* Find the descriptor of a file in this process, or -1 */
static int fd_of(const char *path)
{
	struct stat file, st;
	int fd;

	if (stat(path, &file))
		return -1;
	for (fd = 0; fd < 1024; fd++) {
		if (!fstat(fd, &st) && st.st_dev == file.st_dev &&
		    st.st_ino == file.st_ino)
			return fd;
	}
	return -1;
}

/* Replace a descriptor by one of the program's own files, of 5 bytes */
static void replace_by_victim(int fd)
{
	int victim = open(VICTIM, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (victim < 0 || write(victim, "mine", 5) != 5 ||
	    dup2(victim, fd) != fd || close(victim))
		abort();
}

static bool victim_is_unharmed(void)
{
	char text[6] = { 0 };
	int fd = open(VICTIM, O_RDONLY);
	bool ok = read(fd, text, 6) == 5 && !strcmp(text, "mine");

	close(fd);
	return ok;
}

/* Programs that close and reopen low descriptors do not hit the log */
TEST_F(private, the_log_has_a_high_descriptor)
{
	self->own = start(PRIVATE_LOG, IN_PROC, 1);
	ASSERT_NE(0, self->own);
	EXPECT_LE(100, fd_of(PRIVATE_LOG));
	EXPECT_EQ(0, session_stop(self->own, NULL));
	EXPECT_EQ(-1, fd_of(PRIVATE_LOG));
}

/* The program has closed the log's descriptor and reused its number */
TEST_F(private, a_log_closed_by_the_program_is_reopened)
{
	EVENT_DESCRIPTOR d = { .Level = 4 };
	struct properties p;
	int fd;

	self->own = start(PRIVATE_LOG, IN_PROC, 1);
	ASSERT_NE(0, self->own);
	EXPECT_EQ(0, enable(self->own, 4, 0, 0));
	fd = fd_of(PRIVATE_LOG);
	ASSERT_LE(0, fd);
	replace_by_victim(fd);
	EXPECT_EQ(0, EventWrite(self->r, &d, 0, NULL));
	EXPECT_EQ(0, session_stop(self->own, &p));
	EXPECT_EQ(0, p.p.LogBuffersLost);
	EXPECT_EQ(0, p.p.EventsLost);
	EXPECT_LE(2, p.p.BuffersWritten);
	EXPECT_TRUE(victim_is_unharmed());
	EXPECT_EQ(0, fcntl(fd, F_GETFD) & ~FD_CLOEXEC);
	close(fd);
}

/* Cancellation is pending, so the first cancellation point would end it */
static void *write_to_be_cancelled(void *r)
{
	EVENT_DESCRIPTOR d = { .Level = 4 };
	int old;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	pthread_cancel(pthread_self());
	pthread_setcancelstate(old, NULL);
	return (void *)(uintptr_t)EventWrite(*(REGHANDLE *)r, &d, 0, NULL);
}

/* EventWrite() may hold locks of the library, as when it writes image events */
TEST_F(private, EventWrite_is_no_cancellation_point)
{
	pthread_t thread;
	void *result;

	self->own = start(PRIVATE_LOG, IN_PROC, 1);
	ASSERT_NE(0, self->own);
	EXPECT_EQ(0, enable(self->own, 4, 0, EVENT_ENABLE_PROPERTY_STACK_TRACE));
	ASSERT_EQ(0, pthread_create(&thread, NULL, write_to_be_cancelled,
				    &self->r));
	ASSERT_EQ(0, pthread_join(thread, &result));
	EXPECT_EQ(NULL, result);
	EXPECT_EQ(0, session_stop(self->own, NULL));
}

/* Parameters of a callback that forks when its provider is disabled */
static struct {
	pid_t pid;
	void (*in_child)(void);
	int log_fd;
	TRACEHANDLE own;
	pthread_key_t at_end;
} forks;

static pid_t forked(void)
{
	return __atomic_load_n(&forks.pid, __ATOMIC_ACQUIRE);
}

static VOID WINAPI on_disable(LPCGUID source, ULONG control, UCHAR level,
			      ULONGLONG any, ULONGLONG all,
			      PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	pid_t pid;

	if (control || forked() >= 0)
		return;
	pid = fork();
	__atomic_store_n(&forks.pid, pid, __ATOMIC_RELEASE);
	if (!pid)
		forks.in_child();
}

/* In the parent's slot, and with the same name */
static void start_own(void)
{
	alarm(60);
	replace_by_victim(forks.log_fd);
	forks.own = start(CHILDS_LOG, IN_PROC, 1);
}

static void end_child(void *code)
{
	_exit(code != &forks);
}

/* The thread returns from the callback, and exits */
static void end_with_thread(void)
{
	alarm(60);
	replace_by_victim(forks.log_fd);
	if (pthread_key_create(&forks.at_end, end_child) ||
	    pthread_setspecific(forks.at_end, &forks))
		abort();
}

FIXTURE(forking_callback) {
	TRACEHANDLE own;
	REGHANDLE r;
};

FIXTURE_SETUP(forking_callback)
{
	struct properties p = properties_for(PRIVATE_LOG);
	GUID id = provider_id(1);

	p.p.LogFileMode = IN_PROC | EVENT_TRACE_FILE_MODE_SEQUENTIAL |
			  EVENT_TRACE_USE_KBYTES_FOR_SIZE;
	p.p.BufferSize = 8;
	p.p.MaximumFileSize = 16;
	forks.pid = -1;
	ASSERT_EQ(0, EventRegister(&id, on_disable, NULL, &self->r));
	ASSERT_EQ(0, StartTraceA(&self->own, "private_test", &p.p));
	ASSERT_EQ(0, enable(self->own, 4, 0, 0));
	forks.log_fd = fd_of(PRIVATE_LOG);
	ASSERT_LE(0, forks.log_fd);
}

FIXTURE_TEARDOWN(forking_callback)
{
	int status;

	ASSERT_LT(0, forks.pid);
	ASSERT_EQ(forks.pid, waitpid(forks.pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(victim_is_unharmed());
	EXPECT_EQ(0, EventUnregister(self->r));
	unlink(PRIVATE_LOG);
	unlink(CHILDS_LOG);
	unlink(VICTIM);
}

/* Only the parent's session is stopped; the child's own continues */
TEST_F(forking_callback, a_child_returns_into_a_stopping_session)
{
	ULONG code;

	forks.in_child = start_own;
	code = session_stop(self->own, NULL);
	if (!forks.pid)
		_exit(code != ERROR_WMI_INSTANCE_NOT_FOUND || !forks.own ||
		      session_stop(forks.own, NULL));
	EXPECT_EQ(0, code);
}

/* On the session's own thread, when the log has reached its limit */
TEST_F(forking_callback, a_child_returns_into_an_expiring_session)
{
	static BYTE block[1000];
	EVENT_DESCRIPTOR d = { .Level = 4 };
	EVENT_DATA_DESCRIPTOR data;

	forks.in_child = end_with_thread;
	EventDataDescCreate(&data, block, sizeof(block));
	EXPECT_TRUE(EVENTUALLY((EventWrite(self->r, &d, 1, &data),
				forked() > 0)));
	EXPECT_TRUE(EVENTUALLY(session_stop(self->own, NULL) ==
			       ERROR_WMI_INSTANCE_NOT_FOUND));
}

TEST_HARNESS_MAIN
