// SPDX-License-Identifier: MIT
/*
 * The core's buffers with an interrupt at each step: an operation stops before
 * every access to shared memory in turn, another one runs there from beginning
 * to end, and everything is accounted for.
 *
 * These are the interleavings of selftests/model/buffer.pml that nest, with one
 * interrupt each, run in the code itself; they must keep the model's
 * properties.  Memory order is not tested, as all runs in one thread.
 */
#include "core/port/port.h"

/* More steps than any operation takes unless it loops forever */
#define MANY_STEPS	2000

static void step(void);
static s64 ticks;
static u32 offline;

/* Make each of the core's accesses to shared memory a step; the clock ticks */
#define atomic64_read(v)		(step(), atomic64_read(v))
#define atomic64_read_acquire(v)	(step(), atomic64_read_acquire(v))
#define atomic64_set(v, i)		(step(), atomic64_set(v, i))
#define atomic64_set_release(v, i)	(step(), atomic64_set_release(v, i))
#define atomic64_try_cmpxchg(v, o, n)	(step(), atomic64_try_cmpxchg(v, o, n))
#define atomic64_fetch_sub(i, v)	(step(), atomic64_fetch_sub(i, v))
#define atomic64_inc_return(v)		(step(), atomic64_inc_return(v))
#define atomic64_xchg(v, i)		(step(), atomic64_xchg(v, i))
#define atomic_read(v)			(step(), atomic_read(v))
#define atomic_try_cmpxchg(v, o, n)	(step(), atomic_try_cmpxchg(v, o, n))
#define atomic_xchg(v, i)		(step(), atomic_xchg(v, i))
#define set_bit(nr, map)		(step(), set_bit(nr, map))
#define test_and_clear_bit(nr, map)	(step(), test_and_clear_bit(nr, map))
#undef READ_ONCE
#define READ_ONCE(x) \
	(step(), __atomic_load_n(&(x), __ATOMIC_RELAXED))
#undef WRITE_ONCE
#define WRITE_ONCE(x, v) \
	(step(), __atomic_store_n(&(x), v, __ATOMIC_RELAXED))
#define evnt_boot_ns()		(step(), ++ticks)
#define evnt_cpu_online(cpu)		(!(offline >> (cpu) & 1))

#include "core/buffer.c"
#include "selftests/unit/common/tap.h"

#define CPUS		2
#define RECORD		100u
#define RECORD_LEN	104u
#define BUFFER_SIZE	(ETL_BUFFER_HEADER_SIZE + 2 * RECORD_LEN)
#define RECORDS		16
#define KEPT		8
#define CUTS		4
#define SEQUENCES	32

/* Properties, named like the test cases */
enum property {
	RECORDS_ARE_THERE_ONCE,
	RECORDS_ARE_THEIR_CPUS,
	TIME_GOES_ON,
	CUTS_PART,
	MARKS_HOLD,
	BUFFERS_HAVE_NO_WRITERS,
	BUFFERS_ARE_FREE,
	NAMES_ARE_NOT_STALE,
	PROPERTIES
};

static const char *const properties[] = {
	[RECORDS_ARE_THERE_ONCE] = "each accepted record is taken once, "
				   "complete, and nothing else is",
	[RECORDS_ARE_THEIR_CPUS] = "no record is in a buffer of another CPU",
	[TIME_GOES_ON] = "time does not go back in a buffer, "
			 "nor before it was acquired",
	[CUTS_PART] = "buffers that are parted contain all that was written before, and nothing later",
	[MARKS_HOLD] = "no record is older than a watermark before it",
	[BUFFERS_HAVE_NO_WRITERS] = "no buffer that is open, or has a writer "
				    "inside, is taken",
	[BUFFERS_ARE_FREE] = "every buffer is free in the end",
	[NAMES_ARE_NOT_STALE] = "no CPU names a buffer that was taken since",
};

static unsigned int failures[PROPERTIES];

/* Record of an operation, in the buffer and as expected */
struct mark {
	u32 number;
	u32 cpu;
};

static struct state {
	bool accepted[RECORDS];
	u32 seen[RECORDS];
	u32 records;
	u32 accepted_count;
	struct evnt_reservation kept[KEPT];
	struct mark kept_marks[KEPT];
	u32 kept_from, kept_to;
	struct cut {
		s64 last;
		s64 begun;
	} cuts[CUTS];
	u32 cut_count;
	s64 watermark;
	s64 since[SEQUENCES];
	s64 first[SEQUENCES];
} state;

