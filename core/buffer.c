// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A session's buffers: reserve, commit, switch, pool, loss counters.
 *
 * Life cycle of a buffer:
 *
 *	free map --acquire--> current buffer of a CPU --close--> full stack
 *	    ^                  reserve, fill, commit                 |
 *	    +---------------- free <-- written out <-- take ---------+
 *
 * Each CPU has one current buffer, taken from those whose memory is near to it
 * as long as there are any.  Writers synchronise on a single word of the
 * buffer, its state, which only compare-exchange and subtraction modify:
 *
 *	bits  0..24	offset: where the next record goes
 *	bits 25..38	refs: writers that have reserved and not committed
 *	bit  39		closed: no more reservations
 *	bits 40..57	generation: counts how often the buffer was acquired
 *	bits 58..63	undone: counts reservations that were taken back
 *
 * A reservation advances offset and adds a ref in one step; commit drops the
 * ref.  A writer closes the buffer if its next record does not fit, and a flush
 * closes it as well.  The closer or writer that leaves a closed buffer without
 * refs hands the buffer on to the reader.  Exactly one does, as all of them
 * modify the same word atomically.  An interrupt or NMI that writes while the
 * interrupted context reserves simply goes first.
 *
 * The time stamp is read between loading the state and the exchange that
 * depends on it.  A reservation in between makes the exchange fail, so time
 * never goes back within a buffer.  This is why the word contains "undone": the
 * exchange must also fail if a reservation was made and taken back in between.
 *
 * A CPU's current buffer is named by index and generation.  A writer that is
 * interrupted after it has read the name may find that the buffer was written
 * out and has become another CPU's.  The generation in the state then no longer
 * matches the name, and the writer looks for a free buffer.
 *
 * The generation wraps, so a name must not outlive its buffer where it is
 * stored.  If a buffer is closed by a flush, or while no other is free, the
 * name stays until the buffer is taken, and becomes invalid before the buffer
 * is free again: see evnt_invalidate().  Names that a writer has read last as
 * long as it stays in evnt_reserve(): in the kernel, no longer than interrupts
 * of a task that is not preempted.
 *
 * If all CPUs share one buffer, each CPU has its own copy of the name, so that
 * the fast path is the same.  A writer that finds its copy outdated looks at
 * the first CPU's name: it copies that name if the buffer is open, and
 * otherwise replaces it by a new buffer's.  Each CPU's name is therefore a
 * current or earlier name of the first CPU.  It may copy a name that has just
 * become invalid, and then makes its copy invalid, too.
 *
 * A lane is a CPU that does not exist.  A single writer at a time writes to it,
 * which may run anywhere, and records may be older than their buffer, but not
 * older than earlier ones of the lane.  So readers find the records of a lane
 * in order, as with a CPU.
 *
 * Memory ordering:
 *
 * (A) A writer's stores to its record precede its commit, and all commits of a
 *     buffer precede its reading: the subtraction in evnt_commit() is a full
 *     barrier, on the word that is last modified by the context that hands the
 *     buffer on.
 * (B) A buffer is prepared before it becomes visible as current: the exchange
 *     of current_buffer in evnt_switch() is a full barrier.  It pairs with the
 *     acquire of current_buffer in evnt_current().
 * (C) @next is written before the buffer is on the stack: the exchange in
 *     evnt_buffer_retire().  It pairs with the exchange in evnt_buffers_take().
 * (D) All reads of a buffer precede freeing it: the barrier in
 *     evnt_buffer_free().  It pairs with test_and_clear_bit() in
 *     evnt_acquire_of().
 * (E) @since and the header are written before the state shows the buffer as
 *     open: the release in evnt_prepare().  It pairs with the acquire of the
 *     state by code that looks for open buffers.
 * (F) An added buffer is complete before its memory can be found: the release
 *     in evnt_buffer_alloc().  It pairs with the acquire of @data by code that
 *     does not find the buffer through the free map.
 * (J) @pending is written before the state shows the buffer as open, and hence
 *     before the clock is read for any record in it: the release of (E) and the
 *     acquire in evnt_look().  It pairs with the barrier between clock and
 *     @pending in evnt_buffers_watermark(): if a buffer is not seen as pending
 *     there, all of its records are newer than that clock value.
 * (G) A CPU stores its copy of a shared buffer's name before it checks that the
 *     buffer is open: the exchange in evnt_take_over() is a full barrier.  It
 *     pairs with the exchange (C) in evnt_buffers_take(), which follows the
 *     closing of the buffer and precedes evnt_invalidate(): either the CPU finds
 *     the buffer closed, or its copy is found.
 * (H) A buffer is pending before it gets its sequence number: the increment in
 *     evnt_prepare() is a full barrier.  It pairs with the barrier in
 *     evnt_buffers_part(), after @last was read.
 *
 * The caller of reserve, commit and discard stays on its CPU in between and
 * does not sleep.  In user space it may be preempted and migrate.  CPUs then
 * share a buffer for a while, which the algorithm permits.
 */
#include "core/reserve.h"
#include "core/self_layout.h"

