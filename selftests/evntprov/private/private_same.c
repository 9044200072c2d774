// SPDX-License-Identifier: GPL-2.0
/*
 * A program's events are the same in the file of a module's session and of a
 * private one: each record, byte by byte and as consumers see it, except for
 *
 *   times, CPU times and the flag that shows their source, the session's id,
 *   and the numbers of EVENT_KEY
 *   frames of call stacks in the kernel, and the innermost ones in the library
 *   the number of programs the process had executed before
 *
 * This holds for each function and each option, and for the module's own
 * events.  The core writes both headers, so they are also compared with values
 * from the system.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"
#include "selftests/evntprov/common/own_event.h"

#include <TraceLoggingProvider.h>

#define LOG		"/tmp/private_same_%s.etl"
#define IN_PROC		(EVENT_TRACE_PRIVATE_LOGGER_MODE | \
			 EVENT_TRACE_PRIVATE_IN_PROC)
#define SECOND		10000000ll	/* in units of FILETIME */
#define UNIX_EPOCH	116444736000000000ll
#define CLOCK_QPC	1u
#define TIME_ZONE	"XYZ-5:30"
#define BIAS		-330		/* minutes west of UTC */
#define MAX_RECORDS	1024
#define EVENT_KEY	10
#define STACK_TRACE64	6

TRACELOGGING_DEFINE_PROVIDER(typed, "Evntprov.Same",
			     (0x65766e74, 0x1234, 0x5678,
			      1, 2, 3, 4, 5, 6, 7, 0xb1));

#define CASE(schema, data, text, ...) \
	TraceLoggingWrite(typed, "E", __VA_ARGS__)
#include "selftests/unit/tracelogging/cases.h"

/* Bytes to compare, and their kind */
struct one {
	unsigned int len;
	unsigned int kind;
	uint8_t *bytes;
};

struct list {
	unsigned int count;
	struct one one[MAX_RECORDS];
};

static void add(struct list *l, unsigned int kind, uint8_t *bytes,
		unsigned int len)
{
	if (l->count == MAX_RECORDS)
		abort();
	l->one[l->count++] = (struct one) { len, kind, bytes };
}

static void forget(struct list *l)
{
	while (l->count)
		free(l->one[--l->count].bytes);
}

/*
 * Remove the frames of the kernel and of the library from a call stack, so that
 * it begins in the program.  Returns its length.
 */
static unsigned int program_frames(uint8_t *stack, unsigned int len)
{
	unsigned int at = 8;

	while (at < len && etl_u64(stack + at) >> 63)
		at += 8;
	at += 8;
	if (at > len)
		at = len;
	memmove(stack + 8, stack + at, len - at);
	return len - at + 8;
}

/* Clear fields of extended items that may differ */
static void mask_items(uint8_t *item)
{
	for (;; item += etl_u16(item)) {
		if (etl_u16(item + 2) == EVENT_KEY)
			memset(item + 8, 0, 8);
		if (!(etl_u16(item + 4) & 1))
			return;
	}
}

/* Clear flag, time and CPU time in an event's record */
static void mask_event(uint8_t *r, bool own, bool *flagged)
{
	*flagged &= !!(etl_u16(r + 4) & 2) == own;
	r[4] &= ~2;
	memset(r + 0x10, 0, 8);
	memset(r + 0x38, 0, 8);
	if (r[4] & 1)
		mask_items(r + 0x50);
}

static void mask_message(uint8_t *r)
{
	unsigned int flags = etl_u16(r + 6), at = 8;

	at += flags & TRACE_MESSAGE_SEQUENCE ? 4 : 0;
	at += flags & TRACE_MESSAGE_COMPONENTID ? 4 : 0;
	at += flags & TRACE_MESSAGE_GUID ? 16 : 0;
	if (flags & TRACE_MESSAGE_TIMESTAMP)
		memset(r + at, 0, 8);
}

/* Clear the fields of a classic event or of a message */
static void mask_classic(uint8_t *r)
{
	if (!etl_classic_header(etl_u16(r + 2))) {
		mask_message(r);
		return;
	}
	memset(r + 0x10, 0, 8);
	memset(r + 0x28, 0, 8);
}

