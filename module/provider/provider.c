// SPDX-License-Identifier: GPL-2.0
/*
 * Providers: registrations of an open file, the tree of provider ids, enable
 * areas.  Notifications of changes are in notify.c.
 */
#include <linux/cred.h>
#include <linux/rbtree.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "module/common/acl.h"
#include "module/compat/compat.h"
#include "module/provider/provider.h"
#include "module/common/quota.h"
#include "module/provider/enable.h"
#include "module/provider/filter_set.h"
#include "module/session/session.h"

/*
 * Providers, followed by groups, sorted by id; evnt_lock.  Programs choose the
 * ids, so a balanced tree is needed to bound the time of a lookup.
 */
static struct rb_root evnt_providers = RB_ROOT;
/* Number of providers and registrations ever created; evnt_lock */
static u64 evnt_serial;

static int provider_compare(const struct evnt_provider *p,
			    const struct evntprov_guid *id, bool is_group)
{
	if (p->is_group != is_group)
		return p->is_group ? 1 : -1;
	return memcmp(&p->id, id, sizeof(*id));
}

/*
 * Find the link in the tree at which the provider or group with this id is, or
 * would be inserted, and its parent
 */
static struct rb_node **provider_place(const struct evntprov_guid *id,
				       bool is_group, struct rb_node **parent)
{
	struct rb_node **at = &evnt_providers.rb_node;
	int order;

	lockdep_assert_held(&evnt_lock);
	*parent = NULL;
	while (*at) {
		order = provider_compare(rb_entry(*at, struct evnt_provider,
						  node), id, is_group);
		if (!order)
			break;
		*parent = *at;
		at = order > 0 ? &(*at)->rb_left : &(*at)->rb_right;
	}
	return at;
}

/*
 * Find a provider or group by its id, or return NULL.  The caller must hold
 * evnt_lock.
 */
struct evnt_provider *evnt_provider_find(const struct evntprov_guid *id,
					 bool is_group)
{
	struct rb_node *parent;

	return rb_entry_safe(*provider_place(id, is_group, &parent),
			     struct evnt_provider, node);
}

/*
 * Return the serial of the newest provider or registration.  The caller must
 * hold evnt_lock.
 */
u64 evnt_last_serial(void)
{
	lockdep_assert_held(&evnt_lock);
	return evnt_serial;
}

static struct evnt_provider *provider_create(const struct evntprov_guid *id,
					     bool is_group)
{
	struct evnt_provider *p = kzalloc(sizeof(*p), GFP_KERNEL);
	struct rb_node **place, *parent;

	if (!p)
		return NULL;
	p->serial = ++evnt_serial;
	p->id = *id;
	p->is_group = is_group;
	INIT_LIST_HEAD(&p->registrations);
	INIT_LIST_HEAD(&p->manifests);
	RCU_INIT_POINTER(p->set, &evnt_empty_set);
	place = provider_place(id, is_group, &parent);
	rb_link_node(&p->node, parent, place);
	rb_insert_color(&p->node, &evnt_providers);
	atomic64_inc(&evnt_counts.providers);
	return p;
}

/**
 * evnt_provider_get() - look up a provider or group, or create it
 * @id: provider or group id
 * @is_group: whether @id is a group
 *
 * The caller must hold evnt_lock, and releases the provider with
 * evnt_provider_put().
 *
 * Return: the provider with a reference, or NULL without memory.
 */
struct evnt_provider *evnt_provider_get(const struct evntprov_guid *id,
					bool is_group)
{
	struct evnt_provider *p;

	lockdep_assert_held(&evnt_lock);
	p = evnt_provider_find(id, is_group);
	if (!p)
		p = provider_create(id, is_group);
	if (p)
		p->users++;
	return p;
}

/**
 * evnt_provider_put() - drop a reference to a provider
 * @p: provider
 *
 * The last one removes it from the tree; writers may still see it until a grace
 * period has elapsed.  The caller must hold evnt_lock.
 */
