/* SPDX-License-Identifier: MIT */
/*
 * ProcessorTime in the events of private sessions: the time for which the
 * thread has run in user mode, in ticks of the processor.
 *
 * Only the kernel knows this time.  It is queried at most once per EVNT_LOOK_NS
 * for each thread; in between, the thread is assumed to run without
 * interruption.  The value is therefore ahead by up to EVNT_LOOK_NS if the
 * thread slept or was in the kernel.  It never decreases: it stays constant
 * until the actual time has caught up.
 *
 * Ticks are converted to time by CpuSpeedInMHz of the log's header.
 */
#ifndef EVNT_PROCESSOR_TIME_H
#define EVNT_PROCESSOR_TIME_H

#include "core/buffer.h"
#include "lib/base/internal.h"
#include "lib/base/thread.h"

#define EVNT_LOOK_NS	1000000u

/* Shift of the fixed-point factor evnt_ticks: ticks in 2^EVNT_TICKS_SHIFT ns */
#define EVNT_TICKS_SHIFT	20
extern u32 evnt_ticks EVNT_HIDDEN;

u32 evnt_cpu_mhz(void);
void evnt_processor_look(s64 now);
void evnt_processor_time_forked(void);

/* Return CLOCK_BOOTTIME in ns: @time itself, if the session uses that clock */
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

/*
 * Return the calling thread's time in ticks; @self: its state; @now:
 * CLOCK_BOOTTIME in ns
 */
static inline u64 evnt_processor_ticks(struct evnt_thread *self, s64 now)
{
	struct evnt_processor_time *t = &self->time;
	s64 ns;

	if (unlikely((u64)(now - t->looked) >= EVNT_LOOK_NS))
		evnt_processor_look(now);
	ns = max(now - t->behind, (s64)t->last);
	t->last = ns;
	return evnt_ticks_of(ns);
}

#endif /* EVNT_PROCESSOR_TIME_H */
