// SPDX-License-Identifier: GPL-2.0
/*
 * Rings: events that threads write without a system call.
 *
 * A ring is memory that a thread shares with the module: see "Rings" in
 * linux/evntprov.h.  Draining copies its records to the sessions that want
 * them.  The process may write anything to the ring, at any time.  Therefore:
 *
 * - The position up to which records are complete is loaded once, and bounded
 *   by the size of the ring.  What is recorded was checked in a copy in memory of
 *   the module: in @stage, or in room that is reserved in a session's buffer, see
 *   put_directly().
 * - The module sets process, thread, provider, kind, flags and padding: see
 *   sign().  A handle names a registration of the ring's own file.
 * - A drain is bounded by the size of the ring.  At most twice as much as the
 *   stage holds is copied at a time with preemption disabled.
 *
 * A process that leaves anything but records loses what is in that ring.  So
 * does one that is gone, or that has executed another program, while a process
 * that shares its memory writes to the ring: see is_owned().
 *
 * Order by time: records are older than their drain, so they cannot follow the
 * events that were written directly to a CPU's buffer.  Each ring therefore has
 * a lane of its own in each session, with buffers of its own; readers take it
 * for another CPU.  The times in a lane do not go back: a record that is older
 * than @floor of the lane, which only grows, is raised to it, and one that is
 * newer than the clock is lowered.  For an honest writer, neither happens to
 * more than the one record that is under way during a drain: it reads the clock
 * for a record only after the record before is complete.
 *
 * For the same reason no record will be older than a time T that was read
 * before a drain of all rings, as the floors are T or more then.  This is how
 * evnt_rings_drain() can give a session a mark for its readers.
 *
 * (R1) All bytes of a record are written before @commit covers it: the release
 *      in the library's evnt_ring_put() pairs with the acquire in drain_some().
 * (R2) A record is copied before its memory is written again: the release of
 *      @tail in drain_some() pairs with the acquire in the library.
 */
#include <linux/compat.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/nsproxy.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/time_namespace.h>
#include <linux/vmalloc.h>

#include "core/record.h"
#include "core/reserve.h"
#include "module/common/quota.h"
#include "module/compat/compat.h"
#include "module/provider/enable.h"
#include "module/ring/ring.h"
#include "module/session/session.h"
#include "module/write/event.h"

#define MAX_LANES	64u
#define STAGE		8192u
#define DATA_PAGES	(EVNTPROV_RING_SIZE / PAGE_SIZE)
/* A page of state, and the data twice */
#define MAP_PAGES	(1 + 2 * DATA_PAGES)
#define HEADER		((u32)sizeof(struct etl_event_header))
#define RATE_SHIFT	32
/* Number of times that the stage is used once it was needed */
#define STAGED		8u

/**
 * struct clock_pair - counter and clock at the same moment
 * @count: the processor's counter
 * @ns: CLOCK_BOOTTIME
 */
struct clock_pair {
	s64 count;
	s64 ns;
};

/**
 * struct evnt_ring - ring of a thread
 * @pf: file whose registrations the thread writes for
 * @owner: process that mapped the ring
 * @exec_id: number of the program that the process executed
 * @mm: its memory, for comparison only
 * @lane: index of its lane
 * @map: shared memory
 * @pages: pages of @map
 * @tail: number of bytes copied so far
 * @handle: registration of the last record
 * @sign: header with the fields that the module sets in each record: kind, thread
 *	and process, which are constant; provider; times of the thread, at its last
 *	own drain
 * @now: counter and clock at the last drain that found records
 * @since: counter and clock from which the times of records are computed
 * @rate: ns for each count since then, shifted by RATE_SHIFT
 * @most: limit of the number of counts
 * @staged: number of times that the stage is used before it is avoided again
 * @lost: number of events that a session has lost
 * @reported: value of @lost at the last own drain
 * @stage: copy of some records; a header can be read at the end
 */
struct evnt_ring {
	/* The following fields are constant. */
	struct evnt_prov_file *pf;
	struct pid *owner;
	u64 exec_id;
	const struct mm_struct *mm;
	u32 lane;
	u8 *map;
	struct page *pages[MAP_PAGES];

