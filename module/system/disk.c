// SPDX-License-Identifier: GPL-2.0
/*
 * Events about requests to disks.
 *
 * The kernel issues a request in any context, and completes it on any processor,
 * often in an interrupt.  Both probes run between the same two steps of the block
 * layer: a request is not given to the device before its issue was recorded, and
 * not used again before its completion was.  So a request's entry in the table
 * has one user at a time.
 */
#include <linux/blk-mq.h>
#include <linux/hash.h>
#include <linux/kdev_t.h>

#include "module/system/system_event.h"
#include "module/system/system_write.h"

#define GROUP_IO	0x0100u
#define VERSION		3

/* Types */
#define READ_DONE	10
#define WRITE_DONE	11
#define READ_BEGIN	12
#define WRITE_BEGIN	13
#define FLUSH_DONE	14
#define FLUSH_BEGIN	15

#define PAGING_IO	0x2	/* flag of a request: metadata, or swapped pages */

/* ReadInit, WriteInit, FlushInit */
struct begin_data {
	u64 request;
	u32 thread_id;
} __packed;

/* Read, Write */
struct transfer_data {
	u32 disk;
	u32 flags;
	u32 size;
	u32 reserved;
	u64 offset;
	u64 file;
	u64 request;
	s64 elapsed;
	u32 thread_id;
} __packed;

/* FlushBuffers */
struct flush_data {
	u32 disk;
	u32 flags;
	s64 elapsed;
	u64 request;
	u32 thread_id;
} __packed;

static_assert(sizeof(struct begin_data) == 12);
static_assert(sizeof(struct transfer_data) == 52);
static_assert(sizeof(struct flush_data) == 28);

/**
 * struct issued - request that a device has
 * @request: the request, or NULL; not dereferenced
 * @id: its number since the module was loaded
 * @time: time of issue in ns
 * @offset: first byte on the disk
 * @size: number of bytes
 * @thread_id: thread that issued it
 */
struct issued {
	struct request *request;
	u64 id;
	s64 time;
	u64 offset;
	u32 size;
	u32 thread_id;
};

#define ISSUED_BITS	10
/* Number of entries in which a request may be */
#define TRIES		16

static struct issued issued[1 << ISSUED_BITS];
static atomic64_t last_id;

static struct issued *entry(const struct request *rq, u32 i)
{
	return &issued[(hash_ptr(rq, ISSUED_BITS) + i) % ARRAY_SIZE(issued)];
}

/* Return a free entry for a request, or NULL; a second issue has the same one */
static struct issued *claim(struct request *rq)
{
	struct request *old;
	struct issued *e;
	u32 i;

	for (i = 0; i < TRIES; i++) {
		e = entry(rq, i);
		old = READ_ONCE(e->request);
		/* Pairs with the release in evnt_probe_disk_complete() */
		if (!old)
			old = cmpxchg(&e->request, NULL, rq) ?: rq;
		if (old == rq)
			return e;
	}
	return NULL;
}

static struct issued *find(const struct request *rq)
{
	u32 i;

	for (i = 0; i < TRIES; i++) {
		if (READ_ONCE(entry(rq, i)->request) == rq)
			return entry(rq, i);
	}
	return NULL;
}

/* Return the type of the event at the end of a request, or 0: it has none */
static u8 type_of(const struct request *rq)
{
	switch (req_op(rq)) {
	case REQ_OP_READ:
		return READ_DONE;
	case REQ_OP_WRITE:
		return WRITE_DONE;
	case REQ_OP_FLUSH:
		return FLUSH_DONE;
	default:
		return 0;
	}
}

/* Return the number of a request's disk, as user space gets it */
static u32 disk_of(const struct request *rq)
{
	struct gendisk *disk = rq->q->disk;

	return disk ? new_encode_dev(disk_devt(disk)) : 0;
}

/* Record the begin of a request by a thread, or by an interrupt */
static void begin(u8 type, u64 id)
{
	const struct begin_data d = {
		.request = id,
		.thread_id = in_task() ? task_pid_nr(current) : ~0u,
	};
	const struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_DISK_IO_INIT,
		.hook = GROUP_IO | type,
		.version = VERSION,
		.len = sizeof(d),
		.thread_id = d.thread_id,
		.process_id = in_task() ? task_tgid_nr(current) : ~0u,
		.data = &d,
	};
	struct evnt_stack_slots stacks __uninitialized;

	evnt_system_write(&r, &stacks);
	if (evnt_stack_is_wanted(&stacks) && in_task())
		evnt_system_stack(&stacks, NULL);
}

void evnt_probe_disk_issue(void *data, struct request *rq)
{
	const u8 type = type_of(rq);
	struct issued *e;
	u64 id;

	if (!type)
		return;
	preempt_disable_notrace();
	id = atomic64_inc_return(&last_id);
	e = claim(rq);
	if (e) {
		e->id = id;
		e->time = evnt_boot_ns();
		e->offset = (u64)blk_rq_pos(rq) << SECTOR_SHIFT;
		e->size = blk_rq_bytes(rq);
		e->thread_id = in_task() ? task_pid_nr(current) : ~0u;
	} else {
		evnt_system_lose(EVNTRACE_SYSTEM_DISK_IO);
	}
	begin(type == FLUSH_DONE ? FLUSH_BEGIN :
				   type + READ_BEGIN - READ_DONE, id);
	preempt_enable_notrace();
}

static void put(u8 type, const void *data, u32 len, u32 elapsed_at)
{
	const struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_DISK_IO,
		.hook = GROUP_IO | type,
		.version = VERSION,
		.is_short = true,
		.elapsed_at = elapsed_at,
		.len = len,
		.data = data,
	};

	evnt_system_write(&r, NULL);
}

/* Record the end of a request that was issued as @e */
static void end(u8 type, const struct request *rq, const struct issued *e)
{
	const u32 flags = rq->cmd_flags & (REQ_META | REQ_SWAP) ? PAGING_IO : 0;
	const s64 elapsed = evnt_boot_ns() - e->time;
	const struct transfer_data transfer = {
		.disk = disk_of(rq),
		.flags = flags,
		.size = e->size,
		.offset = e->offset,
		.request = e->id,
		.elapsed = elapsed,
		.thread_id = e->thread_id,
	};
	const struct flush_data flush = {
		.disk = transfer.disk,
		.flags = flags,
		.elapsed = elapsed,
		.request = e->id,
		.thread_id = e->thread_id,
	};

	if (type == FLUSH_DONE)
		put(type, &flush, sizeof(flush),
		    offsetof(struct flush_data, elapsed));
	else
		put(type, &transfer, sizeof(transfer),
		    offsetof(struct transfer_data, elapsed));
}

/*
 * A request that is completed in parts has its event with the last one; one that
 * was issued before the probes were attached has none.
 */
void evnt_probe_disk_complete(void *data, struct request *rq,
			      blk_status_t error, unsigned int bytes)
{
	const u8 type = type_of(rq);
	struct issued *e;

	if (!type || bytes < blk_rq_bytes(rq))
		return;
	preempt_disable_notrace();
	e = find(rq);
	if (e) {
		end(type, rq, e);
		/* Release: the next user writes the entry after this has read it */
		smp_store_release(&e->request, NULL);
	}
	preempt_enable_notrace();
}

/* Forget all requests; no probe is attached */
void evnt_disk_reset(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(issued); i++)
		WRITE_ONCE(issued[i].request, NULL);
}