/*
 * First word of a discarded reservation, followed by its length.  No record
 * starts with this value.
 */
#define FILLER			0xffffffffu

static struct etl_buffer_header *buffer_header(const struct evnt_buffer *buf)
{
	return (struct etl_buffer_header *)buf->data;
}

/**
 * evnt_buffer_retire() - pass a closed buffer without writers on to the reader
 * @b: the session's buffers
 * @buf: buffer to hand on
 */
void evnt_buffer_retire(struct evnt_buffers *b, struct evnt_buffer *buf)
{
	s32 index = buf - b->buffers + 1;
	s32 head = atomic_read(&b->full);

	do
		buf->next = head;
	while (!atomic_try_cmpxchg(&b->full, &head, index));	/* (C) */
	if (!head)
		b->notify(b);
}

/*
 * Close @buf if its state is still @state.  Otherwise, update @state and return
 * false.
 */
static bool evnt_close(struct evnt_buffers *b, struct evnt_buffer *buf,
		       s64 *state)
{
	if (!atomic64_try_cmpxchg(&buf->state, state, *state | STATE_CLOSED))
		return false;
	if (!(*state & STATE_REFS))
		evnt_buffer_retire(b, buf);
	return true;
}

/* Acquire a free buffer with an index in [@first, @end), or return NULL */
static struct evnt_buffer *evnt_acquire_of(struct evnt_buffers *b, u32 first,
					   u32 end)
{
	unsigned long bits, mask = ~0UL << first % BITS_PER_LONG;
	u32 word, index;

	for (word = first / BITS_PER_LONG; word * BITS_PER_LONG < end; word++) {
		while ((bits = READ_ONCE(b->free_map[word]) & mask)) {
			index = word * BITS_PER_LONG + __ffs(bits);
			if (index >= end)
				return NULL;
			if (test_and_clear_bit(index, b->free_map))	/* (D) */
				return &b->buffers[index];
		}
		mask = ~0UL;
	}
	return NULL;
}

/* Acquire a free buffer, preferably one that is near to @cpu */
static struct evnt_buffer *evnt_acquire(struct evnt_buffers *b, u32 cpu)
{
	u32 near = b->cpus[cpu].near;

	return evnt_acquire_of(b, near, b->capacity) ?:
	       evnt_acquire_of(b, 0, near);
}

static bool evnt_is_lane(const struct evnt_buffers *b, u32 cpu)
{
	return cpu >= b->nr_cpus - b->nr_lanes;
}

/* Prepare an acquired buffer for its first record; returns its name */
static s64 evnt_prepare(struct evnt_buffers *b, struct evnt_buffer *buf,
			u32 cpu)
{
	u64 gen = state_generation(atomic64_read(&buf->state)) + 1;

	gen &= STATE_GEN_MASK;
	/* Must precede the allocation of the sequence number; see @since */
	buf->since = unlikely(evnt_is_lane(b, cpu)) ? b->cpus[cpu].since :
						     evnt_clock(b);
	WRITE_ONCE(buf->pending, buf->since);
	WRITE_ONCE(buf->sequence, atomic64_inc_return(&b->sequence));	/* (H) */
	*buffer_header(buf) = (struct etl_buffer_header) {
		.buffer_size = b->buffer_size,
		.sequence = buf->sequence,
		.cpu = cpu,
		.logger_id = b->logger_id,
		.state = ETL_STATE_LOGGING,
		.flag = ETL_FLAG_PROC_INDEX,
		.type = ETL_TYPE_GENERIC,
	};
	buf->copied = 0;
	buf->holes = false;
	atomic64_set_release(&buf->state, gen << STATE_GEN_SHIFT |
			     ETL_BUFFER_HEADER_SIZE);		/* (E) */
	return evnt_name(gen, buf - b->buffers);
}

/* Make a CPU's name of a closed buffer invalid, if it still is that name */
static void evnt_invalidate_name(struct evnt_buffers *b, u32 cpu, s64 name)
{
	s64 cur = name;

	if (evnt_current(b, cpu) == name)
		atomic64_try_cmpxchg(&b->cpus[cpu].current_buffer, &cur,
				     name | NO_BUFFER);
}

/*
 * Make the names of a buffer that was taken invalid, before it is acquired
 * again.  It was current, so no CPU gets its name later, except as a copy.
 */
static void evnt_invalidate(struct evnt_buffers *b,
			    const struct evnt_buffer *buf)
{
	const u64 gen = state_generation(atomic64_read(&buf->state));
	u32 cpu = buffer_header(buf)->cpu;
	u32 end = b->is_shared ? b->nr_cpus : cpu + 1;

	for (; cpu < end; cpu++)				/* (G) */
		evnt_invalidate_name(b, cpu,
				     evnt_name(gen, buf - b->buffers));
}

/*
 * Let @cpu use the buffer that all CPUs share, which is named by the first CPU.
 * Returns false if that buffer, @shared, is closed and must be replaced.
 */