	/* The following fields are protected by the lock of the lane. */
	u64 tail;
	u64 handle;
	struct etl_event_header sign;
	struct clock_pair now;
	struct clock_pair since;
	u64 rate;
	u64 most;
	u32 staged;
	u32 lost;
	u32 reported;
	u8 stage[STAGE + HEADER] __aligned(8);
};

/**
 * struct lane - place of a ring in all sessions
 * @lock: protects the fields below; taken under any other lock
 * @ring: its ring, or NULL
 * @floor: time before which no record will be written to the lane
 */
struct lane {
	spinlock_t lock;	/* protects the members below */
	struct evnt_ring *ring;
	s64 floor;
} ____cacheline_aligned_in_smp;

static struct lane lanes[MAX_LANES];
/* Serialises the choice of a lane; taken under mmap_lock */
static DEFINE_MUTEX(rings_lock);

static struct evntprov_ring *ring_state(const struct evnt_ring *ring)
{
	return (struct evntprov_ring *)ring->map;
}

/*
 * Check that records may have the id of the process that mapped the ring.
 * Another process can share its memory, and have the ring when the first one is
 * gone or has executed another program, perhaps with other rights.  The memory
 * of a process is closed before the process is gone, and before the number of
 * its program changes.
 */
static bool is_owned(const struct evnt_ring *ring)
{
	const struct task_struct *leader;
	bool is_same;

	rcu_read_lock();
	leader = pid_task(ring->owner, PIDTYPE_TGID);
	is_same = leader && READ_ONCE(leader->self_exec_id) == ring->exec_id;
	rcu_read_unlock();
	return is_same;
}

/*
 * Read the counter and the clock, and compute the rate since this was last done.
 * During suspend, the clock goes on, and the counter may stop or be reset: then
 * the rate is the nominal one, as the records are from after that.
 */
static void note_clock(struct evnt_ring *ring)
{
	struct clock_pair now;
	s64 passed, span;
	u32 khz = 0;

	if (READ_ONCE(evnt_rings_counter))
		khz = evnt_read_counter(&now.count, &now.ns);
	if (!khz) {
		WRITE_ONCE(ring_state(ring)->flags, 0);
		return;
	}
	passed = mul_u64_u64_div_u64(now.ns - ring->now.ns, khz, NSEC_PER_MSEC);
	span = now.count - ring->now.count;
	if (abs(span - passed) > passed / 64)
		span = passed;
	ring->since.count = now.count - span;
	ring->since.ns = ring->now.ns;
	ring->rate = span ? mul_u64_u64_div_u64(now.ns - ring->now.ns,
						1ull << RATE_SHIFT, span) : 0;
	ring->most = span + U32_MAX;
	ring->now = now;
	WRITE_ONCE(ring_state(ring)->flags, EVNTPROV_RING_COUNTER);
}

/*
 * Compute the time of a value of the counter, which may be anything.  Some are
 * newer than @now, as the thread writes during the drain.
 */
static s64 time_of(const struct evnt_ring *ring, s64 count)
{
	u64 past = count - ring->since.count;

	if (unlikely(past > ring->most))
		past = (s64)past < 0 ? 0 : ring->most;
	return ring->since.ns + mul_u64_u64_shr(past, ring->rate, RATE_SHIFT);
}

/*
 * Return the padded size of the record at @at, or 0 if there is none.  A header
 * can be read there, though not all of it may have been copied.
 */
static u32 record_len(const u8 *at)
{
	const struct etl_event_header *h = (const void *)at;
	const u32 size = h->size;

	if (size < HEADER || size > EVNTPROV_RING_MAX_RECORD)
		return 0;
	return ALIGN(size, ETL_ALIGN);
}

/* Count lost records of a session, which may have no lanes */
static void count_lost(struct evnt_ring *ring, struct evnt_buffers *b,
		       enum evnt_loss kind, u32 count)
{
	ring->lost += count;
	while (count--)
		evnt_count_lost(b, smp_processor_id(), kind);
}

/* Complete a reservation of @count records */
static void commit_run(struct evnt_buffers *b, u32 cpu,
		       const struct evnt_reservation *at, u32 count)
{
	local64_add(count - 1, &b->cpus[cpu].events);
	evnt_commit(b, cpu, at);
}

