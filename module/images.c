// SPDX-License-Identifier: GPL-2.0
/*
 * The images of a process, told to sessions that get call stacks from it.
 *
 * An event that is to have its call stack with it waits, before anything is
 * reserved for it, until the sessions that get the stack were told where its
 * process has which files: each file's name, build id, and place, as events of
 * the provider EVNTPROV_IMAGES_PROVIDER.  So they come before what needs them,
 * from whatever writes events, whoever started the session; and nothing is
 * asked of a process, which may end at once, or have been killed.
 *
 * What was told is remembered for each process that writes through an open
 * file, and looked through again when the amount of its executable memory is
 * another one than then, as after dlopen(): only what is new is told.  A
 * library that has taken the place of one of the same size between two events
 * is missed.  All is told again when what was told is in another log file than
 * what comes, when a consumer has come, and before it gives way to later events
 * in a circular log or in memory.
 *
 * That happens where the writer may sleep, and where nobody is told anything as
 * long as no session has enabled a provider with call stacks.
 *
 * These are the module's own events, so no filter is asked.  The kernel's
 * classic provider on Windows has events like these; they have no place for a
 * build id of 20 bytes, or for an offset in a file.  TraceLogging says what is
 * in them.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "enable.h"
#include "event.h"
#include "file_text.h"
#include "images.h"
#include "own_event.h"

/*
 * So many processes that share an open file are remembered.  A writer walks the
 * list of them with preemption disabled.
 */
#define MAX_PROCESSES		64

/**
 * struct image - a part of a file that is mapped, and may be executed
 * @base: where
 * @size: how long it is
 * @offset: where it begins in the file
 * @inode: number of the file
 * @device: where it is
 * @file: it, with a reference, or NULL: what was told is remembered without
 * @told: sessions that were told of it, a bit each
 */
struct image {
	u64 base;
	u64 size;
	u64 offset;
	u64 inode;
	dev_t device;
	struct file *file;
	u64 told;
};

/**
 * struct evnt_images - what was told of the images of a process
 * @node: in the list of its file
 * @rcu: frees it when no writer can have it any more
 * @process: the process; constant
 * @execs: how many programs it had run before; constant
 * @telling: for each session's id, evnt_session_telling() of who was told
 * @amount: likewise, how much executable memory the process had then; 0: it is
 *	not told yet, or not of all
 * @known: all images of the process when it was looked at last, by their
 *	addresses; images_lock
 * @count: how many; images_lock
 *
 * Written under images_lock of the file, read under RCU.
 */
struct evnt_images {
	struct list_head node;
	struct rcu_head rcu;
	struct pid *process;
	u64 execs;
	u64 telling[EVNTRACE_MAX_SESSIONS];
	unsigned long amount[EVNTRACE_MAX_SESSIONS];
	struct image *known;
	u32 count;
};

static bool is_current(const struct evnt_images *images)
{
	return images->process == task_tgid(current) &&
	       images->execs == current->self_exec_id;
}

/* What was told of the current process, or NULL; under RCU or images_lock */
static struct evnt_images *find_images(const struct evnt_prov_file *pf)
{
	struct evnt_images *images;

	list_for_each_entry_rcu(images, &pf->images, node,
				lockdep_is_held(&pf->images_lock) ||
				rcu_read_lock_sched_held()) {
		if (is_current(images))
			return images;
	}
	return NULL;
}

/*
 * Whether a session was told of all that the current process has.
 *
 * (K) Whoever finds that it was writes its event after all that it was told:
 *     pairs with the releases in tell_all() and note_session().
 */
static bool is_told(const struct evnt_images *images,
		    const struct evnt_session *s)
{
	const u32 id = evnt_session_id(s);
	u64 telling = smp_load_acquire(&images->telling[id]);		/* (K) */
	u64 amount = smp_load_acquire(&images->amount[id]);		/* (K) */
	/* A change of it that is under way comes before or after */
	const u64 now = data_race(current->mm->exec_vm);

	return telling == evnt_session_telling(s) && amount == now;
}

/**
 * evnt_images_are_due() - whether sessions are to be told of images first
 * @pf: the file that the current process writes through
 * @set: who has enabled the provider
 * @places: those of them that get the call stack, a bit each by their place
 *
 * Under RCU.
 */