static bool evnt_take_over(struct evnt_buffers *b, u32 cpu, s64 cur, s64 shared)
{
	const struct evnt_buffer *buf = evnt_current_buffer(b, shared);

	if (cpu)
		atomic64_try_cmpxchg(&b->cpus[cpu].current_buffer, &cur,
				     shared);			/* (G) */
	if (evnt_is_current(atomic64_read_acquire(&buf->state), shared))
		return true;
	if (cpu)
		evnt_invalidate_name(b, cpu, shared);
	return false;
}

/* Replace the closed buffer @cur of a CPU by a free one */
static int evnt_switch(struct evnt_buffers *b, u32 cpu, s64 cur)
{
	const u32 slot = b->is_shared ? 0 : cpu;
	struct evnt_buffer *buf;
	s64 new;

	if (b->is_shared) {
		s64 shared = evnt_current(b, slot);

		if (evnt_take_over(b, cpu, cur, shared))
			return 0;
		cur = shared;
	}
	do
		buf = evnt_acquire(b, cpu);
	while (!buf && b->reclaim && b->reclaim(b));
	if (!buf)
		return -ENOBUFS;
	new = evnt_prepare(b, buf, slot);
	if (atomic64_try_cmpxchg(&b->cpus[slot].current_buffer, &cur, new))
		return 0;					/* (B) */
	/* Lost the race against an interrupt or, if shared, another CPU */
	WRITE_ONCE(buf->pending, S64_MAX);
	atomic64_set(&buf->state, atomic64_read(&buf->state) | STATE_CLOSED);
	evnt_buffer_free(b, buf);
	return 0;
}

/* Provide a buffer if @cur had no room, was closed, or has just changed */
static int evnt_next_buffer(struct evnt_buffers *b, u32 cpu, u32 len, s64 cur)
{
	struct evnt_buffer *buf = evnt_current_buffer(b, cur);
	s64 state = atomic64_read(&buf->state);

	if (!evnt_is_current(state, cur))
		return evnt_switch(b, cpu, cur);
	if (state_offset(state) + len <= b->buffer_size)
		return 0;
	if (!evnt_close(b, buf, &state))
		return 0;
	return evnt_switch(b, cpu, cur);
}

/**
 * evnt_reserve_slowly() - slow path of evnt_reserve()
 * @b: the session's buffers
 * @cpu: CPU that the caller runs on
 * @len: length of the record in bytes, with padding
 * @r: filled in
 * @time: set to the time stamp of the record
 *
 * Return: as evnt_reserve().
 */
int evnt_reserve_slowly(struct evnt_buffers *b, u32 cpu, u32 len,
			struct evnt_reservation *r, s64 *time)
{
	s64 cur;
	int err;

	if (unlikely(len > b->buffer_size - ETL_BUFFER_HEADER_SIZE))
		return -EMSGSIZE;
	do {
		cur = evnt_current(b, cpu);
		if (evnt_look(b, cur, r)) {
			*time = evnt_clock(b);
			if (evnt_claim(b, r, len))
				return 0;
		}
		err = evnt_next_buffer(b, cpu, len, cur);
	} while (!err);
	return err;
}

/*
 * Give back the bytes of a reservation between @kept and @len, and @ref, which is
 * STATE_REF or 0.  If another record was reserved since, filler takes their place,
 * which evnt_buffer_finish() removes.
 */
static void evnt_give_back(struct evnt_buffers *b,
			   const struct evnt_reservation *r, u32 kept, u32 len,
			   s64 ref)
{
	struct evnt_buffer *buf = r->buffer;
	u32 *filler = (u32 *)(evnt_record(r) + kept);
	s64 state = atomic64_read(&buf->state);

	while (state_offset(state) == state_offset(r->state) + len &&
	       !(state & STATE_CLOSED)) {
		if (atomic64_try_cmpxchg(&buf->state, &state,
					 state - (len - kept) - ref +
					 STATE_UNDONE))
			return;
	}
	filler[0] = FILLER;
	filler[1] = len - kept;
	WRITE_ONCE(buf->holes, true);
	if (ref)
		evnt_buffer_unref(b, buf);
}

/**
 * evnt_discard() - take a reservation back
 * @b: the session's buffers
 * @size: size that was passed to evnt_reserve()
 * @r: reservation
 */
void evnt_discard(struct evnt_buffers *b, u32 size,
		  const struct evnt_reservation *r)
{
	evnt_give_back(b, r, 0, ALIGN(size, ETL_ALIGN), STATE_REF);
}

/**
 * evnt_shorten() - take the end of a reservation back
 * @b: the session's buffers
 * @size: size that was passed to evnt_reserve()
 * @kept: number of bytes from its start that remain reserved, and that the caller
 *	must commit; a multiple of ETL_ALIGN
 * @r: reservation
 */
void evnt_shorten(struct evnt_buffers *b, u32 size, u32 kept,
		  const struct evnt_reservation *r)
{
	const u32 len = ALIGN(size, ETL_ALIGN);

	if (kept < len)
		evnt_give_back(b, r, kept, len, 0);
}