/* Write @count records of @len bytes to a session, by one reservation */
static void put_run(struct evnt_ring *ring, struct evnt_buffers *b, s64 since,
		    const u8 *from, u32 len, u32 count)
{
	const u32 cpu = nr_cpu_ids + ring->lane;
	struct evnt_reservation at;
	int err;

	b->cpus[cpu].since = since;
	err = evnt_reserve_untimed(b, cpu, len, &at);
	if (unlikely(err)) {
		count_lost(ring, b, evnt_loss_of(err), count);
		return;
	}
	memcpy(evnt_record(&at), from, len);
	commit_run(b, cpu, &at, count);
}

/* As wanted_run(); @has_rules: the session has EVNT_PROPERTY_RULES; constant */
static __always_inline const u8 *
wanted_by(const struct evnt_registration *r, const struct evnt_enablement *e,
	  const bool has_rules, const u8 *from, const u8 *end, u32 *count)
{
	const u8 *limit = from + e->session->buffers.buffer_size / 16;
	const struct evnt_level_keyword interest = e->interest;
	const struct etl_event_header *h;
	const u8 *p, *next;
	const u32 flags = 0;
	bool wants;
	u32 n = 0;

	for (p = from; p < end; p = next) {
		h = (const void *)p;
		next = p + ALIGN(h->size, ETL_ALIGN);
		if (next > limit && n)
			break;
		if (has_rules)
			wants = evnt_wants_kind(e, r,
						(const void *)&h->descriptor,
						&flags);
		else
			wants = evnt_wanted(&interest, h->descriptor.level,
					    h->descriptor.keyword);
		if (!wants)
			break;
		n++;
	}
	*count = n;
	return p;
}

/*
 * Count the records that a session wants before the first one that it does not
 * want; returns their end.  Runs are short, as a run that does not fit leaves
 * the end of a buffer empty.  Not inline: what the loop needs is in registers.
 */
static noinline const u8 *
wanted_run(const struct evnt_registration *r, const struct evnt_enablement *e,
	   const u8 *from, const u8 *end, u32 *count)
{
	if (unlikely(e->property & EVNT_PROPERTY_RULES))
		return wanted_by(r, e, true, from, end, count);
	return wanted_by(r, e, false, from, end, count);
}

/* Write the records that a session wants */
static void give(struct evnt_ring *ring, const struct evnt_registration *r,
		 const struct evnt_enablement *e, s64 since, const u8 *p,
		 const u8 *end)
{
	struct evnt_buffers *b = &e->session->buffers;
	/* It may have changed since the writer looked at the enable area */
	const bool can = evnt_takes_rings(e);
	const u8 *run;
	u32 count;

	while (p < end) {
		run = p;
		p = wanted_run(r, e, run, end, &count);
		if (!count)
			p += record_len(p);
		else if (likely(can))
			put_run(ring, b, since, run, p - run, count);
		else
			count_lost(ring, b, EVNT_LOST_UNREADABLE, count);
	}
}

/* Write records of one registration to all sessions that want them */
static void give_all(struct evnt_ring *ring, const struct evnt_registration *r,
		     s64 since, const u8 *from, const u8 *end)
{
	const struct evnt_enable_set *set;
	u32 i;

	set = rcu_dereference_sched(r->set);
	for (i = 0; i < set->count; i++)
		give(ring, r, &set->e[i], since, from, end);
}

static u64 handle_at(const u8 *at)
{
	const struct etl_event_header *h = (const void *)at;

	return *(const u64 *)h->provider;
}

/* Write the registration's traits into an item of @size, which is also theirs */
static __always_inline void put_traits(u8 *item, const struct evnt_traits *traits,
				       u64 size)
{
	const u8 *from = (const u8 *)&traits->item;

	/* They are never empty */
	do {
		size -= sizeof(u64);
		*(u64 *)(item + size) = *(const u64 *)(from + size);
	} while (size > sizeof(traits->item));
}

/*
 * Check that the extended items of a record are traits and metadata, as the library
 * writes them for TraceLogging, and write the registration's traits, for which it
 * leaves room
 */
