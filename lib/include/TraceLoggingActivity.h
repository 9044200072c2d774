/* SPDX-License-Identifier: MIT */
/*
 * Activities of TraceLogging, for C++: related events, from a start event to a
 * stop event, which share an activity ID.
 *
 *	TraceLoggingActivity<g_provider, 0x1, WINEVENT_LEVEL_INFO> activity;
 *
 *	TraceLoggingWriteStart(activity, "Copy", TraceLoggingString(from));
 *	TraceLoggingWriteTagged(activity, "Block", TraceLoggingInt32(size));
 *	TraceLoggingWriteStop(activity, "Copy", TraceLoggingHResult(result));
 *
 * Keyword and level apply to the start and stop events.  An activity that goes
 * out of scope is stopped.  If no session wants the start event, no ID is
 * created and no stop event is written.
 *
 * See TraceLoggingActivity(3), and
 * https://learn.microsoft.com/windows/win32/tracelogging/trace-logging-classes
 */
#ifndef TRACELOGGINGACTIVITY_H
#define TRACELOGGINGACTIVITY_H

#include <assert.h>

#include "TraceLoggingProvider.h"

#ifdef __cplusplus
extern "C++" {

#define EVNT_ACTIVITY_OF(activity)	evnt_bare<decltype(activity)>::type

/*
 * TraceLoggingWriteStart(activity, "name", ...) - start an activity with an
 * event TraceLoggingWriteStop(activity, "name", ...) - stop an activity with an
 * event TraceLoggingWriteTagged(activity, "name", ...) - write an event of an
 * activity
 *
 * "..." are up to 99 macros of TraceLoggingProvider.h.  Start and stop events
 * use the activity's level and keyword; other events specify their own.
 */
#define TraceLoggingWriteStart(activity, ...) \
	do { \
		auto &tlg_activity_ = (activity); \
		tlg_activity_.zInternalStart(); \
		if (tlg_activity_.evnt_id()) \
			EVNT_TLG_WRITE(tlg_activity_.Provider(), \
				tlg_activity_.Id(), \
				tlg_activity_.zInternalRelatedId(), \
				EVNT_FIRST(__VA_ARGS__), __VA_ARGS__, \
				EVNT_ACTIVITY_EVENT(activity, \
						    WINEVENT_OPCODE_START)); \
	} while (0)
#define TraceLoggingWriteStop(activity, ...) \
	do { \
		auto &tlg_activity_ = (activity); \
		tlg_activity_.zInternalStop(); \
		if (tlg_activity_.evnt_id()) \
			EVNT_TLG_WRITE(tlg_activity_.Provider(), \
				tlg_activity_.Id(), nullptr, \
				EVNT_FIRST(__VA_ARGS__), __VA_ARGS__, \
				EVNT_ACTIVITY_EVENT(activity, \
						    WINEVENT_OPCODE_STOP)); \
	} while (0)
#define TraceLoggingWriteTagged(activity, ...) \
	do { \
		auto &tlg_activity_ = (activity); \
		EVNT_TLG_WRITE(tlg_activity_.Provider(), \
			       tlg_activity_.evnt_id(), nullptr, \
			       EVNT_FIRST(__VA_ARGS__), __VA_ARGS__); \
	} while (0)
/*
 * TraceLoggingFunction(hProvider, ...) - make a function a thread activity
 *
 * Used at the beginning of a function.  The start event has the function's
 * name, without its class, and the fields "..."; a stop event is written
 * wherever the function returns.
 *
 * https://learn.microsoft.com/windows/win32/api/traceloggingactivity/nf-traceloggingactivity-traceloggingfunction
 */
#if __cplusplus >= 201402L
#define TraceLoggingFunction(...) \
	TraceLoggingThreadActivity<EVNT_FIRST(__VA_ARGS__)> tlg_function_; \
	do { \
		enum { tlg_size_ = sizeof(__func__) }; \
		tlg_function_.zInternalStart(); \
		if (tlg_function_.evnt_id()) \
			EVNT_TLG_WRITE_OF(tlg_function_.Provider(), \
				tlg_function_.Id(), \
				tlg_function_.zInternalRelatedId(), \
				evnt_text<tlg_size_> Name, \
				evnt_text_of(__func__), __VA_ARGS__, \
				EVNT_ACTIVITY_EVENT(tlg_function_, \
						    WINEVENT_OPCODE_START)); \
	} while (0)

template <size_t size>
struct evnt_text { char text[size]; };

template <size_t size>
constexpr evnt_text<size> evnt_text_of(const char (&from)[size])
{
	evnt_text<size> to = {};

	for (size_t i = 0; i < size; i++)
		to.text[i] = from[i];
	return to;
}
#endif

#define EVNT_ACTIVITY_EVENT(activity, opcode) \
	TraceLoggingLevel(EVNT_ACTIVITY_OF(activity)::Level), \
	TraceLoggingKeyword(EVNT_ACTIVITY_OF(activity)::Keyword), \
	TraceLoggingOpcode(opcode)

template <class Type>
struct evnt_bare { typedef Type type; };
template <class Type>
struct evnt_bare<Type &> { typedef Type type; };

/*
 * Names of Microsoft's headers that the Windows Implementation Libraries (wil)
 * use beside the documented ones: an activity in a macro, which is any
 * expression; the keywords and levels among arguments; and notes for tools that
 * read debug information of Windows, which are not written.
 */
#define _tlgActivityDecl(activity)
#define _tlgActivityRef(activity)	(activity)
#define _tlg_FOREACH(...)	EVNT_EACH(EVNT_FIRST(__VA_ARGS__), __VA_ARGS__)
#define _tlgKeywordVal(n, argument)	EVNT_TLG_KEYWORD(n, argument)
#define _tlgLevelVal(n, argument)	EVNT_TLG_LEVEL(n, argument)
#define _tlg_DefineProvider_annotation(...)	((void)0)
struct _TlgReflectorTag_Param0IsProviderType {};

/*
 * Base of a class of activities, also of wil's.  @Activity has a Provider(),
 * OnStarted() and OnStopped(), called if a session records it, and may have a
 * CreateActivityId().
 */
template <class Activity, UINT64 keyword, UINT8 level>
class _TlgActivityBase {
public:
	static const UINT64 Keyword = keyword;
	static const UINT8 Level = level;

	_TlgActivityBase(const _TlgActivityBase &) = delete;
	_TlgActivityBase &operator=(const _TlgActivityBase &) = delete;

	/* ID of the activity; all zero until the start event is written */
	const GUID *Id() const
	{
		return &id;
	}

	bool IsStarted() const
	{
		return started;
	}

	/* Used by the macros, before the start event */
	void zInternalStart()
	{
		Activity *self = static_cast<Activity *>(this);

		assert(!started);
		started = true;
		traced = TraceLoggingProviderEnabled(self->Provider(), level,
						     keyword);
		if (traced) {
			self->CreateActivityId(id);
			self->OnStarted();
		}
	}

	/* Used by the macros, before the stop event */
	void zInternalStop()
	{
		assert(started);
		started = false;
		if (traced)
			static_cast<Activity *>(this)->OnStopped();
	}

	/* ID if the start event was written */
	const GUID *evnt_id() const
	{
		return traced ? &id : nullptr;
	}

	const GUID *zInternalRelatedId() const
	{
		return GetRelatedId();
	}

protected:
	_TlgActivityBase() noexcept : id(), related() {}

	_TlgActivityBase(_TlgActivityBase &&from) noexcept
	{
		take(from);
	}

	_TlgActivityBase &operator=(_TlgActivityBase &&from) noexcept
	{
		if (this != &from)
			take(from);
		return *this;
	}

	~_TlgActivityBase() {}

	void CreateActivityId(GUID &to)
	{
		EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &to);
	}

	void SetRelatedId(const GUID &to)
	{
		related = to;
		has_related = true;
	}

	const GUID *GetRelatedId() const
	{
		return has_related ? &related : nullptr;
	}

	/* Make this activity the thread's, and the previous one the related */
	void PushThreadActivityId()
	{
		static const GUID empty_set = { 0, 0, 0, { 0 } };

		related = id;
		EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_SET_ID,
				       &related);
		has_related = memcmp(&related, &empty_set, sizeof(empty_set));
	}

	void PopThreadActivityId()
	{
		GUID before = related;

		EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &before);
	}