/* Close the buffer @name if it is still current and filled beyond @offset */
static void evnt_close_named(struct evnt_buffers *b, s64 name, u32 offset)
{
	struct evnt_buffer *buf = evnt_current_buffer(b, name);
	s64 state = atomic64_read(&buf->state);

	while (evnt_is_current(state, name) && state_offset(state) > offset &&
	       !evnt_close(b, buf, &state))
		;
}

/**
 * evnt_buffers_close() - close all current buffers that contain records
 * @b: the session's buffers
 *
 * If there are writers in a buffer, the last of them hands it on.
 */
void evnt_buffers_close(struct evnt_buffers *b)
{
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++)
		evnt_close_named(b, evnt_current(b, cpu),
				 ETL_BUFFER_HEADER_SIZE);
}

static s64 evnt_sequence(const struct evnt_buffers *b, u32 index)
{
	return READ_ONCE(b->buffers[index].sequence);
}

/**
 * evnt_buffers_close_older() - close current buffers acquired long ago
 * @b: the session's buffers
 * @distance: minimum number of buffers acquired since; 0 closes all
 *
 * Closes empty buffers, too.  Called only by the task that frees buffers, so
 * that a buffer is not reused between the comparison of its sequence number and
 * its closing.
 */
void evnt_buffers_close_older(struct evnt_buffers *b, u32 distance)
{
	s64 cur, newest = atomic64_read(&b->sequence);
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++) {
		cur = evnt_current(b, cpu);
		if (newest - evnt_sequence(b, (u32)cur) >= distance)
			evnt_close_named(b, cur, 0);
	}
}

/**
 * evnt_buffers_watermark() - find the time up to which all records were taken
 * @b: the session's buffers
 *
 * Called by the task that takes buffers.  Reads the clock, then checks all
 * buffers.  A pending buffer has no record older than its acquisition.  It may
 * be open, closed with writers inside, or about to be handed on by the last of
 * them.  A buffer that is not pending yet, or not counted in @nr_buffers yet,
 * gets its records after the clock was read.
 *
 * Return: time in the session's clock; all older records are in buffers that
 * have been taken.
 */
s64 evnt_buffers_watermark(const struct evnt_buffers *b)
{
	s64 mark = evnt_clock(b);
	u32 i, count;

	smp_mb();						/* (J) */
	count = READ_ONCE(b->nr_buffers);
	for (i = 0; i < count; i++)
		mark = min(mark, READ_ONCE(b->buffers[i].pending));
	return mark;
}

/**
 * evnt_buffers_take_more() - take all finished buffers
 * @b: the session's buffers
 * @list: list of buffers taken before, to which they are added, or NULL
 *
 * The caller serialises calls, and returns each buffer with evnt_buffer_free().
 *
 * Return: the buffer that was acquired first, or NULL.  evnt_buffer_next()
 * iterates over the rest in the order of acquisition.
 */
struct evnt_buffer *evnt_buffers_take_more(struct evnt_buffers *b,
					   struct evnt_buffer *list)
{
	u32 index = atomic_xchg(&b->full, 0);			/* (C) */
	u32 next, oldest = list ? list - b->buffers + 1 : 0, *at;

	/* Insertion sort is cheap: the stack is almost in reverse order */
	while (index) {
		evnt_invalidate(b, &b->buffers[index - 1]);
		WRITE_ONCE(b->buffers[index - 1].pending, S64_MAX);
		next = b->buffers[index - 1].next;
		at = &oldest;
		while (*at && evnt_sequence(b, *at - 1) <
			      evnt_sequence(b, index - 1))
			at = &b->buffers[*at - 1].next;
		b->buffers[index - 1].next = *at;
		*at = index;
		index = next;
	}
	return oldest ? &b->buffers[oldest - 1] : NULL;
}

/**
 * evnt_buffer_next() - get the next buffer of a list of taken buffers
 * @b: the session's buffers
 * @buf: buffer returned by evnt_buffers_take() or by this function
 *
 * Return: the buffer that was acquired next, or NULL.
 */
struct evnt_buffer *evnt_buffer_next(struct evnt_buffers *b,
				     const struct evnt_buffer *buf)
{
	return buf->next ? &b->buffers[buf->next - 1] : NULL;
}

/* Reverse a list of taken buffers, given and returned as in @next */
static u32 evnt_reverse(struct evnt_buffers *b, u32 from)
{
	u32 to = 0, next;

	for (; from; from = next) {
		next = b->buffers[from - 1].next;
		b->buffers[from - 1].next = to;
		to = from;
	}
	return to;
}

/**
 * evnt_buffers_bound() - have buffers include those that follow in their @since
 * @b: the session's buffers
 * @list: list of taken buffers, or NULL
 * @mark: no record outside of the list that is written later is older
 *
 * A lane's buffer may have older records than the buffers before it.
 * Afterwards, @since of each buffer is a time before which no record of it, of
 * those that follow in the list, or of those taken later is.
 */
void evnt_buffers_bound(struct evnt_buffers *b, struct evnt_buffer *list,
			s64 mark)
{
	u32 at, last = list ? evnt_reverse(b, list - b->buffers + 1) : 0;

	for (at = last; at; at = b->buffers[at - 1].next) {
		mark = min(mark, b->buffers[at - 1].since);
		b->buffers[at - 1].since = mark;
	}
	evnt_reverse(b, last);
}

