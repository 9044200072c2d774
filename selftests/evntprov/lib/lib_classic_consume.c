// SPDX-License-Identifier: GPL-2.0
/*
 * Events of classic providers as consumers get them: from logs of each mode and
 * in real time, as EVENT_RECORD and as EVENT_TRACE.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

#include "selftests/evntprov/lib/lib_classic.h"

#define LOG	"/tmp/lib_classic.etl"
#define END	NULL, (size_t)0

/* Facts about the events of write_all(), and the last sequence numbers */
struct seen {
	unsigned int count;
	unsigned int messages;
	unsigned int instances;
	unsigned int bad;
	unsigned int by_class;
	ULONG parent;
	ULONG child;
};

static struct seen seen;

#define BAD_UNLESS(is_so) do {						\
	if (!(is_so)) {							\
		seen.bad++;						\
		printf("# not so: %s\n", #is_so);			\
	}								\
} while (0)

static void look_at_message(PEVENT_RECORD r)
{
	seen.messages++;
	BAD_UNLESS(r->EventHeader.EventDescriptor.Id == 9);
	BAD_UNLESS(r->UserDataLength == 2 && !memcmp(r->UserData, "m", 2));
	BAD_UNLESS(r->EventHeader.ProcessId == (ULONG)getpid());
}

static void look_at_instance(PEVENT_RECORD r)
{
	const EVENT_EXTENDED_ITEM_INSTANCE *i;

	seen.instances++;
	BAD_UNLESS(r->ExtendedDataCount == 1);
	BAD_UNLESS(r->ExtendedData->ExtType ==
		   EVENT_HEADER_EXT_TYPE_INSTANCE_INFO);
	i = (const void *)(uintptr_t)r->ExtendedData->DataPtr;
	BAD_UNLESS(i->InstanceId == i->ParentInstanceId + 1);
	BAD_UNLESS(!memcmp(&i->ParentGuid, &parent_id, sizeof(parent_id)));
	seen.child = i->InstanceId;
}

static VOID WINAPI on_record(PEVENT_RECORD r)
{
	const EVENT_HEADER *h = &r->EventHeader;

	if (memcmp(&h->ProviderId, &class_id, sizeof(class_id)))
		return;
	seen.count++;
	BAD_UNLESS(h->TimeStamp.QuadPart > 0 && h->ThreadId);
	if (h->Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE) {
		look_at_message(r);
		return;
	}
	BAD_UNLESS(h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER);
	BAD_UNLESS(h->ProcessId == (ULONG)getpid());
	BAD_UNLESS(h->EventDescriptor.Level == 4);
	BAD_UNLESS(h->EventDescriptor.Version == 2);
	if (h->EventDescriptor.Opcode == 20)
		look_at_instance(r);
	else
		BAD_UNLESS(h->EventDescriptor.Opcode == 10 &&
			   r->UserDataLength == 7 &&
			   !memcmp(r->UserData, "abcdef", 7));
}

static VOID WINAPI on_event(PEVENT_TRACE e)
{
	if (memcmp(&e->Header.Guid, &class_id, sizeof(class_id)))
		return;
	seen.count++;
	if (e->Header.Class.Type == 20)
		BAD_UNLESS(e->InstanceId == e->ParentInstanceId + 1 &&
			   !memcmp(&e->ParentGuid, &parent_id,
				   sizeof(parent_id)));
	else if (e->Header.Class.Type == 10)
		BAD_UNLESS(e->MofLength == 7 &&
			   !memcmp(e->MofData, "abcdef", 7));
}

static VOID WINAPI on_class(PEVENT_TRACE e)
{
	(void)e;
	seen.by_class++;
}

