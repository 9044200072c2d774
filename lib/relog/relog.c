// SPDX-License-Identifier: MIT
/* Writes records into a new log file */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/consume/etl_index.h"
#include "lib/consume/etl_record.h"
#include "lib/relog/relog.h"

static int write_at(int fd, const void *from, size_t len, u64 offset)
{
	ssize_t n;

	while (len) {
		n = pwrite(fd, from, len, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : EIO;
		from = (const u8 *)from + n;
		offset += n;
		len -= n;
	}
	return 0;
}

/*
 * Write a buffer, filling the space behind its records with ones as Windows
 * does
 */
static int write_buffer(struct relog *r, u8 *buffer, u32 used, u64 offset)
{
	struct etl_buffer_header *h = (struct etl_buffer_header *)buffer;

	h->saved_offset = used;
	h->current_offset = used;
	h->offset = used;
	memset(buffer + used, 0xff, h->buffer_size - used);
	return write_at(r->fd, buffer, h->buffer_size, offset);
}

static u32 front_size(const struct relog *r)
{
	return r->method ? RELOG_FRONT_SIZE : RELOG_BUFFER_SIZE;
}

static void begin_buffer(struct relog *r, u16 cpu)
{
	struct etl_buffer_header *h = (void *)r->buffers[cpu];

	*h = (struct etl_buffer_header) {
		.buffer_size = RELOG_BUFFER_SIZE,
		.sequence = r->sequence++,
		.cpu = cpu,
		/* The state of packed buffers is the method */
		.state = r->method ? (u32)r->method : ETL_STATE_FLUSH,
		.flag = ETL_FLAG_PROC_INDEX,
		.type = ETL_TYPE_GENERIC,
	};
	r->used[cpu] = sizeof(*h);
}

/* Return the size of the buffer in @r->packer, or 0 if it is not smaller */
static u32 pack_buffer(struct relog *r, const u8 *buffer, u32 used)
{
	u32 size = r->method ? packer_pack(r->packer, r->method,
				    buffer + ETL_BUFFER_HEADER_SIZE,
				    used - ETL_BUFFER_HEADER_SIZE) : 0;

	return size ? ETL_BUFFER_HEADER_SIZE + size : 0;
}

static int write_packed(struct relog *r, const u8 *buffer, u32 used, u32 size)
{
	struct etl_buffer_header h;
	int error;

	memcpy(&h, buffer, sizeof(h));
	h.buffer_size = size;
	h.saved_offset = used;
	h.current_offset = used;
	h.offset = used;
	h.flag |= ETL_FLAG_PACKED;
	error = write_at(r->fd, &h, sizeof(h), r->written);
	if (error)
		return error;
	return write_at(r->fd, r->packer->out, size - sizeof(h),
			r->written + sizeof(h));
}

static int flush_buffer(struct relog *r, u16 cpu)
{
	u8 *buffer = r->buffers[cpu];
	u32 used = r->used[cpu], size = pack_buffer(r, buffer, used);
	int error = size ? write_packed(r, buffer, used, size) :
			   write_buffer(r, buffer, used, r->written);

	r->written += size ? size : RELOG_BUFFER_SIZE;
	return error;
}

/* Return the size of the event in the first buffer that describes the log */
static u32 header_event_size(const struct relog *r)
{
	return sizeof(struct etl_system_header) + sizeof(r->header) +
	       r->name_bytes;
}

int relog_begin(struct relog *r, struct trace_source *const *from, u32 count,
		const WCHAR *name)
{
	relog_describe(r, from, count, name);
	r->front = calloc(1, front_size(r));
	r->packer = r->method ? malloc(sizeof(*r->packer)) : NULL;
	if (!r->front || (r->method && !r->packer))
		return ENOMEM;
	r->front_used = ALIGN(ETL_BUFFER_HEADER_SIZE + header_event_size(r),
			      ETL_ALIGN);
	/* The first buffer is written last, by relog_end() */
	r->written = front_size(r);
	r->sequence = 1;
	return ftruncate(r->fd, 0) ? errno : 0;
}

static void put_record(u8 *to, const u8 *record, u32 size, s64 time)
{
	u32 at = etl_record_time_at(record, size);

	memcpy(to, record, size);
	memset(to + size, 0, ALIGN(size, ETL_ALIGN) - size);
	if (at)
		memcpy(to + at, &time, sizeof(time));
}

static int add_front(struct relog *r, const u8 *record, u32 size, s64 time)
{
	u32 room = ALIGN(size, ETL_ALIGN);

	if (r->front_used + room > front_size(r))
		return ENOSPC;
	put_record(r->front + r->front_used, record, size, time);
	r->front_used += room;
	r->records++;
	return 0;
}

static int add_to_buffer(struct relog *r, u16 cpu, const u8 *record, u32 size,
			 s64 time)
{
	u32 room = ALIGN(size, ETL_ALIGN);
	int error;

	if (!r->buffers[cpu]) {
		r->buffers[cpu] = malloc(RELOG_BUFFER_SIZE);
		if (!r->buffers[cpu])
			return ENOMEM;
		begin_buffer(r, cpu);
	}
	if (r->used[cpu] + room > RELOG_BUFFER_SIZE) {
		error = flush_buffer(r, cpu);
		if (error)
			return error;
		begin_buffer(r, cpu);
	}
	put_record(r->buffers[cpu] + r->used[cpu], record, size, time);
	((struct etl_buffer_header *)r->buffers[cpu])->time_stamp = time;
	r->used[cpu] += room;
	r->records++;
	return 0;
}

int relog_add(struct relog *r, const struct trace_source *from,
	      const struct relog_record *record)
{
	s64 time = relog_time(r, from, record);

	/* Records that accompany a header stay in front of older events */
	if (record->is_front &&
	    !add_front(r, record->data, record->size, time))
		return 0;
	if (record->cpu >= r->header.processors)
		r->header.processors = record->cpu + 1;
	if (record->time > r->header.end_time)
		r->header.end_time = record->time;
	return add_to_buffer(r, record->cpu, record->data, record->size, time);
}

static int write_front(struct relog *r)
{
	struct etl_buffer_header h = {
		.buffer_size = front_size(r),
		.state = r->method ? (u32)r->method : ETL_STATE_FLUSH,
		.flag = ETL_FLAG_PROC_INDEX | ETL_FLAG_FLUSH_MARKER,
		.type = ETL_TYPE_HEADER,
	};
	struct etl_system_header s = {
		.version = 2,
		.kind = ETL_RECORD_SYSTEM64,
		.size = header_event_size(r),
		.time_stamp = r->base,
	};
	u8 *at = r->front + sizeof(h);

	memcpy(r->front, &h, sizeof(h));
	memcpy(at, &s, sizeof(s));
	memcpy(at + sizeof(s), &r->header, sizeof(r->header));
	memcpy(at + sizeof(s) + sizeof(r->header), r->names, r->name_bytes);
	return write_buffer(r, r->front, r->front_used, 0);
}

int relog_end(struct relog *r, struct trace_source *const *from, u32 count)
{
	struct etl_buffer_header *last = NULL;
	u32 cpu, n = 0;
	int error;

	for (cpu = 0; cpu < RELOG_CPUS; cpu++) {
		if (r->buffers[cpu]) {
			last = (struct etl_buffer_header *)r->buffers[cpu];
			n = cpu + 1;
		}
	}
	if (last)
		last->flag |= ETL_FLAG_FLUSH_MARKER;
	for (cpu = 0; cpu < n; cpu++) {
		error = r->buffers[cpu] ? flush_buffer(r, cpu) : 0;
		if (error)
			return error;
	}
	relog_set_losses(r, from, count);
	r->header.buffer_size = RELOG_BUFFER_SIZE;
	r->header.buffers_written = r->sequence;
	return write_front(r);
}

void relog_free(struct relog *r)
{
	u32 cpu;

	for (cpu = 0; cpu < RELOG_CPUS; cpu++)
		free(r->buffers[cpu]);
	free(r->front);
	free(r->packer);
}