static __always_inline bool sign_tracelogging(const struct evnt_registration *r,
					      u8 *record)
{
	const u64 linkage = 1ull << 8 * offsetof(struct etl_ext_item, linkage);
	const struct evnt_traits *traits = rcu_dereference_sched(r->traits);
	const u64 size = ((const struct etl_event_header *)record)->size;
	u64 *item = (u64 *)(record + HEADER);
	u64 len;

	if (!traits || size < HEADER + sizeof(*item) ||
	    (*item ^ linkage) != *(const u64 *)&traits->item)
		return false;
	len = HEADER + traits->item.size;
	if (size < len + sizeof(*item))
		return false;
	put_traits(record + HEADER, traits, len - HEADER);
	item = (u64 *)(record + len);
	len += (u16)*item;
	return (u32)(*item >> 16) == ETL_EXT_SCHEMA_TL &&
	       (u16)*item == etl_ext_size(*item >> 48) && len <= size;
}

/*
 * Check that extended items are as in a log, each of a type that a process may
 * write, and set whether another one follows.  Traits of the registration take
 * the place of the event's; the library writes events with others by ioctl.
 */
static noinline bool sign_items(const struct evnt_registration *r, u8 *record)
{
	const struct etl_event_header *h = (const void *)record;
	const struct evnt_traits *traits = rcu_dereference_sched(r->traits);
	u8 *p = record + HEADER, *end = record + h->size;
	u32 allowed = BIT(ETL_EXT_RELATED_ACTIVITY) | BIT(ETL_EXT_SCHEMA_TL) |
		      BIT(ETL_EXT_PROV_TRAITS);
	struct etl_ext_item *item;
	u32 type, size, len;

	do {
		item = (void *)p;
		if (end - p < (s64)sizeof(*item))
			return false;
		type = item->type;
		size = item->size;
		len = item->data_size;
		if (end - p < size || size != etl_ext_size(len) || type >= 32 ||
		    !(allowed & BIT(type)))
			return false;
		allowed &= ~BIT(type);
		if (type == ETL_EXT_RELATED_ACTIVITY && len != ETL_RELATED_SIZE)
			return false;
		item->linkage = !!item->linkage;
		if (type == ETL_EXT_PROV_TRAITS && traits &&
		    len == traits->item.data_size)
			put_traits(p, traits, size);
		p += size;
	} while (item->linkage);
	return true;
}

/*
 * Sign the records at @p that have the same handle, and that @e wants if @is_one,
 * which is a constant: set the fields that a process must not choose, and limit the
 * times, which are @floor or more.  Sets @count to their number, and returns the end
 * of the last one.  Stops at a record with other items than it may have, which is no
 * record any longer then.
 */
static __always_inline u8 *
sign_wanted(struct evnt_ring *ring, const struct evnt_registration *r,
	    const bool is_one, const struct evnt_enablement *e, u8 *p,
	    const u8 *end, s64 *floor, s64 until, u32 *count)
{
	struct etl_event_header *h, *const sign = &ring->sign;
	const u64 handle = handle_at(p);
	const u32 write_flags = 0;
	s64 time, from = *floor;
	u32 len, size, n = 0;
	u64 first;

	until = max(from, until);
	memcpy(sign->provider, r->provider->id.b, sizeof(sign->provider));
	for (; end - p >= HEADER; p += len) {
		len = record_len(p);
		if (!len || len > end - p || handle_at(p) != handle)
			break;
		h = (void *)p;
		if (is_one && !evnt_wants_kind(e, r, (const void *)&h->descriptor,
					       &write_flags))
			break;
		size = h->size;
		/* The property, which is in the last 16 bits, becomes zero */
		first = *(const u64 *)sign | size;
		if (h->flags & EVNTPROV_RING_ITEMS) {
			if (!sign_tracelogging(r, p) && !sign_items(r, p)) {
				h->size = 0;
				break;
			}
			first |= (u64)ETL_EVENT_FLAG_EXTENDED << 32;
		}
		time = h->time_stamp;
		if (h->flags & EVNTPROV_RING_COUNTER)
			time = time_of(ring, time);
		from = clamp(time, from, until);
		h->time_stamp = from;
		if (size % ETL_ALIGN)
			((u64 *)(p + len))[-1] &= U64_MAX >> 8 * (-size % ETL_ALIGN);
		*(u64 *)h = first;
		*(u64 *)&h->thread_id = *(const u64 *)&sign->thread_id;
		memcpy(h->provider, sign->provider, sizeof(h->provider));
		*(u64 *)&h->kernel_time = *(const u64 *)&sign->kernel_time;
		n++;
	}
	*count = n;
	*floor = from;
	return p;
}

