// SPDX-License-Identifier: GPL-2.0
/*
 * Image rundown: recording the mapped executables of processes for call stacks.
 *
 * Before an event with a call stack is written to a session, the session gets
 * events of EVNTPROV_IMAGES_PROVIDER that describe the executable mappings of
 * the process: path, build id and address of each file.  The event waits for
 * them before anything is reserved.  The descriptions therefore precede the
 * addresses that need them, whichever program writes the event or started the
 * session.  The process does not need to cooperate, and may exit or be killed
 * at any time.
 *
 * Each open file remembers the recorded mappings of the processes that write
 * through it.  They are compared again when the amount of executable memory of
 * the process changes, as after dlopen(), and only new mappings are recorded.
 * A library that replaces one of the same size between two events is missed.
 * The rundown is repeated when a new log file begins, when a consumer attaches,
 * and before the earlier records are overwritten in a circular log or evicted
 * from memory.
 *
 * All of this happens where the writer may sleep.  It costs nothing unless a
 * session has enabled a provider with call stacks.
 *
 * Image events are the module's own, so filters do not apply to them.  The
 * image events of Windows' kernel provider have no room for a build id of 20
 * bytes or for a file offset, so these events use TraceLogging to describe
 * their fields.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "module/provider/enable.h"
#include "module/write/event.h"
#include "module/write/ext_items.h"
#include "module/write/write.h"
#include "module/self/self_event.h"

/*
 * Number of processes remembered for each open file.  Writers walk the list
 * with preemption disabled.
 */
#define MAX_PROCESSES		64

/**
 * struct image - executable file mapping
 * @base: start address
 * @size: length in bytes
 * @offset: offset in the file
 * @inode: inode number of the file
 * @device: device of the inode
 * @file: the file, with a reference; NULL once the image is remembered
 * @reported: bitmask of the ids of sessions that have got the image event
 */
struct image {
	u64 base;
	u64 size;
	u64 offset;
	u64 inode;
	dev_t device;
	struct file *file;
	u64 reported;
};

/**
 * struct evnt_images - images of a process that were recorded
 * @node: in @images of the open file
 * @rcu: defers freeing until writers cannot hold a reference
 * @process: the process; constant
 * @execs: number of earlier programs the process had executed; constant
 * @reporting: evnt_session_generation() at the time of the rundown, by session
 * id
 * @amount: executable memory of the process in pages at the time of the
 *	rundown, by session id; 0 if the rundown is incomplete
 * @known: images found by the last rundown, sorted by address; under
 *	images_lock
 * @count: number of elements of @known; under images_lock
 *
 * Written under images_lock of the open file, read under RCU.
 */
struct evnt_images {
	struct list_head node;
	struct rcu_head rcu;
	struct pid *process;
	u64 execs;
	u64 reporting[EVNTRACE_MAX_SESSIONS];
	unsigned long amount[EVNTRACE_MAX_SESSIONS];
	struct image *known;
	u32 count;
};

/* Find the entry of the current process, under RCU or images_lock */
static struct evnt_images *find_images(const struct evnt_prov_file *pf)
{
	struct evnt_images *images;

	list_for_each_entry_rcu(images, &pf->images, node,
				lockdep_is_held(&pf->images_lock) ||
				rcu_read_lock_sched_held()) {
		if (images->process == task_tgid(current) &&
		    images->execs == current->self_exec_id)
			return images;
	}
	return NULL;
}

/*
 * Check whether a session has got all images of the current process.
 *
 * (K) A writer that finds the rundown complete writes its event after all image
 *     events: pairs with the releases in report_all() and note_session().
 */
static bool is_reported(const struct evnt_images *images,
			const struct evnt_session *s)
{
	const u32 id = evnt_session_id(s);
	u64 reporting = smp_load_acquire(&images->reporting[id]); /* (K) */
	u64 amount = smp_load_acquire(&images->amount[id]);	/* (K) */
	/*
	 * The race with a concurrent mmap() is harmless: either order is valid
	 */
	const u64 now = data_race(current->mm->exec_vm);

	return reporting == evnt_session_generation(s) && amount == now;
}

/**
 * evnt_images_are_due() - check whether an image rundown must precede an event
 * @pf: open file that the current process writes through
 * @set: effective set of the registration
 * @places: bitmask of the entries of @set that get the call stack
 *
 * Context: RCU read side.
 *
 * Return: true if evnt_image_rundown() must be called first.
 */
bool evnt_images_are_due(const struct evnt_prov_file *pf,
			 const struct evnt_enable_set *set, u64 places)
{
	const struct evnt_images *images = find_images(pf);

	if (!images)
		return true;
	for (; places; places &= places - 1) {
		if (!is_reported(images, set->e[__ffs64(places)].session))
			return true;
	}
	return false;
}

/* Check for executable code of a regular file; a device has none to identify */
static bool is_image(const struct vm_area_struct *vma)
{
	return vma->vm_flags & VM_EXEC && vma->vm_file &&
	       S_ISREG(file_inode(vma->vm_file)->i_mode);
}