static void take_record(struct list *l, const uint8_t *from, bool own,
			bool *flagged)
{
	unsigned int len = etl_u16(from), kind = etl_u16(from + 2);
	uint8_t *r = malloc((len + 7) & ~7u);

	/* Including the padding */
	memcpy(r, from, (len + 7) & ~7u);
	if (kind == 0xc013)
		mask_event(r, own, flagged);
	else
		mask_classic(r);
	add(l, kind, r, (len + 7) & ~7u);
}

/* Read all records of a file in order; returns whether each had its flag */
static bool read_records(const char *path, struct list *l, bool own)
{
	off_t at, size, len = size_of(path);
	uint8_t *f = malloc(len);
	int fd = open(path, O_RDONLY);
	bool flagged = read(fd, f, len) == len;
	uint32_t i;

	close(fd);
	size = flagged ? etl_u32(f) : 0;
	for (at = size; flagged && at < len; at += size) {
		for (i = 0x48; i < etl_u32(f + at + 0x30);
		     i += (etl_u16(f + at + i) + 7) & ~7u)
			take_record(l, f + at + i, own, &flagged);
	}
	free(f);
	return flagged;
}

/* An event as a consumer gets it, in one block */
struct seen {
	struct list list;
	TRACE_LOGFILE_HEADER header;
	LONGLONG first;
	LONGLONG last;
};

static uint8_t *put(uint8_t *to, const void *from, unsigned int len)
{
	memcpy(to, from, len);
	return to + len;
}

static uint8_t *put_item(uint8_t *to, const EVENT_HEADER_EXTENDED_DATA_ITEM *i)
{
	EVENT_HEADER_EXTENDED_DATA_ITEM item = *i;
	uint8_t *data = to + sizeof(item);
	unsigned int len = i->DataSize;

	memcpy(data, (void *)(uintptr_t)i->DataPtr, len);
	if (item.ExtType == EVENT_KEY)
		memset(data, 0, len);
	if (item.ExtType == STACK_TRACE64)
		len = program_frames(data, len);
	item.DataSize = len;
	item.DataPtr = 0;
	put(to, &item, sizeof(item));
	return data + len;
}

static bool is_image(const EVENT_HEADER *h)
{
	static const struct evntprov_guid id = EVNTPROV_IMAGES_PROVIDER;

	return !memcmp(&h->ProviderId, &id, sizeof(id)) &&
	       h->EventDescriptor.Opcode == EVNTPROV_IMAGE_OPCODE;
}

static VOID WINAPI on_record(PEVENT_RECORD r)
{
	static uint8_t bytes[1 << 18];
	struct seen *seen = r->UserContext;
	EVENT_HEADER h = r->EventHeader;
	ETW_BUFFER_CONTEXT context = r->BufferContext;
	uint8_t *to = bytes;
	USHORT i;

	if (h.ProviderId.Data1 == 0x68fdd900)
		return;
	/* In image events, the last number depends on the process */
	if (is_image(&h))
		memset((uint8_t *)r->UserData +
		       offsetof(struct evntprov_image, execs), 0, 8);
	if (!seen->first)
		seen->first = h.TimeStamp.QuadPart;
	seen->last = h.TimeStamp.QuadPart;
	h.TimeStamp.QuadPart = 0;
	h.ProcessorTime = 0;
	h.Flags &= ~EVENT_HEADER_FLAG_PRIVATE_SESSION;
	context.LoggerId = 0;
	for (i = 0; i < r->ExtendedDataCount; i++) {
		if (r->ExtendedData[i].ExtType == STACK_TRACE64)
			h.Size = 0;
	}
	to = put(to, &h, sizeof(h));
	to = put(to, &context, sizeof(context));
	to = put(to, &r->ExtendedDataCount, sizeof(USHORT));
	for (i = 0; i < r->ExtendedDataCount; i++)
		to = put_item(to, &r->ExtendedData[i]);
	to = put(to, &r->UserDataLength, sizeof(USHORT));
	to = put(to, r->UserData, r->UserDataLength);
	add(&seen->list, h.EventDescriptor.Id,
	    memcpy(malloc(to - bytes), bytes, to - bytes), to - bytes);
}

static ULONG read_events(const char *path, struct seen *seen)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD |
				    PROCESS_TRACE_MODE_RAW_TIMESTAMP,
		.EventRecordCallback = on_record,
		.Context = seen,
	};
	ULONG code = log_process(&l);

	seen->header = l.LogfileHeader;
	return code;
}

