/* SPDX-License-Identifier: MIT */
/*
 * A model of core/reserve.h and core/buffer.c: reserve, commit, discard, close,
 * retire, take, free.  Its functions and fields are named as in the code, which
 * check verifies.  Records are one unit long; buffers hold CAPACITY of them,
 * from offset 0.
 *
 * spin explores every interleaving of single accesses to shared state, and so
 * proves for the given numbers of writers, processors, buffers and records:
 *
 * - no two reservations overlap, and no writer writes outside its reservation,
 *   nor to a buffer of another processor;
 * - a buffer is handed on once, closed and without writers, and is not written
 *   until it has been read and acquired again;
 * - accepted records are read exactly once; others are reported as lost;
 * - with TIME, time does not go back within a buffer;
 * - a buffer is acquired only when no processor has its former name, so that
 *   the generation may wrap;
 * - in the end each buffer is free, or current and empty: none is leaked;
 * - with PART, which makes each flush part the buffers: afterwards no
 *   reservation is made in a buffer that was prepared before, and none is left;
 * - no deadlock; with NP, no execution in which all loop forever.
 *
 * Writers on one processor interleave in any way, as in user space.  That
 * includes nesting, as by interrupts and NMIs.  With INTERRUPT, there is only
 * nesting on that processor, which shows that no writer waits for one that it
 * interrupts.
 *
 * Limits: every execution here is sequentially consistent.  The barriers (A) to
 * (D) are justified in buffer.c, and checked by KCSAN.  The model also does not
 * show that the counters in the state are wide enough.
 *
 * A macro WITHOUT_... removes one of the algorithm's precautions; check
 * verifies that the properties fail then.
 */
#ifndef BUFFERS
#define BUFFERS		2
#endif
#ifndef CPUS
#define CPUS		1
#endif
#ifndef CAPACITY
#define CAPACITY	2
#endif
#ifndef RECORDS
#define RECORDS		2	/* of each writer */
#endif
#ifndef WRITERS
#define WRITERS		2	/* writer i is on processor i % CPUS */
#endif
#ifndef FLUSHES
#define FLUSHES		1
#endif

/* The state of a buffer: offset, refs, closed, generation, undone */
#define state_offset(s)		((s) & 3)
#define STATE_REF		4
#define STATE_REFS		(7 << 2)
#define STATE_CLOSED		(1 << 5)
#define STATE_GEN_SHIFT		6
#define STATE_GEN_MASK		15
#define state_generation(s)	(((s) >> STATE_GEN_SHIFT) & STATE_GEN_MASK)
#define STATE_UNDONE		(1 << 10)
#ifdef WITHOUT_GENERATION
#define same_generation(s, name) true
#else
#define same_generation(s, name) (state_generation(s) == name_generation(name))
#endif
#ifdef WITHOUT_CLOSED
#define is_open(s)		true
#else
#define is_open(s)		(((s) & STATE_CLOSED) == 0)
#endif
#define evnt_is_current(s, name) (same_generation(s, name) && is_open(s))
#define STATE_ALL		((1 << 12) - 1)

/* A processor's current buffer: generation and index */
#define NAME(gen, index)	((gen) << 2 | (index))
#define name_index(name)	((name) & 3)
#define name_generation(name)	((name) >> 2)
#define NO_BUFFER		255
#define is_none(name)		((name) >= 128)
#define invalid(name)		((name) | 128)

/* Added by evnt_give_back() */
#ifdef WITHOUT_UNDONE
#define UNDONE			0
#else
#define UNDONE			STATE_UNDONE
#endif

#define FILLER			255

/* Units that a writer reserves */
#ifdef SHORTEN
#define LEN			2
#else
#define LEN			1
#endif

short state[BUFFERS];
byte next[BUFFERS];
byte current_buffer[CPUS];
bit is_free[BUFFERS];
byte full_stack;		/* full */

/* State of the verification, which is not in the code */
byte owner[BUFFERS * CAPACITY];		/* record, FILLER; 0: none */
bit written[BUFFERS * CAPACITY];
#ifdef TIME
byte time[BUFFERS * CAPACITY];
byte clock;
#endif
bit on_stack[BUFFERS];
byte processor[BUFFERS];		/* of its latest preparation */
byte accepted, lost, given_up, consumed;
#ifdef PART
byte sequence;
byte number[BUFFERS];			/* sequence of each buffer */
bit pending[BUFFERS];
byte parted;				/* number up to which buffers were */
#endif
byte writers_left = WRITERS;
byte flushes = FLUSHES;