/* Return the first image at or after *@at, and move *@at behind it; or NULL */
static struct vm_area_struct *next_image(struct mm_struct *mm, u64 *at)
{
	struct vm_area_struct *vma;

	while ((vma = find_vma(mm, *at))) {
		*at = vma->vm_end;
		if (is_image(vma))
			return vma;
	}
	return NULL;
}

/*
 * List all images of the current process, or return NULL.  *@amount is set to
 * its executable memory in pages.
 */
static struct image *look_at_process(u32 *count, unsigned long *amount)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	const struct inode *inode;
	struct image *list;
	u32 n = 0;
	u64 at;

	if (mmap_read_lock_killable(mm))
		return NULL;
	for (at = 0; next_image(mm, &at); n++)
		;
	list = kvcalloc(n, sizeof(*list), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!list)
		goto unlock;
	*count = n;
	for (n = 0, at = 0; (vma = next_image(mm, &at)); n++) {
		inode = file_inode(vma->vm_file);
		list[n] = (struct image) {
			.base = vma->vm_start,
			.size = vma->vm_end - vma->vm_start,
			.offset = (u64)vma->vm_pgoff << PAGE_SHIFT,
			.inode = inode->i_ino,
			.device = inode->i_sb->s_dev,
			.file = get_file(vma->vm_file),
		};
	}
	*amount = mm->exec_vm;
unlock:
	mmap_read_unlock(mm);
	return list;
}

static bool is_same(const struct image *a, const struct image *b)
{
	return a->base == b->base && a->size == b->size &&
	       a->offset == b->offset && a->inode == b->inode &&
	       a->device == b->device;
}

/*
 * Carry over which sessions know an image.  Both lists are sorted by address.
 */
static void remember_reported(struct image *list, u32 count,
			      const struct evnt_images *images)
{
	const struct image *old = images->known;
	const struct image *end = old + images->count;
	u32 i;

	for (i = 0; i < count; i++) {
		while (old < end && old->base < list[i].base)
			old++;
		if (old < end && is_same(old, &list[i]))
			list[i].reported = old->reported;
	}
}

/* Temporary memory for composing an image event */
struct scratch {
	struct evnt_file_scratch file;
	struct evntprov_image fixed;
	char text[EVNT_FILE_TEXT_MAX];
};

static_assert(offsetof(struct scratch, text) ==
	      offsetofend(struct scratch, fixed));

/* Check whether the session gets call stacks of @r's process */
static bool gets_stacks(const struct evnt_enablement *e,
			const struct evnt_registration *r)
{
	if (e->property & EVNT_PROPERTY_SECURE && evnt_is_denied(e, r))
		return false;
	return e->pair ? evnt_may_have_stack(&e->pair[0]) ||
			 evnt_may_have_stack(&e->pair[1]) :
			 evnt_may_have_stack(e);
}

/*
 * Reset the entry of a session id if the id was reused or a rundown is
 * requested again.  The caller holds images_lock.
 */
static void note_session(struct evnt_images *images,
			 const struct evnt_session *s)
{
	const u64 reporting = evnt_session_generation(s);
	const u32 id = evnt_session_id(s);
	u32 i;

	if (images->reporting[id] == reporting)
		return;
	WRITE_ONCE(images->amount[id], 0);
	smp_store_release(&images->reporting[id], reporting);	/* (K) */
	for (i = 0; i < images->count; i++)
		images->known[i].reported &= ~BIT_ULL(id);
}

/* Return the bitmask of sessions that need the rundown */
static u64 find_sessions(struct evnt_prov_file *pf, struct evnt_images *images,
			 u64 handle)
{
	const struct evnt_enable_set *set;
	const struct evnt_registration *r;
	u64 sessions = 0;
	u32 i;

	rcu_read_lock_sched();
	r = evnt_registration_find(pf, handle);
	/* The empty set has no entry that would need a registration */
	set = r ? rcu_dereference_sched(r->set) : &evnt_empty_set;
	for (i = 0; i < set->count; i++) {
		if (!gets_stacks(&set->e[i], r))
			continue;
		note_session(images, set->e[i].session);
		sessions |= BIT_ULL(evnt_session_id(set->e[i].session));
	}
	rcu_read_unlock_sched();
	return sessions;
}

/*
 * Write an image event to @sessions in @set, under RCU; returns the done ones
 */
static u64 report_set(const struct evnt_images *images,
		      const struct evnt_enable_set *set, u64 sessions,
		      const struct evnt_event *e, const void *data)
{
	struct evnt_session *s;
	u64 reported = 0, bit;
	int err;
	u32 i;

	for (i = 0; i < set->count; i++) {
		s = set->e[i].session;
		bit = BIT_ULL(evnt_session_id(s));
		if (!(sessions & bit) ||
		    images->reporting[evnt_session_id(s)] !=
		    evnt_session_generation(s))
			continue;
		err = evnt_self_write(s, &evnt_image_event, e, data);
		if (err == -EMSGSIZE)
			evnt_count_lost(&s->buffers, smp_processor_id(),
					EVNT_LOST_TOO_LARGE);
		/* Without a free buffer, it should be tried again */
		if (err != -ENOBUFS)
			reported |= bit;
	}
	return reported;
}

