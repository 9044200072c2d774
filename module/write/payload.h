/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data of an event as passed in by its writer: an array of blocks, in user
 * memory, or in kernel memory for events of kernel providers.
 *
 * Owns the access to user memory: reads never fault while a reservation is
 * held, and values that were read before are never trusted.
 *
 * "Plain" data is user data whose block types are ignored: the blocks are simply
 * concatenated.  evnt_plain_measure() and evnt_plain_copy() handle it, and are
 * inlined for a single block and for arrays that fit the window.
 */
#ifndef EVNT_PAYLOAD_H
#define EVNT_PAYLOAD_H

#include "module/common/module.h"
#include "core/reader.h"
#include "core/record.h"
#include "module/write/uaccess_words.h"

/* Number of block descriptors that are kept on the stack at a time */
#define EVNT_WINDOW		16u

/* Limit on attempts, as pages may be reclaimed between fault-in and copy */
#define EVNT_MAX_TRIES		16

/* Longest copy that is faster inline, word by word */
#define EVNT_FEW_BYTES		128

/*
 * Internal flag of a write, not part of the ABI: a kernel provider writes the
 * event, and its blocks are in kernel memory.
 */
#define EVNT_WRITE_KERNEL	0x40000000u

/**
 * struct evnt_payload - blocks of one event
 * @blocks: address of the array of struct evntprov_data
 * @count: number of blocks
 * @types: mask for the type of a block: 0 ignores all types
 * @skip_traits: ignore blocks of provider traits, as the registration has its
 *	own
 * @kernel: array and blocks are in kernel memory
 * @is_one: there is one block, which is not in an array but only in @window
 * @fault_len: length in bytes of the range at @fault
 * @fault: address at which a read would have faulted
 * @window: the part of the array that was read last
 */
struct evnt_payload {
	u64 blocks;
	u32 count;
	u8 types;
	bool skip_traits;
	bool kernel;
	bool is_one;
	u32 fault_len;
	u64 fault;
	struct evntprov_data window[EVNT_WINDOW];
};

/**
 * struct evnt_payload_reader - reader of one kind of data, for filters
 * @reader: generic reader
 * @payload: payload, already measured
 * @kind: EVNTPROV_DATA_*: type of the blocks to read
 */
struct evnt_payload_reader {
	struct evnt_reader reader;
	struct evnt_payload *payload;
	u8 kind;
};

void evnt_payload_init(struct evnt_payload *p,
		       const struct evntprov_write *arg);
int evnt_payload_measure(struct evnt_payload *p, struct evnt_event *e);
int evnt_payload_copy(struct evnt_payload *p, const struct evnt_event *e,
		      struct evnt_record_parts parts);
int evnt_payload_fault_in(struct evnt_payload *p);

/* Slow paths of the functions below, in payload.c */
int evnt_plain_measure_many(u64 blocks, u32 count, u64 *len);
int evnt_plain_copy_many(struct evntprov_data *window, u64 blocks, u32 count,
			 u8 *to, u64 len);
bool evnt_read_many(void *to, const void __user *from, u32 len);

/* Check the number of blocks, or the length of the only one */
static __always_inline bool
evnt_payload_is_valid(const struct evntprov_write *arg)
{
	return likely(arg->data_count <= EVNTPROV_MAX_DATA) ||
	       (arg->flags & EVNTPROV_WRITE_ONE_BLOCK &&
		arg->data_count <= U32_MAX);
}

/* Copy from user memory.  The caller must have disabled page faults. */
static __always_inline bool evnt_payload_read(void *to, u64 from, u32 len)
{
	const void __user *ptr = u64_to_user_ptr(from);

	return likely(len <= EVNT_FEW_BYTES) ? evnt_read_bytes(to, ptr, len) :
					       evnt_read_many(to, ptr, len);
}

/* Read @n block descriptors into a window, and sum up their lengths */
static __always_inline bool evnt_window_read(struct evntprov_data *window,
					     u64 from, u32 n, u64 *len)
{
	const u64 __user *ptr = u64_to_user_ptr(from);
	u64 word, sum = 0;
	u32 i;

	if (unlikely(!evnt_user_begin(ptr, n * sizeof(*window))))
		return false;
	for (i = 0; i < n; i++) {
		unsafe_get_user(window[i].ptr, &ptr[2 * i], fault);
		unsafe_get_user(word, &ptr[2 * i + 1], fault);
		((u64 *)&window[i])[1] = word;
		sum += window[i].len;
	}
	user_access_end();
	*len = sum;
	return true;
fault:
	user_access_end();
	return false;
}

/* Copy the data of the @n blocks of a window */
static __always_inline bool
evnt_window_copy(const struct evntprov_data *window, u32 n, u8 *to)
{
	for (; n; n--, window++) {
		if (unlikely(!window->len))
			continue;
		if (unlikely(!evnt_payload_read(to, window->ptr, window->len)))
			return false;
		to += window->len;
	}
	return true;
}

/**
 * evnt_plain_measure() - compute the length of plain data
 * @window: room for EVNT_WINDOW blocks
 * @arg: event, with a valid number of blocks
 * @len: set to the length in bytes
 *
 * The caller must have disabled page faults.
 *
 * Return: 0 or -EFAULT.
 */
static __always_inline int
evnt_plain_measure(struct evntprov_data *window,
		   const struct evntprov_write *arg, u64 *len)
{
	u64 sum __uninitialized;
	int err;

	if (likely(arg->flags & EVNTPROV_WRITE_ONE_BLOCK)) {
		*len = arg->data_count;
		return 0;
	}
	if (likely(arg->data_count <= EVNT_WINDOW))
		return likely(evnt_window_read(window, arg->data,
					       arg->data_count, len)) ?
			0 : -EFAULT;
	/* Do not pass @len itself, so that it can stay in a register */
	err = evnt_plain_measure_many(arg->data, arg->data_count, &sum);
	*len = sum;
	return err;
}

/**
 * evnt_plain_copy() - copy plain data into a record
 * @window: blocks that evnt_plain_measure() has read
 * @arg: event
 * @to: destination
 * @len: length from evnt_plain_measure()
 *
 * The caller must have disabled page faults.
 *
 * Return: 0, -EFAULT, or -EINVAL if the blocks changed since they were
 * measured.
 */
static __always_inline int
evnt_plain_copy(struct evntprov_data *window, const struct evntprov_write *arg,
		u8 *to, u64 len)
{
	bool done;

	if (likely(arg->flags & EVNTPROV_WRITE_ONE_BLOCK))
		done = unlikely(!len) || evnt_payload_read(to, arg->data, len);
	else if (likely(arg->data_count <= EVNT_WINDOW))
		done = evnt_window_copy(window, arg->data_count, to);
	else
		return evnt_plain_copy_many(window, arg->data, arg->data_count,
					    to, len);
	return likely(done) ? 0 : -EFAULT;
}

#endif /* EVNT_PAYLOAD_H */
