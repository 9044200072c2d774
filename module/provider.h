/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Providers: registrations of an open file, the table of provider ids, enable
 * areas, enable notifications.
 *
 * Knows nothing of sessions: what has enabled a provider is opaque sets that it
 * keeps for view.c, and a struct evnt_composite for each registration.
 */
#ifndef EVNT_PROVIDER_H
#define EVNT_PROVIDER_H

#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "etl.h"
#include "filter.h"
#include "module.h"

struct evnt_enable_set;
struct evnt_kernel_side;
struct evnt_manifest;
struct evnt_user;
extern struct evnt_enable_set evnt_nobody;

#define EVNT_SLOTS_PER_CHUNK	(PAGE_SIZE / EVNTPROV_SLOT_SIZE)
#define EVNT_CHUNKS		(EVNTPROV_ENABLE_AREA_SIZE / PAGE_SIZE)

/**
 * struct evnt_composite - what all sessions together want of a provider
 * @enabled: whether any does
 * @interest: the highest level; keyword bits that any wants; that all demand
 */
struct evnt_composite {
	bool enabled;
	struct evnt_interest interest;
};

/**
 * struct evnt_provider - a provider id that is registered or enabled, or a group
 *	of registrations that is, or has members
 * @node: in the tree of ids; evnt_lock
 * @serial: counts providers and registrations as they come; constant
 * @id: the id; constant
 * @is_group: it is a group, whatever provider has the same id; constant
 * @registrations: or members: see evnt_registration_at(); evnt_lock
 * @users: registrations, waiters, and one for a @set of anybody; evnt_lock
 * @set: who has enabled it; evnt_lock
 * @manifests: files that have its manifest in them, see manifests.c; evnt_lock
 * @unsettled: registrations that have yet to deal with a notification
 * @rcu: frees it when no writer can have it any more
 */
struct evnt_provider {
	struct rb_node node;
	u64 serial;
	struct evntprov_guid id;
	bool is_group;
	struct list_head registrations;
	u32 users;
	struct evnt_enable_set __rcu *set;
	struct list_head manifests;
	atomic_t unsettled;
	struct rcu_head rcu;
};

/*
 * Provider traits as they go with each event; replaced never, freed by RCU.
 * @group is in the blob: the group that they name, or NULL.  @item and what follows
 * is the item that they are in a record, zero up to its end; its length is theirs.
 */
struct evnt_traits {
	struct rcu_head rcu;
	const struct evntprov_guid *group;
	struct etl_ext_item item;
	u8 blob[];
};

/**
 * struct evnt_package_key - the package of a process, for EVNTRACE_PROPERTY_PSM_KEY
 * @len: bytes of @text, with its nul; 0: it is of none
 * @text: its name
 */
struct evnt_package_key {
	u16 len;
	__le16 text[];
};

/**
 * struct evnt_registration - one EventRegister()
 * @handle: what its owner calls it; constant
 * @serial: counts providers and registrations as they come; it rises along
 *	@provider->registrations; constant
 * @provider: what is registered; constant
 * @file: its owner; constant
 * @set: who has enabled its provider or group for it, which is @provider->set
 *	where that is the same for all; written under evnt_lock, read under RCU
 * @next: what @set, or @asked, is going to be, or NULL; evnt_lock
 * @composite: of @set; evnt_lock
 * @slot: its state as the owner's processes see it; written under evnt_lock
 * @traits: or NULL; set once under evnt_lock, read under RCU
 * @asked: what is handed over with its next EVNT_PENDING_CAPTURE, or NULL;
 *	evnt_lock
 * @answering: what was with the last one that was told, or NULL; evnt_lock
 * @package: NULL until a session wishes for it; set once under evnt_lock, read
 *	under RCU
 * @manifest: the file that has its manifest in it, of those of @provider, or
 *	NULL; set once; evnt_lock
 * @flags: EVNTPROV_REGISTER_*, EVNTRACE_REGISTRATION_*; written under evnt_lock
 * @has_news: its slot says EVNTPROV_ENABLED_NEWS; evnt_lock
 * @kernel: what else it has if it is of the kernel, or NULL; constant
 * @process: that registered it, or NULL: the kernel did; constant
 * @exe: name of the file that @process ran then, or NULL; constant
 * @cred: who registered it; constant
 * @denied: sessions that it must not write to, a bit each; written under
 *	evnt_lock, read by writers
 * @in_provider: in @provider->registrations; evnt_lock
 * @group: what it is a member of, or NULL; set once under evnt_lock and the
 *	file's notify_lock
 * @in_group: in @group->registrations; evnt_lock
 * @pending: EVNT_PENDING_*: told by the next reads; file's notify_lock
 * @source: who caused it; file's notify_lock
 * @told: read, and the reader has not come back; file's notify_lock
 * @in_file: in the file's list; file's notify_lock
 * @rcu: frees it when no writer can have it any more
 */
