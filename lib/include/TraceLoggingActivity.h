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
		if (tlg_activity_.evnt_start()) \
			EVNT_TLG_WRITE(tlg_activity_.Provider(), \
				tlg_activity_.Id(), \
				tlg_activity_.evnt_related(), \
				EVNT_FIRST(__VA_ARGS__), __VA_ARGS__, \
				EVNT_ACTIVITY_EVENT(activity, \
						    WINEVENT_OPCODE_START)); \
	} while (0)
#define TraceLoggingWriteStop(activity, ...) \
	do { \
		auto &tlg_activity_ = (activity); \
		if (tlg_activity_.evnt_stop()) \
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
		if (tlg_function_.evnt_start()) \
			EVNT_TLG_WRITE_OF(tlg_function_.Provider(), \
				tlg_function_.Id(), \
				tlg_function_.evnt_related(), \
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

/* Common base of both kinds of activities */
template <const TraceLoggingHProvider &provider, UINT64 keyword, UINT8 level>
class evnt_activity {
public:
	static const UINT64 Keyword = keyword;
	static const UINT8 Level = level;

	evnt_activity(const evnt_activity &) = delete;
	evnt_activity &operator=(const evnt_activity &) = delete;

	TraceLoggingHProvider Provider() const
	{
		return provider;
	}

	/* ID of the activity; all zero until the start event is written */
	const GUID *Id() const
	{
		return &id;
	}

	bool IsStarted() const
	{
		return started;
	}

	/* Used by the macros: test whether to write the start event */
	bool evnt_start()
	{
		assert(!started);
		started = true;
		traced = TraceLoggingProviderEnabled(provider, level, keyword);
		if (traced)
			EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID,
					       &id);
		return traced;
	}

	/* Used by the macros: test whether to write the stop event */
	bool evnt_stop()
	{
		assert(started);
		started = false;
		return traced;
	}

	const GUID *evnt_id() const
	{
		return traced ? &id : nullptr;
	}

	const GUID *evnt_related() const
	{
		return has_related ? &related : nullptr;
	}

protected:
	evnt_activity() noexcept : id(), related() {}

	evnt_activity(evnt_activity &&from) noexcept
		: id(from.id), related(from.related), started(from.started),
		  traced(from.traced), has_related(from.has_related)
	{
		from.started = false;
		from.traced = false;
	}

	~evnt_activity() {}

	void relate(const GUID &to)
	{
		related = to;
		has_related = true;
	}

	GUID id, related;

private:
	bool started = false, traced = false, has_related = false;
};

template <const TraceLoggingHProvider &provider, UINT64 keyword, UINT8 level>
const UINT64 evnt_activity<provider, keyword, level>::Keyword;
template <const TraceLoggingHProvider &provider, UINT64 keyword, UINT8 level>
const UINT8 evnt_activity<provider, keyword, level>::Level;

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
class TraceLoggingActivity : public evnt_activity<provider, keyword, level> {
public:
	TraceLoggingActivity() noexcept {}
	TraceLoggingActivity(TraceLoggingActivity &&) = default;

	~TraceLoggingActivity()
	{
		EVNT_ACTIVITY_END();
	}

	/* Set the activity that has caused this one; call before the start */
	template <class Activity>
	void SetRelatedActivity(const Activity &activity)
	{
		this->relate(*activity.Id());
	}

	void SetRelatedActivityId(const GUID &activityId)
	{
		this->relate(activityId);
	}

	void SetRelatedActivityId(const GUID *activityId)
	{
		this->relate(*activityId);
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
	: public evnt_activity<provider, keyword, level> {
	typedef evnt_activity<provider, keyword, level> base;

public:
	TraceLoggingThreadActivity() noexcept {}
	TraceLoggingThreadActivity(TraceLoggingThreadActivity &&) = default;

	~TraceLoggingThreadActivity()
	{
		EVNT_ACTIVITY_END();
	}

	bool evnt_start()
	{
		static const GUID empty_set = { 0, 0, 0, { 0 } };
		GUID before;

		if (!base::evnt_start())
			return false;
		before = this->id;
		EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_SET_ID, &before);
		if (memcmp(&before, &empty_set, sizeof(empty_set)))
			this->relate(before);
		return true;
	}

	bool evnt_stop()
	{
		GUID before = this->related;

		if (!base::evnt_stop())
			return false;
		EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &before);
		return true;
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