/**
 * evnt_buffers_part() - take all buffers acquired so far
 * @b: the session's buffers
 * @last: sequence number last used
 * @list: list of buffers taken before, or NULL; updated
 *
 * Closes and takes buffers, newer ones as well.  The caller repeats the call
 * until the writers inside have left; they take no longer than an interrupt.
 *
 * Return: true if all buffers up to @last are in @list or were taken before.
 * Then no further record will be reserved in them; records in later buffers
 * were reserved after @last was read.
 *
 * A buffer is pending before it gets its number, so each of them is seen as
 * pending until it is taken, or closed without having become current.  Its
 * number may not be seen yet, but an earlier one then is, which is lower.
 */
bool evnt_buffers_part(struct evnt_buffers *b, s64 last,
		       struct evnt_buffer **list)
{
	u32 i, count;

	evnt_buffers_close_older(b, atomic64_read(&b->sequence) - last);
	*list = evnt_buffers_take_more(b, *list);
	smp_mb();						/* (H) */
	count = READ_ONCE(b->nr_buffers);
	for (i = 0; i < count; i++) {
		if (READ_ONCE(b->buffers[i].pending) != S64_MAX &&
		    evnt_sequence(b, i) <= last)
			return false;
	}
	return true;
}

/* Return the length of the record or filler at @p */
static u32 evnt_item_len(const u8 *p)
{
	const u32 *word = (const u32 *)p;

	if (word[0] == FILLER)
		return word[1];
	return ALIGN(etl_record_size(p), ETL_ALIGN);
}

/* Remove the fillers from a buffer; returns the new end of the records */
static u32 evnt_squeeze(u8 *data, u32 end)
{
	u32 from, len, to = ETL_BUFFER_HEADER_SIZE;

	for (from = to; from < end; from += len) {
		len = evnt_item_len(data + from);
		if (*(u32 *)(data + from) == FILLER)
			continue;
		if (to != from)
			memmove(data + to, data + from, len);
		to += len;
	}
	return to;
}

/* Set the end of the records and fill the rest of the buffer with padding */
static void evnt_set_end(struct etl_buffer_header *h, u32 end)
{
	h->saved_offset = end;
	h->current_offset = end;
	h->offset = end;
	memset((u8 *)h + end, 0xff, h->buffer_size - end);
}

/* Bring a buffer, or a copy of one, with records up to @end into final form */
static bool evnt_complete(struct evnt_buffers *b, u8 *data, u32 end,
			  bool holes, u16 flag)
{
	struct etl_buffer_header *h = (void *)data;

	if (holes)
		end = evnt_squeeze(data, end);
	h->state = ETL_STATE_FLUSH;
	h->flag |= flag;
	h->time_stamp = evnt_clock(b);
	evnt_set_end(h, end);
	return end > ETL_BUFFER_HEADER_SIZE;
}

/**
 * evnt_buffer_finish() - bring a taken buffer into its final form
 * @b: the session's buffers
 * @buf: buffer
 * @flag: ETL_FLAG_FLUSH_MARKER or 0
 *
 * Return: false if the buffer contains no records.
 */
bool evnt_buffer_finish(struct evnt_buffers *b, struct evnt_buffer *buf,
			u16 flag)
{
	return evnt_complete(b, buf->data,
			     state_offset(atomic64_read(&buf->state)),
			     buf->holes, flag);
}

/**
 * evnt_buffer_copy() - copy a CPU's current buffer, which stays open
 * @b: the session's buffers
 * @cpu: CPU
 * @copy: filled in, in its final form
 *
 * Called by the task that takes buffers.  A buffer with a writer inside is
 * closed instead: the last of them hands it on.  Without writers, all records
 * before the offset are complete; later ones do not touch them.
 *
 * Return: the buffer, or NULL if it has no records since its last copy.
 */
struct evnt_buffer *evnt_buffer_copy(struct evnt_buffers *b, u32 cpu, u8 *copy)
{
	const s64 name = evnt_current(b, cpu);
	struct evnt_buffer *buf = evnt_current_buffer(b, name);
	const s64 state = atomic64_read_acquire(&buf->state);	/* (A) (E) */
	const u32 end = state_offset(state);

	if (!evnt_is_current(state, name) ||
	    end <= buf->copied || end == ETL_BUFFER_HEADER_SIZE)
		return NULL;
	if (state & STATE_REFS) {
		evnt_close_named(b, name, ETL_BUFFER_HEADER_SIZE);
		return NULL;
	}
	buf->copied = end;
	memcpy(copy, buf->data, end);
	return evnt_complete(b, copy, end, READ_ONCE(buf->holes), 0) ?
	       buf : NULL;
}

/**
 * evnt_buffer_free() - return a buffer to the free map
 * @b: the session's buffers
 * @buf: buffer that is closed or was never published
 */
void evnt_buffer_free(struct evnt_buffers *b, struct evnt_buffer *buf)
{
	smp_mb__before_atomic();				/* (D) */
	set_bit(buf - b->buffers, b->free_map);
}