struct evnt_registration {
	u64 handle;
	u64 serial;
	struct evnt_provider *provider;
	struct evnt_prov_file *file;
	struct evnt_enable_set __rcu *set;
	struct evnt_enable_set *next;
	struct evnt_composite composite;
	struct evntprov_enable *slot;
	struct evnt_traits __rcu *traits;
	u32 flags;
	bool has_news;
	struct evnt_kernel_side *kernel;
	struct pid *process;
	const char *exe;
	const struct cred *cred;
	u64 denied;
	struct list_head in_provider;
	struct evnt_provider *group;
	struct list_head in_group;
	struct evnt_enable_set *asked;
	struct evnt_enable_set *answering;
	struct evnt_package_key __rcu *package;
	struct evnt_manifest *manifest;
	unsigned int pending;
	struct evntprov_guid source;
	bool told;
	struct list_head in_file;
	struct rcu_head rcu;
};

#define EVNT_PENDING_STATE	0x1u
#define EVNT_PENDING_CAPTURE	0x2u

/* One page of an enable area, and the registrations whose slots it has */
struct evnt_chunk {
	struct page *page;
	struct evnt_registration __rcu *registrations[EVNT_SLOTS_PER_CHUNK];
};

/* Instead of a page that there is not yet; without registrations for ever */
extern struct evnt_chunk evnt_no_chunk;

/**
 * struct evnt_prov_file - an open file of /dev/evntprov
 * @user: the user that is charged for it, or NULL: it is the kernel's; constant
 * @chunks: of the enable area; each goes from evnt_no_chunk to its value once
 * @registrations: how many it owns; evnt_lock
 * @owner: files_struct of who registered or took part first, to compare with;
 *	or NULL; written under evnt_lock
 * @hangup: the owner has closed it; notify_lock
 * @notify_lock: guards what is said above and below
 * @pending: registrations with something to tell, in order
 * @told: registrations whose last notification was read
 * @wait: readers of notifications
 * @loggers: private loggers that its owner takes part in; evnt_lock
 * @logger_count: how many; evnt_lock
 * @takes_loggers: EVNTPROV_IOC_LOGGERS was called; evnt_lock
 * @is_late: with EVNTPROV_LOGGERS_LATER; evnt_lock
 * @is_notified: a registration has EVNTPROV_REGISTER_NOTIFY; evnt_lock
 * @has_news: its owner has yet to ask for what is new of @loggers; evnt_lock
 * @is_news_due: and is to be told so; written under evnt_lock
 * @images: what was told of the images of processes that write through it:
 *	struct evnt_images; written under @images_lock, read under RCU
 * @images_lock: see above; before a process's mmap_lock
 */
struct evnt_prov_file {
	struct evnt_user *user;
	struct evnt_chunk *chunks[EVNT_CHUNKS];
	u32 registrations;
	void *owner;
	bool hangup;
	spinlock_t notify_lock;	/* see above */
	struct list_head pending;
	struct list_head told;
	wait_queue_head_t wait;
	struct list_head loggers;
	u32 logger_count;
	bool takes_loggers;
	bool is_late;
	bool is_notified;
	bool has_news;
	bool is_news_due;
	struct list_head images;
	struct mutex images_lock;	/* see above */
};

