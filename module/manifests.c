// SPDX-License-Identifier: GPL-2.0
/*
 * Files that have the manifests of providers in them.
 *
 * A provider's owner says where in its memory such a file is mapped.  The kernel
 * says which file that is, so that nobody can name one that it does not run, and
 * tells the sessions that have enabled the registration: by an event of the
 * provider EVNTPROV_IMAGES_PROVIDER, with the file's name and build id.  It is
 * written where such a session is about to appear in the registration's view, or
 * a registration appears in a session's: before the first event can be written,
 * and not on the way of any.
 *
 * What registrations of a provider have in common is told once.  It is told again
 * when it is somewhere else, or going, as images are: see evnt_session_renew().
 * Nobody waits for that but a consumer that has come, so in a log file that is the
 * next one, or that overwrites the oldest, it may be behind events that need it.
 *
 * These are the module's own events, so no filter is asked.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "event.h"
#include "file_text.h"
#include "manifests.h"
#include "own_event.h"
#include "view.h"

/* Of one provider; what no registration has any more gives way to another */
#define MAX_MANIFESTS		64

/**
 * struct evnt_manifest - a file that has a provider's manifest in it
 * @node: in the list of the provider; what is used again comes to its front
 * @users: registrations that have it
 * @told: for each session's id, evnt_session_telling() of who was told
 * @len: bytes from @fixed on, that are the data of its event
 * @fixed: how that begins; constant
 * @text: what is behind it; constant
 *
 * Under evnt_lock.
 */
struct evnt_manifest {
	struct list_head node;
	u32 users;
	u64 told[EVNTRACE_MAX_SESSIONS];
	u32 len;
	struct evntprov_manifest fixed;
	char text[];
};

static_assert(offsetof(struct evnt_manifest, text) ==
	      offsetofend(struct evnt_manifest, fixed));

/* Where sessions are told again; they do not wait for each other */
static struct workqueue_struct *evnt_manifest_queue;

/*
 * How many there are: without any, nothing is to be told again.
 *
 * (L) Who adds one counts it, then looks at what number a session is told with;
 *     who has that changed does so, then looks whether there are any: one of
 *     the two sees the other.  Pairs with the barrier of the same letter.
 */
static atomic_t evnt_manifest_count = ATOMIC_INIT(0);

/* Write its event to one session; what is lost is told another time */
static void write_to(const struct evnt_registration *r,
		     struct evnt_manifest *m, struct evnt_session *s)
{
	const u64 telling = evnt_session_telling(s);
	struct evnt_event e;
	int err;

	evnt_own_describe(&e, &evnt_manifest_event, m->len);
	e.process_id = pid_nr(r->process);
	preempt_disable();
	err = evnt_own_write(s, &evnt_manifest_event, &e, &m->fixed);
	if (err)
		evnt_count_lost(&s->buffers, smp_processor_id(),
				evnt_loss_of(err));
	preempt_enable();
	if (err != -ENOBUFS)
		m->told[evnt_session_id(s)] = telling;
}

static bool is_told(const struct evnt_manifest *m,
		    const struct evnt_session *s)
{
	return m->told[evnt_session_id(s)] == evnt_session_telling(s);
}

static void tell(const struct evnt_registration *r,
		 const struct evnt_enablement *e)
{
	if (is_told(r->manifest, e->session) ||
	    (e->property & EVNT_PROPERTY_SECURE && evnt_is_denied(e, r)))
		return;
	write_to(r, r->manifest, e->session);
}

/**
 * evnt_manifest_tell() - tell those who have enabled a registration of its file
 * @r: the registration; what it must not write to is known
 * @view: who has enabled it, or is about to
 *
 * Under evnt_lock.  Those who know it already are not told.
 */
void evnt_manifest_tell(const struct evnt_registration *r,
			const struct evnt_enable_set *view)
{
	u32 i;

	lockdep_assert_held(&evnt_lock);
	for (i = 0; r->manifest && i < view->count; i++)
		tell(r, &view->e[i]);
}

/* A session is to be told of the file of a registration again; under evnt_lock */
void evnt_manifest_forget(const struct evnt_registration *r,
			  const struct evnt_session *s)
{
	if (r->manifest)
		r->manifest->told[evnt_session_id(s)] = 0;
}

