/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Providers: registrations of an open file, the table of provider ids, enable
 * areas, enable notifications.
 *
 * Knows nothing of sessions: enablements are opaque sets, kept here for enable_set.c,
 * with a struct evnt_composite computed for each registration.
 */
#ifndef EVNT_PROVIDER_H
#define EVNT_PROVIDER_H

#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include <linux/sockptr.h>
#include <linux/wait.h>

#include "core/etl.h"
#include "core/level_keyword.h"
#include "module/common/module.h"

struct evnt_enable_set;
struct evnt_kernel_side;
struct evnt_registration;
struct evnt_manifest;
struct evnt_user;
extern struct evnt_enable_set evnt_empty_set;

#define EVNT_SLOTS_PER_CHUNK	(PAGE_SIZE / EVNTPROV_SLOT_SIZE)
#define EVNT_CHUNKS		(EVNTPROV_ENABLE_AREA_SIZE / PAGE_SIZE)

/**
 * struct evnt_composite - union of all sessions' enablements of a registration
 * @enabled: whether any session has enabled it
 * @set_level: for a classic registration, level as set by @session
 * @set_any: for a classic registration, whether @session set a match-any mask
 * @takes_rings: events may come from rings, as no session requires more than
 *	they contain
 * @interest: highest level, union of the any masks, intersection of the all
 *	masks
 * @session: handle of the session that has enabled a classic registration
 */
struct evnt_composite {
	bool enabled;
	u8 set_level;
	bool set_any;
	bool takes_rings;
	struct evnt_level_keyword interest;
	u64 session;
};

/**
 * struct evnt_provider - a provider id, or a group of registrations
 * @serial: creation order, from a counter shared with registrations
 * @id: provider or group id
 * @is_group: whether this is a group; provider and group ids are separate
 * @node: entry in the tree of ids
 * @registrations: registrations or members: see evnt_registration_at()
 * @users: number of registrations and waiters, plus one if @set is not empty
 * @manifests: files that contain its manifest, see manifests.c
 * @set: enablements by sessions
 * @unsettled: number of registrations with an unhandled notification
 * @rcu: defers freeing until no writer can see it
 *
 * Exists while it has registrations or members, or is enabled.
 */
struct evnt_provider {
	/* The following fields are constant. */
	u64 serial;
	struct evntprov_guid id;
	bool is_group;

	/* The following fields are protected by evnt_lock. */
	struct rb_node node;
	struct list_head registrations;
	u32 users;
	struct list_head manifests;

	/* Written under evnt_lock, read under RCU. */
	struct evnt_enable_set __rcu *set;

	atomic_t unsettled;
	struct rcu_head rcu;
};

/*
 * Provider traits, in the form in which each event contains them.  Set once per
 * registration, freed by RCU.
 *
 * @group points into @blob: the id of the group that the traits name, or NULL.
 * @item and @blob form the extended item of a record, zero-padded to its end;
 * @item.data_size is the length of the traits.
 */
struct evnt_traits {
	struct rcu_head rcu;
	const struct evntprov_guid *group;
	struct etl_ext_item item;
	u8 blob[];
};

/**
 * struct evnt_package_key - package of a process, for EVNTRACE_PROPERTY_PSM_KEY
 * @len: length of @text in bytes, including its nul; 0 if there is no package
 * @text: name of the package
 */
struct evnt_package_key {
	u16 len;
	__le16 text[];
};

/**
 * struct evnt_registration - one registration of a provider
 * @handle: handle, chosen by the owner
 * @serial: creation order, increasing along @provider->registrations
 * @file: file that owns the registration
 * @process: process that registered it, or NULL for the kernel
 * @exe: name of the executable of @process at that time, or NULL
 * @cred: credentials that it was registered with
 * @kernel: data of a kernel provider, or NULL
 * @set: effective set; equal to @provider->set unless the registration needs
 *	one of its own
 * @traits: provider traits, or NULL; set once
 * @package: package of the process, NULL until a session requests it; set once
 * @flags: EVNTPROV_REGISTER_*, EVNTRACE_REGISTRATION_*
 * @denied: bit mask of sessions that it must not write to
 * @slot: state in the enable area, which the owner's processes map
 * @next: prepared successor of @set, or of @requested, or NULL
 * @in_change: entry in @prepared of the change that prepared @next
 * @composite: union of the enablements in @set
 * @has_news: EVNTPROV_ENABLED_PRIVATE_PENDING is set in @slot
 * @is_held: not complete yet, so its state is not passed to @switched of the
 *	file
 * @in_provider: entry in @provider->registrations
 * @in_group: entry in @group->registrations
 * @requested: filter data for the next EVNT_PENDING_CAPTURE notification, or
 *	NULL
 * @answering: filter data of the last such notification, in case it does not
 *	reach its reader; or NULL
 * @manifest: file that contains its manifest, an element of
 *	@provider->manifests, or NULL; set once
 * @group: group that it is a member of, or NULL; set once
 * @pending: EVNT_PENDING_*: notifications to read
 * @source: SourceId of the last control request
 * @reported: a notification was read but not yet acknowledged
 * @in_file: entry in @file->pending or @file->reported
 * @rcu: defers freeing until no writer can see it
 */