static const GUID class_id = { .Data1 = 0xc1a55, .Data2 = 3 };
static const GUID parent_id = { .Data1 = 0xc1a55, .Data2 = 4 };

FIXTURE(private_same) {
	TRACEHANDLE session;
	REGHANDLE plain;
	REGHANDLE with_traits;
	TRACEHANDLE classic;
	EVENT_INSTANCE_INFO instance[2];
	struct list records[2];
	struct seen seen[2];
};

static ULONG WINAPI on_request(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	return ERROR_SUCCESS;
}

static const BYTE traits[] = { 7, 0, 'N', 'a', 'm', 'e', 0 };

FIXTURE_SETUP(private_same)
{
	TRACE_GUID_REGISTRATION classes[] = {
		{ .Guid = &class_id }, { .Guid = &parent_id },
	};
	GUID id = provider_id(0xb2);

	stay_on(0);
	setenv("TZ", TIME_ZONE, 1);
	/* Events from rings have processors of their own */
	setenv("EVNTPROV_RINGS", "off", 1);
	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &self->plain));
	id = provider_id(0xb3);
	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &self->with_traits));
	ASSERT_EQ(0, EventSetInformation(self->with_traits,
					 EventProviderSetTraits, (void *)traits,
					 sizeof(traits)));
	id = provider_id(0xb4);
	ASSERT_EQ(0, RegisterTraceGuids(on_request, NULL, &id, 2, classes, NULL,
					NULL, &self->classic));
	CreateTraceInstanceId(classes[0].RegHandle, &self->instance[0]);
	CreateTraceInstanceId(classes[1].RegHandle, &self->instance[1]);
	ASSERT_EQ(0, TraceLoggingRegister(typed));
}

FIXTURE_TEARDOWN(private_same)
{
	unsigned int i;

	TraceLoggingUnregister(typed);
	EXPECT_EQ(0, UnregisterTraceGuids(self->classic));
	EXPECT_EQ(0, EventUnregister(self->with_traits));
	EXPECT_EQ(0, EventUnregister(self->plain));
	for (i = 0; i < 2; i++) {
		forget(&self->records[i]);
		forget(&self->seen[i].list);
	}
}

typedef FIXTURE_DATA(private_same) data;

/* Write events by every function, with every option */
static ULONG write_events(REGHANDLE r)
{
	const GUID activity = { 7 }, related = { 8 };
	GUID own = { 9 };
	EVENT_DESCRIPTOR d = { .Id = 1, .Version = 2, .Channel = 3, .Level = 4,
			       .Opcode = 5, .Task = 6, .Keyword = 7 };
	static BYTE block[5000];
	EVENT_DATA_DESCRIPTOR data[8];
	ULONG code = 0, i;

	for (i = 0; i < sizeof(block); i++)
		block[i] = i * 7;
	for (i = 0; i < 8; i++)
		EventDataDescCreate(&data[i], block + i, i * 77);
	for (i = 0; i < 8; i++)
		code |= EventWrite(r, &d, i, data);
	/* All lengths of padding */
	for (i = 0; i < 8; i++) {
		EventDataDescCreate(&data[0], block, i);
		code |= EventWrite(r, &d, 1, data);
	}
	EventDataDescCreate(&data[0], block, sizeof(block));
	code |= EventWrite(r, &d, 1, data);
	code |= EventWriteTransfer(r, &d, &activity, NULL, 2, data);
	code |= EventWriteTransfer(r, &d, NULL, &related, 2, data);
	EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &own);
	code |= EventWrite(r, &d, 1, data);
	code |= EventWriteEx(r, &d, 0, EVENT_WRITE_FLAG_INPRIVATE, &activity,
			     &related, 3, data);
	code |= EventWriteEx(r, &d, 0, EVENT_WRITE_FLAG_NO_FAULTING, NULL,
			     NULL, 0, NULL);
	code |= EventWriteString(r, 3, 1, u"a string");
	code |= EventWriteString(r, 4, 2, u"");
	own = (GUID) {};
	EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &own);
	/* Events above the level, or without the keyword */
	d.Level = 5;
	code |= EventWrite(r, &d, 0, NULL);
	d.Level = 4;
	d.Keyword = 8;
	return code | EventWrite(r, &d, 0, NULL);
}