#ifdef INTERRUPT
/*
 * The last writer is an interrupt on processor 0, which stops the others
 * there.  Writer i is process i.
 */
bit interrupted;
#define CAN_RUN	(!interrupted || (_pid - 1) % CPUS != 0 || _pid == WRITERS)
#else
#define CAN_RUN	true
#endif

#define SLOT(index, offset)	((index) * CAPACITY + (offset))

/* @ok: whether @variable was @old, and is now @new; if not, @old is updated */
inline try_cmpxchg(variable, old, new, ok)
{
	atomic {
		if
		:: variable == old -> variable = new; ok = 1
		:: else -> old = variable; ok = 0
		fi
	}
}

inline evnt_buffer_retire(index)
{
	atomic {
		assert(!on_stack[index]);
		assert(state[index] & STATE_CLOSED);
		on_stack[index] = 1;
		head = full_stack
	}
	ok = 0;
	do
	:: !ok ->
		next[index] = head;
		try_cmpxchg(full_stack, head, index + 1, ok)
	:: else -> break
	od
}

/* @s: state as last read; @ok: whether this call closed the buffer */
inline evnt_close(index, s)
{
#ifdef WITHOUT_COMPARE_IN_CLOSE
	atomic { state[index] = s | STATE_CLOSED; ok = 1 }
#else
	try_cmpxchg(state[index], s, s | STATE_CLOSED, ok);
#endif
	if
	:: ok ->
		if
#ifdef WITHOUT_REFS
		:: true -> evnt_buffer_retire(index)
#else
		:: !(s & STATE_REFS) -> evnt_buffer_retire(index)
		:: else
#endif
		fi;
		ok = 1
	:: else
	fi
}

inline evnt_buffer_free(index)
{
	atomic { assert(!is_free[index]); is_free[index] = 1 }
}

/* No processor has the name that a free buffer had */
inline no_name_is_stale(index)
{
	offset = 0;
	do
	:: offset < CPUS ->
		assert(current_buffer[offset] !=
		       NAME(state_generation(state[index]), index));
		offset++
	:: else -> break
	od;
	offset = 0
}

/* A writer's commit: it leaves the buffer, and the last writer hands it on */
inline evnt_buffer_unref(index)
{
	atomic {
		state[index] = state[index] - STATE_REF;
		s = state[index]
	}
	if
#ifndef WITHOUT_REFS
	:: (s & (STATE_CLOSED | STATE_REFS)) == STATE_CLOSED ->
		evnt_buffer_retire(index)
#endif
	:: else
	fi
}

inline write_record()
{
	atomic {
		assert(owner[SLOT(index, offset)] == record);
		written[SLOT(index, offset)] = 1
	}
}

/* Give back all of a reservation but @kept units, and @ref */
inline evnt_give_back(kept, ref)
{
	s = state[index];
	taken_back = 0;
	do
	:: state_offset(s) == offset + LEN && !(s & STATE_CLOSED) && !taken_back ->
		atomic {
			if
			:: state[index] == s ->
				state[index] = (s - (LEN - kept) - ref + UNDONE) &
					       STATE_ALL;
				owner[SLOT(index, offset + kept)] = 0;
				owner[SLOT(index, offset + LEN - 1)] = 0;
				taken_back = 1
			:: else -> s = state[index]
			fi
		}
	:: else -> break
	od;
	if
	:: !taken_back ->
		atomic {
			assert(owner[SLOT(index, offset + kept)] == record);
			owner[SLOT(index, offset + kept)] = FILLER;
			owner[SLOT(index, offset + LEN - 1)] = FILLER
		}
		if
		:: ref != 0 -> evnt_buffer_unref(index)
		:: else
		fi
	:: else
	fi
}

