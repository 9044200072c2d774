// SPDX-License-Identifier: GPL-2.0
/*
 * An event's data as its writer handed it over: blocks in user memory, or in the
 * kernel's, where it writes the event.
 *
 * measure and copy run with page faults disabled.  Where they would need one
 * they say so by -EFAULT, and those that look at types leave in @fault what
 * evnt_payload_fault_in() is to make present before the event is tried again.
 *
 * What filters look at, and an array of more than EVNT_WINDOW blocks, is read
 * more than once.  Its owner may have changed it in between: copy stays within
 * what measure has found, and an event that a filter would not let through then
 * is its owner's own doing.
 */
#include <linux/pagemap.h>
#include <linux/uaccess.h>

#include "payload.h"

bool evnt_read_many(void *to, const void __user *from, u32 len)
{
	unsigned long left;

	if (unlikely(should_fail_usercopy() || !access_ok(from, len)))
		return false;
	/*
	 * As copy_from_iter() does it.  What __copy_from_user_inatomic() would
	 * check is that @len bytes from @to are one object: they are those of a
	 * reservation.
	 */
	instrument_copy_from_user_before(to, from, len);
	left = raw_copy_from_user(to, from, len);
	instrument_copy_from_user_after(to, from, len, left);
	return !left;
}

/* evnt_plain_measure(), of more blocks than the window has room for */
int evnt_plain_measure_many(u64 blocks, u32 count, u64 *len)
{
	const struct evntprov_data __user *from = u64_to_user_ptr(blocks);
	u64 sum = 0;
	u32 i, block_len;

	*len = 0;
	if (unlikely(!evnt_user_begin(from, count * sizeof(*from))))
		return -EFAULT;
	for (i = 0; i < count; i++) {
		unsafe_get_user(block_len, &from[i].len, fault);
		sum += block_len;
	}
	user_access_end();
	*len = sum;
	return 0;
fault:
	user_access_end();
	return -EFAULT;
}

/* evnt_plain_copy(), likewise */
int evnt_plain_copy_many(struct evntprov_data *window, u64 blocks, u32 count,
			 u8 *to, u64 len)
{
	u64 sum;
	u32 n;

	for (; count; count -= n, blocks += n * sizeof(*window)) {
		n = min(count, EVNT_WINDOW);
		if (unlikely(!evnt_window_read(window, blocks, n, &sum)))
			return -EFAULT;
		/* Not what was measured */
		if (unlikely(sum > len))
			return -EINVAL;
		if (unlikely(!evnt_window_copy(window, n, to)))
			return -EFAULT;
		to += sum;
		len -= sum;
	}
	return len ? -EINVAL : 0;
}

/**
 * evnt_payload_init() - take note of an event's blocks
 * @p: filled in
 * @blocks: address of their array
 * @count: how many there are, at most EVNTPROV_MAX_DATA
 *
 * They are in user memory, and their types are not looked at, unless the caller
 * says so in @p.
 */
void evnt_payload_init(struct evnt_payload *p, u64 blocks, u32 count)
{
	p->blocks = blocks;
	p->count = count;
	p->types = 0;
	p->skip_traits = false;
	p->kernel = false;
}

/* How many there are from @first on, as far as the window goes */
static u32 window_len(const struct evnt_payload *p, u32 first)
{
	return min(p->count - first, EVNT_WINDOW);
}

static int note_fault(struct evnt_payload *p, u64 from, u32 len)
{
	p->fault = from;
	p->fault_len = len;
	return -EFAULT;
}

/*
 * Functions that all go through are inline, with @kernel known: events of user
 * space do not pay for the kernel's.
 */
static __always_inline bool read_data(void *to, u64 from, u32 len, bool kernel)
{
	if (!kernel)
		return evnt_payload_read(to, from, len);
	memcpy(to, (const void *)(uintptr_t)from, len);
	return true;
}