/* Tell one session, if it has enabled the registration; under evnt_lock */
void evnt_manifest_tell_session(const struct evnt_registration *r,
				const struct evnt_session *s)
{
	const struct evnt_enablement *e;

	if (!r->manifest)
		return;
	e = evnt_set_find(evnt_view_of(r), s);
	if (e)
		tell(r, e);
}

static void tell_provider(struct evnt_provider *p, void *session)
{
	struct list_head *node;

	if (list_empty(&p->manifests))
		return;
	list_for_each(node, &p->registrations) {
		evnt_manifest_tell_session(evnt_registration_at(p, node),
					   session);
		cond_resched();
	}
}

static void tell_again(struct work_struct *work)
{
	struct evnt_session *s = container_of(work, struct evnt_session,
					      manifests);

	mutex_lock(&evnt_lock);
	evnt_providers_for_each(tell_provider, s);
	mutex_unlock(&evnt_lock);
	evnt_session_put(s);
}

/* Of a session that nobody knows yet */
void evnt_manifests_create(struct work_struct *work)
{
	INIT_WORK(work, tell_again);
}

/**
 * evnt_manifests_renew() - what a session was told is to be told again
 * @s: the session; evnt_session_telling() is another one than before
 *
 * That happens soon, and not here.
 */
void evnt_manifests_renew(struct evnt_session *s)
{
	smp_mb();							/* (L) */
	if (!atomic_read(&evnt_manifest_count))
		return;
	refcount_inc(&s->refs);
	if (!queue_work(evnt_manifest_queue, &s->manifests))
		evnt_session_put(s);	/* whoever calls this has another one */
}

/* Wait until that has happened.  May sleep, without evnt_lock. */
void evnt_manifests_wait(struct evnt_session *s)
{
	flush_work(&s->manifests);
}

/**
 * evnt_manifests_stop() - a session stops
 * @s: the session, which no provider's set holds any more, and nobody renews
 *
 * Without evnt_lock, which the work takes.
 */
void evnt_manifests_stop(struct evnt_session *s)
{
	if (cancel_work_sync(&s->manifests))
		evnt_session_put(s);
}

static void manifest_free(struct evnt_manifest *m)
{
	list_del(&m->node);
	kfree(m);
	atomic_dec(&evnt_manifest_count);
}

/* A provider goes, without registrations; under evnt_lock */
void evnt_manifests_free(struct evnt_provider *p)
{
	struct evnt_manifest *m, *next;

	list_for_each_entry_safe(m, next, &p->manifests, node)
		manifest_free(m);
}

/*
 * A registration goes.  Who was told of its file need not be told again by the
 * next one of the kind, so it stays as long as the provider.  Under evnt_lock.
 */
void evnt_manifest_release(struct evnt_registration *r)
{
	if (r->manifest)
		r->manifest->users--;
	r->manifest = NULL;
}

/* Room for one more: without those that no registration has any more */
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

/* That of the provider which is the same, or NULL */
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

/* A registration gets it, or its like; then *@manifest is not to be freed */
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
	evnt_manifest_tell(r, evnt_view_of(r));
	return 0;
}

/* The regular file that is mapped at an address, with a reference */
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

/* What is needed for a while */
struct scratch {
	struct evnt_file_scratch file;
	char text[EVNT_FILE_TEXT_MAX];
};

static struct evnt_manifest *describe(struct scratch *s, struct file *file)
{
	const u32 len = evnt_file_describe(&s->file, file, s->text);
	struct evnt_manifest *m;

	/* Two nuls end what has no name */
	if (len == strlen(s->text) + 2)
		return ERR_PTR(-ENAMETOOLONG);
	m = kzalloc(struct_size(m, text, len), GFP_KERNEL_ACCOUNT);
	if (!m)
		return ERR_PTR(-ENOMEM);
	m->len = sizeof(m->fixed) + len;
	memcpy(m->text, s->text, len);
	return m;
}

/* For what is mapped at an address, not published */
static struct evnt_manifest *manifest_create(u64 address)
{
	struct evnt_manifest *m = ERR_PTR(-ENOMEM);
	struct file *file = file_at(address);
	struct scratch *s;

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
 * @pf: the file
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
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

/* Nobody can come in any more */
void evnt_manifests_exit(void)
{
	destroy_workqueue(evnt_manifest_queue);
}