static u32 evnt_data_end(const u8 *data)
{
	return ((const struct etl_buffer_header *)data)->saved_offset;
}

/* Read the possibly unaligned time stamp of a record; returns false if none */
static bool evnt_time_at(const u8 *record, s64 *time)
{
	u32 at = etl_time_offset(record);

	if (at)
		memcpy(time, record + at, sizeof(*time));
	return at;
}

/*
 * Check that a record in the short form is one that names a process, and not an
 * event of the kernel
 */
static bool evnt_is_process_name(const u8 *record)
{
	const struct etl_perf_header *h = (const void *)record;
	const struct evntprov_process *p = (const void *)(h + 1);

	return h->hook == EVNTPROV_PROCESS_HOOK &&
	       h->size >= sizeof(*h) + sizeof(*p) &&
	       p->flags & EVNTPROV_PROCESS_NAMED;
}

/* Check that a record is an event, and not one about processes or losses */
static bool evnt_counts_as_event(const u8 *record)
{
	static const struct evntprov_guid losses = EVNTPROV_LOSSES_PROVIDER;
	const u16 kind = ((const u16 *)record)[1];
	const struct etl_event_header *h = (const void *)record;

	/* It may be too short for an event, if it was read from a file */
	if (kind == ETL_RECORD_EVENT64 && h->size >= sizeof(*h))
		return memcmp(h->provider, &losses, sizeof(losses)) != 0;
	return kind != ETL_RECORD_PERFINFO64 || !evnt_is_process_name(record);
}

/**
 * evnt_buffer_extent() - get the event count and time range of a buffer
 * @data: finished buffer
 *
 * If no record has a time stamp, the time at which the buffer was finished is
 * used.
 *
 * Return: the extent of the buffer.
 */
struct evnt_extent evnt_buffer_extent(const u8 *data)
{
	struct evnt_extent extent = {};
	u32 at, end = evnt_data_end(data);
	bool has_time = false;

	for (at = ETL_BUFFER_HEADER_SIZE; at < end;) {
		if (evnt_time_at(data + at, &extent.last) && !has_time) {
			extent.first = extent.last;
			has_time = true;
		}
		extent.records += evnt_counts_as_event(data + at);
		at += evnt_item_len(data + at);
	}
	if (!has_time && extent.records) {
		extent.last = ((const struct etl_buffer_header *)data)->time_stamp;
		extent.first = extent.last;
	}
	return extent;
}

/**
 * evnt_buffer_is_sound() - validate a finished buffer that was read from a file
 * @data: contents read
 * @size: number of bytes
 *
 * The file may have been modified since the buffer was written.
 *
 * Return: true if the buffer can be parsed safely.
 */
bool evnt_buffer_is_sound(const u8 *data, u32 size)
{
	const struct etl_buffer_header *h = (const void *)data;
	u32 at, len, time, end = h->saved_offset;

	if (h->buffer_size != size || end > size || end % ETL_ALIGN)
		return false;
	for (at = ETL_BUFFER_HEADER_SIZE; at < end; at += len) {
		len = evnt_item_len(data + at);
		if (!len || len % ETL_ALIGN || len > end - at)
			return false;
		/* The record may be too short for its time stamp */
		time = etl_time_offset(data + at);
		if (time && len < time + sizeof(s64))
			return false;
	}
	return at == end;
}

/**
 * evnt_buffer_recover() - bring a buffer of a process that is gone into its final
 * form
 * @data: @size bytes, of which those that were not written since the buffer was
 *	acquired are zero; their contents are not trusted
 * @size: size of the buffer
 *
 * A record whose kind is zero is incomplete, as its writer is gone, too.  Room
 * that was reserved and not written to is zero.  What follows a record that is
 * not sound is dropped.
 *
 * Return: false if the buffer contains no records.
 */
bool evnt_buffer_recover(u8 *data, u32 size)
{
	struct etl_buffer_header *h = (void *)data;
	u32 from, len, to = ETL_BUFFER_HEADER_SIZE;
	const u8 *p;
	s64 time = 0;

	if (h->buffer_size != size)
		return false;
	for (from = to; from < size; from += len) {
		p = data + from;
		len = ETL_ALIGN;
		if (!*(const u64 *)p)
			continue;
		/* A buffer may already have its padding, which is as long filler */
		len = ALIGN(evnt_item_len(p), ETL_ALIGN);
		if (!len || len > size - from)
			break;
		if (*(const u32 *)p == FILLER || !((const u16 *)p)[1])
			continue;
		if (etl_time_offset(p) + sizeof(s64) > len)
			break;
		evnt_time_at(p, &time);
		memmove(data + to, p, len);
		to += len;
	}
	h->state = ETL_STATE_FLUSH;
	h->time_stamp = time;
	evnt_set_end(h, to);
	return to > ETL_BUFFER_HEADER_SIZE;
}

/*
 * Return the offset of the first record newer than @time, or the end.  A record
 * without a time stamp belongs to the preceding record that has one, or, if
 * there is none, to the following one.
 */
