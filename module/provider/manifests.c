// SPDX-License-Identifier: GPL-2.0
/*
 * Files that contain the manifests of providers, and names of processes.
 *
 * The owner of a registration passes the address at which such a file is
 * mapped.  The kernel resolves the address to a file itself, so that a process
 * cannot name a file that it has not mapped, and reports the file's name and
 * build id to the sessions that have enabled the registration, as an event of
 * the provider EVNTPROV_IMAGES_PROVIDER.  The event is written before a session
 * is published in the effective set of the registration, or a new registration
 * sees the session: it precedes the first event that needs it, and costs
 * nothing on the write path.
 *
 * A file that several registrations of a provider share is reported once.  It
 * is reported again when the earlier event went to another log file or is about
 * to be overwritten: see evnt_session_renew().  Only a new consumer waits for
 * that.  In the next file of a series, or in a circular log, the event may
 * therefore follow events that need it.
 *
 * On the same occasions, a session that enables a registration with
 * EVNTRACE_PROPERTY_PROCESS_NAME gets the name that the executable of the process
 * had at the registration, which filters by executable compare, and the package
 * that the process has when the record is written.  The record is not counted as
 * an event.  There are no records of threads: their names change at any time, and
 * finding the thread of each event would cost its writer.
 *
 * These are the module's own events, so no filter applies to them.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "module/self/self_event.h"
#include "module/provider/enable.h"
#include "module/provider/filter_set.h"
#include "module/provider/session_providers.h"

/* Limit per provider; unused manifests give way to new ones */
#define MAX_MANIFESTS		64

/**
 * struct evnt_manifest - a file that contains a provider's manifest
 * @node: entry in the provider's list, which is in order of last use
 * @users: number of registrations that have it
 * @reported: by session id, evnt_session_generation() when it was last reported
 *	to the session
 * @len: length in bytes of the event's data, which starts at @fixed
 * @fixed: fixed part of the event's data; constant
 * @text: variable part of the event's data; constant
 *
 * evnt_lock guards all members that are not constant.
 */
struct evnt_manifest {
	struct list_head node;
	u32 users;
	u64 reported[EVNTRACE_MAX_SESSIONS];
	u32 len;
	struct evntprov_manifest fixed;
	char text[];
};

static_assert(offsetof(struct evnt_manifest, text) ==
	      offsetofend(struct evnt_manifest, fixed));

/* Unbound, so that the reports to several sessions run concurrently */
static struct workqueue_struct *evnt_manifest_queue;

/*
 * Number of manifests of all providers: if there are none, a renewal has
 * nothing to report.
 *
 * (L) Adding a manifest increments the count, then reads the session's
 *     generation; a renewal increments the generation, then reads the count.
 *     At least one side sees the other's update.  Pairs with the barrier of the
 *     same letter.  The first process named to a session sets @names of the
 *     session instead.
 */
static atomic_t evnt_manifest_count = ATOMIC_INIT(0);

/* Write the event to one session; after -ENOBUFS it stays due */
static void write_to(const struct evnt_registration *r,
		     struct evnt_manifest *m, struct evnt_session *s)
{
	const u64 reporting = evnt_session_generation(s);
	struct evnt_event e;
	int err;

	evnt_self_describe(&e, &evnt_manifest_event, m->len);
	e.process_id = pid_nr(r->process);
	preempt_disable();
	err = evnt_self_write(s, &evnt_manifest_event, &e, &m->fixed);
	if (err)
		evnt_count_lost(&s->buffers, smp_processor_id(),
				evnt_loss_of(err));
	preempt_enable();
	if (err != -ENOBUFS)
		m->reported[evnt_session_id(s)] = reporting;
}

/*
 * Name the process of a registration to a session that requests it and does not
 * have the record yet.  Without room, the record is written on the next
 * occasion.
 */
static void name_process(const struct evnt_registration *r,
			 const struct evnt_enablement *e)
{
	struct evnt_session *s = e->session;
	u64 *named = &r->file->named[evnt_session_id(s)], reporting;
	struct evnt_package_key *package;

	if (!(e->property & EVNTRACE_PROPERTY_PROCESS_NAME) || !r->exe ||
	    !*r->exe)
		return;
	if (!s->providers->names) {
		WRITE_ONCE(s->providers->names, true);
		smp_mb();						/* (L) */
	}
	reporting = evnt_session_generation(s);
	if (*named == reporting)
		return;
	/* Without memory, the record has no package */
	package = evnt_scope_package(r->process);
	if (evnt_self_name(s, r->exe, package ? package->text : NULL,
			   package ? package->len : 0,
			   pid_nr(r->process)) != -ENOBUFS)
		*named = reporting;
	kfree(package);
}

