/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event's data as its writer handed it over: blocks in user memory, or in the
 * kernel's, where it writes the event.
 *
 * Owns how user memory is read: never with a page fault while a reservation is
 * held, and never trusting what was read before.
 *
 * What is said of plain data holds where the types of blocks are not looked at:
 * it is one block after the other.  evnt_plain_measure() and evnt_plain_copy()
 * are for that, and inline for as many blocks as fit the window.
 */
#ifndef EVNT_PAYLOAD_H
#define EVNT_PAYLOAD_H

#include "module.h"
#include "reader.h"
#include "record.h"
#include "user_words.h"

/* Descriptors of data blocks that are kept on the stack at a time */
#define EVNT_WINDOW		16u

/* How often pages may vanish between being made present and being read */
#define EVNT_MAX_TRIES		16

/* Up to here, word by word is the shorter way */
#define EVNT_FEW_BYTES		128

/*
 * With the flags of a write, of which it is none: the kernel writes the event,
 * and blocks are in its own memory.
 */
#define EVNT_WRITE_KERNEL	0x40000000u

/**
 * struct evnt_payload - the blocks of one event
 * @blocks: address of the array of struct evntprov_data
 * @count: its elements
 * @types: bits of a block's type that are looked at: all or none
 * @skip_traits: blocks of provider traits are left out: others are used
 * @kernel: array and blocks are in the kernel's memory
 * @fault_len: bytes from @fault that are wanted
 * @fault: address at which reading would have taken a page fault
 * @window: a part of the array
 */
struct evnt_payload {
	u64 blocks;
	u32 count;
	u8 types;
	bool skip_traits;
	bool kernel;
	u32 fault_len;
	u64 fault;
	struct evntprov_data window[EVNT_WINDOW];
};

/**
 * struct evnt_payload_reader - the data of one kind, for filters
 * @reader: what is read
 * @payload: where from, measured
 * @kind: EVNTPROV_DATA_*: blocks of this type
 */
struct evnt_payload_reader {
	struct evnt_reader reader;
	struct evnt_payload *payload;
	u8 kind;
};

void evnt_payload_init(struct evnt_payload *p, u64 blocks, u32 count);
int evnt_payload_measure(struct evnt_payload *p, struct evnt_event *e);
int evnt_payload_copy(struct evnt_payload *p, const struct evnt_event *e,
		      struct evnt_record_parts parts);
int evnt_payload_fault_in(struct evnt_payload *p);

/* What the functions below leave to payload.c */
int evnt_plain_measure_many(u64 blocks, u32 count, u64 *len);
int evnt_plain_copy_many(struct evntprov_data *window, u64 blocks, u32 count,
			 u8 *to, u64 len);
bool evnt_read_many(void *to, const void __user *from, u32 len);

/* Copy from user memory; page faults are disabled */
static __always_inline bool evnt_payload_read(void *to, u64 from, u32 len)
{
	const void __user *ptr = u64_to_user_ptr(from);

	return likely(len <= EVNT_FEW_BYTES) ? evnt_read_bytes(to, ptr, len) :
					       evnt_read_many(to, ptr, len);
}

/* Read @n blocks from @from on into a window; @len: how long all are */
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

/* Copy what the @n blocks of a window are of */
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
 * evnt_plain_measure() - find the length of plain data
 * @window: room for EVNT_WINDOW blocks
 * @blocks: address of their array
 * @count: how many there are, at most EVNTPROV_MAX_DATA
 * @len: filled in
 *
 * Page faults are disabled.
 *
 * Return: 0, or -EFAULT.
 */
static __always_inline int evnt_plain_measure(struct evntprov_data *window,
					      u64 blocks, u32 count, u64 *len)
{
	u64 sum __uninitialized;
	int err;

	if (likely(count <= EVNT_WINDOW))
		return likely(evnt_window_read(window, blocks, count, len)) ?
			0 : -EFAULT;
	/* Another one, so that a register does for @len */
	err = evnt_plain_measure_many(blocks, count, &sum);
	*len = sum;
	return err;
}

/**
 * evnt_plain_copy() - put plain data in its place
 * @window: as evnt_plain_measure() left it
 * @blocks: likewise
 * @count: likewise
 * @to: where to
 * @len: what evnt_plain_measure() has found
 *
 * Page faults are disabled.
 *
 * Return: 0, -EFAULT, or -EINVAL when it is not what was measured.
 */
static __always_inline int evnt_plain_copy(struct evntprov_data *window,
					   u64 blocks, u32 count, u8 *to,
					   u64 len)
{
	if (unlikely(count > EVNT_WINDOW))
		return evnt_plain_copy_many(window, blocks, count, to, len);
	return likely(evnt_window_copy(window, count, to)) ? 0 : -EFAULT;
}

#endif /* EVNT_PAYLOAD_H */
