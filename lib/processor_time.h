/* SPDX-License-Identifier: MIT */
/*
 * What ProcessorTime says in the events of private sessions: for how long the
 * thread has executed instructions of the process, in ticks of the processor.
 *
 * Only the kernel knows it, and is asked at most once in EVNT_LOOK_NS of a thread's
 * time; until then the thread is taken to have run all the while.  So it is ahead
 * by up to EVNT_LOOK_NS when the thread has slept or was in the kernel meanwhile; it
 * never goes back, but stands until what is true has caught up.
 *
 * A tick is what CpuSpeedInMHz of the log's header makes of a time.
 */
#ifndef EVNT_PROCESSOR_TIME_H
#define EVNT_PROCESSOR_TIME_H

#include "buffer.h"
#include "internal.h"

#define EVNT_LOOK_NS	1000000u

/**
 * struct evnt_processor_time - of a thread
 * @looked: when the kernel was asked, in ns of CLOCK_BOOTTIME
 * @behind: how much that is more than what it said
 * @last: what the last event has, in ns
 */
struct evnt_processor_time {
	s64 looked;
	s64 behind;
	s64 last;
};

extern __thread struct evnt_processor_time evnt_thread_time EVNT_HIDDEN;
/* Ticks in 2^EVNT_TICKS_SHIFT ns */
#define EVNT_TICKS_SHIFT	20
extern u32 evnt_ticks EVNT_HIDDEN;

u32 evnt_cpu_mhz(void);
void evnt_processor_look(s64 now);
void evnt_processor_time_forked(void);

/* CLOCK_BOOTTIME in ns: a session's time stamp @time, if it is that */
static inline s64 evnt_now(const struct evnt_buffers *b, s64 time)
{
	return likely(b->clock_type == EVNT_CLOCK_QPC) ? time : evnt_boot_ns();
}

static inline u64 evnt_ticks_of(u64 ns)
{
#ifdef __SIZEOF_INT128__
	return (__int128)ns * evnt_ticks >> EVNT_TICKS_SHIFT;
#else
	return (ns >> EVNT_TICKS_SHIFT) * evnt_ticks +
	       ((ns & (BIT_ULL(EVNT_TICKS_SHIFT) - 1)) * evnt_ticks >>
		EVNT_TICKS_SHIFT);
#endif
}

/* Of the calling thread; @now: in ns of CLOCK_BOOTTIME */
static inline u64 evnt_processor_ticks(s64 now)
{
	struct evnt_processor_time *t = &evnt_thread_time;
	s64 ns;

	if (unlikely((u64)(now - t->looked) >= EVNT_LOOK_NS))
		evnt_processor_look(now);
	ns = max(now - t->behind, t->last);
	t->last = ns;
	return evnt_ticks_of(ns);
}

#endif /* EVNT_PROCESSOR_TIME_H */