/* Not inline, like sign_for(): what the loop needs is in registers */
static noinline u8 *sign(struct evnt_ring *ring,
			 const struct evnt_registration *r, u8 *p,
			 const u8 *end, s64 *floor, s64 until)
{
	u32 count;

	return sign_wanted(ring, r, false, NULL, p, end, floor, until, &count);
}

/*
 * Write the records in the stage.  Returns the number of bytes of whole records
 * from its start, and raises @floor to the time of the last.
 */
static u32 route_stage(struct evnt_ring *ring, u32 size, s64 *floor, s64 until)
{
	const struct evnt_registration *r;
	u8 *p = ring->stage, *run, *end = p + size;
	s64 since;
	u32 len;

	rcu_read_lock_sched();
	while ((len = record_len(p)) && len <= end - p) {
		r = evnt_registration_find(ring->pf, handle_at(p));
		/* Records of a registration that is gone are dropped */
		if (!r) {
			p += len;
			continue;
		}
		ring->handle = handle_at(p);
		since = *floor;
		run = p;
		p = sign(ring, r, run, end, floor, until);
		give_all(ring, r, since, run, p);
	}
	rcu_read_unlock_sched();
	return p - ring->stage;
}

static const u8 *tail_of(const struct evnt_ring *ring)
{
	return ring->map + PAGE_SIZE + ring->tail % EVNTPROV_RING_SIZE;
}

/* As sign(), for records that a session wants */
static noinline u8 *sign_for(struct evnt_ring *ring,
			     const struct evnt_registration *r,
			     const struct evnt_enablement *e, u8 *p,
			     const u8 *end, s64 *floor, s64 until, u32 *count)
{
	return sign_wanted(ring, r, true, e, p, end, floor, until,
			   count);
}

/*
 * Copy up to @ready bytes from the ring to the only session that wants its events.
 * Whole records of one registration at their start, which the session wants, are
 * committed; what follows them is taken back.  Returns false if the stage is needed
 * for the next record, or if most of the bytes were taken back.
 */
static bool put_directly(struct evnt_ring *ring, u32 ready, s64 *floor, s64 until)
{
	const struct etl_event_header *h = (const void *)tail_of(ring);
	const u64 handle = READ_ONCE(*(const u64 *)h->provider);
	const u32 cpu = nr_cpu_ids + ring->lane;
	const struct evnt_registration *r;
	const struct evnt_enable_set *set;
	const struct evnt_enablement *e;
	struct evnt_reservation at;
	struct evnt_buffers *b;
	s64 last = *floor;
	u32 len, done = 0, count = 0;
	u8 *to;

	r = evnt_registration_find(ring->pf, handle);
	set = r ? rcu_dereference_sched(r->set) : NULL;
	if (!set || set->count != 1)
		return false;
	e = &set->e[0];
	if (!evnt_takes_rings(e))
		return false;
	b = &e->session->buffers;
	/* Short, as what does not fit leaves the end of a buffer empty */
	len = min3(ready, b->buffer_size / 16, STAGE);
	b->cpus[cpu].since = *floor;
	if (evnt_reserve_untimed(b, cpu, len, &at))
		return false;
	to = evnt_record(&at);
	memcpy(to, h, len);
	/* Whatever was copied was written before this */
	if (is_owned(ring) && handle_at(to) == handle)
		done = sign_for(ring, r, e, to, to + len, &last, until,
				&count) - to;
	if (!count) {
		evnt_discard(b, len, &at);
		return false;
	}
	evnt_shorten(b, len, done, &at);
	commit_run(b, cpu, &at, count);
	ring->handle = handle;
	ring->tail += done;
	*floor = last;
	return done >= len / 2;
}

/*
 * Drop everything in a ring that contains something other than records of its
 * process
 */
