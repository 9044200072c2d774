// SPDX-License-Identifier: MIT
/* Activities of TraceLogging in C++. */
#include <utility>

#include "hooks.h"

#include <TraceLoggingActivity.h>

static const GUID no_id = { 0, 0, 0, { 0 } };
static const GUID someone = { 1, 2, 3, { 4 } };

static bool is_set(const GUID &id)
{
	return memcmp(&id, &no_id, sizeof(id)) != 0;
}

static bool same(const GUID &a, const GUID &b)
{
	return !memcmp(&a, &b, sizeof(a));
}

static GUID thread_id()
{
	GUID id;

	EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, &id);
	return id;
}

static bool wrote(const char *text, UCHAR opcode, UCHAR level,
		  ULONGLONG keyword)
{
	bool right = written.count == 1 &&
		written.descriptor.Opcode == opcode &&
		written.descriptor.Level == level &&
		written.descriptor.Keyword == keyword &&
		tlg_decode(&decoder, written.schema, written.schema_size,
			   written.data, written.size) &&
		!strcmp(decoder.text, text);

	written.count = 0;
	return right;
}

static void test_activity()
{
	TraceLoggingActivity<provider, 3, 4> a;
	TraceLoggingActivity<provider> child;

	CHECK(!a.IsStarted() && !is_set(*a.Id()) && a.Provider() == provider &&
	      decltype(a)::Keyword + 0 == 3 && decltype(a)::Level + 0 == 4,
	      "an activity has no id before the start");
	TraceLoggingWriteStart(a, "Start", TraceLoggingInt32(1, "x"));
	CHECK(wrote("Start x=1", 1, 4, 3) && a.IsStarted() && is_set(*a.Id()) &&
	      same(written.activity, *a.Id()) && !written.has_related &&
	      !is_set(thread_id()), "the start event has an id");
	TraceLoggingWriteTagged(a, "Tagged", TraceLoggingLevel(2));
	CHECK(wrote("Tagged", 0, 2, 0) && same(written.activity, *a.Id()),
	      "tagged, with a level of its own");
	child.SetRelatedActivity(a);
	TraceLoggingWriteStart(child, "Child");
	CHECK(wrote("Child", 1, 5, 0) && written.has_related &&
	      same(written.related, *a.Id()) &&
	      !same(written.activity, *a.Id()), "a child of it");
	TraceLoggingWriteStop(child, "Child");
	CHECK(wrote("Child", 2, 5, 0) && !child.IsStarted(),
	      "a child activity stops");
	TraceLoggingWriteStop(a, "Stop", TraceLoggingInt32(2, "y"));
	CHECK(wrote("Stop y=2", 2, 4, 3) && same(written.activity, *a.Id()),
	      "the parent of an activity stops");
}

static void test_end_of_scope()
{
	{
		TraceLoggingActivity<provider> a;

		a.SetRelatedActivityId(someone);
		a.SetRelatedActivityId(&someone);
		TraceLoggingWriteStart(a, "Start");
		CHECK(wrote("Start", 1, 5, 0) && same(written.related, someone),
		      "related by id");
		TraceLoggingActivity<provider> moved(std::move(a));
		CHECK(!a.IsStarted() && moved.IsStarted() &&
		      same(*moved.Id(), written.activity),
		      "an activity can be moved");
	}
	CHECK(wrote("ActivityStoppedAutomatically", 2, 5, 0),
	      "stopped at the end of its scope, once");
}

static void test_thread_activity()
{
	GUID first;
	{
		TraceLoggingThreadActivity<provider, 1, 2> a;
		TraceLoggingThreadActivity<provider> b;

		TraceLoggingWriteStart(a, "A");
		first = *a.Id();
		CHECK(wrote("A", 1, 2, 1) && same(thread_id(), first) &&
		      !written.has_related,
		      "a thread activity sets the thread's id");
		TraceLoggingWriteStart(b, "B");
		CHECK(wrote("B", 1, 5, 0) && same(thread_id(), *b.Id()) &&
		      same(written.related, first), "nested: it is related");
		TraceLoggingWriteStop(b, "B");
		CHECK(wrote("B", 2, 5, 0) && same(thread_id(), first),
		      "the thread's id is restored after an inner activity");
	}
	CHECK(wrote("ActivityStoppedAutomatically", 2, 2, 1) &&
	      same(written.activity, first) && !is_set(thread_id()),
	      "the thread has no id after the end of the activity");
	{
		TraceLoggingThreadActivityIdSetter setter(someone);

		CHECK(same(thread_id(), someone), "a thread's id, set");
	}
	CHECK(!is_set(thread_id()), "a reset activity leaves no id");
}

#if __cplusplus >= 201402L
static int counts(int n)
{
	TraceLoggingFunction(provider, TraceLoggingLevel(3),
			     TraceLoggingValue(n, "n"));
	CHECK(wrote("counts n=7", 1, 5, 0) && is_set(thread_id()),
	      "a function's start has its name");
	return n + 1;
}