bool evnt_images_are_due(const struct evnt_prov_file *pf,
			 const struct evnt_enable_set *set, u64 places)
{
	const struct evnt_images *images = find_images(pf);

	if (!images)
		return true;
	for (; places; places &= places - 1) {
		if (!is_told(images, set->e[__ffs64(places)].session))
			return true;
	}
	return false;
}

/* Only of a regular file: a device or a socket has no code to name */
static bool is_image(const struct vm_area_struct *vma)
{
	return vma->vm_flags & VM_EXEC && vma->vm_file &&
	       S_ISREG(file_inode(vma->vm_file)->i_mode);
}

/* The mapping that follows an address, in the list's order; or NULL */
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

static void take_image(struct image *image, const struct vm_area_struct *vma)
{
	const struct inode *inode = file_inode(vma->vm_file);

	*image = (struct image) {
		.base = vma->vm_start,
		.size = vma->vm_end - vma->vm_start,
		.offset = (u64)vma->vm_pgoff << PAGE_SHIFT,
		.inode = inode->i_ino,
		.device = inode->i_sb->s_dev,
		.file = get_file(vma->vm_file),
	};
}

/* All images of a process; under its mmap_lock */
static struct image *take_images(struct mm_struct *mm, u32 *count)
{
	struct vm_area_struct *vma;
	struct image *list;
	u32 n = 0;
	u64 at;

	for (at = 0; next_image(mm, &at); n++)
		;
	list = kvcalloc(n, sizeof(*list), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!list)
		return NULL;
	*count = n;
	for (n = 0, at = 0; (vma = next_image(mm, &at)); n++)
		take_image(&list[n], vma);
	return list;
}

/* Likewise, of the current process, or NULL; and how much memory they are of */
static struct image *look_at_process(u32 *count, unsigned long *amount)
{
	struct mm_struct *mm = current->mm;
	struct image *list;

	if (mmap_read_lock_killable(mm))
		return NULL;
	list = take_images(mm, count);
	*amount = mm->exec_vm;
	mmap_read_unlock(mm);
	return list;
}

static bool is_same(const struct image *a, const struct image *b)
{
	return a->base == b->base && a->size == b->size &&
	       a->offset == b->offset && a->inode == b->inode &&
	       a->device == b->device;
}

/* What was told of images that are still there; both lists are by address */
static void remember_told(struct image *list, u32 count,
			  const struct evnt_images *images)
{
	const struct image *old = images->known;
	const struct image *end = old + images->count;
	u32 i;

	for (i = 0; i < count; i++) {
		while (old < end && old->base < list[i].base)
			old++;
		if (old < end && is_same(old, &list[i]))
			list[i].told = old->told;
	}
}

static void release_files(struct image *list, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		fput(list[i].file);
		list[i].file = NULL;
	}
}

/* What is needed for a while to tell of an image */
struct scratch {
	struct evnt_file_scratch file;
	struct evntprov_image fixed;
	char text[EVNT_FILE_TEXT_MAX];
};

static_assert(offsetof(struct scratch, text) ==
	      offsetofend(struct scratch, fixed));

/* Write down what is said of an image; returns its length in bytes */
static u32 describe_image(struct scratch *s, const struct image *image,
			  u64 execs)
{
	s->fixed = (struct evntprov_image) {
		.base = image->base,
		.size = image->size,
		.offset = image->offset,
		.start_key = evnt_start_key(),
		.execs = execs,
	};
	return sizeof(s->fixed) +
	       evnt_file_describe(&s->file, image->file, s->text);
}

/* Whether a session of a set is told of images of @r's process */
static bool gets_stacks(const struct evnt_enablement *e,
			const struct evnt_registration *r)
{
	if (e->property & EVNT_PROPERTY_SECURE && evnt_is_denied(e, r))
		return false;
	return e->pair ? evnt_may_have_stack(&e->pair[0]) ||
			 evnt_may_have_stack(&e->pair[1]) :
			 evnt_may_have_stack(e);
}

/* Another one may have the id now, or it is to be told again; images_lock */
static void note_session(struct evnt_images *images,
			 const struct evnt_session *s)
{
	const u64 telling = evnt_session_telling(s);
	const u32 id = evnt_session_id(s);
	u32 i;

	if (images->telling[id] == telling)
		return;
	WRITE_ONCE(images->amount[id], 0);
	smp_store_release(&images->telling[id], telling);	/* (K) */
	for (i = 0; i < images->count; i++)
		images->known[i].told &= ~BIT_ULL(id);
}