static void spoil(struct evnt_ring *ring, u64 commit)
{
	const struct evnt_registration *r;
	const struct evnt_enable_set *set;
	u32 i;

	ring->tail = commit;
	rcu_read_lock_sched();
	r = evnt_registration_find(ring->pf, ring->handle);
	set = r ? rcu_dereference_sched(r->set) : NULL;
	for (i = 0; set && i < set->count; i++) {
		/* The process may not write to some of the others */
		if (evnt_takes_rings(&set->e[i]))
			count_lost(ring, &set->e[i].session->buffers,
				   EVNT_LOST_UNREADABLE, 1);
	}
	rcu_read_unlock_sched();
}

/*
 * Copy about as many records as the stage takes, without it; returns false if the
 * stage is needed for the next one, or if most of what was copied was taken back
 */
static bool drain_directly(struct evnt_ring *ring, u64 commit, s64 *floor)
{
	const u64 end = min_t(u64, commit, ring->tail + STAGE);
	/* The records were complete before this */
	const s64 until = evnt_boot_ns();
	bool is_good = true;

	rcu_read_lock_sched();
	while (is_good && ring->tail + HEADER <= end)
		is_good = put_directly(ring, commit - ring->tail, floor, until);
	rcu_read_unlock_sched();
	return is_good;
}

/*
 * Copy records to the stage and to the sessions; @commit was loaded from the
 * ring.  The lock of the lane is held.
 */
static void drain_stage(struct evnt_ring *ring, u64 commit, s64 *floor)
{
	u64 ready = commit - ring->tail;
	u32 size, done, rest;

	if (ready > EVNTPROV_RING_SIZE) {
		spoil(ring, commit);
		return;
	}
	/* A process can leave it unaligned, by what spoils the ring */
	if (!ring->staged && IS_ALIGNED(ring->tail, ETL_ALIGN)) {
		/* A rest that is too short for a header spoils the ring below */
		if (drain_directly(ring, commit, floor) &&
		    (ring->tail == commit || ring->tail + HEADER <= commit))
			return;
		/* The record that needs it is probably followed by others */
		ring->staged = STAGED;
	}
	if (ring->staged)
		ring->staged--;
	ready = commit - ring->tail;
	size = min_t(u64, ready, STAGE);
	memcpy(ring->stage, tail_of(ring), size);
	/* Whatever was copied was written before this */
	if (!is_owned(ring)) {
		spoil(ring, commit);
		return;
	}
	done = route_stage(ring, size, floor, evnt_boot_ns());
	ring->tail += done;
	/* A rest is sound only if its record continues behind the stage */
	rest = size - done;
	if (rest && (size == ready ||
		     (rest >= HEADER && !record_len(ring->stage + done))))
		spoil(ring, commit);
}

/*
 * Copy a part of what a lane's ring contains.  @end is set to the end of what it
 * contains on the first call, for which it is 0.  Returns true if more is left
 * up to there; otherwise, or if this is the last call, no record will be older
 * than @time, which was read before the first call.  @pf: file that the ring
 * must belong to, or NULL.
 */
static bool drain_some(struct lane *lane, const struct evnt_prov_file *pf,
		       s64 time, u64 *end, bool is_last)
{
	struct evntprov_ring *state;
	struct evnt_ring *ring;
	bool is_left = false;
	u64 commit;

	spin_lock(&lane->lock);
	ring = lane->ring;
	if (pf && (!ring || ring->pf != pf)) {
		spin_unlock(&lane->lock);
		return false;
	}
	if (ring) {
		state = ring_state(ring);
		commit = smp_load_acquire(&state->commit); /* (R1) */
		if (!*end && commit != ring->tail) {
			note_clock(ring);
			/* Records after this have a later time */
			commit = smp_load_acquire(&state->commit); /* (R1) */
		}
		if (!*end)
			*end = commit;
		if (commit != ring->tail) {
			drain_stage(ring, commit, &lane->floor);
			is_left = (s64)(*end - ring->tail) > 0;
			WRITE_ONCE(state->lost, ring->lost);
			smp_store_release(&state->tail, ring->tail); /* (R2) */
		}
	}
	if (!is_left || is_last)
		lane->floor = max(lane->floor, time);
	spin_unlock(&lane->lock);
	return is_left;
}

static void drain_lane(struct lane *lane, const struct evnt_prov_file *pf,
		       s64 time)
{
	/*
	 * More than a ring has.  Something is left after them if another ring
	 * has come in its place, whose floor is higher, or if the process has
	 * changed @commit to anything.
	 */
	u32 parts = 2 * EVNTPROV_RING_SIZE / STAGE;
	bool is_left;
	u64 end = 0;

	do {
		is_left = drain_some(lane, pf, time, &end, !--parts);
		cond_resched();
	} while (is_left && parts);
}