void evnt_provider_put(struct evnt_provider *p)
{
	lockdep_assert_held(&evnt_lock);
	if (--p->users)
		return;
	rb_erase(&p->node, &evnt_providers);
	evnt_manifests_free(p);
	atomic64_dec(&evnt_counts.providers);
	kfree_rcu(p, rcu);
}

/*
 * Call @fn for each provider and group, which @fn may remove.  The caller must
 * hold evnt_lock.
 */
void evnt_providers_for_each(void (*fn)(struct evnt_provider *p, void *data),
			     void *data)
{
	struct rb_node *node, *next;

	lockdep_assert_held(&evnt_lock);
	for (node = rb_first(&evnt_providers); node; node = next) {
		next = rb_next(node);
		fn(rb_entry(node, struct evnt_provider, node), data);
	}
}

/**
 * evnt_providers_from() - iterate over providers, then groups, sorted by id
 * @id: start at the first id that is not less than this one
 * @is_group: whether @id is a group
 * @fn: called for each, until it returns false
 * @data: passed to @fn
 *
 * To iterate over all, start at the zero provider id.  The caller must hold
 * evnt_lock.
 */
void evnt_providers_from(const struct evntprov_guid *id, bool is_group,
			 bool (*fn)(struct evnt_provider *p, void *data),
			 void *data)
{
	struct rb_node *parent, *node = *provider_place(id, is_group, &parent);

	/* The would-be parent is the predecessor or the successor of @id */
	if (!node && parent) {
		node = parent;
		if (provider_compare(rb_entry(node, struct evnt_provider, node),
				     id, is_group) < 0)
			node = rb_next(node);
	}
	while (node && fn(rb_entry(node, struct evnt_provider, node), data))
		node = rb_next(node);
}

/*
 * Publish a registration's state in its slot.  The sequence is odd during the
 * update.
 *
 * (M) A reader that sees a new field also sees the odd sequence or a later one:
 *     pairs with the fence in evnt_slot_try_read(), in lib/.
 * (N) A reader that sees the new even sequence sees all new fields: pairs with
 *     the acquire in evnt_slot_try_read().
 */
static void slot_update(struct evnt_registration *r,
			const struct evnt_composite *c)
{
	struct evntprov_enable *slot = r->slot;
	u8 enabled = 0;

	if (c->enabled)
		enabled |= EVNTPROV_ENABLED_SESSION;
	if (c->takes_rings && r->flags & EVNTPROV_REGISTER_RING &&
	    !(r->flags & EVNTPROV_REGISTER_CLASSIC)) {
		if (r->flags & EVNTRACE_REGISTRATION_TYPES)
			enabled |= EVNTPROV_ENABLED_RING_TYPES;
		else if (!(r->flags & EVNTRACE_REGISTRATION_TRAITS))
			enabled |= EVNTPROV_ENABLED_RING;
	}
	if (r->has_news)
		enabled |= EVNTPROV_ENABLED_PRIVATE_PENDING;
	WRITE_ONCE(slot->sequence, slot->sequence + 1);
	smp_wmb();							/* (M) */
	WRITE_ONCE(slot->level, c->interest.level);
	WRITE_ONCE(slot->set_level, c->set_level);
	WRITE_ONCE(slot->set_any, c->set_any);
	WRITE_ONCE(slot->session, c->session);
	WRITE_ONCE(slot->match_any, c->interest.match_any);
	WRITE_ONCE(slot->match_all, c->interest.match_all);
	WRITE_ONCE(slot->enabled, enabled);
	smp_store_release(&slot->sequence, slot->sequence + 1);	/* (N) */
}

/* Pass a new state to the owner of the file, unless the registration is held */
static void call_switched(struct evnt_registration *r,
			  const struct evnt_composite *c)
{
	const struct evnt_prov_file_ops *ops = r->file->ops;

	if (ops->switched && !r->is_held)
		ops->switched(r, c);
}

/**
 * evnt_registration_changed() - publish a new state of a registration
 * @r: registration
 * @composite: union of the enablements in its effective set
 * @pending: EVNT_PENDING_*: notification for the owner, or 0
 * @source: SourceId of the control request, or NULL
 *
 * The caller must hold evnt_lock.
 */