/* Blocks of event metadata and traits, with descriptor types enabled */
static ULONG write_typed(REGHANDLE r)
{
	static const BYTE metadata[] = { 12, 0, 0, 'E', 'v', 't', 0, 'a', 0, 1,
					 0, 0 };
	EVENT_DESCRIPTOR d = { .Channel = 11, .Level = 4, .Keyword = 1 };
	EVENT_DATA_DESCRIPTOR data[4];
	const GUID related = { 8 };

	EventDataDescCreate(&data[0], traits, sizeof(traits));
	data[0].Type = EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA;
	EventDataDescCreate(&data[1], metadata, sizeof(metadata));
	data[1].Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	EventDataDescCreate(&data[2], "ab", 2);
	EventDataDescCreate(&data[3], "cdefg", 5);
	return EventWrite(r, &d, 4, data) |
	       EventWriteTransfer(r, &d, NULL, &related, 4, data) |
	       EventWrite(r, &d, 2, data) | EventWrite(r, &d, 2, data + 2);
}

static ULONG write_classes(const data *self)
{
	struct {
		EVENT_TRACE_HEADER h;
		MOF_FIELD field[2];
	} e = { .h = { .Size = sizeof(e.h), .Guid = class_id,
		       .Flags = WNODE_FLAG_TRACED_GUID,
		       .Class = { .Type = 10, .Level = 4, .Version = 2 } } };
	struct {
		EVENT_INSTANCE_HEADER h;
		MOF_FIELD field;
	} i = { .h = { .Size = sizeof(i.h), .Flags = WNODE_FLAG_TRACED_GUID,
		       .Class = { .Type = 20, .Level = 3, .Version = 1 } } };
	ULONG code = TraceEvent(self->session, &e.h);

	e.h.Size = sizeof(e);
	code |= TraceEvent(self->session, &e.h);
	e.h.Flags |= WNODE_FLAG_USE_MOF_PTR | WNODE_FLAG_USE_GUID_PTR;
	e.h.GuidPtr = (uintptr_t)&class_id;
	DEFINE_TRACE_MOF_FIELD(&e.field[0], "abc", 3, 0);
	DEFINE_TRACE_MOF_FIELD(&e.field[1], "def", 4, 0);
	code |= TraceEvent(self->session, &e.h);
	code |= TraceEventInstance(self->session, (void *)&i,
				   (void *)&self->instance[0],
				   (void *)&self->instance[1]);
	i.h.Size = sizeof(i);
	i.h.Flags |= WNODE_FLAG_USE_MOF_PTR;
	DEFINE_TRACE_MOF_FIELD(&i.field, "field", 5, 0);
	return code | TraceEventInstance(self->session, (void *)&i,
					 (void *)&self->instance[0], NULL);
}

#define END	NULL, (size_t)0

/* Write messages with each combination of options */
static ULONG write_messages(TRACEHANDLE session)
{
	const ULONG either = TRACE_MESSAGE_GUID | TRACE_MESSAGE_COMPONENTID;
	const ULONG all = TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_TIMESTAMP |
			  TRACE_MESSAGE_SYSTEMINFO | either;
	ULONG flags, code = 0;

	for (flags = 0; flags <= all; flags++) {
		if (flags & ~all || (flags & either) == either)
			continue;
		code |= TraceMessage(session, flags, &class_id, flags,
				     "message", (size_t)flags % 8, "more",
				     (size_t)4, END);
	}
	return code;
}

static ULONG write_all(const data *self)
{
	ULONG code = write_events(self->plain) |
		     write_events(self->with_traits) |
		     write_typed(self->plain) |
		     write_typed(self->with_traits) | write_classes(self) |
		     write_messages(self->session);

	write_cases();
	return code;
}

static TRACEHANDLE start(const char *path, ULONG mode, ULONG clock)
{
	struct properties p = properties_for(path);
	TRACEHANDLE handle;

	p.p.LogFileMode = mode | EVENT_TRACE_FILE_MODE_SEQUENTIAL |
			  EVENT_TRACE_USE_LOCAL_SEQUENCE;
	p.p.Wnode.ClientContext = clock;
	p.p.BufferSize = 64;
	/* Buffers for all events at once */
	p.p.MinimumBuffers = 32;
	return StartTraceA(&handle, "private_same", &p.p) ? 0 : handle;
}

