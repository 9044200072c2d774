// SPDX-License-Identifier: GPL-2.0
/*
 * Filter data as it was passed: as controllers query it, and as the provider's
 * callback gets it in FilterData, with the sessions' bits for EventWriteEx().
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>

#include "selftests/evntprov/common/harness.h"

#include <linux/evntrace.h>
#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/lib.h"

#define SESSIONS	2
#define OWN_TYPE	7

/* EVENT_FILTER_HEADER, with data of an odd length */
struct schematized {
	EVENT_FILTER_HEADER header;
	char text[5];
};

/* Arguments of the last callback, and the number of calls */
struct reported {
	pthread_mutex_t lock;
	unsigned int calls;
	ULONG control;
	bool has_data;
	ULONG type;
	ULONG size;
	unsigned char data[256];
};

static void NTAPI callback(LPCGUID source, ULONG control, UCHAR level,
			   ULONGLONG any, ULONGLONG all,
			   PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	struct reported *t = context;

	pthread_mutex_lock(&t->lock);
	t->control = control;
	t->has_data = filter;
	t->type = filter ? filter->Type : 0;
	t->size = filter ? filter->Size : 0;
	if (filter && filter->Size <= sizeof(t->data))
		memcpy(t->data, (void *)(uintptr_t)filter->Ptr, filter->Size);
	t->calls++;
	pthread_mutex_unlock(&t->lock);
}

FIXTURE(filter_data) {
	TRACEHANDLE session[SESSIONS];
	REGHANDLE handle;
	GUID id;
	int trace;
	struct reported reported;
};

static const char *const names[SESSIONS] = { "fdata0", "fdata1" };

FIXTURE_SETUP(filter_data)
{
	unsigned int i;

	memset(self, 0, sizeof(*self));
	pthread_mutex_init(&self->reported.lock, NULL);
	self->id = provider_id(1);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	for (i = 0; i < SESSIONS; i++) {
		self->session[i] = session_start(names[i]);
		ASSERT_NE(0, self->session[i]);
	}
	ASSERT_EQ(0, EventRegister(&self->id, callback, &self->reported,
				   &self->handle));
}

FIXTURE_TEARDOWN(filter_data)
{
	unsigned int i;
	char path[64];

	EXPECT_EQ(0, EventUnregister(self->handle));
	for (i = 0; i < SESSIONS; i++) {
		if (self->session[i])
			session_stop(self->session[i], NULL);
		sprintf(path, "/tmp/%s.etl", names[i]);
		unlink(path);
	}
	close(self->trace);
}

static struct schematized schematized(USHORT id, const char *text)
{
	struct schematized s = {
		.header = { .Id = id, .Version = 3, .Size = 29 },
	};

	strcpy(s.text, text);
	return s;
}

/* Enable, and wait for the callbacks */
static ULONG enable(TRACEHANDLE session, const GUID *id, ULONG control,
		    ULONG type, const void *data, ULONG size)
{
	EVENT_FILTER_DESCRIPTOR d = { (uintptr_t)data, size, type };
	ENABLE_TRACE_PARAMETERS p = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableFilterDesc = data ? &d : NULL,
		.FilterDescCount = !!data,
	};

	return EnableTraceEx2(session, id, control, 0, 0, 0, 60000, &p);
}

#define ENABLE(i, type, data, size) \
	enable(self->session[i], &self->id, 1, type, data, size)

/* The session's bit, from its id */
static ULONGLONG bit_of(TRACEHANDLE session)
{
	return 1ull << EVNTRACE_HANDLE_ID(session);
}

TEST_F(filter_data, SCHEMATIZED_reaches_the_callback_with_the_sessions_bit)
{
	struct schematized s = schematized(9, "abc"), *got;

	ASSERT_EQ(0, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &s, 29));
	ASSERT_TRUE(self->reported.has_data);
	EXPECT_EQ(EVENT_FILTER_TYPE_SCHEMATIZED, self->reported.type);
	EXPECT_EQ(32, self->reported.size);
	got = (void *)self->reported.data;
	EXPECT_EQ(9, got->header.Id);
	EXPECT_EQ(3, got->header.Version);
	EXPECT_EQ(29, got->header.Size);
	EXPECT_EQ(0, got->header.NextOffset);
	EXPECT_EQ(bit_of(self->session[0]), got->header.InstanceId);
	EXPECT_STREQ("abc", got->text);
}