void evnt_registration_changed(struct evnt_registration *r,
			       const struct evnt_composite *composite,
			       unsigned int pending,
			       const struct evntprov_guid *source)
{
	lockdep_assert_held(&evnt_lock);
	r->composite = *composite;
	slot_update(r, composite);
	call_switched(r, composite);
	if (pending & EVNT_PENDING_STATE && !composite->enabled)
		pending |= EVNT_PENDING_DISABLED;
	if (pending && r->flags & EVNTPROV_REGISTER_NOTIFY)
		evnt_notify(r, pending, source);
}

/*
 * Clear EVNTPROV_ENABLED_RING and _RING_TYPES in a registration's slot.  The
 * caller must hold evnt_lock.
 */
void evnt_registration_leave_rings(struct evnt_registration *r)
{
	lockdep_assert_held(&evnt_lock);
	r->composite.takes_rings = false;
	slot_update(r, &r->composite);
}

/*
 * Set or clear EVNTPROV_ENABLED_PRIVATE_PENDING in a registration's slot.  The
 * caller must hold evnt_lock.
 */
void evnt_registration_news(struct evnt_registration *r, bool has_news)
{
	lockdep_assert_held(&evnt_lock);
	if (r->has_news == has_news)
		return;
	r->has_news = has_news;
	slot_update(r, &r->composite);
}

struct evnt_chunk evnt_no_chunk;

static void chunk_destroy(struct evnt_chunk *chunk)
{
	__free_page(chunk->page);	/* mappings hold their own references */
	kvfree(chunk);
}

/*
 * Return the chunk at @index; allocate it if needed.  Called without evnt_lock,
 * also from page faults, which must not take it: of concurrent callers, the
 * first exchange wins.
 *
 * (G) A reader that sees a chunk sees its contents: the fully ordered exchange
 *     that publishes the chunk pairs with the acquire of all readers.
 */
static struct evnt_chunk *chunk_get(struct evnt_prov_file *pf, size_t index)
{
	struct evnt_chunk *old, *chunk;

	chunk = smp_load_acquire(&pf->chunks[index]);		/* (G) */
	if (chunk != &evnt_no_chunk)
		return chunk;
	chunk = kvzalloc(sizeof(*chunk), GFP_KERNEL_ACCOUNT);
	if (!chunk)
		return NULL;
	chunk->page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!chunk->page) {
		kvfree(chunk);
		return NULL;
	}
	old = cmpxchg(&pf->chunks[index], &evnt_no_chunk, chunk); /* (G) */
	if (old == &evnt_no_chunk)
		return chunk;
	chunk_destroy(chunk);
	return old;
}

/**
 * evnt_prov_file_page() - get a page of the enable area
 * @pf: file
 * @index: index of the page
 *
 * May sleep; takes no lock.
 *
 * Return: the page with a reference, or NULL without memory.
 */
struct page *evnt_prov_file_page(struct evnt_prov_file *pf, pgoff_t index)
{
	struct evnt_chunk *chunk = chunk_get(pf, index);

	if (!chunk)
		return NULL;
	get_page(chunk->page);
	return chunk->page;
}

/*
 * Allocate the chunk for the slot of @handle.  Called without evnt_lock, as the
 * memory is charged to the caller's cgroup.
 */
static int slot_make(struct evnt_prov_file *pf, u64 handle)
{
	u32 offset = handle & EVNTPROV_HANDLE_SLOT_MASK;

	if (!offset)
		return -EINVAL;
	return chunk_get(pf, offset / PAGE_SIZE) ? 0 : -ENOMEM;
}

static struct evntprov_enable *slot_address(struct evnt_prov_file *pf,
					    u64 handle)
{
	u32 offset = handle & EVNTPROV_HANDLE_SLOT_MASK;
	struct evnt_chunk *chunk = evnt_chunk_of(pf, handle);

	return page_address(chunk->page) + offset % PAGE_SIZE;
}