static u32 evnt_find_newer(const u8 *data, s64 time)
{
	u32 at = ETL_BUFFER_HEADER_SIZE, end = evnt_data_end(data);
	bool is_older = false;
	s64 then;

	for (; at < end; at += evnt_item_len(data + at)) {
		if (!evnt_time_at(data + at, &then))
			continue;
		if (then > time)
			return is_older ? at : ETL_BUFFER_HEADER_SIZE;
		is_older = true;
	}
	return at;
}

/**
 * evnt_buffer_cut() - drop the records outside a time range
 * @data: finished buffer, or a copy of one
 * @after: records up to and including this time are dropped
 * @until: records after this time are dropped
 *
 * Return: number of bytes of records that remain.
 */
u32 evnt_buffer_cut(u8 *data, s64 after, s64 until)
{
	u32 from = evnt_find_newer(data, after);
	u32 len = max(evnt_find_newer(data, until), from) - from;

	memmove(data + ETL_BUFFER_HEADER_SIZE, data + from, len);
	evnt_set_end((struct etl_buffer_header *)data,
		     ETL_BUFFER_HEADER_SIZE + len);
	return len;
}

u32 evnt_buffers_free_count(const struct evnt_buffers *b)
{
	u32 word, count = 0;

	for (word = 0; word < BITS_TO_LONGS(b->capacity); word++)
		count += hweight_long(READ_ONCE(b->free_map[word]));
	return count;
}

u64 evnt_buffers_events(const struct evnt_buffers *b)
{
	u64 sum = 0;
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++)
		sum += local64_read(&b->cpus[cpu].events) +
		       READ_ONCE(b->cpus[cpu].events_alone);
	return sum;
}

u64 evnt_buffers_filtered(const struct evnt_buffers *b)
{
	u64 sum = 0;
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++)
		sum += local64_read(&b->cpus[cpu].filtered);
	return sum;
}

u64 evnt_buffers_lost_by(const struct evnt_buffers *b, enum evnt_loss kind)
{
	u64 sum = 0;
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++)
		sum += local64_read(&b->cpus[cpu].lost[kind].count);
	return sum;
}

u64 evnt_buffers_lost(const struct evnt_buffers *b)
{
	u64 sum = 0;
	u32 kind;

	for (kind = 0; kind < EVNT_LOSSES; kind++)
		sum += evnt_buffers_lost_by(b, kind);
	return sum;
}

/**
 * evnt_buffers_blocker() - get the session that caused the last blocked loss
 * @b: the session's buffers
 *
 * Return: its handle, or 0 if no other session has kept this one from an event.
 */
u64 evnt_buffers_blocker(const struct evnt_buffers *b)
{
	const struct evnt_cpu *c;
	u64 blocker = 0;
	s64 time, last = 0;
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++) {
		c = &b->cpus[cpu];
		time = READ_ONCE(c->lost[EVNT_LOST_BLOCKED].last);
		if (time > last) {
			last = time;
			blocker = READ_ONCE(c->blocker);
		}
	}
	return blocker;
}

/* Count the loss of an event that the session wanted; any context */
void evnt_count_lost(struct evnt_buffers *b, u32 cpu, enum evnt_loss kind)
{
	struct evnt_lost *lost = &b->cpus[cpu].lost[kind];
	const s64 now = evnt_boot_ns();

	if (!READ_ONCE(lost->first))
		WRITE_ONCE(lost->first, now);
	WRITE_ONCE(lost->last, now);
	local64_inc(&lost->count);
}

/* Time without a loss after which a gap is over, and limit of its length */
#define GAP_OVER_NS	100000000ll
#define GAP_LONG_NS	1000000000ll

/**
 * evnt_gap_take() - take losses that were not reported yet
 * @lost: losses on a CPU
 * @all: take them even if the gap is neither over nor long
 * @gap: filled in
 *
 * Called by the task that takes buffers.  A loss that is counted during the call
 * belongs to this gap or to the next one, whose times may not include it.
 *
 * Return: whether there are any.
 */
bool evnt_gap_take(struct evnt_lost *lost, bool all, struct evnt_gap *gap)
{
	const s64 now = evnt_boot_ns();

	gap->count = local64_read(&lost->count) - lost->reported;
	if (!gap->count)
		return false;
	gap->last = READ_ONCE(lost->last);
	gap->first = min(READ_ONCE(lost->first) ?: gap->last, gap->last);
	if (!all && now - gap->last < GAP_OVER_NS &&
	    now - gap->first < GAP_LONG_NS)
		return false;
	lost->reported += gap->count;
	WRITE_ONCE(lost->first, 0);
	return true;
}

/* Return losses that could not be reported */
void evnt_gap_return(struct evnt_lost *lost, const struct evnt_gap *gap)
{
	lost->reported -= gap->count;
	WRITE_ONCE(lost->first, gap->first);
}

/**
 * evnt_gaps_report() - report the losses of all CPUs that were not reported yet
 * @b: the session's buffers
 * @all: report them even if their gap is neither over nor long
 * @report: reports a gap; on an error, a later call tries again
 * @data: first argument of @report
 *
 * Called by the task that takes buffers.
 */