TEST_F(filter_data, filter_data_of_all_sessions_is_chained_by_NextOffset)
{
	struct schematized a = schematized(1, "one"), b = schematized(2, "two");
	struct schematized *got = (void *)self->reported.data;

	ASSERT_EQ(0, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &a, 29));
	ASSERT_EQ(0, ENABLE(1, EVENT_FILTER_TYPE_SCHEMATIZED, &b, 29));
	EXPECT_EQ(64, self->reported.size);
	EXPECT_EQ(1, got->header.Id);
	EXPECT_EQ(32, got->header.NextOffset);
	EXPECT_EQ(bit_of(self->session[0]), got->header.InstanceId);
	got = (void *)self->reported.data + 32;
	EXPECT_EQ(2, got->header.Id);
	EXPECT_EQ(0, got->header.NextOffset);
	EXPECT_EQ(bit_of(self->session[1]), got->header.InstanceId);
	EXPECT_STREQ("two", got->text);
	/* After one of them disables, the other's data remains */
	ASSERT_EQ(0, enable(self->session[0], &self->id, 0, 0, NULL, 0));
	EXPECT_EQ(1, self->reported.control);
	EXPECT_EQ(32, self->reported.size);
	EXPECT_EQ(2, ((struct schematized *)self->reported.data)->header.Id);
	ASSERT_EQ(0, enable(self->session[1], &self->id, 0, 0, NULL, 0));
	EXPECT_EQ(0, self->reported.control);
	EXPECT_FALSE(self->reported.has_data);
}

TEST_F(filter_data, enabling_again_without_filter_data_removes_it)
{
	struct schematized s = schematized(9, "abc");

	ASSERT_EQ(0, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &s, 29));
	EXPECT_TRUE(self->reported.has_data);
	ASSERT_EQ(0, ENABLE(0, 0, NULL, 0));
	EXPECT_FALSE(self->reported.has_data);
}

TEST_F(filter_data, the_callback_of_EventRegister_gets_filter_data_too)
{
	struct schematized s = schematized(9, "abc");
	struct reported t = { .lock = PTHREAD_MUTEX_INITIALIZER };
	REGHANDLE handle;

	ASSERT_EQ(0, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &s, 29));
	ASSERT_EQ(0, EventRegister(&self->id, callback, &t, &handle));
	EXPECT_EQ(1, t.calls);
	EXPECT_EQ(32, t.size);
	EXPECT_EQ(0, EventUnregister(handle));
}

TEST_F(filter_data, CAPTURE_STATE_delivers_filter_data_too)
{
	struct schematized s = schematized(9, "abc");

	ASSERT_EQ(0, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &s, 29));
	self->reported.has_data = false;
	ASSERT_EQ(0, enable(self->session[0], &self->id, 2, 0, NULL, 0));
	EXPECT_EQ(2, self->reported.control);
	EXPECT_TRUE(self->reported.has_data);
}

/*
 * Data of a capture-state request is for that call only; the data the provider
 * was enabled with stays as it is.
 */
TEST_F(filter_data, filter_data_of_CAPTURE_STATE_is_delivered_once)
{
	struct schematized s = schematized(9, "abc");
	struct schematized request = schematized(8, "ask");
	struct schematized *got = (void *)self->reported.data;

	ASSERT_EQ(0, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &s, 29));
	ASSERT_EQ(0, enable(self->session[1], &self->id, 2,
			    EVENT_FILTER_TYPE_SCHEMATIZED, &request, 29));
	EXPECT_EQ(2, self->reported.control);
	EXPECT_EQ(32, self->reported.size);
	EXPECT_EQ(8, got->header.Id);
	EXPECT_EQ(bit_of(self->session[1]), got->header.InstanceId);
	EXPECT_STREQ("ask", got->text);
	ASSERT_EQ(0, enable(self->session[1], &self->id, 2, OWN_TYPE, "own",
			    3));
	EXPECT_EQ(OWN_TYPE, self->reported.type);
	EXPECT_EQ(3, self->reported.size);
	/* A request without data passes what the provider was enabled with */
	ASSERT_EQ(0, enable(self->session[1], &self->id, 2, 0, NULL, 0));
	EXPECT_EQ(EVENT_FILTER_TYPE_SCHEMATIZED, self->reported.type);
	EXPECT_EQ(9, got->header.Id);
	ASSERT_EQ(0, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &s, 29));
	EXPECT_EQ(1, self->reported.control);
	EXPECT_EQ(9, got->header.Id);
	/* The provider need not be enabled */
	ASSERT_EQ(0, enable(self->session[0], &self->id, 0, 0, NULL, 0));
	ASSERT_EQ(0, enable(self->session[0], &self->id, 2, OWN_TYPE, "own",
			    3));
	EXPECT_EQ(2, self->reported.control);
	EXPECT_EQ(OWN_TYPE, self->reported.type);
	/* A stopped session's data is not passed with later requests */
	ASSERT_EQ(0, session_stop(self->session[0], NULL));
	self->session[0] = 0;
	ASSERT_EQ(0, enable(self->session[1], &self->id, 2, 0, NULL, 0));
	EXPECT_FALSE(self->reported.has_data);
}