/* Charge the file's user for a registration */
static int registration_charge(const struct evnt_registration *r)
{
	const u32 notified = !!(r->flags & EVNTPROV_REGISTER_NOTIFY);
	const bool is_exempt = evnt_is_exempt();
	struct evnt_user *user = r->file->user;
	int err;

	err = evnt_charge(user, EVNT_REGISTRATIONS, 1, is_exempt);
	if (err)
		return err;
	err = evnt_charge(user, EVNT_NOTIFICATIONS, notified, is_exempt);
	if (err)
		evnt_uncharge(user, EVNT_REGISTRATIONS, 1);
	return err;
}

static void registration_uncharge(const struct evnt_registration *r)
{
	struct evnt_user *user = r->file->user;

	evnt_uncharge(user, EVNT_REGISTRATIONS, 1);
	if (r->flags & EVNTPROV_REGISTER_NOTIFY)
		evnt_uncharge(user, EVNT_NOTIFICATIONS, 1);
}

/* Publish @r with its handle and flags set.  The caller must hold evnt_lock. */
static int registration_add(struct evnt_prov_file *pf,
			    struct evnt_registration *r,
			    const struct evntprov_guid *id)
{
	struct evnt_registration __rcu **place;
	int err;

	if (pf->registrations >= EVNTPROV_MAX_REGISTRATIONS)
		return -EMFILE;
	/* Allocated by slot_make() */
	place = evnt_registration_place(pf, r->handle);
	if (rcu_access_pointer(*place))
		return -EBUSY;
	err = registration_charge(r);
	if (err)
		return err;
	err = -ENOMEM;
	r->provider = evnt_provider_get(id, false);
	if (!r->provider)
		goto uncharge;
	err = evnt_effective_create(r);
	if (err)
		goto put_provider;
	r->serial = ++evnt_serial;
	r->slot = slot_address(pf, r->handle);
	slot_update(r, &r->composite);
	list_add_tail(&r->in_provider, &r->provider->registrations);
	rcu_assign_pointer(*place, r);
	pf->registrations++;
	evnt_count_registration(r->provider, evnt_effective_of(r));
	evnt_prov_file_own(pf);
	evnt_manifest_write(r, evnt_effective_of(r));
	atomic64_inc(&evnt_counts.registrations);
	if (pf->ops->registered)
		pf->ops->registered(r);
	return 0;

put_provider:
	evnt_provider_put(r->provider);
uncharge:
	registration_uncharge(r);
	return err;
}

static void registration_free(struct rcu_head *rcu)
{
	struct evnt_registration *r =
		container_of(rcu, struct evnt_registration, rcu);

	put_pid(r->process);
	put_cred(r->cred);
	kfree(r->exe);
	kfree(r->kernel);
	kfree(rcu_access_pointer(r->package));
	kfree(r);
}

static struct evnt_registration *
registration_create(struct evnt_prov_file *pf,
		    const struct evntprov_register *arg)
{
	struct evnt_registration *r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);

	if (!r)
		return NULL;
	r->handle = arg->handle;
	r->flags = arg->flags;
	r->file = pf;
	INIT_LIST_HEAD(&r->in_file);
	return r;
}

/**
 * evnt_register() - EVNTPROV_IOC_REGISTER
 * @pf: file that will own the registration
 * @arg: ioctl argument, validated except for its handle
 *
 * Return: 0 or an errno documented for EVNTPROV_IOC_REGISTER.
 */
int evnt_register(struct evnt_prov_file *pf,
		  const struct evntprov_register *arg)
{
	struct evnt_registration *r;
	int err;

	err = evnt_access_check(&arg->provider, INVALID_UID,
				EVNTRACE_RIGHT_REGISTER_GUIDS);
	if (err)
		return err;
	r = registration_create(pf, arg);
	if (!r)
		return -ENOMEM;
	r->process = get_pid(task_tgid(current));
	r->cred = evnt_current_cred();
	r->exe = evnt_scope_exe();
	err = r->exe ? slot_make(pf, r->handle) : -ENOMEM;
	if (err)
		goto free;
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	err = registration_add(pf, r, &arg->provider);
	mutex_unlock(&evnt_lock);
free:
	if (err)
		registration_free(&r->rcu);
	return err;
}