struct evnt_prov_file *evnt_prov_file_create(struct evnt_user *user);
void evnt_prov_file_destroy(struct evnt_prov_file *pf);
void evnt_prov_file_own(struct evnt_prov_file *pf);
void evnt_prov_file_closed(struct evnt_prov_file *pf, void *owner);
struct page *evnt_prov_file_page(struct evnt_prov_file *pf, pgoff_t index);

int evnt_register(struct evnt_prov_file *pf,
		  const struct evntprov_register *arg);
int evnt_register_kernel(struct evnt_prov_file *pf,
			 const struct evntprov_register *arg,
			 struct evnt_kernel_side *kernel, const void *traits,
			 u32 traits_len);
int evnt_unregister(struct evnt_prov_file *pf, u64 handle);
int evnt_unregister_kernel(struct evnt_prov_file *pf, u64 handle);
int evnt_set_information(struct evnt_prov_file *pf,
			 const struct evntprov_set_information *arg);
int evnt_set_information_kernel(struct evnt_prov_file *pf, u64 handle,
				u32 info_class, const void *info, u32 len);

/* The chunk that the slot of this handle is in, or evnt_no_chunk */
static inline struct evnt_chunk *evnt_chunk_of(const struct evnt_prov_file *pf,
					       u64 handle)
{
	u32 offset = (u16)handle;

	static_assert(EVNTPROV_ENABLE_AREA_SIZE == U16_MAX + 1);
	return smp_load_acquire(&pf->chunks[offset / PAGE_SIZE]); /* (G) */
}

/* Where in its chunk the registration of this handle is */
static inline struct evnt_registration __rcu **
evnt_registration_place(struct evnt_chunk *chunk, u64 handle)
{
	u32 slot = (u16)handle / EVNTPROV_SLOT_SIZE;

	return &chunk->registrations[slot % EVNT_SLOTS_PER_CHUNK];
}

/*
 * The registration with this handle, or NULL; with preemption disabled, as the
 * write path has it, or under evnt_lock.
 */
static inline struct evnt_registration *
evnt_registration_find(const struct evnt_prov_file *pf, u64 handle)
{
	struct evnt_registration *r;
	struct evnt_chunk *chunk;

	chunk = evnt_chunk_of(pf, handle);
	r = rcu_dereference_sched_check(*evnt_registration_place(chunk, handle),
					lockdep_is_held(&evnt_lock));
	return likely(r && r->handle == handle) ? r : NULL;
}

/* The registration that is in the list of a provider or group */
static inline struct evnt_registration *
evnt_registration_at(const struct evnt_provider *p, struct list_head *node)
{
	return p->is_group ?
		list_entry(node, struct evnt_registration, in_group) :
		list_entry(node, struct evnt_registration, in_provider);
}

struct evnt_provider *evnt_provider_find(const struct evntprov_guid *id,
					 bool is_group);
struct evnt_provider *evnt_provider_get(const struct evntprov_guid *id,
					bool is_group);
void evnt_provider_put(struct evnt_provider *p);
void evnt_registration_changed(struct evnt_registration *r,
			       const struct evnt_composite *composite,
			       unsigned int pending,
			       const struct evntprov_guid *source);
void evnt_registration_news(struct evnt_registration *r, bool has_news);
int evnt_provider_wait(struct evnt_provider *p, u32 timeout_ms);
void evnt_providers_for_each(void (*fn)(struct evnt_provider *p, void *data),
			     void *data);
void evnt_providers_from(const struct evntprov_guid *id, bool is_group,
			 bool (*fn)(struct evnt_provider *p, void *data),
			 void *data);
u64 evnt_last_serial(void);

/* In view.c, which knows what a set is */
u64 evnt_denied_sessions(const struct evnt_registration *r);
int evnt_view_create(struct evnt_registration *r);
void evnt_view_release(struct evnt_registration *r);

bool evnt_notifications(struct evnt_prov_file *pf);
bool evnt_hung_up(struct evnt_prov_file *pf);
void evnt_acknowledge(struct evnt_prov_file *pf);
bool evnt_next_notification(struct evnt_prov_file *pf,
			    struct evntprov_notification *n);
void evnt_untell(struct evnt_prov_file *pf,
		 const struct evntprov_notification *n);

#endif /* EVNT_PROVIDER_H */
