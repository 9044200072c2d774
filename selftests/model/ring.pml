/* SPDX-License-Identifier: MIT */
/*
 * A ring: a thread that writes records, a signal handler that interrupts it,
 * contexts that drain, and a kill before any step.
 *
 * Names are those of lib/ring/ring.h and module/ring/ring.c.  Each step is one
 * access to memory.  Checked for all orders of the steps:
 *
 * - A record is copied whole, once, and in the order of writing.
 * - Of the records whose write has returned, none is missing; of the others, at
 *   most the one under way was copied.
 * - Times do not go back within the lane, no time is newer than the clock, and
 *   after a drain that began at T, no record older than T is copied.
 *
 * The memory is sequentially consistent: (R1) and (R2) are what the code needs
 * for that.  WITHOUT_* leave out one precaution each, which must be noticed.
 */
#ifndef SIZE
#define SIZE	2	/* records in the ring */
#endif
#ifndef RECORDS
#define RECORDS	3	/* that the thread writes */
#endif
#ifndef DRAINS
#define DRAINS	1	/* by another context */
#endif
#ifndef TICKS
#define TICKS	2
#endif
#define HANDLER	9	/* number of the handler's record */

/* Shared memory */
byte first[SIZE], second[SIZE], time_stamp[SIZE];
byte tail, commit;

/* Of the thread and its handler */
byte head, limit = SIZE, returned;
bool is_busy, in_handler, in_ioctl, is_killed, handler_returned, handler_by_ioctl;

/* Of the module */
bool lock;
byte copied_to, floor, last_number, copied_handler, mark;

byte clock = 1;

active proctype ticks()
{
	do
	:: atomic { clock <= TICKS -> clock++ }
	:: clock > TICKS -> break
	od
}

/* A record arrives in the lane */
inline put(a, b, t)
{
	assert(a == b);
#ifndef WITHOUT_FLOOR
	t = (t < floor -> floor : t);
#endif
	assert(t >= floor && t >= mark && t <= clock);
	floor = t;
	if
	:: a == HANDLER -> copied_handler++; assert(copied_handler == 1)
	:: else -> assert(a == last_number + 1); last_number = a
	fi
}

/* drain_lane(), with a stage of one record */
inline drain(from, end, a, b, t)
{
	from = clock;
	atomic { !lock -> lock = true }
	end = commit;
	do
	:: copied_to < end ->
#ifdef WITHOUT_R2
		tail = copied_to + 1;
#endif
		a = first[copied_to % SIZE];
		t = time_stamp[copied_to % SIZE];
		b = second[copied_to % SIZE];
		atomic { put(a, b, t); copied_to++ }
		tail = copied_to
	:: else -> break
	od;
	atomic {
		floor = (floor < from -> from : floor);
		/* What the session's thread tells its readers */
		mark = (mark < from -> from : mark);
		lock = false
	}
}

/* The thread runs only while neither its handler runs nor is it killed */
#define CAN(who)	(!is_killed && (who == HANDLER || !in_handler))
#define STEP(who, what)	atomic { CAN(who) -> what }

/* evnt_ring_put() */
inline ring_put(who, number, by_ioctl, at, t)
{
	STEP(who, by_ioctl = is_busy);
#ifdef WITHOUT_BUSY
	by_ioctl = false;
#endif
	if
	:: by_ioctl
	:: else ->
		STEP(who, is_busy = true);
		STEP(who, at = head);
		do
		:: atomic { CAN(who) && at < limit -> break }
		:: atomic { CAN(who) && at >= limit && at - tail < SIZE ->
			limit = tail + SIZE }
		:: atomic { CAN(who) && at >= limit && at - tail >= SIZE ->
			in_ioctl = true };
			/* An ioctl is completed: neither a handler nor a kill
			   interrupts it */
			drain(d_from, d_end, d_a, d_b, d_t);
			in_ioctl = false
		od;
		STEP(who, t = clock);
#ifdef WITHOUT_R1
		STEP(who, commit = at + 1);
#endif
		STEP(who, first[at % SIZE] = number);
		STEP(who, time_stamp[at % SIZE] = t);
		STEP(who, second[at % SIZE] = number);
		STEP(who, head = at + 1);
		STEP(who, commit = at + 1);
		STEP(who, is_busy = false)
	fi
}

active proctype thread()
{
	byte number = 1, at, t, d_from, d_end, d_a, d_b, d_t;
	bool by_ioctl;

	do
	:: number <= RECORDS ->
		ring_put(0, number, by_ioctl, at, t);
		assert(!by_ioctl);
		STEP(0, returned = number);
		number++
	:: else -> break
	od
}

/* Interrupts the thread once, before any step or never */
active proctype handler()
{
	byte at, t, d_from, d_end, d_a, d_b, d_t;
	bool by_ioctl;

	atomic { !is_killed && !in_ioctl -> in_handler = true };
	ring_put(HANDLER, HANDLER, by_ioctl, at, t);
	STEP(HANDLER, handler_by_ioctl = by_ioctl; handler_returned = true);
	STEP(HANDLER, in_handler = false)
}

/* A flush, or a change of an enablement */
active proctype flusher()
{
	byte i, d_from, d_end, d_a, d_b, d_t;

	for (i : 1 .. DRAINS) {
		drain(d_from, d_end, d_a, d_b, d_t)
	}
}

/* kill -9, at any time, and the end of the process */
active proctype killer()
{
	byte d_from, d_end, d_a, d_b, d_t;

	atomic { !in_ioctl -> is_killed = true };
	drain(d_from, d_end, d_a, d_b, d_t);
	assert(last_number == returned || last_number == returned + 1);
	assert(!handler_returned || handler_by_ioctl || copied_handler == 1)
}
