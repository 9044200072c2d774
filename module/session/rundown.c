// SPDX-License-Identifier: GPL-2.0
/*
 * The rundown of a log file: its memory, and the form of its buffers.  A higher
 * layer composes the events.
 */
#include "module/session/rundown.h"

/**
 * evnt_rundown_take() - compose the rundown of this moment
 * @d: filled in; evnt_rundown_free() must be called
 * @s: session
 * @room: maximum number of buffers
 * @is_end: the rundown is for the end of a file
 *
 * May sleep.  Events without room or memory are counted as lost.
 */
void evnt_rundown_take(struct evnt_rundown *d, struct evnt_session *s, u64 room,
		       bool is_end)
{
	const u32 flags = READ_ONCE(s->enable_flags);

	*d = (struct evnt_rundown) { .session = s };
	if (!flags)
		return;
	room = min_t(u64, room, EVNT_RUNDOWN_MAX / s->buffers.buffer_size);
	d->buffers = evnt_alloc(room * sizeof(*d->buffers));
	if (d->buffers)
		d->room = room;
	s->ops->run_down(s, d, flags, is_end);
}

static struct etl_buffer_header *add_buffer(struct evnt_rundown *d)
{
	const struct evnt_buffers *b = &d->session->buffers;
	struct etl_buffer_header *h = NULL;

	if (d->count < d->room)
		h = evnt_alloc_pages(b->buffer_size, 0);
	if (!h)
		return NULL;
	*h = (struct etl_buffer_header) {
		.buffer_size = b->buffer_size,
		.saved_offset = ETL_BUFFER_HEADER_SIZE,
		.logger_id = b->logger_id,
		.state = ETL_STATE_FLUSH,
		.flag = ETL_FLAG_PROC_INDEX,
		.type = ETL_TYPE_GENERIC,
	};
	d->buffers[d->count++] = (u8 *)h;
	return h;
}

/**
 * evnt_rundown_reserve() - reserve a record
 * @d: rundown
 * @size: size of the record in bytes, which fits into any buffer
 *
 * May sleep.
 *
 * Return: address of the record, whose padding must also be written; or NULL.
 */
u8 *evnt_rundown_reserve(struct evnt_rundown *d, u32 size)
{
	const u32 len = ALIGN(size, ETL_ALIGN);
	struct etl_buffer_header *h = NULL;
	u32 at;

	if (d->count)
		h = (void *)d->buffers[d->count - 1];
	if (!h || h->saved_offset + len > h->buffer_size)
		h = add_buffer(d);
	if (!h)
		return NULL;
	at = h->saved_offset;
	h->saved_offset += len;
	return (u8 *)h + at;
}

/**
 * evnt_rundown_finish() - bring a buffer into its final form
 * @d: rundown
 * @index: number of the buffer
 * @time: time of its records
 * @sequence: sequence number; readers sort it among the buffers of processor 0
 *
 * Return: the buffer.
 */
const u8 *evnt_rundown_finish(struct evnt_rundown *d, u32 index, s64 time,
			      s64 sequence)
{
	u8 *data = d->buffers[index], *record = data + ETL_BUFFER_HEADER_SIZE;
	struct etl_buffer_header *h = (void *)data;

	while (record < data + h->saved_offset) {
		*(s64 *)(record + etl_time_offset(record)) = time;
		record += ALIGN(etl_record_size(record), ETL_ALIGN);
	}
	h->time_stamp = time;
	h->sequence = sequence;
	/* Sets the end of the records */
	evnt_buffer_cut(data, S64_MIN, S64_MAX);
	return data;
}

void evnt_rundown_free(struct evnt_rundown *d)
{
	while (d->count)
		evnt_free_pages(d->buffers[--d->count]);
	evnt_free(d->buffers);
}