private:
	void take(_TlgActivityBase &from)
	{
		id = from.id;
		related = from.related;
		started = from.started;
		traced = from.traced;
		has_related = from.has_related;
		from.started = false;
		from.traced = false;
	}

	GUID id, related;
	bool started = false, traced = false, has_related = false;
};

template <class Activity, UINT64 keyword, UINT8 level>
const UINT64 _TlgActivityBase<Activity, keyword, level>::Keyword;
template <class Activity, UINT64 keyword, UINT8 level>
const UINT8 _TlgActivityBase<Activity, keyword, level>::Level;

/* Stop an activity that is still running when it goes out of scope */
#define EVNT_ACTIVITY_END() \
	do { \
		if (this->IsStarted()) \
			TraceLoggingWriteStop(*this, \
					      "ActivityStoppedAutomatically"); \
	} while (0)

/**
 * TraceLoggingActivity - an activity whose events carry its ID explicitly
 *
 * Write events of the activity by TraceLoggingWriteTagged(), or with its Id().
 *
 * https://learn.microsoft.com/windows/win32/api/traceloggingactivity/nl-traceloggingactivity-traceloggingactivity
 */
template <const TraceLoggingHProvider &provider, UINT64 keyword = 0,
	  UINT8 level = WINEVENT_LEVEL_VERBOSE>