/* Remove a registration.  The caller must hold evnt_lock. */
static void registration_remove(struct evnt_registration *r)
{
	static const struct evnt_composite disabled;
	struct evnt_traits *traits;

	call_switched(r, &disabled);
	RCU_INIT_POINTER(*evnt_registration_place(r->file, r->handle), NULL);
	r->has_news = false;
	slot_update(r, &disabled);
	evnt_notify_forget(r);
	list_del(&r->in_provider);
	evnt_capture_state_forget(r, NULL);
	evnt_effective_release(r);
	evnt_manifest_release(r);
	evnt_provider_put(r->provider);
	if (r->group)
		evnt_group_leave(r);
	r->file->registrations--;
	registration_uncharge(r);
	atomic64_dec(&evnt_counts.registrations);
	traits = rcu_dereference_protected(r->traits,
					   lockdep_is_held(&evnt_lock));
	if (traits)
		kfree_rcu(traits, rcu);
	call_rcu(&r->rcu, registration_free);
}

static int unregister_locked(struct evnt_prov_file *pf, u64 handle)
{
	struct evnt_registration *r = evnt_registration_find(pf, handle);

	if (!r)
		return -ENOENT;
	registration_remove(r);
	return 0;
}

/**
 * evnt_unregister() - EVNTPROV_IOC_UNREGISTER
 * @pf: file
 * @handle: registration
 *
 * Return: 0, -ENOENT if there is no such registration, or -EINTR if the caller
 * is killed.
 */
int evnt_unregister(struct evnt_prov_file *pf, u64 handle)
{
	int err;

	evnt_drain(pf);
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		return err;
	err = unregister_locked(pf, handle);
	mutex_unlock(&evnt_lock);
	return err;
}

/* Unregister a kernel provider, even if the current process is killed */
int evnt_unregister_kernel(struct evnt_prov_file *pf, u64 handle)
{
	int err;

	mutex_lock(&evnt_lock);
	err = unregister_locked(pf, handle);
	mutex_unlock(&evnt_lock);
	return err;
}

#define TRAIT_HEADER	3u	/* u16 length, u8 type */
#define TRAIT_GROUP	1u

/* Check the trait at @at.  A group may occur once; other traits are ignored. */
static bool note_trait(struct evnt_traits *t, u32 at, u32 size)
{
	if (t->blob[at + 2] != TRAIT_GROUP)
		return true;
	if (t->group || size != TRAIT_HEADER + sizeof(*t->group))
		return false;
	t->group = (const struct evntprov_guid *)&t->blob[at + TRAIT_HEADER];
	return true;
}

/* Check a blob of traits: total length, nul-terminated name, traits */
static bool traits_parse(struct evnt_traits *t)
{
	const u16 len = t->item.data_size;
	const u8 *end;
	u32 at, size;

	if (len < 3 || get_unaligned_le16(t->blob) != len)
		return false;
	end = memchr(t->blob + 2, 0, len - 2);
	if (!end)
		return false;
	for (at = end + 1 - t->blob; at < len; at += size) {
		if (len - at < TRAIT_HEADER)
			return false;
		size = get_unaligned_le16(t->blob + at);
		if (size < TRAIT_HEADER || size > len - at ||
		    !note_trait(t, at, size))
			return false;
	}
	return true;
}

/* Create traits from a blob in user or kernel memory; or return an ERR_PTR() */
static struct evnt_traits *traits_create(sockptr_t blob, u32 len)
{
	struct evnt_traits *traits;
	int err = -EINVAL;

	if (len > EVNTPROV_MAX_TRAITS)
		return ERR_PTR(-EINVAL);
	traits = kzalloc(sizeof(*traits) - sizeof(traits->item) +
			 etl_ext_size(len), GFP_KERNEL_ACCOUNT);
	if (!traits)
		return ERR_PTR(-ENOMEM);
	traits->item = (struct etl_ext_item) {
		.size = etl_ext_size(len),
		.type = ETL_EXT_PROV_TRAITS,
		.data_size = len,
	};
	if (copy_from_sockptr(traits->blob, blob, len))
		err = -EFAULT;
	else if (traits_parse(traits))
		return traits;
	kfree(traits);
	return ERR_PTR(err);
}