/* The sessions that are to be told, a bit each; under RCU */
static u64 sessions_of(struct evnt_images *images,
		       const struct evnt_enable_set *set,
		       const struct evnt_registration *r)
{
	u64 sessions = 0;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (!gets_stacks(&set->e[i], r))
			continue;
		note_session(images, set->e[i].session);
		sessions |= BIT_ULL(evnt_session_id(set->e[i].session));
	}
	return sessions;
}

static u64 find_sessions(struct evnt_prov_file *pf, struct evnt_images *images,
			 u64 handle)
{
	const struct evnt_registration *r;
	u64 sessions = 0;

	rcu_read_lock_sched();
	r = evnt_registration_find(pf, handle);
	if (r)
		sessions = sessions_of(images, rcu_dereference_sched(r->set),
				       r);
	rcu_read_unlock_sched();
	return sessions;
}

/* Write an event to one session.  Returns whether it need not be tried again. */
static bool tell_session(struct evnt_session *s, const struct evnt_event *e,
			 const void *data)
{
	int err = evnt_own_write(s, &evnt_image_event, e, data);

	if (err == -EMSGSIZE)
		evnt_count_lost(&s->buffers, smp_processor_id(),
				EVNT_LOST_TOO_LARGE);
	return err != -ENOBUFS;
}

/* Write an event to some sessions of a set; returns to which; under RCU */
static u64 tell_set(const struct evnt_images *images,
		    const struct evnt_enable_set *set, u64 sessions,
		    const struct evnt_event *e, const void *data)
{
	struct evnt_session *s;
	u64 told = 0, bit;
	u32 i;

	for (i = 0; i < set->count; i++) {
		s = set->e[i].session;
		bit = BIT_ULL(evnt_session_id(s));
		if (sessions & bit &&
		    images->telling[evnt_session_id(s)] ==
		    evnt_session_telling(s) && tell_session(s, e, data))
			told |= bit;
	}
	return told;
}

/* Tell sessions of an image; returns those that could not be told */
static u64 tell_image(struct evnt_prov_file *pf,
		      const struct evnt_images *images, struct image *image,
		      u64 handle, u64 sessions, struct scratch *scratch)
{
	const struct evnt_registration *r;
	struct evnt_event e;

	sessions &= ~image->told;
	if (!sessions)
		return 0;
	evnt_own_describe(&e, &evnt_image_event,
			  describe_image(scratch, image, images->execs));
	evnt_describe_writer(&e);
	rcu_read_lock_sched();
	r = evnt_registration_find(pf, handle);
	if (r)
		image->told |= tell_set(images, rcu_dereference_sched(r->set),
					sessions, &e, &scratch->fixed);
	rcu_read_unlock_sched();
	return sessions & ~image->told;
}

/* Tell sessions of all that they do not know; images_lock */
static void tell_all(struct evnt_prov_file *pf, struct evnt_images *images,
		     u64 handle, struct scratch *scratch)
{
	u64 left, sessions = find_sessions(pf, images, handle);
	unsigned long amount;
	struct image *list;
	u32 i, count;

	list = look_at_process(&count, &amount);
	if (!list)
		return;
	remember_told(list, count, images);
	for (i = 0, left = sessions; i < count && left; i++)
		left &= ~tell_image(pf, images, &list[i], handle, left,
				    scratch);
	release_files(list, count);
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

/* Forget what was told of a process; images_lock */
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
 * Make room for one more process: forget those that have ended, and if none
 * has, any one.  When more than MAX_PROCESSES write in turn, the oldest is always
 * the next to write: forgetting it would repeat all images with each event.
 * images_lock
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

/* For the current process; images_lock; or NULL without memory */
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
 * evnt_images_tell() - tell sessions of the images of the current process
 * @pf: the file that it writes through
 * @handle: the registration: all who have enabled it with call stacks are told
 *
 * May sleep.  What cannot be told for want of memory, or of a free buffer, is
 * told before a later event.
 */
void evnt_images_tell(struct evnt_prov_file *pf, u64 handle)
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
		tell_all(pf, images, handle, scratch);
	mutex_unlock(&pf->images_lock);
out:
	kvfree(scratch);
}

/* A file goes, which nobody writes through any more */
void evnt_images_destroy(struct evnt_prov_file *pf)
{
	struct evnt_images *images, *next;

	mutex_lock(&pf->images_lock);
	list_for_each_entry_safe(images, next, &pf->images, node)
		forget_images(images);
	mutex_unlock(&pf->images_lock);
}