/* Write one event of each kind; the first has fields, adjacent in memory */
static ULONG write_all(TRACEHANDLE session, data *self)
{
	struct {
		EVENT_TRACE_HEADER h;
		MOF_FIELD field[2];
	} e = { .h = header() };
	EVENT_INSTANCE_HEADER i = instance_header();
	EVENT_INSTANCE_INFO parent, child;
	ULONG code;

	e.h.Size = sizeof(e);
	e.h.Class.Type = 10;
	e.h.Class.Level = 4;
	e.h.Class.Version = 2;
	e.h.Flags |= WNODE_FLAG_USE_MOF_PTR | WNODE_FLAG_USE_GUID_PTR;
	e.h.GuidPtr = (uintptr_t)&class_id;
	DEFINE_TRACE_MOF_FIELD(&e.field[0], "abc", 3, 0);
	DEFINE_TRACE_MOF_FIELD(&e.field[1], "def", 4, 0);
	code = TraceEvent(session, &e.h);
	CreateTraceInstanceId(self->classes[1].RegHandle, &parent);
	CreateTraceInstanceId(self->classes[0].RegHandle, &child);
	i.Class.Type = 20;
	i.Class.Level = 4;
	i.Class.Version = 2;
	code |= TraceEventInstance(session, &i, &child, &parent);
	return code | TraceMessage(session, TRACE_MESSAGE_GUID |
				   TRACE_MESSAGE_TIMESTAMP |
				   TRACE_MESSAGE_SYSTEMINFO, &class_id, 9, "m",
				   (size_t)2, END);
}

static EVENT_TRACE_LOGFILEA logfile;

static ULONG process_file(const char *path, ULONG mode, void *callback)
{
	logfile = (EVENT_TRACE_LOGFILEA) {
		.LogFileName = (char *)path,
		.ProcessTraceMode = mode,
		.EventRecordCallback = (PEVENT_RECORD_CALLBACK)callback,
	};
	return log_process(&logfile);
}

static ULONG process(ULONG mode, void *callback)
{
	return process_file(LOG, mode, callback);
}

static ULONG stop(data *self)
{
	ULONG code = session_stop(self->session, NULL);

	self->session = 0;
	return code;
}

/* Restart the session of the fixture with other properties */
static ULONG restart(data *self, const struct properties *how)
{
	struct properties p = *how;

	if (self->session)
		stop(self);
	unlink(LOG);
	return StartTraceA(&self->session, "lib_classic", &p.p);
}

TEST_F(lib_classic, consumers_of_a_log_get_all_records)
{
	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, write_all(self->session, self));
	ASSERT_EQ(0, stop(self));
	EXPECT_EQ(0, process(PROCESS_TRACE_MODE_EVENT_RECORD, on_record));
	EXPECT_EQ(3, seen.count);
	EXPECT_EQ(0, seen.bad);
	memset(&seen, 0, sizeof(seen));
	ASSERT_EQ(0, SetTraceCallback(&class_id, on_class));
	EXPECT_EQ(0, process(0, on_event));
	EXPECT_EQ(0, RemoveTraceCallback(&class_id));
	EXPECT_EQ(3, seen.count);
	EXPECT_EQ(0, seen.bad);
	EXPECT_EQ(3, seen.by_class);
}

static void *consume(void *handle)
{
	ProcessTrace(handle, 1, NULL, NULL);
	return NULL;
}

TEST_F(lib_classic, consumers_in_real_time_get_all_records)
{
	EVENT_TRACE_LOGFILEA l = {
		.LoggerName = (char *)"lib_classic",
		.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME |
				    PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = on_record,
	};
	struct properties p = properties_for("");
	TRACEHANDLE h;
	pthread_t thread;

	p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	p.p.LogFileNameOffset = 0;
	ASSERT_EQ(0, restart(self, &p));
	ASSERT_TRUE(begin(self));
	h = OpenTraceA(&l);
	ASSERT_NE(INVALID_PROCESSTRACE_HANDLE, h);
	ASSERT_EQ(0, pthread_create(&thread, NULL, consume, &h));
	EXPECT_EQ(0, write_all(self->session, self));
	EXPECT_EQ(0, stop(self));
	pthread_join(thread, NULL);
	CloseTrace(h);
	EXPECT_EQ(3, seen.count);
	EXPECT_EQ(0, seen.bad);
}

