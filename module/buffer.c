// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A session's buffers: reserve, commit, switch, pool, loss counters.
 *
 * A record's way:
 *
 *	free map --acquire--> current buffer of a CPU --close--> full stack
 *	    ^                  reserve, fill, commit                 |
 *	    +---------------- free <-- written out <-- take ---------+
 *
 * Each CPU has one current buffer, of those whose memory is near to it while
 * these last.  All that writers agree on is one word in
 * it, its state, which only compare-exchange and subtraction change:
 *
 *	bits  0..24	offset: where the next record goes
 *	bits 25..38	refs: writers that have reserved and not committed
 *	bit  39		closed: no more reservations
 *	bits 40..57	generation: counts how often the buffer was acquired
 *	bits 58..63	undone: counts reservations that were taken back
 *
 * A reservation moves offset on and adds a ref in one step; commit drops the
 * ref.  Whoever finds the next record not to fit closes the buffer; so does
 * who flushes.  Whoever brings a closed buffer to zero refs, the closer or the
 * last writer inside, hands it on: exactly one, as the word changes in steps
 * that exclude each other.  An interrupt or NMI that writes in the midst of a
 * reservation simply goes first.
 *
 * The time stamp is read between the state and the exchange that depends on
 * it: whoever reserved in between makes the exchange fail, so time never goes
 * back within a buffer.  "undone" is in the word for this reason: a reservation
 * that came and went in between must not let the exchange succeed.
 *
 * A CPU's current buffer is named by index and generation.  When it is closed
 * and no other is free, the name stays, while the buffer is written out and may
 * become another CPU's; so may it under a writer that is interrupted for long.
 * Either sees another generation in the state and looks for a free buffer.
 *
 * Where all CPUs share one buffer, each has the name of it as that of its own:
 * writers find it as they do otherwise.  Who finds it closed looks at the first
 * CPU's name, takes it over if that buffer is open, and else puts another one in
 * its place.  So each CPU's name is, or was, the first CPU's.
 *
 * Memory order:
 *
 * (A) A writer's records happen before its commit, and all commits of a buffer
 *     before the reading of it: evnt_commit()'s subtraction is a full barrier,
 *     on the word that the one who hands the buffer on has changed last.
 * (B) A buffer is prepared before it can be seen as current: the exchange of
 *     current_buffer in evnt_switch() is a full barrier.  It pairs with the
 *     acquire of current_buffer by whoever looks into it.
 * (C) Who finished a buffer has written @next before it is on the stack: the
 *     exchange in evnt_hand_on(); pairs with that in evnt_buffers_take().
 * (D) A buffer has been read before it is free: the barrier in
 *     evnt_buffer_free(); pairs with test_and_clear_bit() in evnt_acquire().
 * (E) @since and the header are written before the state says that the buffer
 *     is open: the release in evnt_prepare(); pairs with the acquire of the
 *     state by whoever looks for open buffers.
 * (F) A buffer that is added is complete before its memory can be found: the
 *     release in evnt_buffer_alloc(); pairs with the acquire of @data by whoever
 *     comes not by way of the free map.
 * (J) @pending is written before the state says that the buffer is open, and
 *     so before the clock is read for any record in it: the release of (E), and
 *     the acquire in evnt_look().  Pairs with the barrier between clock and
 *     @pending in evnt_buffers_watermark(): of a buffer that is not seen to be
 *     pending there, all records are newer than what the clock showed.
 *
 * The caller of reserve, commit and discard stays on its CPU in between and
 * does not sleep.  In user space it may be preempted and move: then buffers
 * are shared for a while, which all of this allows.
 */
#include "reserve.h"

/* First word of a reservation given up; its length follows.  No record's. */
#define FILLER			0xffffffffu

static struct etl_buffer_header *buffer_header(const struct evnt_buffer *buf)
{
	return (struct etl_buffer_header *)buf->data;
}

/**
 * evnt_hand_on() - give a closed buffer, which nobody writes to, to the reader
 * @b: the session's buffers
 * @buf: the buffer
 */
void evnt_hand_on(struct evnt_buffers *b, struct evnt_buffer *buf)
{
	s32 index = buf - b->buffers + 1;
	s32 head = atomic_read(&b->full);

	do
		buf->next = head;
	while (!atomic_try_cmpxchg(&b->full, &head, index));	/* (C) */
	if (!head)
		b->notify(b);
}