/* Have the blocks from @first on in the window */
static __always_inline int read_window(struct evnt_payload *p, u32 first,
				       bool kernel)
{
	u64 len, from = p->blocks + first * sizeof(*p->window);
	u32 n = window_len(p, first);

	if (kernel) {
		memcpy(p->window, (const void *)(uintptr_t)from,
		       n * sizeof(*p->window));
		return 0;
	}
	if (likely(evnt_window_read(p->window, from, n, &len)))
		return 0;
	return note_fault(p, from, n * sizeof(*p->window));
}

/* What kinds of data there are, by EVNTPROV_DATA_*, and others are not */
#define KINDS	(EVNTPROV_DATA_PROVIDER_METADATA + 1)

static int measure_window(const struct evnt_payload *p, u32 n, u64 sum[KINDS])
{
	const struct evntprov_data *block;
	u8 type;

	for (block = p->window; block < p->window + n; block++) {
		type = block->type & p->types;
		if (unlikely(type >= KINDS))
			return type == EVNTPROV_DATA_TIMESTAMP_OVERRIDE ?
				-EOPNOTSUPP : -EINVAL;
		sum[type] += block->len;
	}
	return 0;
}

static __always_inline int measure(struct evnt_payload *p, struct evnt_event *e,
				   bool kernel)
{
	u64 sum[KINDS] = {};
	int err;
	u32 i;

	for (i = 0; i < p->count; i += EVNT_WINDOW) {
		err = read_window(p, i, kernel);
		if (likely(!err))
			err = measure_window(p, window_len(p, i), sum);
		if (unlikely(err))
			return err;
	}
	e->data_len = sum[EVNTPROV_DATA_NONE];
	e->metadata_len = sum[EVNTPROV_DATA_EVENT_METADATA];
	if (!p->skip_traits)
		e->traits_len = sum[EVNTPROV_DATA_PROVIDER_METADATA];
	return 0;
}

static noinline int measure_kernel(struct evnt_payload *p, struct evnt_event *e)
{
	return measure(p, e, true);
}

/**
 * evnt_payload_measure() - find the lengths of an event's parts
 * @p: the payload
 * @e: its metadata_len and data_len are set, and its traits_len, unless traits
 *	in the payload are left out
 *
 * Page faults are disabled.
 *
 * Return: 0, -EFAULT, -EINVAL, or -EOPNOTSUPP.
 */
int evnt_payload_measure(struct evnt_payload *p, struct evnt_event *e)
{
	if (unlikely(p->kernel))
		return measure_kernel(p, e);
	return measure(p, e, false);
}

/* Where the next block of a kind goes, and how much may follow there */
struct cursor {
	u8 *to;
	u64 left;
};

static __always_inline int copy_block(struct evnt_payload *p, struct cursor *c,
				      const struct evntprov_data *block,
				      bool kernel)
{
	/* Not what was measured */
	if (unlikely(block->len > c->left))
		return -EINVAL;
	if (unlikely(!block->len))
		return 0;
	if (unlikely(!read_data(c->to, block->ptr, block->len, kernel)))
		return note_fault(p, block->ptr, block->len);
	c->to += block->len;
	c->left -= block->len;
	return 0;
}

static __always_inline int copy_window(struct evnt_payload *p, u32 n,
				       struct cursor to[KINDS], bool kernel)
{
	const struct evntprov_data *block;
	int err;
	u8 type;

	for (block = p->window; block < p->window + n; block++) {
		type = block->type & p->types;
		if (type == EVNTPROV_DATA_PROVIDER_METADATA && p->skip_traits)
			continue;
		if (unlikely(type >= KINDS))
			return -EINVAL;
		err = copy_block(p, &to[type], block, kernel);
		if (unlikely(err))
			return err;
	}
	return 0;
}

static __always_inline int copy(struct evnt_payload *p,
				const struct evnt_event *e,
				struct evnt_record_parts parts, bool kernel)
{
	struct cursor to[KINDS] = {
		[EVNTPROV_DATA_NONE] = { parts.data, e->data_len },
		[EVNTPROV_DATA_EVENT_METADATA] = { parts.metadata,
						   e->metadata_len },
		[EVNTPROV_DATA_PROVIDER_METADATA] = {
			parts.traits, parts.traits ? e->traits_len : 0 },
	};
	int err = 0;
	u32 i;