/* Notification with room for the filter data of two sessions */
struct notified {
	struct evntprov_notification n;
	struct schematized s[2];
	char room[64];
};

/* Register a provider of its own that reads notifications itself */
static int register_raw(struct evntrace_enable *e, struct evntrace_filter *f)
{
	int prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC | O_NONBLOCK);

	*e = enable_arg(77);
	e->filter_count = 1;
	e->filters = (uintptr_t)f;
	f->len = 29;
	f->type = EVNTRACE_FILTER_SCHEMATIZED;
	return dev_register(prov, HANDLE(1, 1), 77, EVNTPROV_REGISTER_NOTIFY) ?
	       -1 : prov;
}

static ULONG enable_raw(int trace, struct evntrace_enable *e,
			struct evntrace_filter *f, TRACEHANDLE session,
			ULONG control, const struct schematized *s)
{
	e->control = control;
	f->ptr = (uintptr_t)s;
	e->filter_count = !!s;
	return dev_ioctl(trace, session, EVNTRACE_IOC_ENABLE, e);
}

/* Address that is never mapped; volatile, as compilers warn of its use */
static void *volatile nowhere = (void *)8;

/* Ids of the filters in a notification, as digits; 0 if it is malformed */
static unsigned int ids_in(const struct notified *got, ssize_t len)
{
	const struct schematized *a = got->s;

	if (len != got->n.size || got->n.flags || got->n.reserved2)
		return 0;
	if (!got->n.filter_len)
		return len == sizeof(got->n) && !got->n.filter_type &&
		       !got->n.filter_offset ? 999 : 0;
	if (got->n.filter_type != EVNTRACE_FILTER_SCHEMATIZED ||
	    got->n.filter_offset != sizeof(got->n) ||
	    len != (ssize_t)sizeof(got->n) + got->n.filter_len)
		return 0;
	if (!a->header.NextOffset)
		return got->n.filter_len == 32 ? a->header.Id : 0;
	if (a->header.NextOffset != 32 || got->n.filter_len != 64 ||
	    a[1].header.NextOffset)
		return 0;
	return 10 * a->header.Id + a[1].header.Id;
}

/* Two requests before the owner reads make one notification with both data */
TEST_F(filter_data, filter_data_of_several_CAPTURE_STATE_requests_is_chained)
{
	struct schematized a = schematized(1, "one"), b = schematized(2, "two");
	struct notified got = {};
	struct evntrace_filter f;
	struct evntrace_enable e;
	int prov = register_raw(&e, &f);

	ASSERT_LE(0, prov);
	ASSERT_EQ(0, enable_raw(self->trace, &e, &f, self->session[0], 2, &a));
	ASSERT_EQ(0, enable_raw(self->trace, &e, &f, self->session[1], 2, &b));
	EXPECT_EQ(12, ids_in(&got, read(prov, &got, sizeof(got))));
	EXPECT_EQ(2, got.n.control);
	EXPECT_EQ(bit_of(self->session[0]), got.s[0].header.InstanceId);
	EXPECT_EQ(bit_of(self->session[1]), got.s[1].header.InstanceId);
	EXPECT_EQ(-1, read(prov, &got, sizeof(got)));
	EXPECT_EQ(EAGAIN, errno);
	/* A later request has only its own data, and one without has none */
	ASSERT_EQ(0, enable_raw(self->trace, &e, &f, self->session[1], 2, &b));
	EXPECT_EQ(2, ids_in(&got, read(prov, &got, sizeof(got))));
	ASSERT_EQ(0, enable_raw(self->trace, &e, &f, self->session[1], 2,
				NULL));
	EXPECT_EQ(999, ids_in(&got, read(prov, &got, sizeof(got))));
	EXPECT_EQ(2, got.n.control);
	close(prov);
}