/* Log file modes that must make no difference to a consumer */
static const struct mode {
	const char *name;
	ULONG mode;
	ULONG max_size;
} modes[] = {
	{ "sequential", EVENT_TRACE_FILE_MODE_SEQUENTIAL, 0 },
	{ "circular", EVENT_TRACE_FILE_MODE_CIRCULAR, 1 },
	{ "independent", EVENT_TRACE_INDEPENDENT_SESSION_MODE, 0 },
	{ "all in one", EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING, 0 },
	{ "preallocated", EVENT_TRACE_FILE_MODE_PREALLOCATE, 1 },
	{ "numbered", EVENT_TRACE_USE_LOCAL_SEQUENCE, 0 },
	{ "secure", EVENT_TRACE_SECURE_MODE, 0 },
};

TEST_F(lib_classic, logs_of_each_mode_contain_all_records)
{
	struct properties p;
	unsigned int i;

	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		p = properties_for(LOG);
		p.p.LogFileMode = modes[i].mode;
		p.p.MaximumFileSize = modes[i].max_size;
		ASSERT_EQ(0, restart(self, &p));
		memset(&reported, 0, sizeof(reported));
		memset(&seen, 0, sizeof(seen));
		ASSERT_TRUE(begin(self));
		EXPECT_EQ(0, write_all(self->session, self));
		EXPECT_EQ(0, UnregisterTraceGuids(self->registration));
		self->registration = 0;
		ASSERT_EQ(0, stop(self));
		EXPECT_EQ(0, process(PROCESS_TRACE_MODE_EVENT_RECORD,
				     on_record));
		EXPECT_EQ(3, seen.count) {
			TH_LOG("%s", modes[i].name);
		}
		EXPECT_EQ(0, seen.bad);
	}
}

TEST_F(lib_classic, consumers_get_records_appended_to_a_log)
{
	struct properties p = properties_for(LOG), again;

	p.p.Wnode.ClientContext = 2;
	ASSERT_EQ(0, restart(self, &p));
	ASSERT_TRUE(begin(self));
	EXPECT_EQ(0, write_all(self->session, self));
	ASSERT_EQ(0, stop(self));
	ASSERT_TRUE(EVENTUALLY(calls() == 2));
	again = p;
	again.p.LogFileMode = EVENT_TRACE_FILE_MODE_APPEND;
	ASSERT_EQ(0, StartTraceA(&self->session, "lib_classic", &again.p));
	ASSERT_EQ(0, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(calls() == 3));
	EXPECT_EQ(0, write_all(self->session, self));
	ASSERT_EQ(0, stop(self));
	EXPECT_EQ(0, process(PROCESS_TRACE_MODE_EVENT_RECORD, on_record));
	EXPECT_EQ(6, seen.count);
	EXPECT_EQ(0, seen.bad);
	EXPECT_EQ(4, seen.child);
}

/* Each file is complete in itself, and together they have all events */
TEST_F(lib_classic, a_series_of_logs_contains_all_records)
{
	struct properties p = properties_for("/tmp/lib_classic%d.etl");
	unsigned int i, files = 0, wanted = 0;
	char path[32];
	ULONG code;

	p.p.LogFileMode = EVENT_TRACE_FILE_MODE_NEWFILE;
	p.p.MaximumFileSize = 1;
	p.p.BufferSize = 8;
	ASSERT_EQ(0, restart(self, &p));
	ASSERT_TRUE(begin(self));
	/* Write more than the 1 MB of the first file */
	for (i = 0; i < 8000; i += !code) {
		code = write_all(self->session, self);
		/* Disk too slow: any of the three events may be lost */
		ASSERT_TRUE(!code || code == ERROR_NOT_ENOUGH_MEMORY);
		wanted += 3;
		if (code)
			usleep(1000);
	}
	ASSERT_EQ(0, session_stop(self->session, &p));
	self->session = 0;
	for (i = 1; i < 100; i++) {
		snprintf(path, sizeof(path), "/tmp/lib_classic%u.etl", i);
		if (access(path, F_OK))
			continue;
		files++;
		EXPECT_EQ(0, process_file(path, PROCESS_TRACE_MODE_EVENT_RECORD,
					  on_record));
		unlink(path);
	}
	EXPECT_LE(2, files);
	EXPECT_EQ(wanted, seen.count + p.p.EventsLost);
	EXPECT_EQ(0, seen.bad);
}

