// SPDX-License-Identifier: GPL-2.0
/*
 * Data of an event as passed in by its writer: an array of blocks, in user
 * memory, or in kernel memory for events of kernel providers.
 *
 * The measure and copy functions run with page faults disabled.  If an access
 * would fault they return -EFAULT.  Those that check the types of blocks also
 * record the range in @fault and @fault_len, for evnt_payload_fault_in() to
 * bring in before the event is tried again.
 *
 * Data that filters look at, and the part of an array beyond EVNT_WINDOW
 * blocks, is read more than once, and its owner may change it in between.  The
 * copy never exceeds the measured lengths.  If such a change lets an event slip
 * through a filter, that only affects the events of the process itself.
 */
#include <linux/pagemap.h>
#include <linux/uaccess.h>

#include "module/write/payload.h"

bool evnt_read_many(void *to, const void __user *from, u32 len)
{
	unsigned long left;

	if (unlikely(should_fail_usercopy() || !access_ok(from, len)))
		return false;
	/*
	 * Open-coded as in copy_from_iter().  __copy_from_user_inatomic() would
	 * also check that the destination is within one object: it is part of a
	 * reservation.
	 */
	instrument_copy_from_user_before(to, from, len);
	left = raw_copy_from_user(to, from, len);
	instrument_copy_from_user_after(to, from, len, left);
	return !left;
}

/* evnt_plain_measure() for more blocks than fit the window */
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

/* evnt_plain_copy() for more blocks than fit the window */
int evnt_plain_copy_many(struct evntprov_data *window, u64 blocks, u32 count,
			 u8 *to, u64 len)
{
	u64 sum;
	u32 n;

	for (; count; count -= n, blocks += n * sizeof(*window)) {
		n = min(count, EVNT_WINDOW);
		if (unlikely(!evnt_window_read(window, blocks, n, &sum)))
			return -EFAULT;
		/* The descriptors changed since they were measured */
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
 * evnt_payload_init() - initialise a payload with an event's blocks
 * @p: payload
 * @arg: event, with a valid number of blocks
 *
 * By default the types of the blocks are ignored.  The caller may change this
 * in @p.
 */
void evnt_payload_init(struct evnt_payload *p, const struct evntprov_write *arg)
{
	p->blocks = arg->data;
	p->count = arg->data_count;
	p->types = 0;
	p->skip_traits = false;
	p->kernel = arg->flags & EVNT_WRITE_KERNEL;
	p->is_one = arg->flags & EVNTPROV_WRITE_ONE_BLOCK;
	if (!p->is_one)
		return;
	p->count = 1;
	p->window[0] = (struct evntprov_data) {
		.ptr = arg->data, .len = arg->data_count,
	};
}

/* Return the number of blocks from @first on, limited to one window */
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
 * The functions below are inlined with a constant @kernel, so that events of
 * user space do not pay for kernel events.
 */
static __always_inline bool read_data(void *to, u64 from, u32 len, bool kernel)
{
	if (!kernel)
		return evnt_payload_read(to, from, len);
	memcpy(to, (const void *)(uintptr_t)from, len);
	return true;
}

/* Read the blocks from @first on into the window */
static __always_inline int read_window(struct evnt_payload *p, u32 first,
				       bool kernel)
{
	u64 len, from = p->blocks + first * sizeof(*p->window);
	u32 n = window_len(p, first);

	if (p->is_one)
		return 0;
	if (kernel) {
		memcpy(p->window, (const void *)(uintptr_t)from,
		       n * sizeof(*p->window));
		return 0;
	}
	if (likely(evnt_window_read(p->window, from, n, &len)))
		return 0;
	return note_fault(p, from, n * sizeof(*p->window));
}

/* Number of valid types, EVNTPROV_DATA_NONE to _PROVIDER_METADATA */
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
 * evnt_payload_measure() - compute the lengths of an event's parts
 * @p: payload
 * @e: metadata_len and data_len are set, and traits_len unless @p skips traits
 *
 * The caller must have disabled page faults.
 *
 * Return: 0, -EFAULT, -EINVAL or -EOPNOTSUPP.
 */
int evnt_payload_measure(struct evnt_payload *p, struct evnt_event *e)
{
	if (unlikely(p->kernel))
		return measure_kernel(p, e);
	return measure(p, e, false);
}

/* Destination of the next block of a kind, and the room left there */
struct cursor {
	u8 *to;
	u64 left;
};

static __always_inline int copy_block(struct evnt_payload *p, struct cursor *c,
				      const struct evntprov_data *block,
				      bool kernel)
{
	/* Data grew since it was measured */
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
		/* A single window is still loaded since it was measured */
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
 * evnt_payload_copy() - copy an event's data into its record
 * @p: payload
 * @e: event, with the lengths from evnt_payload_measure()
 * @parts: destination of each part
 *
 * The caller must have disabled page faults.
 *
 * Return: 0, -EFAULT, or -EINVAL if the blocks changed since they were
 * measured.
 */
int evnt_payload_copy(struct evnt_payload *p, const struct evnt_event *e,
		      struct evnt_record_parts parts)
{
	if (unlikely(p->kernel))
		return copy_kernel(p, e, parts);
	return copy(p, e, parts, false);
}

/* Progress of evnt_reader_fill(): bytes still to skip, and still to read */
struct filling {
	u8 *to;
	u32 skip;
	u32 left;
};

/* Copy the requested part of one block */
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
 * evnt_reader_fill() for struct evnt_payload_reader.  The caller must have
 * disabled page faults.  Returns -EINVAL if there is less data than was
 * measured.
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
		/* A single window is still loaded since it was measured */
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
 * evnt_payload_fault_in() - fault in the range that could not be read
 * @p: payload
 *
 * Also faults in the other blocks as far as possible: with one fault per
 * attempt, an event of many blocks would exhaust its attempts.  May sleep.
 *
 * Return: 0, or -EFAULT if the recorded range is not readable.
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