static void report(const struct evnt_registration *r,
		   const struct evnt_enablement *e)
{
	struct evnt_manifest *m = r->manifest;
	struct evnt_session *s = e->session;

	if (e->property & EVNT_PROPERTY_SECURE && evnt_is_denied(e, r))
		return;
	name_process(r, e);
	if (m && m->reported[evnt_session_id(s)] != evnt_session_generation(s))
		write_to(r, m, s);
}

/**
 * evnt_manifest_write() - report a registration's process and manifest file to
 * its sessions
 * @r: registration, with @denied up to date
 * @view: its current or next effective set
 *
 * Skips sessions that have the event already.  The caller must hold evnt_lock.
 */
void evnt_manifest_write(const struct evnt_registration *r,
			 const struct evnt_enable_set *view)
{
	u32 i;

	lockdep_assert_held(&evnt_lock);
	for (i = 0; i < view->count; i++)
		report(r, &view->e[i]);
}

/*
 * Mark the process and the file of a registration as not yet reported to a
 * session.  The caller must hold evnt_lock.
 */
void evnt_manifest_forget(const struct evnt_registration *r,
			  const struct evnt_session *s)
{
	r->file->named[evnt_session_id(s)] = 0;
	if (r->manifest)
		r->manifest->reported[evnt_session_id(s)] = 0;
}

/*
 * Report the process and the file to one session if that has enabled the
 * registration.  The caller must hold evnt_lock.
 */
void evnt_manifest_write_session(const struct evnt_registration *r,
				 const struct evnt_session *s)
{
	const struct evnt_enablement *e =
		evnt_set_find(evnt_effective_of(r), s);

	if (e)
		report(r, e);
}

static void report_provider(struct evnt_provider *p, void *session)
{
	const struct evnt_session *s = session;
	struct list_head *node;

	if (list_empty(&p->manifests) && !s->providers->names)
		return;
	list_for_each(node, &p->registrations) {
		evnt_manifest_write_session(evnt_registration_at(p, node), s);
		cond_resched();
	}
}

static void report_again(struct work_struct *work)
{
	struct evnt_session_providers *sp =
		container_of(work, struct evnt_session_providers, manifests);
	struct evnt_session *s = sp->session;

	mutex_lock(&evnt_lock);
	evnt_providers_for_each(report_provider, s);
	mutex_unlock(&evnt_lock);
	evnt_session_put(s);
}

/* Initialise the work item of a session that is not yet published */
void evnt_manifests_create(struct evnt_session *s)
{
	INIT_WORK(&s->providers->manifests, report_again);
}

/**
 * evnt_manifests_renew() - schedule reporting all manifests and processes to a
 * session again
 * @s: session, whose evnt_session_generation() has changed
 *
 * Queues work and returns without waiting for it.
 */
void evnt_manifests_renew(struct evnt_session *s)
{
	smp_mb();							/* (L) */
	if (!atomic_read(&evnt_manifest_count) &&
	    !READ_ONCE(s->providers->names))
		return;
	refcount_inc(&s->refs);
	if (!queue_work(evnt_manifest_queue, &s->providers->manifests))
		evnt_session_put(s);	/* never the last: the caller has one */
}

/*
 * Wait for the work queued by evnt_manifests_renew().  May sleep.  The caller
 * must not hold evnt_lock, which the work takes.
 */
void evnt_manifests_wait(struct evnt_session *s)
{
	flush_work(&s->providers->manifests);
}

/**
 * evnt_manifests_stop() - cancel pending reports to a session that ends
 * @s: session, which is in no provider's set and is no longer renewed
 *
 * The caller must not hold evnt_lock, which the work takes.
 */
void evnt_manifests_stop(struct evnt_session *s)
{
	if (cancel_work_sync(&s->providers->manifests))
		evnt_session_put(s);
}

static void manifest_free(struct evnt_manifest *m)
{
	list_del(&m->node);
	kfree(m);
	atomic_dec(&evnt_manifest_count);
}

/*
 * Free the manifests of a provider without registrations.  The caller must hold
 * evnt_lock.
 */
void evnt_manifests_free(struct evnt_provider *p)
{
	struct evnt_manifest *m, *next;

	list_for_each_entry_safe(m, next, &p->manifests, node)
		manifest_free(m);
}

/*
 * Drop a registration's use of its manifest.  The manifest itself stays until
 * the provider goes or its room is needed, so that sessions that have seen it
 * get no second event for the next registration with the same file.  The caller
 * must hold evnt_lock.
 */
void evnt_manifest_release(struct evnt_registration *r)
{
	if (r->manifest)
		r->manifest->users--;
	r->manifest = NULL;
}