struct evnt_registration {
	/* The following fields are constant. */
	u64 handle;
	u64 serial;
	struct evnt_provider *provider;
	struct evnt_prov_file *file;
	struct pid *process;

	/* Written under evnt_lock, read by writers of events under RCU. */
	struct evnt_enable_set __rcu *set;
	struct evnt_traits __rcu *traits;
	struct evnt_package_key __rcu *package;
	u32 flags;
	u64 denied;

	/* The following fields are constant, and not used by writers. */
	const char *exe;
	const struct cred *cred;
	struct evnt_kernel_side *kernel;

	/* Written under evnt_lock, read by the owner's processes. */
	struct evntprov_enable *slot;

	/* The following fields are protected by evnt_lock. */
	struct evnt_enable_set *next;
	struct list_head in_change;
	struct evnt_composite composite;
	bool has_news;
	bool is_held;
	struct list_head in_provider;
	struct list_head in_group;
	struct evnt_enable_set *requested;
	struct evnt_enable_set *answering;
	struct evnt_manifest *manifest;

	struct evnt_provider *group;
	unsigned int pending;
	struct evntprov_guid source;
	bool reported;
	struct list_head in_file;

	struct rcu_head rcu;
};

#define EVNT_PENDING_STATE	0x1u
#define EVNT_PENDING_CAPTURE	0x2u
/* Only with EVNT_PENDING_STATE: EVNTPROV_NOTIFICATION_WAS_DISABLED */
#define EVNT_PENDING_DISABLED	0x4u

/* One page of an enable area, and the registrations with slots in it */
struct evnt_chunk {
	struct page *page;
	struct evnt_registration __rcu *registrations[EVNT_SLOTS_PER_CHUNK];
};

/* Placeholder for chunks that are not allocated; never has registrations */
extern struct evnt_chunk evnt_no_chunk;

/**
 * struct evnt_prov_file_ops - operations of the owner of a file
 * @registered: handle a new registration; or NULL
 * @switched: handle a change of the enablements of a registration, before the
 *	owner is notified; or NULL
 *
 * Called under evnt_lock.  They let code of higher layers take part in
 * registrations: private sessions, and providers in the kernel.
 */
struct evnt_prov_file_ops {
	void (*registered)(struct evnt_registration *r);
	void (*switched)(struct evnt_registration *r,
			 const struct evnt_composite *c);
};

/**
 * struct evnt_prov_file - an open file of /dev/evntprov
 * @ops: operations of its owner
 * @user: user that is charged for it, or NULL for the kernel
 * @chunks: chunks of the enable area; each changes once, from evnt_no_chunk
 * @owner: files_struct of the first process that registered or joined private
 *	sessions, for comparison only, or NULL; written under evnt_lock
 * @hangup: the owner has closed the file, so that reads return 0; set once
 * @wait: readers that wait for notifications
 * @is_news_due: a notification of @has_news is due; written under evnt_lock
 * @registrations: number of registrations that it owns
 * @named: by session id, evnt_session_generation() when the name of the process
 *	was last reported to the session
 * @requests: private sessions that it participates in
 * @request_count: number of entries in @requests
 * @takes_private: EVNTPROV_IOC_PRIVATE was called
 * @is_late: it was last called with EVNTPROV_PRIVATE_DEFER
 * @is_notified: a registration has EVNTPROV_REGISTER_NOTIFY
 * @has_news: changes of @requests that the owner has not yet fetched
 * @pending: registrations with unread notifications, in order
 * @reported: registrations whose last notification was read
 * @images_lock: taken before a process's mmap_lock
 * @images: list of struct evnt_images: images already reported, by process that
 *	writes through the file; read under RCU
 */
struct evnt_prov_file {
	/* The following fields are constant. */
	const struct evnt_prov_file_ops *ops;
	struct evnt_user *user;

	/* The following fields are read without a lock. */
	struct evnt_chunk *chunks[EVNT_CHUNKS];
	void *owner;
	bool hangup;
	wait_queue_head_t wait;
	bool is_news_due;

	/* The following fields are protected by evnt_lock. */
	u32 registrations;
	u64 named[EVNTRACE_MAX_SESSIONS];
	struct list_head requests;
	u32 request_count;
	bool takes_private;
	bool is_late;
	bool is_notified;
	bool has_news;
	struct list_head pending;
	struct list_head reported;