/* Drain the rings of a file, or all rings; see evnt_drain() */
static s64 evnt_rings_drain(const struct evnt_prov_file *pf)
{
	const s64 time = evnt_boot_ns();
	u32 i;

	/*
	 * Usually, there are none.  Pairs with choose_lane(): the floor of a
	 * ring that is not counted yet is @time or more.
	 */
	smp_mb();
	if (!atomic64_read(&evnt_counts.rings))
		return time;
	for (i = 0; i < evnt_lanes; i++)
		drain_lane(&lanes[i], pf, time);
	return time;
}

/* Note the processor times of the thread, if it is the current one */
static void note_times(struct evnt_ring *ring)
{
	if (task_pid_nr(current) != ring->sign.thread_id)
		return;
	ring->sign.kernel_time = evnt_ticks(READ_ONCE(current->stime));
	ring->sign.user_time = evnt_ticks(READ_ONCE(current->utime));
}

/**
 * evnt_ring_drain() - EVNTPROV_IOC_DRAIN
 * @pf: file
 * @id: number of the ring
 *
 * Return: 0 or an errno documented for EVNTPROV_IOC_DRAIN.
 */
int evnt_ring_drain(struct evnt_prov_file *pf, unsigned long id)
{
	struct evnt_ring *ring;
	struct lane *lane;
	int err = -ENOENT;

	if (id >= evnt_lanes)
		return err;
	lane = &lanes[array_index_nospec(id, MAX_LANES)];
	spin_lock(&lane->lock);
	ring = lane->ring;
	if (ring && ring->pf == pf) {
		note_times(ring);
		err = 0;
	}
	spin_unlock(&lane->lock);
	if (err)
		return err;
	drain_lane(lane, pf, evnt_boot_ns());
	spin_lock(&lane->lock);
	ring = lane->ring;
	if (ring && ring->pf == pf && ring->lost != ring->reported) {
		ring->reported = ring->lost;
		err = -ENOBUFS;
	}
	spin_unlock(&lane->lock);
	return err;
}

static void ring_free(struct evnt_ring *ring)
{
	u32 i;

	evnt_uncharge(ring->pf->user, EVNT_RINGS, 1);
	put_pid(ring->owner);
	vunmap(ring->map);
	for (i = 0; i <= DATA_PAGES; i++) {
		if (ring->pages[i])
			put_page(ring->pages[i]);
	}
	kvfree(ring);
	atomic64_dec(&evnt_counts.rings);
}

static struct evnt_ring *ring_create(struct evnt_prov_file *pf)
{
	struct evnt_ring *ring = kvzalloc(sizeof(*ring), GFP_KERNEL_ACCOUNT);
	u32 i;

	if (!ring)
		return ERR_PTR(-ENOMEM);
	if (evnt_charge(pf->user, EVNT_RINGS, 1, evnt_is_exempt())) {
		kvfree(ring);
		return ERR_PTR(-EMFILE);
	}
	ring->pf = pf;
	atomic64_inc(&evnt_counts.rings);
	for (i = 0; i <= DATA_PAGES; i++) {
		ring->pages[i] = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
		if (!ring->pages[i])
			goto fail;
		if (i)
			ring->pages[i + DATA_PAGES] = ring->pages[i];
	}
	ring->map = vmap(ring->pages, MAP_PAGES, VM_MAP, PAGE_KERNEL);
	if (!ring->map)
		goto fail;
	ring->sign.thread_id = task_pid_nr(current);
	ring->sign.process_id = task_tgid_nr(current);
	ring->owner = get_task_pid(current, PIDTYPE_TGID);
	ring->exec_id = current->self_exec_id;
	ring->mm = current->mm;
	ring->sign.kind = in_compat_syscall() ? ETL_RECORD_EVENT32 :
						ETL_RECORD_EVENT64;
	note_times(ring);
	note_clock(ring);
	return ring;

fail:
	ring_free(ring);
	return ERR_PTR(-ENOMEM);
}