/* Make room for a manifest, freeing one without registrations if needed */
static bool make_room(struct evnt_provider *p)
{
	struct evnt_manifest *m, *idle = NULL;
	u32 n = 0;

	list_for_each_entry(m, &p->manifests, node) {
		n++;
		if (!m->users)
			idle = m;
	}
	if (n < MAX_MANIFESTS)
		return true;
	if (idle)
		manifest_free(idle);
	return idle;
}

/* Find a manifest of the provider with the same file, or NULL */
static struct evnt_manifest *find_twin(const struct evnt_provider *p,
				       const struct evnt_manifest *m)
{
	struct evnt_manifest *twin;

	list_for_each_entry(twin, &p->manifests, node) {
		if (twin->len == m->len &&
		    !memcmp(twin->text, m->text, m->len - sizeof(m->fixed)))
			return twin;
	}
	return NULL;
}

/* Attach *@manifest or an equal one to @r; clears *@manifest if it was used */
static int set_locked(struct evnt_registration *r,
		      struct evnt_manifest **manifest)
{
	struct evnt_manifest *m;

	if (r->manifest)
		return -EEXIST;
	m = find_twin(r->provider, *manifest);
	if (!m) {
		if (!make_room(r->provider))
			return -ENOSPC;
		m = *manifest;
		*manifest = NULL;
		m->fixed.provider = r->provider->id;
		INIT_LIST_HEAD(&m->node);
		atomic_inc(&evnt_manifest_count);
		smp_mb__after_atomic();					/* (L) */
	}
	list_move(&m->node, &r->provider->manifests);
	m->users++;
	r->manifest = m;
	evnt_manifest_write(r, evnt_effective_of(r));
	return 0;
}

/* Return the regular file mapped at an address, with a reference */
static struct file *file_at(u64 address)
{
	struct mm_struct *mm = current->mm;
	struct file *file = ERR_PTR(-EFAULT);
	struct vm_area_struct *vma;

	if (mmap_read_lock_killable(mm))
		return ERR_PTR(-EINTR);
	vma = address <= ULONG_MAX ? vma_lookup(mm, address) : NULL;
	if (vma && vma->vm_file && S_ISREG(file_inode(vma->vm_file)->i_mode))
		file = get_file(vma->vm_file);
	else if (vma)
		file = ERR_PTR(-EINVAL);
	mmap_read_unlock(mm);
	return file;
}

/* Temporary buffers, too large for the stack */
struct meta_scratch {
	struct evnt_file_scratch file;
	char text[EVNT_FILE_TEXT_MAX];
};

static struct evnt_manifest *describe(struct meta_scratch *s, struct file *file)
{
	const u32 len = evnt_mapped_file_info(&s->file, file, s->text);
	struct evnt_manifest *m;

	/* Nothing but the two terminating nuls follows the build id */
	if (len == strlen(s->text) + 2)
		return ERR_PTR(-ENAMETOOLONG);
	m = kzalloc(struct_size(m, text, len), GFP_KERNEL_ACCOUNT);
	if (!m)
		return ERR_PTR(-ENOMEM);
	m->len = sizeof(m->fixed) + len;
	memcpy(m->text, s->text, len);
	return m;
}

/* Create a manifest for the file mapped at an address */
static struct evnt_manifest *manifest_create(u64 address)
{
	struct evnt_manifest *m = ERR_PTR(-ENOMEM);
	struct file *file = file_at(address);
	struct meta_scratch *s;

	if (IS_ERR(file))
		return ERR_CAST(file);
	s = kvmalloc(sizeof(*s), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (s)
		m = describe(s, file);
	kvfree(s);
	fput(file);
	return m;
}

/**
 * evnt_manifest_set() - EVNTPROV_INFO_MANIFEST
 * @pf: file that owns the registration
 * @arg: ioctl argument
 *
 * Return: 0 or an errno documented for EVNTPROV_IOC_SET_INFORMATION.
 */
int evnt_manifest_set(struct evnt_prov_file *pf,
		      const struct evntprov_set_information *arg)
{
	struct evnt_registration *r;
	struct evnt_manifest *m;
	int err;

	if (arg->len)
		return -EINVAL;
	m = manifest_create(arg->info);
	if (IS_ERR(m))
		return PTR_ERR(m);
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	r = evnt_registration_find(pf, arg->handle);
	err = r ? set_locked(r, &m) : -ENOENT;
	mutex_unlock(&evnt_lock);
free:
	kfree(m);
	return err;
}

int evnt_manifests_init(void)
{
	evnt_manifest_queue = alloc_workqueue("evntprov", WQ_UNBOUND, 0);
	return evnt_manifest_queue ? 0 : -ENOMEM;
}

/* Both devices are gone, so no work can be queued */
void evnt_manifests_exit(void)
{
	destroy_workqueue(evnt_manifest_queue);
}