static ULONG enable(TRACEHANDLE h, unsigned int provider, ULONG property)
{
	ENABLE_TRACE_PARAMETERS more = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableProperty = property,
	};
	GUID id = provider_id(provider);

	return EnableTraceEx2(h, &id, EVENT_CONTROL_CODE_ENABLE_PROVIDER, 5,
			      provider == 0xb2 ? 7 : 0, 0, INFINITE, &more);
}

/* Read a clock in units of FILETIME */
static LONGLONG units(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * SECOND + t.tv_nsec / 100;
}

/* One moment, in the session's clock and as FILETIME */
struct time_arg {
	LONGLONG clock;
	LONGLONG filetime;
};

static struct time_arg time_arg(ULONG clock)
{
	LONGLONG now = units(CLOCK_REALTIME) + UNIX_EPOCH;

	return (struct time_arg) {
		clock == CLOCK_QPC ? units(CLOCK_BOOTTIME) : now, now,
	};
}

static bool is_between(LONGLONG value, LONGLONG low, LONGLONG high)
{
	return value >= low - SECOND && value <= high + SECOND;
}

/* The session started and stopped between @before and @after */
static void expect_system_header(struct __test_metadata *_metadata,
				 const struct seen *seen, ULONG clock,
				 struct time_arg before, struct time_arg after)
{
	const TRACE_LOGFILE_HEADER *h = &seen->header;
	LONGLONG unit = h->PerfFreq.QuadPart / SECOND;
	LONGLONG boot = units(CLOCK_REALTIME) + UNIX_EPOCH -
			units(CLOCK_BOOTTIME);

	EXPECT_EQ(clock, h->ReservedFlags);
	EXPECT_TRUE(is_between(h->BootTime.QuadPart, boot, boot));
	EXPECT_TRUE(is_between(h->StartTime.QuadPart, before.filetime,
			       after.filetime));
	EXPECT_TRUE(is_between(h->EndTime.QuadPart, before.filetime,
			       after.filetime));
	ASSERT_LE(1, unit);
	EXPECT_TRUE(is_between(seen->first / unit, before.clock, after.clock));
	EXPECT_TRUE(is_between(seen->last / unit, before.clock, after.clock));
	EXPECT_EQ(BIAS, h->TimeZone.Bias);
	EXPECT_EQ('X', h->TimeZone.StandardName[0]);
	EXPECT_EQ(sysconf(_SC_NPROCESSORS_CONF), h->NumberOfProcessors);
	EXPECT_EQ(sizeof(void *), h->PointerSize);
}

/* Record everything in one session, which is private if @own */
static __attribute__((noinline)) void
record_all(struct __test_metadata *_metadata, data *self, bool own, ULONG clock,
	   ULONG property)
{
	struct time_arg before = time_arg(clock);
	unsigned int provider;
	struct properties q;
	char path[64];

	sprintf(path, LOG, own ? "private" : "module");
	self->session = start(path, own ? IN_PROC : 0, clock);
	ASSERT_NE(0, self->session);
	for (provider = 0xb1; provider <= 0xb4; provider++)
		EXPECT_EQ(0, enable(self->session, provider, property));
	EXPECT_EQ(0, write_all(self));
	EXPECT_EQ(0, session_stop(self->session, &q));
	EXPECT_EQ(0, q.p.EventsLost);
	EXPECT_TRUE(read_records(path, &self->records[own], own));
	EXPECT_EQ(0, read_events(path, &self->seen[own]));
	expect_system_header(_metadata, &self->seen[own], clock, before,
			     time_arg(clock));
	EXPECT_LT(64, self->seen[own].list.count);
	EXPECT_EQ(self->seen[own].list.count, self->records[own].count);
	unlink(path);
}

static void expect_same(struct __test_metadata *_metadata,
			const struct list *a, const struct list *b)
{
	unsigned int i;

	ASSERT_EQ(a->count, b->count);
	for (i = 0; i < a->count; i++) {
		EXPECT_EQ(a->one[i].kind, b->one[i].kind);
		ASSERT_EQ(a->one[i].len, b->one[i].len) {
			TH_LOG("record %u, 0x%x", i, a->one[i].kind);
		}
		EXPECT_EQ(0, memcmp(a->one[i].bytes, b->one[i].bytes,
				    a->one[i].len)) {
			TH_LOG("record %u, 0x%x", i, a->one[i].kind);
		}
	}
}