TEST_F(filter_data, a_reader_without_room_for_the_filter_data_loses_nothing)
{
	struct schematized a = schematized(1, "one"), b = schematized(2, "two");
	struct schematized c = schematized(3, "ask");
	struct notified *got = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct notified *last = (void *)got + 4096 - sizeof(got->n);
	struct evntrace_filter f;
	struct evntrace_enable e;
	int prov = register_raw(&e, &f);

	ASSERT_LE(0, prov);
	ASSERT_EQ(0, enable_raw(self->trace, &e, &f, self->session[0], 1, &a));
	ASSERT_EQ(0, enable_raw(self->trace, &e, &f, self->session[1], 1, &b));
	ASSERT_EQ(0, enable_raw(self->trace, &e, &f, self->session[0], 2, &c));
	EXPECT_EQ(-1, read(prov, got, sizeof(got->n) - 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, read(prov, got, sizeof(got->n) + 63));
	EXPECT_EQ(EMSGSIZE, errno);
	/* The data, but not the structure before it, cannot be written */
	ASSERT_EQ(0, mprotect((void *)got + 4096, 4096, PROT_NONE));
	EXPECT_EQ(-1, read(prov, last, sizeof(got->n) + 64));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(12, ids_in(got, read(prov, got, sizeof(got->n) + 64)));
	EXPECT_EQ(1, got->n.control);
	EXPECT_EQ(-1, read(prov, got, sizeof(got->n) + 31));
	EXPECT_EQ(EMSGSIZE, errno);
	EXPECT_EQ(-1, read(prov, last, sizeof(got->n) + 32));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(3, ids_in(got, read(prov, got, sizeof(got->n) + 32)));
	EXPECT_EQ(2, got->n.control);
	EXPECT_EQ(-1, read(prov, got, 4096));
	EXPECT_EQ(EAGAIN, errno);
	munmap(got, 8192);
	close(prov);
}

TEST_F(filter_data, a_stopped_session_takes_its_unread_data_with_it)
{
	struct schematized a = schematized(1, "one");
	struct notified got;
	struct evntrace_filter f;
	struct evntrace_enable e;
	int prov = register_raw(&e, &f);

	ASSERT_LE(0, prov);
	ASSERT_EQ(0, enable_raw(self->trace, &e, &f, self->session[0], 2, &a));
	EXPECT_EQ(-1, read(prov, nowhere, sizeof(got)));
	EXPECT_EQ(EFAULT, errno);
	ASSERT_EQ(0, session_stop(self->session[0], NULL));
	self->session[0] = 0;
	EXPECT_EQ(999, ids_in(&got, read(prov, &got, sizeof(got))));
	EXPECT_EQ(2, got.n.control);
	close(prov);
}

TEST_F(filter_data, pread_at_a_slot_returns_the_state_and_consumes_nothing)
{
	struct schematized a = schematized(1, "one");
	struct notified got;
	struct evntrace_filter f;
	struct evntrace_enable e;
	int prov = register_raw(&e, &f);

#define STATE(room)	pread(prov, &got, room, EVNTPROV_SLOT_SIZE)
	ASSERT_LE(0, prov);
	EXPECT_EQ(999, ids_in(&got, STATE(sizeof(got))));
	EXPECT_EQ(0, got.n.control);
	EXPECT_EQ(HANDLE(1, 1), got.n.handle);
	e.level = 3;
	e.match_any = 5;
	ASSERT_EQ(0, enable_raw(self->trace, &e, &f, self->session[0], 1, &a));
	EXPECT_EQ(1, ids_in(&got, STATE(sizeof(got))));
	EXPECT_EQ(1, got.n.control);
	EXPECT_EQ(3, got.n.level);
	EXPECT_EQ(5, got.n.match_any);
	EXPECT_EQ(-1, STATE(sizeof(got.n) + 31));
	EXPECT_EQ(EMSGSIZE, errno);
	EXPECT_EQ(-1, pread(prov, nowhere, sizeof(got), EVNTPROV_SLOT_SIZE));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-1, pread(prov, &got, sizeof(got), 2 * EVNTPROV_SLOT_SIZE));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(-1, pread(prov, &got, sizeof(got), 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, pread(prov, &got, sizeof(got), EVNTPROV_SLOT_SIZE + 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, pread(prov, &got, sizeof(got),
			    EVNTPROV_ENABLE_AREA_SIZE + EVNTPROV_SLOT_SIZE));
	EXPECT_EQ(EINVAL, errno);
	/* It acknowledges nothing: the controller still waits */
	EXPECT_EQ(1, ids_in(&got, read(prov, &got, sizeof(got))));
	EXPECT_EQ(1, ids_in(&got, STATE(sizeof(got))));
	e.flags = EVNTRACE_ENABLE_WAIT;
	e.timeout_ms = 10;
	EXPECT_EQ(ETIMEDOUT, dev_ioctl(self->trace, self->session[0],
				       EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(-1, read(prov, &got, sizeof(got)));
	EXPECT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(-1, lseek(prov, EVNTPROV_SLOT_SIZE, SEEK_SET));
	EXPECT_EQ(ESPIPE, errno);
	close(prov);
}

TEST_F(filter_data, other_filters_with_CAPTURE_STATE_are_INVALID_PARAMETER)
{
	ULONG pid = getpid();

	EXPECT_EQ(87, enable(self->session[0], &self->id, 2,
			     EVENT_FILTER_TYPE_PID, &pid, 4));
	EXPECT_EQ(0, self->reported.calls);
}

static atomic_uint rundowns[3];

static void NTAPI count_rundown(LPCGUID source, ULONG control, UCHAR level,
				ULONGLONG any, ULONGLONG all,
				PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	atomic_uint *count = context;

	if (control == 2)
		(*count)++;
}

/* Requests the state of exactly the providers that the given session enabled */
TEST_F(filter_data, TRACEHANDLE_requests_the_state_of_one_sessions_providers)
{
	GUID id[3] = { provider_id(2), provider_id(3), provider_id(4) };
	REGHANDLE h[3];
	ULONG i;

	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, EventRegister(&id[i], count_rundown, &rundowns[i],
					   &h[i]));
	ASSERT_EQ(0, enable(self->session[0], &id[0], 1, 0, NULL, 0));
	ASSERT_EQ(0, enable(self->session[0], &id[1], 1, 0, NULL, 0));
	ASSERT_EQ(0, enable(self->session[1], &id[2], 1, 0, NULL, 0));
	/* The session in the filter counts, not the caller's */
	EXPECT_EQ(0, enable(self->session[1], &SystemTraceControlGuid, 2,
			    EVENT_FILTER_TYPE_TRACEHANDLE, &self->session[0],
			    8));
	EXPECT_TRUE(EVENTUALLY(rundowns[0] == 1 && rundowns[1] == 1));
	EXPECT_EQ(0, enable(self->session[1], &SystemTraceControlGuid, 2,
			    EVENT_FILTER_TYPE_TRACEHANDLE, &self->session[1],
			    8));
	EXPECT_TRUE(EVENTUALLY(rundowns[2] == 1));
	EXPECT_EQ(1, rundowns[0]);
	EXPECT_EQ(1, rundowns[1]);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, EventUnregister(h[i]));
}

TEST_F(filter_data, TRACEHANDLE_errors)
{
	TRACEHANDLE h = self->session[0], gone = h + 65536, none = 0;
	const ULONG type = EVENT_FILTER_TYPE_TRACEHANDLE;
	GUID system = SystemTraceControlGuid;

	EXPECT_EQ(87, enable(h, &self->id, 2, type, &h, 8));
	EXPECT_EQ(87, enable(h, &system, 1, type, &h, 8));
	EXPECT_EQ(87, enable(h, &system, 2, type, &h, 7));
	EXPECT_EQ(87, enable(h, &system, 2, type, &none, 8));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  enable(h, &system, 2, type, &gone, 8));
	EXPECT_EQ(5, AS_NOBODY(enable(h, &system, 2, type, &h, 8)));
}

TEST_F(filter_data, a_provider_defined_type_is_delivered_unchanged)
{
	ASSERT_EQ(0, ENABLE(0, OWN_TYPE, "whatever", 8));
	EXPECT_EQ(OWN_TYPE, self->reported.type);
	EXPECT_EQ(8, self->reported.size);
	EXPECT_EQ(0, memcmp("whatever", self->reported.data, 8));
	/*
	 * While that session has the provider enabled, its data takes
	 * precedence
	 */
	ASSERT_EQ(0, ENABLE(1, OWN_TYPE + 1, "other", 5));
	EXPECT_EQ(OWN_TYPE, self->reported.type);
	ASSERT_EQ(0, enable(self->session[0], &self->id, 0, 0, NULL, 0));
	EXPECT_EQ(OWN_TYPE + 1, self->reported.type);
	EXPECT_EQ(5, self->reported.size);
}

TEST_F(filter_data, EventWriteEx_excludes_sessions_by_their_InstanceId_bit)
{
	static const EVENT_DESCRIPTOR event = { .Id = 1, .Level = 4 };
	struct schematized a = schematized(1, "one"), b = schematized(2, "two");
	struct schematized *got = (void *)self->reported.data;
	struct properties p;
	ULONGLONG first;

	ASSERT_EQ(0, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &a, 29));
	ASSERT_EQ(0, ENABLE(1, EVENT_FILTER_TYPE_SCHEMATIZED, &b, 29));
	first = got->header.InstanceId;
	EXPECT_EQ(0, EventWriteEx(self->handle, &event, first, 0, NULL, NULL,
				  0, NULL));
	EXPECT_EQ(0, EventWriteEx(self->handle, &event, 0, 0, NULL, NULL, 0,
				  NULL));
	for (unsigned int i = 0; i < SESSIONS; i++) {
		struct evntrace_session q = { .size = sizeof(q) };

		ASSERT_EQ(0, dev_ioctl(self->trace, self->session[i],
				       EVNTRACE_IOC_QUERY, &q));
		EXPECT_EQ(1 + i, q.events);
		EXPECT_EQ(0, session_stop(self->session[i], &p));
		self->session[i] = 0;
	}
}