static struct evnt_buffers b;

struct operation {
	const char *name;
	void (*run)(void);
	bool is_reader;
};

/* The pending interrupt, and the step of the operation before which it runs */
static const struct operation *interrupt;
static u32 steps, interrupt_at;

/* Exit: no operation can go on with these buffers */
static void bail_out(const char *why)
{
	printf("not ok 1 - %s\n1..1\n", why);
	exit(1);
}

static void step(void)
{
	const struct operation *todo = interrupt;

	if (++steps > MANY_STEPS)
		bail_out("it goes round for ever");
	if (steps != interrupt_at || !todo)
		return;
	interrupt = NULL;
	todo->run();
}

/* Operations of this run, for messages */
static const struct operation *before[2], *outer, *inner;
static u32 at_step;

static const char *name_of(const struct operation *o)
{
	return o ? o->name : "-";
}

static void expect(bool is_so, enum property p)
{
	if (is_so || failures[p]++ >= 3)
		return;
	printf("# %u buffers%s: not so after %s, %s, then %s, interrupted at step %u by %s: %s\n",
	       b.nr_buffers, b.is_shared ? ", shared" : "", name_of(before[0]),
	       name_of(before[1]), outer->name, at_step, name_of(inner),
	       properties[p]);
}

static const struct etl_buffer_header *header_of(const struct evnt_buffer *buf)
{
	return (const struct etl_buffer_header *)buf->data;
}

static bool reserve(u32 cpu, struct evnt_reservation *r, struct mark *mark)
{
	struct etl_event_header *h;
	s64 time;
	u32 i;

	if (state.records == RECORDS ||
	    evnt_reserve(&b, cpu, RECORD, r, &time))
		return false;
	*mark = (struct mark) { state.records++, cpu };
	for (i = 0; i < state.cut_count; i++)
		expect(header_of(r->buffer)->sequence > state.cuts[i].last,
		       CUTS_PART);
	h = (struct etl_event_header *)evnt_record(r);
	*h = (struct etl_event_header) {
		.size = RECORD, .kind = ETL_RECORD_EVENT64, .time_stamp = time,
	};
	return true;
}

/* Complete a record just before its commit */
static void commit(const struct evnt_reservation *r, struct mark mark)
{
	memcpy(evnt_record(r) + sizeof(struct etl_event_header), &mark,
	       sizeof(mark));
	evnt_commit(&b, mark.cpu, r);
	state.accepted[mark.number] = true;
	state.accepted_count++;
}

static void write_on(u32 cpu)
{
	struct evnt_reservation r;
	struct mark mark;

	if (reserve(cpu, &r, &mark))
		commit(&r, mark);
}

static void write_on_0(void)
{
	write_on(0);
}

static void write_on_1(void)
{
	write_on(1);
}

static void give_up(void)
{
	struct evnt_reservation r;
	struct mark mark;

	if (reserve(0, &r, &mark))
		evnt_discard(&b, RECORD, &r);
}

static void keep(void)
{
	struct evnt_reservation r;
	struct mark mark;

	if (state.kept_to == KEPT || !reserve(0, &r, &mark))
		return;
	state.kept[state.kept_to] = r;
	state.kept_marks[state.kept_to++] = mark;
}

static void commit_kept(void)
{
	u32 i = state.kept_from;

	if (i == state.kept_to)
		return;
	state.kept_from++;
	commit(&state.kept[i], state.kept_marks[i]);
}

static void give_up_kept(void)
{
	u32 i = state.kept_from;

	if (i == state.kept_to)
		return;
	state.kept_from++;
	evnt_discard(&b, RECORD, &state.kept[i]);
}

/* Restore the buffer's state, except for the time of its last record */
static void replace_kept(void)
{
	give_up_kept();
	keep();
}

static void close_all(void)
{
	evnt_buffers_close(&b);
}

static void close_older(void)
{
	evnt_buffers_close_older(&b, 1);
}