TEST_F(lib_classic, records_in_memory_are_delivered_after_a_flush)
{
	struct properties p = properties_for(LOG);

	p.p.LogFileMode = EVENT_TRACE_BUFFERING_MODE;
	p.p.LogFileNameOffset = 0;
	ASSERT_EQ(0, restart(self, &p));
	ASSERT_TRUE(begin(self));
	EXPECT_EQ(0, write_all(self->session, self));
	p = properties_for(LOG);
	ASSERT_EQ(0, FlushTraceA(self->session, NULL, &p.p));
	EXPECT_EQ(0, process(PROCESS_TRACE_MODE_EVENT_RECORD, on_record));
	EXPECT_EQ(3, seen.count);
	EXPECT_EQ(0, seen.bad);
}

#define KEPT	600

/* Events with the class's GUID or with none, as the consumer got them */
static EVENT_TRACE kept[KEPT];
static unsigned int kept_count;

static VOID WINAPI keep(PEVENT_TRACE e)
{
	static const GUID none;

	if (memcmp(&e->Header.Guid, &class_id, sizeof(class_id)) &&
	    memcmp(&e->Header.Guid, &none, sizeof(none)))
		return;
	if (kept_count < KEPT)
		kept[kept_count++] = *e;
}

/* Time of the log file's header, in the log's own clock */
static LONGLONG header_time;

static VOID WINAPI keep_raw(PEVENT_TRACE e)
{
	if (!memcmp(&e->Header.Guid, &EventTraceGuid, sizeof(GUID)) &&
	    !header_time)
		header_time = e->Header.TimeStamp.QuadPart;
	keep(e);
}

static LONGLONG now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * 10000000ll + t.tv_nsec / 100 + 116444736000000000ll;
}

TEST_F(lib_classic, TraceEvent_is_delivered_as_EVENT_TRACE)
{
	struct {
		EVENT_TRACE_HEADER h;
		char data[5];
	} e = { .h = header(), .data = "abcd" };
	const LONGLONG minute = 600000000, begun = now();
	const EVENT_TRACE *t = kept;

	e.h.Size = offsetof(__typeof__(e), data) + sizeof(e.data);
	e.h.Class.Type = 77;
	e.h.Class.Level = 200;
	e.h.Class.Version = 65535;
	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, TraceEvent(self->session, &e.h));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	EXPECT_EQ(0, process(0, keep));
	ASSERT_EQ(1, kept_count);
	EXPECT_EQ(77, t->Header.Class.Type);
	EXPECT_EQ(200, t->Header.Class.Level);
	EXPECT_EQ(65535, t->Header.Class.Version);
	EXPECT_EQ(gettid(), t->Header.ThreadId);
	EXPECT_EQ(getpid(), t->Header.ProcessId);
	EXPECT_LT(begun - minute, t->Header.TimeStamp.QuadPart);
	EXPECT_GT(now() + minute, t->Header.TimeStamp.QuadPart);
	EXPECT_EQ(5, t->MofLength);
	EXPECT_EQ(0, t->InstanceId);
	EXPECT_EQ(0, t->ParentInstanceId);
	EXPECT_EQ(0, t->ParentGuid.Data1);
	EXPECT_EQ((USHORT)self->session,
		  t->BufferContext.LoggerId);
	self->session = 0;
}

