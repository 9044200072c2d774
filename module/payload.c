// SPDX-License-Identifier: GPL-2.0
/*
 * An event's data as its writer handed it over: blocks in user memory.
 *
 * measure and copy run with page faults disabled.  Where they would need one
 * they say so by -EFAULT, and leave in @fault what evnt_payload_fault_in() is
 * to make present before the event is tried again.
 *
 * An array of more than EVNT_WINDOW blocks is read twice.  Its owner may have
 * changed it in between: copy stays within what measure has found.
 */
#include <linux/pagemap.h>
#include <linux/uaccess.h>

#include "payload.h"

static int read_user(struct evnt_payload *p, void *to, u64 from, u32 len)
{
	const void __user *ptr = u64_to_user_ptr(from);

	if (likely(access_ok(ptr, len) &&
		   !__copy_from_user_inatomic(to, ptr, len)))
		return 0;
	p->fault = from;
	p->fault_len = len;
	return -EFAULT;
}

/* Have block @i in the window, of which the rest is what follows it */
static int move_window(struct evnt_payload *p, u32 i)
{
	u32 n = min_t(u32, p->count - i, EVNT_WINDOW);
	int err;

	err = read_user(p, p->window, p->blocks + i * sizeof(*p->window),
			n * sizeof(*p->window));
	/* Half a window is none */
	p->first = err ? p->count : i;
	return err;
}

static int block_get(struct evnt_payload *p, u32 i,
		     const struct evntprov_data **block)
{
	int err;

	if (unlikely(i < p->first || i >= p->first + EVNT_WINDOW)) {
		err = move_window(p, i);
		if (err)
			return err;
	}
	*block = &p->window[i - p->first];
	return 0;
}

static u8 block_type(const struct evnt_payload *p,
		     const struct evntprov_data *block)
{
	return p->use_types ? block->type : EVNTPROV_DATA_NONE;
}

/**
 * evnt_payload_init() - take note of an event's blocks
 * @p: filled in
 * @blocks: address of their array
 * @count: how many there are
 *
 * May sleep.
 *
 * Return: 0, -EINVAL for too many, or -EFAULT.
 */
int evnt_payload_init(struct evnt_payload *p, u64 blocks, u32 count)
{
	u32 n = min_t(u32, count, EVNT_WINDOW);

	if (count > EVNTPROV_MAX_DATA)
		return -EINVAL;
	p->blocks = blocks;
	p->count = count;
	p->first = 0;
	if (copy_from_user(p->window, u64_to_user_ptr(blocks),
			   n * sizeof(*p->window)))
		return -EFAULT;
	return 0;
}

/* What one block adds to the event's lengths */
static int measure_block(struct evnt_payload *p, struct evnt_event *e,
			 const struct evntprov_data *block)
{
	u32 *len = &e->data_len;

	switch (block_type(p, block)) {
	case EVNTPROV_DATA_NONE:
		break;
	case EVNTPROV_DATA_EVENT_METADATA:
		len = &e->metadata_len;
		break;
	case EVNTPROV_DATA_PROVIDER_METADATA:
		if (p->skip_traits)
			return 0;
		len = &e->traits_len;
		break;
	case EVNTPROV_DATA_TIMESTAMP_OVERRIDE:
		return -EOPNOTSUPP;
	default:
		return -EINVAL;
	}
	if (block->len > ETL_MAX_RECORD - *len)
		return -EOVERFLOW;
	*len += block->len;
	return 0;
}

/**
 * evnt_payload_measure() - find the lengths of an event's parts
 * @p: the payload
 * @e: its traits_len, metadata_len and data_len are added to
 *
 * Page faults are disabled.
 *
 * Return: 0, -EFAULT, -EINVAL, -EOPNOTSUPP, or -EOVERFLOW.
 */
int evnt_payload_measure(struct evnt_payload *p, struct evnt_event *e)
{
	const struct evntprov_data *block;
	int err;
	u32 i;

	for (i = 0; i < p->count; i++) {
		err = block_get(p, i, &block);
		if (!err)
			err = measure_block(p, e, block);
		if (err)
			return err;
	}
	return 0;
}

/* Where the next block of each type goes, and how much may follow there */
struct evnt_cursor {
	u8 *to[EVNTPROV_DATA_PROVIDER_METADATA + 1];
	u32 left[EVNTPROV_DATA_PROVIDER_METADATA + 1];
};

static int copy_block(struct evnt_payload *p, struct evnt_cursor *cursor,
		      const struct evntprov_data *block)
{
	u8 type = block_type(p, block);
	int err;

	if (type == EVNTPROV_DATA_PROVIDER_METADATA && p->skip_traits)
		return 0;
	/* Not what was measured */
	if (unlikely(type > EVNTPROV_DATA_PROVIDER_METADATA ||
		     block->len > cursor->left[type]))
		return -EINVAL;
	if (!block->len)
		return 0;
	err = read_user(p, cursor->to[type], block->ptr, block->len);
	cursor->to[type] += block->len;
	cursor->left[type] -= block->len;
	return err;
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
		      const struct evnt_record_parts *parts)
{
	struct evnt_cursor cursor = {
		.to = { parts->data, parts->metadata, parts->traits },
		.left = { e->data_len, e->metadata_len,
			  parts->traits ? e->traits_len : 0 },
	};
	const struct evntprov_data *block;
	int err;
	u32 i;

	for (i = 0; i < p->count; i++) {
		err = block_get(p, i, &block);
		if (!err)
			err = copy_block(p, &cursor, block);
		if (err)
			return err;
	}
	if (cursor.left[0] | cursor.left[1] | cursor.left[2])
		return -EINVAL;
	return 0;
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
	const struct evntprov_data *block;
	u32 i;

	if (fault_in(p->fault, p->fault_len))
		return -EFAULT;
	for (i = 0; i < p->count && !block_get(p, i, &block); i++)
		fault_in(block->ptr, min(block->len, ETL_MAX_RECORD));
	return 0;
}