proctype writer(byte cpu; byte id) provided (CAN_RUN)
{
	byte left = RECORDS, record, index, offset, head, stamp;
	short s, name, new;
	bit ok, taken_back;

#ifdef INTERRUPT
	if
	:: id == WRITERS -> interrupted = 1
	:: else
	fi;
#endif
next_record:
	/* Clear unused variables, so that they do not multiply the states */
	atomic {
		record = 0; index = 0; offset = 0; head = 0; s = 0; name = 0;
		new = 0; ok = 0; taken_back = 0;
		if
		:: left == 0 -> goto done
		:: else -> record = (id - 1) * RECORDS + left; left--
		fi
	}

evnt_reserve:
	/* One access to shared state, and its consequences */
	atomic {
		s = 0; index = 0;
		name = current_buffer[cpu];
		if
		:: is_none(name) -> goto evnt_switch
		:: else -> index = name_index(name)
		fi
	}
	/* evnt_look() */
	atomic {
		s = state[index];
		if
		:: !evnt_is_current(s, name) -> goto evnt_next_buffer
		:: else
		fi
	}
#ifdef TIME
	atomic { clock++; stamp = clock }
#endif
	/* evnt_claim() */
	atomic {
		if
		:: state_offset(s) + LEN > CAPACITY -> ok = 0
#ifdef WITHOUT_COMPARE_IN_RESERVE
		:: state_offset(s) + LEN <= CAPACITY ->
			s = (state[index] & ~3) | state_offset(s);
#else
		:: state_offset(s) + LEN <= CAPACITY && state[index] == s ->
#endif
			offset = state_offset(s);
			state[index] = s + LEN + STATE_REF;
			assert(owner[SLOT(index, offset)] == 0);
			assert(owner[SLOT(index, offset + LEN - 1)] == 0);
			assert(!on_stack[index] && !is_free[index]);
			assert(processor[index] == cpu);
#ifdef PART
			assert(number[index] > parted);
#endif
			owner[SLOT(index, offset)] = record;
			owner[SLOT(index, offset + LEN - 1)] = record;
#ifdef TIME
			time[SLOT(index, offset)] = stamp;
			stamp = 0;
#endif
			ok = 1
		:: else -> ok = 0
		fi
	}
	if
	:: !ok -> goto evnt_next_buffer
	:: else
	fi;

	if
	:: true ->
#ifdef WITHOUT_ORDER_IN_COMMIT
		evnt_buffer_unref(index);
		write_record();
#else
		write_record();
#ifdef SHORTEN
		evnt_give_back(1, 0);
#endif
		evnt_buffer_unref(index);
#endif
		accepted++
#ifdef DISCARD
	:: true ->
		evnt_give_back(0, STATE_REF);
		given_up++
#endif
	fi;
	goto next_record;

evnt_next_buffer:
	atomic {
		s = state[index];
		if
		:: !evnt_is_current(s, name) -> goto evnt_switch
		:: evnt_is_current(s, name) && state_offset(s) + LEN <= CAPACITY ->
			goto evnt_reserve
		:: else
		fi
	}
	evnt_close(index, s);
	if
	:: !ok -> goto evnt_reserve
	:: else
	fi;

evnt_switch:
	/* evnt_acquire(): a near buffer, or else any free one */
	atomic {
		s = 0; ok = 0; head = 0;
		index = cpu * BUFFERS / CPUS;
		do
		:: head < BUFFERS && !is_free[index] ->
			index = (index + 1) % BUFFERS; head++
		:: else -> break
		od;
		if
		:: head < BUFFERS ->
			is_free[index] = 0; head = 0;
			no_name_is_stale(index)
		:: else -> lost++; goto next_record
		fi
	}
	/* evnt_prepare(): the buffer is exclusive here */
#ifdef PART
	pending[index] = 1;
	atomic { sequence++; new = sequence }
	atomic { number[index] = new; new = 0 }
#endif
	atomic {
		new = (state_generation(state[index]) + 1) & STATE_GEN_MASK;
		state[index] = new << STATE_GEN_SHIFT;
		new = NAME(new, index);
		processor[index] = cpu
	}
#ifdef WITHOUT_COMPARE_IN_SWITCH
	current_buffer[cpu] = new;
#else
	try_cmpxchg(current_buffer[cpu], name, new, ok);
	if
	:: !ok ->
#ifdef PART
		pending[index] = 0;
#endif
		evnt_buffer_free(index)
	:: else
	fi;
#endif
	goto evnt_reserve;

done:
	atomic {
		writers_left--;
#ifdef INTERRUPT
		if
		:: id == WRITERS -> interrupted = 0
		:: else
		fi
#endif
	}
}

/* Read a taken buffer: all its records were accepted, and are complete */
inline consume(index)
{
	atomic {
		assert(state[index] & STATE_CLOSED);
		assert(!(state[index] & STATE_REFS));
		offset = 0;
		last = 0;
		do
		:: offset < state_offset(state[index]) ->
			if
			:: owner[SLOT(index, offset)] != FILLER ->
				assert(owner[SLOT(index, offset)] != 0);
				assert(written[SLOT(index, offset)]);
#ifdef TIME
				assert(time[SLOT(index, offset)] > last);
				last = time[SLOT(index, offset)];
#endif
				consumed++
			:: else
			fi;
			owner[SLOT(index, offset)] = 0;
			written[SLOT(index, offset)] = 0;
#ifdef TIME
			time[SLOT(index, offset)] = 0;
#endif
			offset++
		:: else -> break
		od;
		on_stack[index] = 0;
		offset = 0;
		last = 0
	}
}