/*
 * Set the traits even if joining the group is denied (-EACCES), since the
 * events cannot be decoded without them.  The caller must hold evnt_lock.
 */
static int set_traits_locked(struct evnt_registration *r,
			     struct evnt_traits *traits)
{
	int err = 0;

	if (r->flags & EVNTPROV_REGISTER_CLASSIC)
		return -EINVAL;
	if (rcu_access_pointer(r->traits))
		return -EEXIST;
	if (traits->group)
		err = evnt_group_join(r, traits->group);
	if (err && err != -EACCES)
		return err;
	rcu_assign_pointer(r->traits, traits);
	WRITE_ONCE(r->flags, r->flags | EVNTRACE_REGISTRATION_TYPES |
			     EVNTRACE_REGISTRATION_TRAITS);
	slot_update(r, &r->composite);
	return err;
}

/* Set @traits, which may be an ERR_PTR(), or free them on failure */
static int set_traits(struct evnt_prov_file *pf, u64 handle,
		      struct evnt_traits *traits)
{
	struct evnt_registration *r;
	int err;

	if (IS_ERR(traits))
		return PTR_ERR(traits);
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	r = evnt_registration_find(pf, handle);
	err = r ? set_traits_locked(r, traits) : -ENOENT;
	mutex_unlock(&evnt_lock);
free:
	if (err && err != -EACCES)
		kfree(traits);
	return err;
}

/* Clear, then set bits in a registration's flags */
static int change_flags(struct evnt_prov_file *pf, u64 handle, u32 clear,
			u32 set)
{
	struct evnt_registration *r;

	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	r = evnt_registration_find(pf, handle);
	if (r) {
		WRITE_ONCE(r->flags, (r->flags & ~clear) | set);
		slot_update(r, &r->composite);
	}
	mutex_unlock(&evnt_lock);
	return r ? 0 : -ENOENT;
}

/**
 * evnt_set_information() - set information of a registration
 * @pf: file
 * @handle: registration
 * @info_class: EVNTPROV_INFO_*, except for EVNTPROV_INFO_MANIFEST
 * @info: information, in user or kernel memory
 * @len: length of @info in bytes
 *
 * Return: 0 or an errno documented for EVNTPROV_IOC_SET_INFORMATION.
 */
int evnt_set_information(struct evnt_prov_file *pf, u64 handle, u32 info_class,
			 sockptr_t info, u32 len)
{
	const u32 types = EVNTRACE_REGISTRATION_TYPES;
	u8 value;

	switch (info_class) {
	case EVNTPROV_INFO_BINARY_TRACK:
		return len ? -EINVAL :
		       change_flags(pf, handle, 0,
				    EVNTRACE_REGISTRATION_BINARY_TRACK);
	case EVNTPROV_INFO_TRAITS:
		return set_traits(pf, handle, traits_create(info, len));
	case EVNTPROV_INFO_DESCRIPTOR_TYPE:
		if (len != sizeof(value))
			return -EINVAL;
		if (copy_from_sockptr(&value, info, len))
			return -EFAULT;
		return change_flags(pf, handle, types, value ? types : 0);
	}
	return -EOPNOTSUPP;
}

/*
 * Complete a held registration.  If sessions have enabled it already, pass its
 * state to the owner of the file and notify the provider.
 */
static void release_hold(struct evnt_registration *r)
{
	r->is_held = false;
	if (!r->composite.enabled)
		return;
	call_switched(r, &r->composite);
	if (r->flags & EVNTPROV_REGISTER_NOTIFY)
		evnt_notify(r, EVNT_PENDING_STATE, NULL);
}

/*
 * Publish @r, or free it on failure.  @traits may be NULL; they are left to the
 * caller on failure.  The caller must hold evnt_lock.
 */