/* Write an image event to sessions; returns the sessions still missing it */
static u64 report_image(struct evnt_prov_file *pf,
			const struct evnt_images *images, struct image *image,
			u64 handle, u64 sessions, struct scratch *scratch)
{
	const struct evnt_registration *r;
	struct evnt_event e;
	u32 len;

	sessions &= ~image->reported;
	if (!sessions)
		return 0;
	scratch->fixed = (struct evntprov_image) {
		.base = image->base,
		.size = image->size,
		.offset = image->offset,
		.start_key = evnt_start_key(),
		.execs = images->execs,
	};
	len = sizeof(scratch->fixed) +
	      evnt_mapped_file_info(&scratch->file, image->file, scratch->text);
	evnt_self_describe(&e, &evnt_image_event, len);
	evnt_describe_writer(&e);
	rcu_read_lock_sched();
	r = evnt_registration_find(pf, handle);
	if (r)
		image->reported |= report_set(images,
					      rcu_dereference_sched(r->set),
					      sessions, &e, &scratch->fixed);
	rcu_read_unlock_sched();
	return sessions & ~image->reported;
}

/* Write all image events that the sessions are missing, under images_lock */
static void report_all(struct evnt_prov_file *pf, struct evnt_images *images,
		       u64 handle, struct scratch *scratch)
{
	u64 left, sessions = find_sessions(pf, images, handle);
	unsigned long amount;
	struct image *list;
	u32 i, count;

	list = look_at_process(&count, &amount);
	if (!list)
		return;
	remember_reported(list, count, images);
	for (i = 0, left = sessions; i < count && left; i++)
		left &= ~report_image(pf, images, &list[i], handle, left,
				      scratch);
	for (i = 0; i < count; i++) {
		fput(list[i].file);
		list[i].file = NULL;
	}
	kvfree(images->known);
	images->known = list;
	images->count = count;
	for (; left; left &= left - 1) {
		/* (K) */
		smp_store_release(&images->amount[__ffs64(left)], amount);
	}
}

static void free_images(struct rcu_head *rcu)
{
	struct evnt_images *images = container_of(rcu, struct evnt_images, rcu);

	put_pid(images->process);
	kfree(images);
}

/* Remove the entry of a process, under images_lock */
static void forget_images(struct evnt_images *images)
{
	kvfree(images->known);
	list_del_rcu(&images->node);
	call_rcu(&images->rcu, free_images);
}

static bool has_gone(const struct evnt_images *images)
{
	bool gone;

	rcu_read_lock();
	gone = !pid_task(images->process, PIDTYPE_TGID);
	rcu_read_unlock();
	return gone;
}

/*
 * Make room for one more process, under images_lock: remove the entries of
 * processes that have exited, and if there are none, a random one.  If more
 * than MAX_PROCESSES processes write in turn, the oldest entry is the next one
 * needed, and removing that would repeat the rundown for each event.
 */
static void make_room(struct evnt_prov_file *pf)
{
	u32 n = 0, victim = get_random_u32() % MAX_PROCESSES;
	struct evnt_images *images, *next, *unlucky = NULL;

	list_for_each_entry_safe(images, next, &pf->images, node) {
		if (has_gone(images))
			forget_images(images);
		else if (n++ == victim)
			unlucky = images;
	}
	if (n >= MAX_PROCESSES)
		forget_images(unlucky);
}

/* Add an entry for the current process, under images_lock; or return NULL */
static struct evnt_images *create_images(struct evnt_prov_file *pf)
{
	struct evnt_images *images;

	make_room(pf);
	images = kzalloc(sizeof(*images), GFP_KERNEL_ACCOUNT);
	if (!images)
		return NULL;
	images->process = get_pid(task_tgid(current));
	images->execs = current->self_exec_id;
	list_add_rcu(&images->node, &pf->images);
	return images;
}

/**
 * evnt_image_rundown() - write image events of the current process to sessions
 * @pf: open file that the process writes through
 * @handle: registration; sessions that enabled it with call stacks get the
 *	events
 *
 * Context: Process context.  May sleep.  Image events that fail for lack of
 * memory or of a free buffer are written before a later event.
 */
void evnt_image_rundown(struct evnt_prov_file *pf, u64 handle)
{
	struct evnt_images *images;
	struct scratch *scratch;

	scratch = kvmalloc(sizeof(*scratch), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!scratch)
		return;
	if (mutex_lock_killable(&pf->images_lock))
		goto out;
	images = find_images(pf);
	if (!images)
		images = create_images(pf);
	if (images)
		report_all(pf, images, handle, scratch);
	mutex_unlock(&pf->images_lock);
out:
	kvfree(scratch);
}

/* Free all entries of an open file when it is released */
void evnt_images_destroy(struct evnt_prov_file *pf)
{
	struct evnt_images *images, *next;

	mutex_lock(&pf->images_lock);
	list_for_each_entry_safe(images, next, &pf->images, node)
		forget_images(images);
	mutex_unlock(&pf->images_lock);
}