/* The name of a taken buffer, if its processor still has it, becomes invalid */
inline evnt_invalidate(index)
{
	atomic {
		name = NAME(state_generation(state[index]), index);
		if
#ifndef WITHOUT_INVALID_NAMES
		:: current_buffer[processor[index]] == name ->
			current_buffer[processor[index]] = invalid(name)
#endif
		:: else
		fi;
		name = 0
	}
}

inline evnt_buffers_take()
{
	atomic { taken = full_stack; full_stack = 0 }
	do
	:: taken != 0 ->
		index = taken - 1;
		taken = next[index];
		evnt_invalidate(index);
#ifdef PART
		atomic { assert(number[index] > parted); pending[index] = 0 }
#endif
		consume(index);
		evnt_buffer_free(index);
		index = 0
	:: else -> break
	od
}

inline evnt_buffers_close()
{
	cpu = 0;
	do
	:: cpu < CPUS ->
		name = current_buffer[cpu];
		if
		:: !is_none(name) ->
			index = name_index(name);
			s = state[index];
			ok = 0;
			do
			:: !ok && !(s & STATE_CLOSED) && state_offset(s) > 0 &&
#ifndef WITHOUT_GENERATION
			   state_generation(s) == name_generation(name) ->
#else
			   true ->
#endif
				evnt_close(index, s)
			:: else -> break
			od
		:: else
		fi;
		cpu++
	:: else -> break
	od
}

#ifdef PART
/* Close all buffers up to @last, even empty ones */
inline evnt_buffers_close_older()
{
	cpu = 0;
	do
	:: cpu < CPUS ->
		name = current_buffer[cpu];
		if
		:: !is_none(name) && number[name_index(name)] <= newest ->
			index = name_index(name);
			s = state[index];
			ok = 0;
			do
			:: !ok && evnt_is_current(s, name) ->
				evnt_close(index, s)
			:: else -> break
			od
		:: else
		fi;
		cpu++
	:: else -> break
	od;
	cpu = 0
}

/* Look for a buffer that is pending; @ok: there is none */
inline look_for_pending()
{
	index = 0;
	ok = 1;
	do
	:: index < BUFFERS ->
		atomic {
			if
			:: pending[index] && number[index] <= newest -> ok = 0
			:: else
			fi;
			index++
		}
	:: else -> break
	od;
	index = 0
}

inline evnt_buffers_part()
{
	newest = sequence;
	do
	:: evnt_buffers_close_older();
	   evnt_buffers_take();
#ifdef WITHOUT_PENDING
	   ok = 1;
#else
	   look_for_pending();
#endif
	   if
	   :: ok -> break
	   :: else
	   fi
	od;
	atomic { parted = newest; newest = 0 }
}
#define flush()	evnt_buffers_part()
#else
#define flush()	evnt_buffers_close()
#endif

inline nothing_is_lost()
{
	assert(accepted == consumed);
	assert(accepted + lost + given_up == WRITERS * RECORDS);
	index = 0;
	do
	:: index < BUFFERS ->
		assert(is_free[index] || (!(state[index] & STATE_CLOSED) &&
					  state_offset(state[index]) == 0));
		index++
	:: else -> break
	od
}

/* The session's thread: takes buffers, and flushes at any time */
proctype reader()
{
	byte taken, index, cpu, head, offset, last, newest;
	short s, name;
	bit ok;

	do
	:: full_stack != 0 -> evnt_buffers_take()
	:: flushes > 0 ->
		flushes--;
		flush();
		atomic { s = 0; name = 0; index = 0; cpu = 0; ok = 0; head = 0 }
	:: full_stack == 0 && flushes == 0 && writers_left == 0 -> break
	od;
	/* The session ends: there are no writers any longer */
	evnt_buffers_close();
	evnt_buffers_take();
	atomic { nothing_is_lost() }
}

init
{
	byte i;

	atomic {
		for (i : 0 .. BUFFERS - 1) {
			state[i] = STATE_CLOSED;
			is_free[i] = 1
		}
		for (i : 0 .. CPUS - 1) {
			current_buffer[i] = NO_BUFFER
		}
		for (i : 1 .. WRITERS) {
			run writer((i - 1) % CPUS, i)
		}
		run reader();
		i = 0
	}
}