static int kernel_add(struct evnt_prov_file *pf, struct evnt_registration *r,
		      const struct evntprov_guid *id,
		      struct evnt_traits *traits)
{
	int err;

	err = registration_add(pf, r, id);
	if (err) {
		registration_free(&r->rcu);
		return err;
	}
	if (traits)
		err = set_traits_locked(r, traits);
	if (!err || err == -EACCES) {
		release_hold(r);
		return 0;
	}
	registration_remove(r);
	return err;
}

/**
 * evnt_register_kernel() - register a kernel provider
 * @pf: file of the provider
 * @arg: as for evnt_register()
 * @kernel: data of the kernel provider; consumed, also on failure
 * @traits: provider traits, or NULL
 * @traits_len: length of @traits in bytes
 *
 * No access list applies, and the registration belongs to no process.
 *
 * Return: as evnt_register(), and as evnt_set_information() for the traits,
 * except for -EACCES.
 */
int evnt_register_kernel(struct evnt_prov_file *pf,
			 const struct evntprov_register *arg,
			 struct evnt_kernel_side *kernel, const void *traits,
			 u32 traits_len)
{
	struct evnt_registration *r = registration_create(pf, arg);
	struct evnt_traits *t = NULL;
	int err;

	if (!r) {
		kfree(kernel);
		return -ENOMEM;
	}
	r->is_held = true;
	r->kernel = kernel;
	r->flags |= EVNTRACE_REGISTRATION_KERNEL;
	r->cred = prepare_kernel_cred(&init_task);
	if (traits)
		t = traits_create(KERNEL_SOCKPTR((void *)traits), traits_len);
	err = PTR_ERR_OR_ZERO(t);
	if (!err)
		err = r->cred ? slot_make(pf, r->handle) : -ENOMEM;
	if (err) {
		registration_free(&r->rcu);
	} else {
		mutex_lock(&evnt_lock);
		err = kernel_add(pf, r, &arg->provider, t);
		mutex_unlock(&evnt_lock);
	}
	if (err && !IS_ERR(t))
		kfree(t);
	return err;
}

/**
 * evnt_prov_file_create() - create a file
 * @ops: operations of its owner
 * @user: user that is charged for it, or NULL for the kernel
 *
 * Return: the file, or NULL without memory.
 */
struct evnt_prov_file *
evnt_prov_file_create(const struct evnt_prov_file_ops *ops,
		      struct evnt_user *user)
{
	struct evnt_prov_file *pf = kzalloc(sizeof(*pf), GFP_KERNEL_ACCOUNT);
	size_t i;

	if (!pf)
		return NULL;
	pf->ops = ops;
	pf->user = user;
	for (i = 0; i < EVNT_CHUNKS; i++)
		pf->chunks[i] = &evnt_no_chunk;
	INIT_LIST_HEAD(&pf->pending);
	INIT_LIST_HEAD(&pf->reported);
	init_waitqueue_head(&pf->wait);
	INIT_LIST_HEAD(&pf->requests);
	INIT_LIST_HEAD(&pf->images);
	mutex_init(&pf->images_lock);
	mutex_init(&pf->rescues_lock);
	return pf;
}

/**
 * evnt_prov_file_destroy() - free a file without descriptors and mappings
 * @pf: file, which no writer uses any longer, which participates in no private
 *	sessions and has no images
 */
void evnt_prov_file_destroy(struct evnt_prov_file *pf)
{
	struct evnt_registration *r;
	struct evnt_chunk *chunk;
	size_t i, k;

	for (i = 0; i < EVNT_CHUNKS; i++) {
		chunk = pf->chunks[i];
		if (chunk == &evnt_no_chunk)
			continue;
		mutex_lock(&evnt_lock);
		for (k = 0; k < EVNT_SLOTS_PER_CHUNK; k++) {
			r = rcu_dereference_protected(chunk->registrations[k],
						      lockdep_is_held(&evnt_lock));
			if (r)
				registration_remove(r);
		}
		mutex_unlock(&evnt_lock);
		chunk_destroy(chunk);
	}
	kfree(pf);
}