void evnt_gaps_report(struct evnt_buffers *b, bool all,
		      int (*report)(void *data, u32 cpu, enum evnt_loss kind,
				    const struct evnt_gap *gap),
		      void *data)
{
	struct evnt_lost *lost;
	struct evnt_gap gap;
	u32 cpu, kind;

	for (cpu = 0; cpu < b->nr_cpus; cpu++) {
		for (kind = 0; kind < EVNT_LOSSES; kind++) {
			lost = &b->cpus[cpu].lost[kind];
			if (evnt_gap_take(lost, all, &gap) &&
			    report(data, cpu, kind, &gap))
				evnt_gap_return(lost, &gap);
		}
	}
}

/* Count an event lost because session @blocker could not take it */
void evnt_count_blocked(struct evnt_buffers *b, u32 cpu, u64 blocker)
{
	WRITE_ONCE(b->cpus[cpu].blocker, blocker);
	evnt_count_lost(b, cpu, EVNT_LOST_BLOCKED);
}

/* Assign a range of the buffers to each online CPU */
static void evnt_share_out(struct evnt_buffers *b)
{
	const u32 count = b->nr_cpus - b->nr_lanes;
	u32 cpu, online = 0;

	for (cpu = 0; cpu < count; cpu++) {
		b->cpus[cpu].near = online;
		online += evnt_cpu_online(cpu);
	}
	for (cpu = 0; cpu < count; cpu++)
		b->cpus[cpu].near = b->cpus[cpu].near * b->nr_buffers / online;
}

/* Allocate the memory of a buffer near to @cpu; the buffer is not free yet */
static int evnt_buffer_alloc(struct evnt_buffers *b, u32 index, u32 cpu)
{
	struct evnt_buffer *buf = &b->buffers[index];
	u8 *data = evnt_alloc_pages(b->buffer_size, cpu);

	if (!data)
		return -ENOMEM;
	buf->owner = b;
	buf->pending = S64_MAX;
	atomic64_set(&buf->state, STATE_CLOSED);
	smp_store_release(&buf->data, data);			/* (F) */
	return 0;
}

static int evnt_buffers_alloc(struct evnt_buffers *b)
{
	u32 i, cpu;

	b->capacity = max(b->capacity, b->nr_buffers);
	b->cpus = evnt_alloc(b->nr_cpus * sizeof(*b->cpus));
	b->buffers = evnt_alloc(b->capacity * sizeof(*b->buffers));
	b->free_map = evnt_alloc(BITS_TO_LONGS(b->capacity) *
				 sizeof(*b->free_map));
	if (!b->cpus || !b->buffers || !b->free_map)
		return -ENOMEM;
	evnt_share_out(b);
	for (cpu = 0, i = 0; i < b->nr_buffers; i++) {
		while (cpu + 1 < b->nr_cpus - b->nr_lanes &&
		       b->cpus[cpu + 1].near <= i)
			cpu++;
		if (evnt_buffer_alloc(b, i, cpu))
			return -ENOMEM;
	}
	return 0;
}

/**
 * evnt_buffers_init() - allocate buffers; all of them are free
 * @b: zeroed, with its constant fields set by the caller
 *
 * Context: Process context.  May sleep.
 *
 * Return: 0, or -ENOMEM with nothing allocated.
 */
int evnt_buffers_init(struct evnt_buffers *b)
{
	u32 i;

	if (evnt_buffers_alloc(b)) {
		evnt_buffers_destroy(b);
		return -ENOMEM;
	}
	for (i = 0; i < b->nr_cpus; i++)
		atomic64_set(&b->cpus[i].current_buffer, NO_BUFFER);
	for (i = 0; i < b->nr_buffers; i++)
		set_bit(i, b->free_map);
	return 0;
}

/**
 * evnt_buffers_grow() - add buffers, up to the capacity
 * @b: the session's buffers, which may be in use
 * @count: number of buffers to add
 *
 * Context: Process context.  May sleep.  The caller serialises calls.
 *
 * Return: 0, or -ENOMEM, in which case the buffers added so far stay.
 */
int evnt_buffers_grow(struct evnt_buffers *b, u32 count)
{
	u32 index = b->nr_buffers;

	for (; count; count--, index++) {
		if (index == b->capacity ||
		    evnt_buffer_alloc(b, index,
				      index % (b->nr_cpus - b->nr_lanes)))
			return -ENOMEM;
		WRITE_ONCE(b->nr_buffers, index + 1);
		evnt_buffer_free(b, &b->buffers[index]);
	}
	return 0;
}

/**
 * evnt_buffers_destroy() - free all memory
 * @b: the session's buffers, no longer in use
 */
void evnt_buffers_destroy(struct evnt_buffers *b)
{
	u32 i;

	for (i = 0; b->buffers && i < b->capacity; i++)
		evnt_free_pages(b->buffers[i].data);
	evnt_free(b->free_map);
	evnt_free(b->buffers);
	evnt_free(b->cpus);
	b->free_map = NULL;
	b->buffers = NULL;
	b->cpus = NULL;
}