/* Close @buf if its state still is @state; otherwise @state is made current */
static bool evnt_close(struct evnt_buffers *b, struct evnt_buffer *buf,
		       s64 *state)
{
	if (!atomic64_try_cmpxchg(&buf->state, state, *state | STATE_CLOSED))
		return false;
	if (!(*state & STATE_REFS))
		evnt_hand_on(b, buf);
	return true;
}

/* A free buffer from @first on, up to @end; or NULL */
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

/* One that is near, if there is any; else any */
static struct evnt_buffer *evnt_acquire(struct evnt_buffers *b, u32 cpu)
{
	u32 near = b->cpus[cpu].near;

	return evnt_acquire_of(b, near, b->capacity) ?:
	       evnt_acquire_of(b, 0, near);
}

/* Make an acquired buffer ready for its first record; returns its name */
static s64 evnt_prepare(struct evnt_buffers *b, struct evnt_buffer *buf,
			u32 cpu)
{
	u64 gen = state_generation(atomic64_read(&buf->state)) + 1;

	gen &= STATE_GEN_MASK;
	/* Before it has its place in the sequence */
	buf->since = evnt_clock(b);
	WRITE_ONCE(buf->pending, buf->since);
	*buffer_header(buf) = (struct etl_buffer_header) {
		.buffer_size = b->buffer_size,
		.sequence = atomic64_inc_return(&b->sequence),
		.cpu = cpu,
		.logger_id = b->logger_id,
		.state = ETL_STATE_LOGGING,
		.flag = ETL_FLAG_PROC_INDEX,
		.type = ETL_TYPE_GENERIC,
	};
	buf->holes = false;
	atomic64_set_release(&buf->state, gen << STATE_GEN_SHIFT |
			     ETL_BUFFER_HEADER_SIZE);		/* (E) */
	return evnt_name(gen, buf - b->buffers);
}

/*
 * Where all CPUs share one buffer, the first CPU's is what the others take over.
 * False when that one, @shared, is closed: then another is to take its place.
 */
static bool evnt_take_over(struct evnt_buffers *b, u32 cpu, s64 cur, s64 shared)
{
	const struct evnt_buffer *buf = evnt_current_buffer(b, shared);

	if (!evnt_is_current(atomic64_read_acquire(&buf->state), shared))
		return false;
	if (cpu)
		atomic64_try_cmpxchg(&b->cpus[cpu].current_buffer, &cur,
				     shared);
	return true;
}

/* Replace the buffer @cur of a CPU, which is closed, by a free one */
static int evnt_switch(struct evnt_buffers *b, u32 cpu, s64 cur)
{
	const u32 whose = b->is_shared ? 0 : cpu;
	struct evnt_buffer *buf;
	s64 new;

	if (b->is_shared) {
		s64 shared = evnt_current(b, whose);

		if (evnt_take_over(b, cpu, cur, shared))
			return 0;
		cur = shared;
	}
	do
		buf = evnt_acquire(b, cpu);
	while (!buf && b->reclaim && b->reclaim(b));
	if (!buf)
		return -ENOBUFS;
	new = evnt_prepare(b, buf, whose);
	if (atomic64_try_cmpxchg(&b->cpus[whose].current_buffer, &cur, new))
		return 0;					/* (B) */
	/* An interrupt was faster, or, where it is shared, another CPU */
	WRITE_ONCE(buf->pending, S64_MAX);
	atomic64_set(&buf->state, atomic64_read(&buf->state) | STATE_CLOSED);
	evnt_buffer_free(b, buf);
	return 0;
}

/* The buffer @cur of a CPU is full or closed, or has just changed */
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
 * evnt_reserve_slowly() - find room where evnt_reserve() has found none at once
 * @b: the session's buffers
 * @cpu: the CPU that the caller runs on
 * @len: the record's length in bytes, with padding
 * @r: filled in
 * @time: filled in
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

/**
 * evnt_discard() - a reserved record will not be written
 * @b: the session's buffers
 * @size: as it was reserved
 * @r: what evnt_reserve() filled in
 *
 * If nobody has reserved since, it is as if nothing had been; else a filler
 * takes the record's place, which evnt_buffer_finish() squeezes out.
 */