/* The predefined types and levels, and all others */
TEST_F(lib_classic, each_type_and_level_is_delivered_as_written)
{
	EVENT_TRACE_HEADER h = header();
	unsigned int i, wrong = 0;

	ASSERT_TRUE(begin(self));
	for (i = 0; i < 256; i++) {
		h.Class.Type = i;
		h.Class.Level = 255 - i;
		h.Class.Version = i * 257;
		ASSERT_EQ(0, TraceEvent(self->session, &h));
	}
	ASSERT_EQ(0, stop(self));
	EXPECT_EQ(0, process(0, keep));
	ASSERT_EQ(256, kept_count);
	/* Events of two processors with equal times have no defined order */
	for (i = 0; i < 256; i++) {
		h.Class = kept[i].Header.Class;
		wrong += h.Class.Level != 255 - h.Class.Type ||
			 h.Class.Version != h.Class.Type * 257;
	}
	EXPECT_EQ(0, wrong);
}

/* Return seconds of CPU time of the thread, in the kernel or in user mode */
static double thread_seconds(bool in_kernel)
{
	struct timeval t;
	struct rusage u;

	getrusage(RUSAGE_THREAD, &u);
	t = in_kernel ? u.ru_stime : u.ru_utime;
	return t.tv_sec + t.tv_usec / 1e6;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Spend half a second of CPU time in user mode */
static void use_user_time(void)
{
	double end = thread_seconds(false) + 0.5;
	volatile unsigned int i;

	while (thread_seconds(false) < end)
		for (i = 0; i < 1000000; i++)
			;
}

/* Spend as much in the kernel, which clears a buffer repeatedly */
static bool use_kernel_time(void)
{
	static char buffer[1 << 20];
	double end = thread_seconds(true) + 0.5;
	int fd = open("/dev/zero", O_RDONLY);
	bool can = fd >= 0;

	while (can && thread_seconds(true) < end)
		can = read(fd, buffer, sizeof(buffer)) == sizeof(buffer);
	close(fd);
	return can;
}

/* Return CPU seconds between two events, in the kernel or in user mode */
static double recorded_seconds(unsigned int from, unsigned int to,
			       bool in_kernel)
{
	const EVENT_TRACE_HEADER *a = &kept[from].Header, *b = &kept[to].Header;
	ULONG ticks = in_kernel ? b->KernelTime - a->KernelTime :
				  b->UserTime - a->UserTime;

	return ticks * (logfile.LogfileHeader.TimerResolution / 1e7);
}

/*
 * Times are in ticks of the log's TimerResolution.  The kernel counts in its
 * own ticks, and may lose some on a busy machine.
 */
TEST_F(lib_classic, KernelTime_and_UserTime_contain_the_threads_CPU_time)
{
	EVENT_TRACE_HEADER h = header();
	double begun, elapsed;

	ASSERT_TRUE(begin(self));
	begun = seconds();
	ASSERT_EQ(0, TraceEvent(self->session, &h));
	use_user_time();
	ASSERT_EQ(0, TraceEvent(self->session, &h));
	ASSERT_TRUE(use_kernel_time());
	ASSERT_EQ(0, TraceEvent(self->session, &h));
	elapsed = seconds() - begun;
	ASSERT_EQ(0, stop(self));
	EXPECT_EQ(0, process(0, keep));
	ASSERT_EQ(3, kept_count);
	EXPECT_LT(recorded_seconds(0, 1, true), recorded_seconds(0, 1, false));
	EXPECT_LT(recorded_seconds(1, 2, false), recorded_seconds(1, 2, true));
	EXPECT_GT(elapsed + 0.1,
		  recorded_seconds(0, 2, true) + recorded_seconds(0, 2, false));
}

/* By the formula in the documentation of WNODE_HEADER */
TEST_F(lib_classic, RAW_TIMESTAMP_is_in_the_sessions_clock)
{
	const TRACE_LOGFILE_HEADER *l = &logfile.LogfileHeader;
	EVENT_TRACE_HEADER h = header();
	LONGLONG time, raw;

	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, TraceEvent(self->session, &h));
	ASSERT_EQ(0, stop(self));
	EXPECT_EQ(0, process(0, keep));
	EXPECT_EQ(0, process(PROCESS_TRACE_MODE_RAW_TIMESTAMP, keep_raw));
	ASSERT_EQ(2, kept_count);
	time = kept[0].Header.TimeStamp.QuadPart;
	raw = kept[1].Header.TimeStamp.QuadPart;
	EXPECT_NE(time, raw);
	EXPECT_EQ(1, l->ReservedFlags);
	raw = (raw - header_time) * (10000000.0 / l->PerfFreq.QuadPart);
	EXPECT_GE(1, llabs(l->StartTime.QuadPart + raw - time));
}