TEST_F(filter_data, SCHEMATIZED_errors)
{
	struct schematized s = schematized(9, "abc");
	EVENT_FILTER_DESCRIPTOR d[2] = {
		{ (uintptr_t)&s, 29, EVENT_FILTER_TYPE_SCHEMATIZED },
		{ (uintptr_t)&s, 29, OWN_TYPE },
	};
	ENABLE_TRACE_PARAMETERS p = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableFilterDesc = d, .FilterDescCount = 2,
	};
	static unsigned char large[1032];

	EXPECT_EQ(87, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &s, 23));
	EXPECT_EQ(87, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &s, 28));
	EXPECT_EQ(87, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, large, 1025));
	EXPECT_EQ(87, ENABLE(0, OWN_TYPE, large, 1025));
	EXPECT_EQ(0, ENABLE(0, OWN_TYPE, large, 1024));
	s.header.InstanceId = 1;
	EXPECT_EQ(87, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &s, 29));
	s.header.InstanceId = 0;
	s.header.NextOffset = 32;
	EXPECT_EQ(87, ENABLE(0, EVENT_FILTER_TYPE_SCHEMATIZED, &s, 29));
	s.header.NextOffset = 0;
	/* One filter of a type per session */
	EXPECT_EQ(87, EnableTraceEx2(self->session[0], &self->id, 1, 0, 0, 0, 0,
				     &p));
	d[0].Type = OWN_TYPE + 1;
	EXPECT_EQ(87, EnableTraceEx2(self->session[0], &self->id, 1, 0, 0, 0, 0,
				     &p));
}