struct with_a_function {
	template <class Type>
	void does(Type)
	{
		TraceLoggingFunction(provider);
		CHECK(wrote("does", 1, 5, 0),
		      "an event in a template of a class has its name");
	}
};

static void test_function()
{
	CHECK(counts(7) == 8 &&
	      wrote("ActivityStoppedAutomatically", 2, 5, 0) &&
	      !is_set(thread_id()),
	      "the activity of a function stops at its return");
	with_a_function().does(1);
	CHECK(wrote("ActivityStoppedAutomatically", 2, 5, 0),
	      "the activity of a function stops at its end");
}
#else
static void test_function() {}
#endif

/* An activity whose start is not enabled writes nothing */
static void test_disabled()
{
	TraceLoggingActivity<provider, 1> a;
	TraceLoggingThreadActivity<provider, 1> b;

	callback(NULL, 1, 5, 2, 0);
	TraceLoggingWriteStart(a, "A");
	TraceLoggingWriteStart(b, "B");
	CHECK(!written.count && a.IsStarted() && !is_set(*a.Id()) &&
	      !is_set(thread_id()), "no start event, no id");
	callback(NULL, 1, 0, ~0ull, 0);
	TraceLoggingWriteStop(a, "A");
	TraceLoggingWriteStop(b, "B");
	CHECK(!written.count && !a.IsStarted(),
	      "a disabled activity has no stop event");
}

/* A class as those of wil, which calls inner names of Microsoft's header */
class DerivedActivity : public _TlgActivityBase<DerivedActivity, 8, 3> {
	friend class _TlgActivityBase<DerivedActivity, 8, 3>;

	void CreateActivityId(GUID &to)
	{
		to = someone;
	}

	void OnStarted()
	{
		calls += 1;
	}

	void OnStopped()
	{
		calls += 10;
	}

public:
	int calls = 0;

	static TraceLoggingHProvider Provider()
	{
		return provider;
	}

	void SetParent(const GUID &id)
	{
		SetRelatedId(id);
	}
};

static void test_derived_activity()
{
	DerivedActivity a, b;
	const GUID parent = { 5, 6, 7, { 8 } };

	static_assert(8 == (8 _tlg_FOREACH(_tlgKeywordVal,
					   TraceLoggingInt32(1, "x"))), "");
	static_assert(24 == (8 _tlg_FOREACH(_tlgKeywordVal,
					    TraceLoggingInt32(1, "x"),
					    TraceLoggingKeyword(16))), "");
	static_assert(3 == (3 _tlg_FOREACH(_tlgLevelVal)), "");
	static_assert(3 != (3 _tlg_FOREACH(_tlgLevelVal, TraceLoggingLevel(4))),
		      "");
	_tlg_DefineProvider_annotation(DerivedActivity, _TlgProv, 0, "name");
	_tlgActivityDecl(a);
	CHECK(!a.zInternalRelatedId() && !is_set(*_tlgActivityRef(a).Id()),
	      "a derived activity starts without ids");
	a.SetParent(parent);
	_tlgActivityRef(a).zInternalStart();
	CHECK(a.IsStarted() && a.calls == 1 && same(*a.Id(), someone),
	      "a derived activity creates its own id");
	TraceLoggingWriteActivity(a.Provider(), "Derived", a.Id(),
				  a.zInternalRelatedId());
	CHECK(wrote("Derived", 0, 5, 0) && same(written.activity, someone) &&
	      same(written.related, parent),
	      "an event of a derived activity is written");
	b = std::move(a);
	CHECK(!a.IsStarted() && b.IsStarted() && same(*b.Id(), someone) &&
	      same(*b.zInternalRelatedId(), parent),
	      "an activity can be moved to another one");
	b.zInternalStop();
	CHECK(!b.IsStarted() && b.calls == 11,
	      "a derived activity notices its end");
}

template <class Activity>
static void write_in_template(Activity &activity)
{
	TraceLoggingWriteStart(activity, "T", TraceLoggingValue(activity.Level));
	TraceLoggingWriteStop(activity, "T");
}

/* Places in C++ programs that write events */
static void test_places()
{
	TraceLoggingActivity<provider> a, *pointer = &a;
	auto write = [&](int n) {
		TraceLoggingWrite(provider, "Lambda", TraceLoggingValue(n));
	};

	write(5);
	CHECK(wrote("Lambda n=5", 0, 5, 0), "an event in a lambda is written");
	write_in_template(*pointer);
	CHECK(written.count == 2, "an event in a template is written");
	written.count = 0;
	TraceLoggingWrite(provider, "E", TraceLoggingGuid(GUID(someone), "f"));
	CHECK(wrote("E f=00000001-0002-0003-0400-000000000000", 0, 5, 0),
	      "a temporary value is written");
}

int main()
{
	test_provider();
	callback(NULL, 1, 0, ~0ull, 0);
	test_activity();
	test_end_of_scope();
	test_thread_activity();
	test_derived_activity();
	test_function();
	test_disabled();
	test_places();
	test_unregister();
	return tap_end();
}