void evnt_discard(struct evnt_buffers *b, u32 size,
		  const struct evnt_reservation *r)
{
	struct evnt_buffer *buf = r->buffer;
	u32 *record = (u32 *)evnt_record(r);
	u32 len = ALIGN(size, ETL_ALIGN);
	s64 state = atomic64_read(&buf->state);

	while (state_offset(state) == state_offset(r->state) + len &&
	       !(state & STATE_CLOSED)) {
		if (atomic64_try_cmpxchg(&buf->state, &state,
					 state - len - STATE_REF +
					 STATE_UNDONE))
			return;
	}
	record[0] = FILLER;
	record[1] = len;
	WRITE_ONCE(buf->holes, true);
	evnt_leave(b, buf);
}

/* Close a CPU's buffer of this name if it reaches beyond @offset */
static void evnt_close_named(struct evnt_buffers *b, s64 name, u32 offset)
{
	struct evnt_buffer *buf = evnt_current_buffer(b, name);
	s64 state = atomic64_read(&buf->state);

	while (evnt_is_current(state, name) && state_offset(state) > offset &&
	       !evnt_close(b, buf, &state))
		;
}

/**
 * evnt_buffers_close() - close what has records in it, so that it is handed on
 * @b: the session's buffers
 *
 * Buffers with writers inside are handed on by the last of these.
 */
void evnt_buffers_close(struct evnt_buffers *b)
{
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++)
		evnt_close_named(b, evnt_current(b, cpu),
				 ETL_BUFFER_HEADER_SIZE);
}

/**
 * evnt_buffers_cut() - part what was written so far from what comes
 * @b: the session's buffers
 *
 * Closes all current buffers, the empty ones, too.  One task at a time.
 *
 * Return: a sequence number.  No record will be reserved in a buffer up to this
 * one any more; those in later buffers were reserved after the call began.
 *
 * The first holds as a buffer that is current is closed, and one that is about
 * to become current does not: who prepared it has seen another name than is
 * there now.  So that this is true of two cuts in a row on an idle CPU, each
 * leaves a name of its own.
 */
s64 evnt_buffers_cut(struct evnt_buffers *b)
{
	const s64 last = atomic64_read(&b->sequence);
	const s64 none = NO_BUFFER_CUT(++b->cuts);
	s64 cur;
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++) {
		cur = atomic64_xchg(&b->cpus[cpu].current_buffer, none);
		evnt_close_named(b, cur, 0);
	}
	return last;
}

static s64 evnt_sequence(const struct evnt_buffers *b, u32 index)
{
	return buffer_header(&b->buffers[index])->sequence;
}

/* Close a CPU's buffer if it is among the older ones, also when it is empty */
static void evnt_close_if_older(struct evnt_buffers *b, s64 cur, s64 newest,
				u32 distance)
{
	struct evnt_buffer *buf = evnt_current_buffer(b, cur);
	s64 state = atomic64_read_acquire(&buf->state);		/* (E) */

	while (evnt_is_current(state, cur) &&
	       newest - evnt_sequence(b, (u32)cur) >= distance &&
	       !evnt_close(b, buf, &state))
		;
}

/**
 * evnt_buffers_close_older() - close buffers that others have left behind
 * @b: the session's buffers
 * @distance: how many buffers have been acquired since; 0: all are closed
 *
 * Only who frees buffers calls it, so that none becomes another one meanwhile.
 */
void evnt_buffers_close_older(struct evnt_buffers *b, u32 distance)
{
	s64 newest = atomic64_read(&b->sequence);
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++)
		evnt_close_if_older(b, evnt_current(b, cpu), newest, distance);
}

/**
 * evnt_buffers_watermark() - how far all records have been taken
 * @b: the session's buffers
 *
 * Called by who takes them.  Reads the clock, then looks at all buffers.  One
 * that is pending has no record that is older than its acquisition; it may be
 * open, closed with writers inside, or about to be handed on by who was the last
 * of them.  One that is not yet pending, or not yet counted, gets its records
 * after the clock was read.
 *
 * Return: a time in the session's clock.  No record that is older is in a buffer
 * that has not been taken.
 */
s64 evnt_buffers_watermark(const struct evnt_buffers *b)
{
	s64 mark = evnt_clock(b);
	u32 i, count;

	smp_mb();							/* (J) */
	count = READ_ONCE(b->nr_buffers);
	for (i = 0; i < count; i++)
		mark = min(mark, READ_ONCE(b->buffers[i].pending));
	return mark;
}