TEST_F(filter_data, SYSTEM_FLAGS_is_not_supported)
{
	ULONG flags = 1;

	EXPECT_EQ(ERROR_NOT_SUPPORTED,
		  ENABLE(0, EVENT_FILTER_TYPE_SYSTEM_FLAGS, &flags, 4));
}

TEST_F(filter_data, filters_of_type_NONE_are_skipped)
{
	EVENT_FILTER_DESCRIPTOR d[3] = {
		{ .Type = EVENT_FILTER_TYPE_NONE },
		{ (uintptr_t)"data", 4, OWN_TYPE },
		{ .Type = EVENT_FILTER_TYPE_NONE },
	};
	ENABLE_TRACE_PARAMETERS p = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableFilterDesc = d,
		.FilterDescCount = 3,
	};

	EXPECT_EQ(0, EnableTraceEx2(self->session[0], &self->id, 1, 0, 0, 0,
				    10000, &p));
	EXPECT_TRUE(self->reported.has_data);
	EXPECT_EQ(OWN_TYPE, self->reported.type);
	p.FilterDescCount = 1;
	EXPECT_EQ(0, EnableTraceEx2(self->session[0], &self->id, 1, 0, 0, 0,
				    10000, &p));
	EXPECT_FALSE(self->reported.has_data);
}