	for (i = 0; i < p->count; i += EVNT_WINDOW) {
		/* A single window is there since it was measured */
		if (p->count > EVNT_WINDOW)
			err = read_window(p, i, kernel);
		if (likely(!err))
			err = copy_window(p, window_len(p, i), to, kernel);
		if (unlikely(err))
			return err;
	}
	return to[0].left | to[1].left | to[2].left ? -EINVAL : 0;
}

static noinline int copy_kernel(struct evnt_payload *p,
				const struct evnt_event *e,
				struct evnt_record_parts parts)
{
	return copy(p, e, parts, true);
}

/**
 * evnt_payload_copy() - put an event's data in its record
 * @p: the payload
 * @e: the event, as evnt_payload_measure() left it
 * @parts: where the data goes
 *
 * Page faults are disabled.
 *
 * Return: 0, -EFAULT, or -EINVAL when it is not what was measured.
 */
int evnt_payload_copy(struct evnt_payload *p, const struct evnt_event *e,
		      struct evnt_record_parts parts)
{
	if (unlikely(p->kernel))
		return copy_kernel(p, e, parts);
	return copy(p, e, parts, false);
}

/* Where filling a reader has got to */
struct filling {
	u8 *to;
	u32 skip;
	u32 left;
};

/* What is wanted of one block */
static int fill_from(struct evnt_payload *p, struct filling *f,
		     const struct evntprov_data *block)
{
	u32 len;

	if (block->len <= f->skip) {
		f->skip -= block->len;
		return 0;
	}
	len = min(block->len - f->skip, f->left);
	if (unlikely(!read_data(f->to, block->ptr + f->skip, len, p->kernel)))
		return note_fault(p, block->ptr + f->skip, len);
	f->to += len;
	f->left -= len;
	f->skip = 0;
	return 0;
}

static int fill_from_window(const struct evnt_payload_reader *pr, u32 n,
			    struct filling *f)
{
	struct evnt_payload *p = pr->payload;
	int err = 0;
	u32 i;

	for (i = 0; i < n && f->left && !err; i++) {
		if ((p->window[i].type & p->types) == pr->kind)
			err = fill_from(p, f, &p->window[i]);
	}
	return err;
}

/*
 * evnt_reader_fill(), of struct evnt_payload_reader.  Page faults are disabled.
 * -EINVAL when there is less than was measured.
 */
int evnt_reader_fill(struct evnt_reader *r)
{
	struct evnt_payload_reader *pr =
		container_of(r, struct evnt_payload_reader, reader);
	struct evnt_payload *p = pr->payload;
	struct filling f = { r->bytes, r->start, r->len };
	int err = 0;
	u32 i;

	for (i = 0; i < p->count && f.left && !err; i += EVNT_WINDOW) {
		/* A single window is there since it was measured */
		if (p->count > EVNT_WINDOW)
			err = read_window(p, i, p->kernel);
		if (likely(!err))
			err = fill_from_window(pr, window_len(p, i), &f);
	}
	return err ? err : f.left ? -EINVAL : 0;
}

static int fault_in(u64 from, u32 len)
{
	const char __user *ptr = u64_to_user_ptr(from);

	if (!access_ok(ptr, len) || fault_in_readable(ptr, len))
		return -EFAULT;
	return 0;
}

/**
 * evnt_payload_fault_in() - make present what could not be read
 * @p: the payload
 *
 * The other blocks come with it, as far as they can: one at a time, an event of
 * many would be tried too often.
 *
 * May sleep.
 *
 * Return: 0, or -EFAULT when it cannot be read at all.
 */
int evnt_payload_fault_in(struct evnt_payload *p)
{
	u32 i;

	if (fault_in(p->fault, p->fault_len))
		return -EFAULT;
	for (i = 0; i < p->count; i++) {
		if (i % EVNT_WINDOW == 0 && read_window(p, i, false))
			break;
		fault_in(p->window[i % EVNT_WINDOW].ptr,
			 min(p->window[i % EVNT_WINDOW].len, ETL_MAX_RECORD));
	}
	return 0;
}
