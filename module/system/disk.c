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
#include <linux/blkdev.h>
#include <linux/hash.h>
#include <linux/kdev_t.h>
#include <linux/log2.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "module/system/system_event.h"
#include "module/system/system_write.h"

#define GROUP_IO	EVNT_HOOK(3, 0x0100)
/* SystemConfig, PhyDisk */
#define HOOK_DISK	EVNT_HOOK(2, 0x0b0b)

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

/* PhyDisk; @cylinders of one sector are the size of the disk */
struct disk_data {
	u32 disk;
	u32 sector_size;
	u32 sectors_per_track;
	u32 tracks_per_cylinder;
	u64 cylinders;
	u32 address[4];
	__le16 name[256];
	u8 reserved[16];
} __packed;

static_assert(sizeof(struct begin_data) == 12);
static_assert(sizeof(struct transfer_data) == 52);
static_assert(sizeof(struct flush_data) == 28);
static_assert(sizeof(struct disk_data) == 568);

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

/**
 * struct known_disk - disk that has had a request since the module was loaded
 * @instance: number of the disk since the machine was started; another one may
 *	have its @number later
 * @number: its number as user space gets it; 0: none
 * @about: the contents of its event
 * @about.sector_size: size of a sector in bytes
 * @about.sectors: number of sectors
 * @about.name: its name
 */
struct known_disk {
	u64 instance;
	u32 number;
	struct {
		u32 sector_size;
		u64 sectors;
		char name[DISK_NAME_LEN];
	} about;
};

#define KNOWN_BITS	8

/* Entries are found by @number, and never removed; further disks have no name */
static struct known_disk known_disks[1 << KNOWN_BITS];
/* Protects known_disks; requests are issued in any context but NMI */
static DEFINE_RAW_SPINLOCK(known_disks_lock);

#define ISSUED_BITS	10
/* Number of entries in which a request may be */
#define TRIES		16

static struct issued issued[1 << ISSUED_BITS];
static atomic64_t last_id;

/* Return the entry of a request, or with @claim a free one; or NULL */
static struct issued *find(struct request *rq, bool claim)
{
	const u32 first = hash_ptr(rq, ISSUED_BITS);
	struct request *old;
	struct issued *e;
	u32 i;

	for (i = first; i < first + TRIES; i++) {
		e = &issued[i % ARRAY_SIZE(issued)];
		old = READ_ONCE(e->request);
		/* Pairs with the release in evnt_probe_disk_complete() */
		if (!old && claim)
			old = cmpxchg(&e->request, NULL, rq) ?: rq;
		if (old == rq)
			return e;
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

/* Return the entry of a disk, or a free one, or NULL */
static struct known_disk *known_disk(u32 number)
{
	struct known_disk *d;
	u32 i, at;

	for (i = 0; i < ARRAY_SIZE(known_disks); i++) {
		d = &known_disks[(hash_32(number, KNOWN_BITS) + i) %
				 ARRAY_SIZE(known_disks)];
		at = READ_ONCE(d->number);
		if (!at || at == number)
			return d;
	}
	return NULL;
}

/* Write an event that describes a disk */
static noinline bool put_name(struct evnt_system_target *to,
			      const struct known_disk *d)
{
	struct disk_data data = {
		.disk = d->number,
		.sector_size = d->about.sector_size,
		.sectors_per_track = 1,
		.tracks_per_cylinder = 1,
		.cylinders = d->about.sectors,
	};
	struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_DISK_IO,
		.hook = HOOK_DISK,
		.len = sizeof(data),
		.data = &data,
	};
	u32 i;

	for (i = 0; d->about.name[i]; i++)
		data.name[i] = cpu_to_le16(d->about.name[i]);
	return evnt_system_send(to, &r);
}

/* Write an event that describes a disk to all sessions, for its first request */
static noinline void describe(struct gendisk *disk)
{
	struct known_disk now = {
		.instance = disk->diskseq,
		.number = new_encode_dev(disk_devt(disk)),
		.about.sector_size = bdev_logical_block_size(disk->part0),
	}, *d;
	struct evnt_system_target to = {};
	bool is_new = false;
	unsigned long flags;

	now.about.sectors = get_capacity(disk) >>
			    (ilog2(now.about.sector_size) - SECTOR_SHIFT);
	strscpy(now.about.name, disk->disk_name, sizeof(now.about.name));
	raw_spin_lock_irqsave(&known_disks_lock, flags);
	d = known_disk(now.number);
	if (d && d->instance != now.instance) {
		d->about = now.about;
		WRITE_ONCE(d->number, now.number);
		WRITE_ONCE(d->instance, now.instance);
		is_new = true;
	}
	raw_spin_unlock_irqrestore(&known_disks_lock, flags);
	if (is_new)
		put_name(&to, &now);
}

/* Describe the disk of a request before the request has an event */
static void describe_once(const struct request *rq)
{
	struct gendisk *disk = rq->q->disk;
	const struct known_disk *d = known_disk(disk_of(rq));

	if (disk && d && unlikely(READ_ONCE(d->instance) != disk->diskseq))
		describe(disk);
}

/**
 * evnt_system_disks() - write an event about each disk that has had a request
 * @to: target
 *
 * Return: as evnt_system_send().
 */
bool evnt_system_disks(struct evnt_system_target *to)
{
	struct known_disk d;
	bool more = true;
	u32 i;

	for (i = 0; more && i < ARRAY_SIZE(known_disks); i++) {
		raw_spin_lock_irq(&known_disks_lock);
		d = known_disks[i];
		raw_spin_unlock_irq(&known_disks_lock);
		if (d.number)
			more = put_name(to, &d);
	}
	return more;
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
	describe_once(rq);
	id = atomic64_inc_return(&last_id);
	/* A second issue has the same entry */
	e = find(rq, true);
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
	e = find(rq, false);
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
	memset(issued, 0, sizeof(issued));
}