TEST_F(lib_classic, RAW_TIMESTAMP_does_not_change_system_time)
{
	struct properties p = properties_for(LOG);
	EVENT_TRACE_HEADER h = header();

	p.p.Wnode.ClientContext = 2;
	ASSERT_EQ(0, restart(self, &p));
	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, TraceEvent(self->session, &h));
	ASSERT_EQ(0, stop(self));
	EXPECT_EQ(0, process(0, keep));
	EXPECT_EQ(0, process(PROCESS_TRACE_MODE_RAW_TIMESTAMP, keep));
	ASSERT_EQ(2, kept_count);
	EXPECT_EQ(kept[0].Header.TimeStamp.QuadPart,
		  kept[1].Header.TimeStamp.QuadPart);
}

/* EVENT_TRACE has the message's items that its flags name, and nothing else */
TEST_F(lib_classic, TraceMessage_is_delivered_as_EVENT_TRACE)
{
	const struct {
		ULONG flags;
		bool id;
		bool subject;
	} of[] = {
		{ 0, false, false },
		{ TRACE_MESSAGE_GUID, true, false },
		{ TRACE_MESSAGE_SYSTEMINFO, false, true },
		{ TRACE_MESSAGE_COMPONENTID | TRACE_MESSAGE_TIMESTAMP |
		  TRACE_MESSAGE_SYSTEMINFO, false, true },
	};
	const unsigned int count = sizeof(of) / sizeof(*of);
	unsigned int i, ids = 0, whos = 0;

	ASSERT_TRUE(begin(self));
	for (i = 0; i < count; i++)
		ASSERT_EQ(0, TraceMessage(self->session, of[i].flags, &class_id,
					  i, "abc", (size_t)3, "d", (size_t)1,
					  END));
	ASSERT_EQ(0, stop(self));
	ASSERT_EQ(0, SetTraceCallback(&class_id, on_class));
	EXPECT_EQ(0, process(0, keep));
	EXPECT_EQ(0, RemoveTraceCallback(&class_id));
	ASSERT_EQ(count, kept_count);
	EXPECT_EQ(1, seen.by_class);
	for (i = 0; i < count; i++) {
		ids += kept[i].Header.Guid.Data1 == class_id.Data1;
		whos += kept[i].Header.ProcessId == (ULONG)getpid() &&
			kept[i].Header.ThreadId == (ULONG)gettid();
		EXPECT_EQ(4, kept[i].MofLength);
	}
	EXPECT_EQ(1, ids);
	EXPECT_EQ(2, whos);
}

/* TraceEvent_of_more_than_a_buffer_is_MORE_DATA covers larger events */
TEST_F(lib_classic, TraceEvent_accepts_a_buffer_less_72_bytes)
{
	static struct {
		EVENT_TRACE_HEADER h;
		char data[8192];
	} e;
	struct properties p = properties_for(LOG);

	p.p.BufferSize = 8;
	ASSERT_EQ(0, restart(self, &p));
	ASSERT_TRUE(begin(self));
	e.h = header();
	e.h.Size = 8192 - 72 - 1;
	EXPECT_EQ(0, TraceEvent(self->session, &e.h));
	e.h.Size = 8192 - 72 + 1;
	EXPECT_EQ(ERROR_MORE_DATA, TraceEvent(self->session, &e.h));
	ASSERT_EQ(0, stop(self));
	EXPECT_EQ(0, process(0, keep));
	ASSERT_EQ(1, kept_count);
	EXPECT_EQ(8192 - 72 - 1 - sizeof(e.h), kept[0].MofLength);
}

TEST_HARNESS_MAIN