class TraceLoggingActivity
	: public _TlgActivityBase<
		  TraceLoggingActivity<provider, keyword, level>, keyword,
		  level> {
public:
	TraceLoggingActivity() noexcept {}
	TraceLoggingActivity(TraceLoggingActivity &&) = default;

	~TraceLoggingActivity()
	{
		EVNT_ACTIVITY_END();
	}

	TraceLoggingHProvider Provider() const
	{
		return provider;
	}

	void OnStarted() {}
	void OnStopped() {}

	/* Set the activity that has caused this one; call before the start */
	template <class Activity>
	void SetRelatedActivity(const Activity &activity)
	{
		this->SetRelatedId(*activity.Id());
	}

	void SetRelatedActivityId(const GUID &activityId)
	{
		this->SetRelatedId(activityId);
	}

	void SetRelatedActivityId(const GUID *activityId)
	{
		this->SetRelatedId(*activityId);
	}
};

/**
 * TraceLoggingThreadActivity - an activity to which all events of the thread
 *	belong
 *
 * Its ID is the thread's activity ID between start and stop, which must happen
 * on the same thread.  The previous activity of the thread becomes the related
 * one.
 *
 * https://learn.microsoft.com/windows/win32/api/traceloggingactivity/nl-traceloggingactivity-traceloggingthreadactivity
 */
template <const TraceLoggingHProvider &provider, UINT64 keyword = 0,
	  UINT8 level = WINEVENT_LEVEL_VERBOSE>
class TraceLoggingThreadActivity
	: public _TlgActivityBase<
		  TraceLoggingThreadActivity<provider, keyword, level>, keyword,
		  level> {
public:
	TraceLoggingThreadActivity() noexcept {}
	TraceLoggingThreadActivity(TraceLoggingThreadActivity &&) = default;

	~TraceLoggingThreadActivity()
	{
		EVNT_ACTIVITY_END();
	}

	TraceLoggingHProvider Provider() const
	{
		return provider;
	}

	void OnStarted()
	{
		this->PushThreadActivityId();
	}

	void OnStopped()
	{
		this->PopThreadActivityId();
	}
};

/**
 * TraceLoggingThreadActivityIdSetter - set the thread's activity ID for a scope
 *
 * https://learn.microsoft.com/windows/win32/api/traceloggingactivity/nl-traceloggingactivity-traceloggingthreadactivityidsetter
 */
class TraceLoggingThreadActivityIdSetter {
public:
	explicit TraceLoggingThreadActivityIdSetter(const GUID &activityId)
		: before(activityId)
	{
		EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_SET_ID, &before);
	}

	explicit TraceLoggingThreadActivityIdSetter(const GUID *activityId)
		: TraceLoggingThreadActivityIdSetter(*activityId)
	{
	}

	TraceLoggingThreadActivityIdSetter(
		const TraceLoggingThreadActivityIdSetter &) = delete;
	TraceLoggingThreadActivityIdSetter &
	operator=(const TraceLoggingThreadActivityIdSetter &) = delete;

	~TraceLoggingThreadActivityIdSetter()
	{
		EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &before);
	}

private:
	GUID before;
};

}
#endif

#endif /* TRACELOGGINGACTIVITY_H */