/*
 * Find the lowest free lane for the ring, so that a log has few processors; one
 * memory may have half of the lanes
 */
static int choose_lane(struct evnt_ring *ring)
{
	u32 i, lane = MAX_LANES, count = 0;

	lockdep_assert_held(&rings_lock);
	for (i = evnt_lanes; i--;) {
		spin_lock(&lanes[i].lock);
		if (!lanes[i].ring)
			lane = i;
		else if (lanes[i].ring->mm == ring->mm)
			count++;
		spin_unlock(&lanes[i].lock);
	}
	if (lane == MAX_LANES || count >= evnt_lanes / 2)
		return -EMFILE;
	ring->lane = lane;
	ring_state(ring)->id = lane;
	spin_lock(&lanes[lane].lock);
	smp_mb(); /* the ring was counted before: see evnt_rings_drain() */
	lanes[lane].floor = max(lanes[lane].floor, evnt_boot_ns());
	lanes[lane].ring = ring;
	spin_unlock(&lanes[lane].lock);
	return 0;
}

/* Give up the lane after all that was written */
static void leave_lane(struct evnt_ring *ring)
{
	struct lane *lane = &lanes[ring->lane];

	drain_lane(lane, ring->pf, evnt_boot_ns());
	spin_lock(&lane->lock);
	lane->ring = NULL;
	spin_unlock(&lane->lock);
}

/* A mapping that is moved or divided is no ring any longer */
static void ring_vm_open(struct vm_area_struct *vma)
{
	vma->vm_private_data = NULL;
}

static int ring_vm_may_split(struct vm_area_struct *vma, unsigned long at)
{
	return -EINVAL;
}

static void ring_vm_close(struct vm_area_struct *vma)
{
	struct evnt_ring *ring = vma->vm_private_data;

	if (!ring)
		return;
	leave_lane(ring);
	ring_free(ring);
}

static const struct vm_operations_struct ring_vm_ops = {
	.open = ring_vm_open,
	.may_split = ring_vm_may_split,
	.close = ring_vm_close,
};

/* Return whether the process reads the same clock as the module */
static bool has_boot_time(void)
{
#ifdef CONFIG_TIME_NS
	const struct timens_offsets *offsets =
		&current->nsproxy->time_ns->offsets;

	return !offsets->boottime.tv_sec && !offsets->boottime.tv_nsec;
#else
	return true;
#endif
}

/**
 * evnt_ring_mmap() - map a new ring for the current thread
 * @pf: file
 * @vma: mapping
 *
 * All pages are mapped at once, so that no write faults.
 *
 * Context: mmap_lock is held.
 *
 * Return: 0; -EOPNOTSUPP without rings, or in a child of vfork(), whose parent
 * would go on to write to the ring; -EINVAL for another size or mode; -EMFILE
 * if there are too many rings; -ENOMEM.
 */
int evnt_ring_mmap(struct evnt_prov_file *pf, struct vm_area_struct *vma)
{
	unsigned long count = MAP_PAGES;
	struct evnt_ring *ring;
	int err;

	if (!READ_ONCE(evnt_rings) || !has_boot_time() || !DATA_PAGES ||
	    current->vfork_done)
		return -EOPNOTSUPP;
	if (vma_pages(vma) != MAP_PAGES || !(vma->vm_flags & VM_SHARED) ||
	    vma->vm_flags & VM_EXEC)
		return -EINVAL;
	ring = ring_create(pf);
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	/* VM_IO: madvise() must not undo VM_DONTCOPY */
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP | VM_IO,
		     VM_MAYEXEC);
	err = vm_insert_pages(vma, vma->vm_start, ring->pages, &count);
	if (err)
		goto free;
	mutex_lock(&rings_lock);
	err = choose_lane(ring);
	mutex_unlock(&rings_lock);
	if (err)
		goto free;
	vma->vm_private_data = ring;
	vma->vm_ops = &ring_vm_ops;
	return 0;

free:
	ring_free(ring);
	return err;
}

void __init evnt_rings_init(void)
{
	u32 i;

	for (i = 0; i < MAX_LANES; i++)
		spin_lock_init(&lanes[i].lock);
	evnt_lanes = clamp(num_present_cpus(), 16u, MAX_LANES);
	evnt_writer_set_drain(evnt_rings_drain);
}