/**
 * evnt_buffers_take() - take all finished buffers
 * @b: the session's buffers
 *
 * One taker at a time.  Each buffer is to be given back to evnt_buffer_free().
 *
 * Return: the one that was acquired first, or NULL; evnt_buffer_next() gives
 * the others, in the order of acquisition.
 */
struct evnt_buffer *evnt_buffers_take(struct evnt_buffers *b)
{
	u32 index = atomic_xchg(&b->full, 0);			/* (C) */
	u32 next, oldest = 0, *at;

	/* The stack has them almost in reverse: the place is near the front */
	while (index) {
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
 * evnt_buffer_next() - the buffer that was acquired after this one
 * @b: the session's buffers
 * @buf: what evnt_buffers_take() or this function returned
 */
struct evnt_buffer *evnt_buffer_next(struct evnt_buffers *b,
				     const struct evnt_buffer *buf)
{
	return buf->next ? &b->buffers[buf->next - 1] : NULL;
}

/**
 * evnt_buffers_split() - part a list of buffers by their sequence numbers
 * @b: the session's buffers
 * @buf: the first of those that evnt_buffers_take() has taken, or NULL
 * @last: the number that the older end with
 * @newer: filled in: the first of the others, or NULL
 *
 * Return: the first of the older ones, or NULL.  The order is kept.
 */
struct evnt_buffer *evnt_buffers_split(struct evnt_buffers *b,
				       struct evnt_buffer *buf, s64 last,
				       struct evnt_buffer **newer)
{
	u32 heads[2] = {}, *ends[2] = { &heads[0], &heads[1] };
	struct evnt_buffer *next;
	bool is_newer;

	for (; buf; buf = next) {
		next = evnt_buffer_next(b, buf);
		is_newer = buffer_header(buf)->sequence > last;
		*ends[is_newer] = buf - b->buffers + 1;
		ends[is_newer] = &buf->next;
	}
	*ends[0] = 0;
	*ends[1] = 0;
	*newer = heads[1] ? &b->buffers[heads[1] - 1] : NULL;
	return heads[0] ? &b->buffers[heads[0] - 1] : NULL;
}

/* Length of what lies at @p: a record or a filler */
static u32 evnt_item_len(const u8 *p)
{
	const u32 *word = (const u32 *)p;

	if (word[0] == FILLER)
		return word[1];
	return ALIGN(etl_record_size(p), ETL_ALIGN);
}

/* Move the records of a buffer together; returns where they end */
static u32 evnt_squeeze(struct evnt_buffer *buf, u32 end)
{
	u32 from, len, to = ETL_BUFFER_HEADER_SIZE;

	for (from = to; from < end; from += len) {
		len = evnt_item_len(buf->data + from);
		if (*(u32 *)(buf->data + from) == FILLER)
			continue;
		if (to != from)
			memmove(buf->data + to, buf->data + from, len);
		to += len;
	}
	return to;
}

/* A buffer's records end at @end; the rest is padding */
static void evnt_set_end(struct etl_buffer_header *h, u32 end)
{
	h->saved_offset = end;
	h->current_offset = end;
	h->offset = end;
	memset((u8 *)h + end, 0xff, h->buffer_size - end);
}

/**
 * evnt_buffer_finish() - make a taken buffer what it will be in the file
 * @b: the session's buffers
 * @buf: the buffer
 * @flag: ETL_FLAG_FLUSH_MARKER or 0
 *
 * Return: false when there is no record in it.
 */
bool evnt_buffer_finish(struct evnt_buffers *b, struct evnt_buffer *buf,
			u16 flag)
{
	struct etl_buffer_header *h = buffer_header(buf);
	u32 end = state_offset(atomic64_read(&buf->state));

	if (buf->holes)
		end = evnt_squeeze(buf, end);
	h->state = ETL_STATE_FLUSH;
	h->flag |= flag;
	h->time_stamp = evnt_clock(b);
	evnt_set_end(h, end);
	return end > ETL_BUFFER_HEADER_SIZE;
}

/**
 * evnt_buffer_free() - a buffer may be used again
 * @b: the session's buffers
 * @buf: the buffer; closed, or never seen by anybody else
 */
void evnt_buffer_free(struct evnt_buffers *b, struct evnt_buffer *buf)
{
	smp_mb__before_atomic();					/* (D) */
	set_bit(buf - b->buffers, b->free_map);
}

static u32 evnt_data_end(const u8 *data)
{
	return ((const struct etl_buffer_header *)data)->saved_offset;
}

/* The time stamp of a record, if it has one, not aligned */
static bool evnt_time_at(const u8 *record, s64 *time)
{
	u32 at = etl_time_offset(record);

	if (at)
		memcpy(time, record + at, sizeof(*time));
	return at;
}

/**
 * evnt_buffer_extent() - how many records there are, and from when to when
 * @data: a finished buffer
 *
 * Where none has a time stamp, they are all of when the buffer was finished.
 */
struct evnt_extent evnt_buffer_extent(const u8 *data)
{
	struct evnt_extent extent = {};
	u32 at, end = evnt_data_end(data);
	bool has_time = false;

	for (at = ETL_BUFFER_HEADER_SIZE; at < end; extent.records++) {
		if (evnt_time_at(data + at, &extent.last) && !has_time) {
			extent.first = extent.last;
			has_time = true;
		}
		at += evnt_item_len(data + at);
	}
	if (!has_time && extent.records) {
		extent.last = ((const struct etl_buffer_header *)data)->time_stamp;
		extent.first = extent.last;
	}
	return extent;
}

/**
 * evnt_buffer_is_sound() - whether a finished buffer still can be one
 * @data: what was a finished buffer when it was written to a file
 * @size: bytes of it
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
		/* Too short to have a time stamp that it is to have */
		time = etl_time_offset(data + at);
		if (time && len < time + sizeof(s64))
			return false;
	}
	return at == end;
}