static void look_at_record(const struct etl_event_header *h,
			   const struct evnt_buffer *buf)
{
	const s64 sequence = header_of(buf)->sequence;
	struct mark mark;
	u32 i;

	memcpy(&mark, h + 1, sizeof(mark));
	expect(h->size == RECORD && h->kind == ETL_RECORD_EVENT64 &&
	       mark.number < state.records && state.accepted[mark.number] &&
	       !state.seen[mark.number]++, RECORDS_ARE_THERE_ONCE);
	expect(header_of(buf)->cpu == (b.is_shared ? 0 : mark.cpu),
	       RECORDS_ARE_THEIR_CPUS);
	expect(h->time_stamp >= state.watermark, MARKS_HOLD);
	for (i = 0; i < state.cut_count; i++)
		expect(sequence <= state.cuts[i].last ||
		       h->time_stamp > state.cuts[i].begun, CUTS_PART);
}

static void look_at_buffer(struct evnt_buffer *buf)
{
	const s64 sequence = header_of(buf)->sequence;
	const struct etl_event_header *h;
	u64 word = buf->state.counter;
	s64 last = buf->since;
	u32 at, i;

	for (i = 0; i < state.cut_count; i++)
		expect(sequence > state.cuts[i].last, CUTS_PART);

	expect(word & STATE_CLOSED && !(word & STATE_REFS),
	       BUFFERS_HAVE_NO_WRITERS);
	if (!evnt_buffer_finish(&b, buf, 0))
		return;
	for (at = ETL_BUFFER_HEADER_SIZE; at < header_of(buf)->saved_offset;
	     at += RECORD_LEN) {
		h = (const struct etl_event_header *)(buf->data + at);
		look_at_record(h, buf);
		expect(h->time_stamp > last, TIME_GOES_ON);
		last = h->time_stamp;
	}
	if (sequence >= SEQUENCES)
		return;
	h = (const void *)(buf->data + ETL_BUFFER_HEADER_SIZE);
	state.first[sequence] = h->time_stamp;
	state.since[sequence] = buf->since;
}

/* A buffer that is on the stack twice makes it circular */
static bool is_on_stack_once(void)
{
	u32 count = 0, index = b.full.counter;

	for (; index && count <= b.nr_buffers; count++)
		index = b.buffers[index - 1].next;
	return !index;
}

static void look_at_list(struct evnt_buffer *buf)
{
	struct evnt_buffer *next;
	s64 sequence = 0;
	u32 count = 0;

	for (; buf && count < b.nr_buffers; buf = next, count++) {
		next = evnt_buffer_next(&b, buf);
		expect(header_of(buf)->sequence > sequence,
		       RECORDS_ARE_THERE_ONCE);
		sequence = header_of(buf)->sequence;
		look_at_buffer(buf);
		evnt_buffer_free(&b, buf);
	}
	expect(!buf, RECORDS_ARE_THERE_ONCE);
}

static void take(void)
{
	if (!is_on_stack_once())
		bail_out("a buffer was handed on twice");
	look_at_list(evnt_buffers_take(&b));
	state.watermark = evnt_buffers_watermark(&b);
}

/* Part once, unless a writer that was interrupted is inside */
static void part(void)
{
	struct cut cut = { .begun = ++ticks, .last = b.sequence.counter };
	struct evnt_buffer *list = NULL;
	bool is_parted;

	if (!is_on_stack_once())
		bail_out("a buffer was handed on twice");
	is_parted = evnt_buffers_part(&b, cut.last, &list);
	look_at_list(list);
	if (is_parted && state.cut_count < CUTS)
		state.cuts[state.cut_count++] = cut;
}

static void turn_over(void)
{
	take();
	write_on_0();
	close_all();
}

static const struct operation operations[] = {
	{ "write on CPU 0", write_on_0, false },
	{ "write on CPU 1", write_on_1, false },
	{ "give up", give_up, false },
	{ "reserve", keep, false },
	{ "commit", commit_kept, false },
	{ "give up later", give_up_kept, false },
	{ "give up later, and reserve", replace_kept, false },
	{ "close", close_all, false },
	{ "close older", close_older, true },
	{ "part", part, true },
	{ "take", take, true },
	{ "take, write on CPU 0 and close", turn_over, true },
};

#define OPERATIONS	(sizeof(operations) / sizeof(*operations))

/* No record is older than the acquisition of an earlier buffer */
static void compare_buffers(void)
{
	u32 i, k;

	for (i = 0; i < SEQUENCES; i++)
		for (k = 0; state.first[i] && k < i; k++)
			expect(state.first[i] > state.since[k], TIME_GOES_ON);
}