	/* Protects the following field */
	struct mutex images_lock;
	struct list_head images;

	/* Protects the following field */
	struct mutex rescues_lock;
	struct evnt_rescue *rescues[EVNTPROV_MAX_RESCUES];
};

struct evnt_prov_file *
evnt_prov_file_create(const struct evnt_prov_file_ops *ops,
		      struct evnt_user *user);
void evnt_prov_file_destroy(struct evnt_prov_file *pf);
void evnt_prov_file_own(struct evnt_prov_file *pf);
bool evnt_prov_file_closed(struct evnt_prov_file *pf, void *owner);
struct page *evnt_prov_file_page(struct evnt_prov_file *pf, pgoff_t index);

int evnt_register(struct evnt_prov_file *pf,
		  const struct evntprov_register *arg);
int evnt_register_kernel(struct evnt_prov_file *pf,
			 const struct evntprov_register *arg,
			 struct evnt_kernel_side *kernel, const void *traits,
			 u32 traits_len);
int evnt_unregister(struct evnt_prov_file *pf, u64 handle);
int evnt_unregister_kernel(struct evnt_prov_file *pf, u64 handle);
int evnt_set_information(struct evnt_prov_file *pf, u64 handle, u32 info_class,
			 sockptr_t info, u32 len);

/* Return the chunk that contains the slot of a handle, or evnt_no_chunk */
static inline struct evnt_chunk *evnt_chunk_of(const struct evnt_prov_file *pf,
					       u64 handle)
{
	u32 offset = (u16)handle;

	static_assert(EVNTPROV_ENABLE_AREA_SIZE == U16_MAX + 1);
	return smp_load_acquire(&pf->chunks[offset / PAGE_SIZE]); /* (G) */
}

/* Return the place in its chunk of the registration with this handle */
static inline struct evnt_registration __rcu **
evnt_registration_place(const struct evnt_prov_file *pf, u64 handle)
{
	struct evnt_chunk *chunk = evnt_chunk_of(pf, handle);
	u32 slot = (u16)handle / EVNTPROV_SLOT_SIZE;

	return &chunk->registrations[slot % EVNT_SLOTS_PER_CHUNK];
}

/*
 * Return the registration with the slot of a handle, or NULL.  The caller must
 * have disabled preemption, as the write path does, or hold evnt_lock.
 */
static inline struct evnt_registration *
evnt_registration_at_slot(const struct evnt_prov_file *pf, u64 handle)
{
	return rcu_dereference_sched_check(*evnt_registration_place(pf, handle),
					   lockdep_is_held(&evnt_lock));
}

/* Find a registration by its handle, as evnt_registration_at_slot() */
static inline struct evnt_registration *
evnt_registration_find(const struct evnt_prov_file *pf, u64 handle)
{
	struct evnt_registration *r = evnt_registration_at_slot(pf, handle);

	return likely(r && r->handle == handle) ? r : NULL;
}

/* Convert an entry of a provider's or group's list to its registration */
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
void evnt_registration_leave_rings(struct evnt_registration *r);
void evnt_registration_news(struct evnt_registration *r, bool has_news);
void evnt_providers_for_each(void (*fn)(struct evnt_provider *p, void *data),
			     void *data);
void evnt_providers_from(const struct evntprov_guid *id, bool is_group,
			 bool (*fn)(struct evnt_provider *p, void *data),
			 void *data);
u64 evnt_last_serial(void);

/* Implemented in enable_set.c, which defines struct evnt_enable_set */
u64 evnt_denied_sessions(const struct evnt_registration *r);
int evnt_effective_create(struct evnt_registration *r);
void evnt_effective_release(struct evnt_registration *r);

/*
 * notify.c: notifications to the owners of registrations, and their completion.
 * Memory is bounded: a registration has room for one notification of each kind,
 * and a later change overwrites an unread one.
 */
void evnt_notify(struct evnt_registration *r, unsigned int pending,
		 const struct evntprov_guid *source);
void evnt_notify_join(struct evnt_registration *r, struct evnt_provider *group);
void evnt_notify_forget(struct evnt_registration *r);
void evnt_wake_settled(void);
int evnt_wait_settled(const atomic_t *unsettled, u32 timeout_ms);
bool evnt_notifications(struct evnt_prov_file *pf);
void evnt_acknowledge(struct evnt_prov_file *pf);
int evnt_notification_read(struct evnt_prov_file *pf, u64 slot, size_t room,
			   struct evntprov_notification *n, void **data);
void evnt_notification_unread(struct evnt_prov_file *pf,
			      const struct evntprov_notification *n);

#endif /* EVNT_PROVIDER_H */