static void expect_same_header(struct __test_metadata *_metadata,
			       const TRACE_LOGFILE_HEADER *a,
			       const TRACE_LOGFILE_HEADER *b)
{
	EXPECT_EQ(a->BufferSize, b->BufferSize);
	EXPECT_EQ(a->Version, b->Version);
	EXPECT_EQ(a->ProviderVersion, b->ProviderVersion);
	EXPECT_EQ(a->NumberOfProcessors, b->NumberOfProcessors);
	EXPECT_EQ(a->TimerResolution, b->TimerResolution);
	EXPECT_EQ(a->MaximumFileSize, b->MaximumFileSize);
	EXPECT_EQ(a->LogFileMode | IN_PROC, b->LogFileMode);
	EXPECT_EQ(a->StartBuffers, b->StartBuffers);
	EXPECT_EQ(a->PointerSize, b->PointerSize);
	EXPECT_EQ(a->EventsLost, b->EventsLost);
	/*
	 * The module uses the TSC's frequency, a process the processor's; the
	 * kernel measures them separately, so allow a difference of a tenth.
	 */
	EXPECT_GE(b->CpuSpeedInMHz / 10 + 1,
		  (ULONG)labs((long)a->CpuSpeedInMHz - (long)b->CpuSpeedInMHz));
	EXPECT_EQ(a->PerfFreq.QuadPart, b->PerfFreq.QuadPart);
	EXPECT_EQ(a->ReservedFlags, b->ReservedFlags);
	EXPECT_EQ(a->BuffersLost, b->BuffersLost);
	EXPECT_EQ(0, memcmp(&a->TimeZone, &b->TimeZone, sizeof(a->TimeZone)));
	/* Boot times, as far as two measurements agree */
	EXPECT_GT(10 * SECOND,
		  llabs(a->BootTime.QuadPart - b->BootTime.QuadPart));
	EXPECT_LE(a->EndTime.QuadPart, b->EndTime.QuadPart);
	EXPECT_LE(b->StartTime.QuadPart, b->EndTime.QuadPart);
}

/* Run a program in a session of the module, then in a private one */
static void compare(struct __test_metadata *_metadata, data *self, ULONG clock,
		    ULONG property)
{
	/* Volatile, so that the compiler keeps a single call site */
	volatile unsigned int sessions = 2;
	unsigned int own;

	/* Call stacks pass through this function */
	for (own = 0; own < sessions; own++)
		record_all(_metadata, self, own, clock, property);
	expect_same(_metadata, &self->seen[0].list, &self->seen[1].list);
	expect_same_header(_metadata, &self->seen[0].header,
			   &self->seen[1].header);
	/* Stacks differ in length, and so do records */
	if (property & EVENT_ENABLE_PROPERTY_STACK_TRACE)
		return;
	expect_same(_metadata, &self->records[0], &self->records[1]);
	EXPECT_EQ(self->seen[0].header.BuffersWritten,
		  self->seen[1].header.BuffersWritten);
}

TEST_F(private_same, private_and_module_records_are_the_same)
{
	compare(_metadata, self, 1, 0);
}

TEST_F(private_same, records_in_system_time_are_the_same)
{
	compare(_metadata, self, 2, 0);
}

/* With all extended items */
TEST_F(private_same, records_with_extended_items_are_the_same)
{
	compare(_metadata, self, 1, EVENT_ENABLE_PROPERTY_SID |
				    EVENT_ENABLE_PROPERTY_TS_ID |
				    EVENT_ENABLE_PROPERTY_PSM_KEY |
				    EVENT_ENABLE_PROPERTY_EVENT_KEY |
				    EVENT_ENABLE_PROPERTY_PROCESS_START_KEY |
				    EVENT_ENABLE_PROPERTY_ENABLE_SILOS);
}

/* Call stacks are compared from the function that wrote the event */
TEST_F(private_same, records_with_call_stacks_are_the_same)
{
	compare(_metadata, self, 1, EVENT_ENABLE_PROPERTY_STACK_TRACE);
}

TEST_F(private_same, properties_exclude_the_same_records)
{
	compare(_metadata, self, 1, EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 |
				    EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE);
}

TEST_HARNESS_MAIN