/* A buffer that was taken is free, or has another generation */
static void compare_names(void)
{
	s64 name, word;
	u32 cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		name = evnt_current(&b, cpu);
		if (name & NO_BUFFER)
			continue;
		word = b.buffers[(u32)name].state.counter;
		expect(!(b.free_map[0] >> (u32)name & 1) &&
		       state_generation(word) == (u64)name >> 33,
		       NAMES_ARE_NOT_STALE);
	}
}

/* Let all writers leave, take all buffers, and compare their records */
static void wind_up(void)
{
	u32 i;

	while (state.kept_from < state.kept_to)
		commit_kept();
	write_on(0);
	write_on(1);
	evnt_buffers_close_older(&b, 0);
	take();
	for (i = 0; i < RECORDS; i++)
		expect(state.seen[i] == state.accepted[i],
		       RECORDS_ARE_THERE_ONCE);
	expect(evnt_buffers_events(&b) == state.accepted_count,
	       RECORDS_ARE_THERE_ONCE);
	expect(evnt_buffers_free_count(&b) == b.nr_buffers, BUFFERS_ARE_FREE);
	expect(state.watermark == ticks, MARKS_HOLD);
	compare_buffers();
}

static void notify(struct evnt_buffers *buffers)
{
	(void)buffers;
}

static void begin(u32 buffers, bool is_shared)
{
	b = (struct evnt_buffers) {
		.nr_cpus = CPUS, .nr_buffers = buffers,
		.buffer_size = BUFFER_SIZE, .is_shared = is_shared,
		.clock_type = EVNT_CLOCK_QPC, .notify = notify,
	};
	state = (struct state) {};
	ticks = 1;
	interrupt = NULL;
	steps = 0;
	evnt_buffers_init(&b);
}

/* Run the operation; returns whether it has reached the interrupt's step */
static bool run(u32 buffers, bool is_shared)
{
	bool was_interrupted;
	u32 i;

	begin(buffers, is_shared);
	for (i = 0; i < 2; i++)
		if (before[i])
			before[i]->run();
	steps = 0;
	interrupt = inner;
	interrupt_at = at_step;
	outer->run();
	was_interrupted = !interrupt;
	interrupt = NULL;
	steps = 0;
	compare_names();
	wind_up();
	evnt_buffers_destroy(&b);
	return was_interrupted;
}

/* Interrupt every operation at each step by every other one */
static unsigned long run_all(u32 buffers, bool is_shared)
{
	unsigned long count = 0;
	u32 o, i;

	for (o = 0; o < OPERATIONS; o++)
		for (i = 0; i < OPERATIONS; i++) {
			outer = &operations[o];
			inner = &operations[i];
			if (outer->is_reader && inner->is_reader)
				continue;
			for (at_step = 1; run(buffers, is_shared); at_step++)
				count++;
		}
	return count;
}

/* The same after no, one or two other operations */
static unsigned long run_after_others(u32 buffers, bool is_shared)
{
	unsigned long count = 0;
	u32 i, k;

	for (i = 0; i <= OPERATIONS; i++)
		for (k = 0; k <= (i ? OPERATIONS : 0); k++) {
			before[0] = i ? &operations[i - 1] : NULL;
			before[1] = k ? &operations[k - 1] : NULL;
			count += run_all(buffers, is_shared);
		}
	return count;
}

static void test_interrupts(void)
{
	unsigned long count = 0;
	u32 i;

	for (i = 1; i <= 3; i++) {
		count += run_after_others(i, false);
		count += run_after_others(i, true);
	}
	printf("# %lu interrupts\n", count);
	for (i = 0; i < PROPERTIES; i++)
		CHECK(count && !failures[i], "%s", properties[i]);
}

static void test_buffers_of_online_cpus(void)
{
	struct evnt_buffers four = {
		.nr_cpus = 4, .nr_buffers = 8, .buffer_size = BUFFER_SIZE,
		.clock_type = EVNT_CLOCK_QPC, .notify = notify,
	};

	offline = BIT_ULL(1) | BIT_ULL(3);
	evnt_buffers_init(&four);
	CHECK(four.cpus[0].near == 0 && four.cpus[2].near == 4,
	      "CPUs that are offline have no share of the buffers");
	evnt_buffers_destroy(&four);
	offline = 0;
}

int main(void)
{
	test_interrupts();
	test_buffers_of_online_cpus();
	return tap_end();
}