/*
 * Offset of the first record that is newer than @time, or of the end.  Those
 * without a time stamp go with the one before them, or else with the one behind.
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
 * evnt_buffer_cut() - keep what was written between two instants
 * @data: a finished buffer, or a copy of one
 * @after: records up to this time go
 * @until: so do those after this time
 *
 * Return: bytes of records that are left.
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
		sum += local64_read(&b->cpus[cpu].events);
	return sum;
}

u64 evnt_buffers_lost_by(const struct evnt_buffers *b, enum evnt_loss kind)
{
	u64 sum = 0;
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++)
		sum += local64_read(&b->cpus[cpu].lost[kind]);
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

/* Share the buffers out to the CPUs that there are: to each a range */
static void evnt_share_out(struct evnt_buffers *b)
{
	u32 cpu, online = 0;

	for (cpu = 0; cpu < b->nr_cpus; cpu++) {
		b->cpus[cpu].near = online;
		online += evnt_cpu_online(cpu);
	}
	for (cpu = 0; cpu < b->nr_cpus; cpu++)
		b->cpus[cpu].near = b->cpus[cpu].near * b->nr_buffers / online;
}

/* One more buffer, near to a CPU, not free yet */
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
		while (cpu + 1 < b->nr_cpus && b->cpus[cpu + 1].near <= i)
			cpu++;
		if (evnt_buffer_alloc(b, i, cpu))
			return -ENOMEM;
	}
	return 0;
}

/**
 * evnt_buffers_init() - allocate buffers; all are free
 * @b: zeroed, with its constant fields set by the caller
 *
 * May sleep.
 *
 * Return: 0 or -ENOMEM, with nothing allocated.
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
 * evnt_buffers_grow() - add buffers, as long as there is capacity
 * @b: the session's buffers, which may be in use
 * @count: how many
 *
 * May sleep.  One caller at a time.
 *
 * Return: 0, or -ENOMEM: what was added before stays.
 */
int evnt_buffers_grow(struct evnt_buffers *b, u32 count)
{
	u32 index = b->nr_buffers;

	for (; count; count--, index++) {
		if (index == b->capacity ||
		    evnt_buffer_alloc(b, index, index % b->nr_cpus))
			return -ENOMEM;
		WRITE_ONCE(b->nr_buffers, index + 1);
		evnt_buffer_free(b, &b->buffers[index]);
	}
	return 0;
}

/**
 * evnt_buffers_destroy() - free all memory
 * @b: the session's buffers; nobody uses them any more
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