/* List filters into an array of @room units of 8 bytes */
static int show(int trace, TRACEHANDLE session, const GUID *id, void *to,
		__u32 room, struct evntrace_list *arg)
{
	*arg = (struct evntrace_list) {
		.size = sizeof(*arg), .kind = EVNTRACE_LIST_FILTERS,
		.element_size = sizeof(__u64), .elements = (uintptr_t)to,
		.count = room,
	};
	memcpy(&arg->provider, id, sizeof(*id));
	return dev_list_of(trace, session, arg);
}

TEST_F(filter_data, controllers_can_query_the_data_that_was_set)
{
	struct { struct evntrace_filter f; __u8 data[8]; } got[2];
	USHORT ids[] = { 1, 1, 77 };
	ULONG pid = getpid();
	EVENT_FILTER_DESCRIPTOR d[] = {
		{ (uintptr_t)ids, 6, EVENT_FILTER_TYPE_EVENT_ID },
		{ (uintptr_t)&pid, 4, EVENT_FILTER_TYPE_PID },
	};
	ENABLE_TRACE_PARAMETERS p = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableFilterDesc = d, .FilterDescCount = 2,
	};
	struct evntrace_list arg;
	GUID other = provider_id(2);

	EXPECT_EQ(ENOENT, show(self->trace, self->session[0], &self->id, got,
			       0, &arg));
	ASSERT_EQ(0, EnableTraceEx2(self->session[0], &self->id, 1, 0, 0, 0, 0,
				    &p));
	EXPECT_EQ(ESRCH, show(self->trace, self->session[0] + 65536, &self->id,
			      got, 0, &arg));
	EXPECT_EQ(ENOENT, show(self->trace, self->session[0], &other, got, 0,
			       &arg));
	EXPECT_EQ(ENOENT, show(self->trace, self->session[1], &self->id, got,
			       0, &arg));
	memset(got, 0xa5, sizeof(got));
	EXPECT_EQ(0, show(self->trace, self->session[0], &self->id, got, 5,
			  &arg));
	EXPECT_EQ(6, arg.count);
	EXPECT_EQ(EVENT_FILTER_TYPE_PID, got[1].f.type);
	EXPECT_EQ(0xa5, got[1].data[0]);
	EXPECT_EQ(EFAULT, show(self->trace, self->session[0], &self->id,
			       (void *)8, 6, &arg));
	EXPECT_EQ(0, show(self->trace, self->session[0], &self->id, got, 6,
			  &arg));
	EXPECT_EQ(EVENT_FILTER_TYPE_EVENT_ID, got[0].f.type);
	EXPECT_EQ(6, got[0].f.len);
	EXPECT_EQ(0, got[0].f.ptr);
	EXPECT_EQ(0, memcmp(got[0].data, ids, 6));
	EXPECT_EQ(0, got[0].data[6]);
	EXPECT_EQ(EVENT_FILTER_TYPE_PID, got[1].f.type);
	EXPECT_EQ(0, memcmp(got[1].data, &pid, 4));
	/* None */
	ASSERT_EQ(0, ENABLE(0, 0, NULL, 0));
	EXPECT_EQ(0, show(self->trace, self->session[0], &self->id, got, 6,
			  &arg));
	EXPECT_EQ(0, arg.count);
}

TEST_HARNESS_MAIN
