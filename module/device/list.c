// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of sessions, registrations, enablements and other objects for
 * controllers.
 *
 * A list is built in kernel memory under evnt_lock, and copied out without it.
 */
#include <linux/bits.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "module/common/acl.h"
#include "module/common/ioctl.h"
#include "module/provider/enable.h"
#include "module/provider/filter_set.h"
#include "module/provider/session_providers.h"
#include "module/device/devices.h"
#include "module/private/private_broker.h"
#include "module/common/quota.h"
#include "module/session/session.h"
#include "module/system/system.h"

/* Maximum number of elements copied out, regardless of the caller's array */
#define MAX_ELEMENTS	65536u
/* Maximum length of a partial list; bounds how long evnt_lock is held */
#define MAX_PART	4096u

/* Flag in @position of a cursor: its @id is a group */
#define CURSOR_GROUP	BIT_ULL(63)

/**
 * struct list_cursor - position in a list, @cursor of struct evntrace_list
 * @id: id of a provider or group
 * @position: position of an element within it
 * @until: newest provider or registration that existed at the first part
 */
struct list_cursor {
	struct evntprov_guid id;
	u64 position;
	u64 until;
};

/**
 * struct evnt_list - list under construction
 * @elements: array of elements
 * @element_size: size of an element in bytes
 * @room: number of elements that fit into @elements
 * @count: number of elements found; only the first @room of them are stored
 * @shown: bitmask of ids of the sessions that the caller may query
 * @is_part: the list is built in parts; this one follows @from and has at most
 *	@room elements
 * @from: cursor of the last element of the previous part, or zero
 * @last: cursor of the last element of this part
 */
struct evnt_list {
	void *elements;
	u32 element_size;
	u32 room;
	u32 count;
	u64 shown;
	bool is_part;
	struct list_cursor from;
	struct list_cursor last;
};

/* Allocate the next element; returns NULL if it is only counted */
static void *next_element(struct evnt_list *l)
{
	u32 i = l->count++;

	return i < l->room ? l->elements + (size_t)i * l->element_size : NULL;
}

/* Add an element */
static void list_element(const void *element, void *list)
{
	struct evnt_list *l = list;
	void *e = next_element(l);

	if (e)
		memcpy(e, element, l->element_size);
}

static void list_session(const struct evnt_session *s, void *list)
{
	list_element(&s->handle, list);
}

static void show_session(const struct evnt_session *s, void *list)
{
	struct evnt_list *l = list;

	l->shown |= BIT_ULL(evnt_session_id(s));
}

static bool is_group_cursor(const struct list_cursor *c)
{
	return c->position & CURSOR_GROUP;
}

/*
 * Check that an element belongs to this part: it follows the cursor, and did
 * not appear after the first part, so that the list terminates.
 */
static bool is_wanted(const struct evnt_list *l, const struct evnt_provider *p,
		      u64 position, u64 serial)
{
	if (!l->is_part)
		return true;
	if (serial > l->from.until)
		return false;
	return p->is_group != is_group_cursor(&l->from) ||
	       memcmp(&p->id, &l->from.id, sizeof(p->id)) ||
	       position > (l->from.position & ~CURSOR_GROUP);
}

static bool is_full(const struct evnt_list *l)
{
	return l->is_part && l->count == l->room;
}

/* Move the cursor to this element */
static void set_last(struct evnt_list *l, const struct evnt_provider *p,
		     u64 position)
{
	if (!l->is_part)
		return;
	l->last.id = p->id;
	l->last.position = position | (p->is_group ? CURSOR_GROUP : 0);
}

static void fill_registration(struct evntrace_registration *e,
			      const struct evnt_registration *r, u64 shown)
{
	const struct evnt_traits *traits;

	e->provider = r->provider->id;
	e->pid = pid_vnr(r->process);
	e->flags = r->flags;
	e->sessions = evnt_enabled_sessions(r, false) & shown;
	e->group_sessions = evnt_enabled_sessions(r, true) & shown;
	e->denied_sessions = evnt_denied_sessions(r) &
			     (e->sessions | e->group_sessions);
	if (r->group)
		e->group = r->group->id;
	traits = rcu_dereference_protected(r->traits,
					   lockdep_is_held(&evnt_lock));
	if (traits)
		strscpy_pad(e->name, traits->blob + 2, sizeof(e->name));
}

/*
 * List the registrations of a provider, which are in the order of their serial
 * numbers.  Returns false if the list is full.
 */
static bool list_registrations_of(struct evnt_provider *p, void *data)
{
	struct evntrace_registration *e;
	struct evnt_list *l = data;
	struct evnt_registration *r;
	struct list_head *node;

	if (p->is_group)
		return true;
	list_for_each(node, &p->registrations) {
		r = evnt_registration_at(p, node);
		if (!is_wanted(l, p, r->serial, r->serial))
			continue;
		if (is_full(l))
			return false;
		e = next_element(l);
		if (e)
			fill_registration(e, r, l->shown);
		set_last(l, p, r->serial);
	}
	return true;
}

static void fill_enablement(struct evntrace_enablement *e,
			    const struct evnt_provider *p,
			    const struct evnt_enablement *of, u8 order)
{
	e->provider = p->id;
	e->handle = of->session->handle;
	e->match_any = of->set_any;
	e->match_all = of->interest.match_all;
	e->property = of->property & ~EVNT_PROPERTY_OWN;
	e->level = of->set_level;
	e->order = order;
}

/*
 * List the enablements of a provider.  A partial list is in the order of
 * session ids, on which cursors are based.  A complete list is in the order in
 * which sessions enabled the provider, as expected by callers that do not know
 * @order.  Returns false if the list is full.
 */
static bool list_enablements_of(struct evnt_provider *p, void *data)
{
	const struct evnt_enablement *listed[EVNTRACE_MAX_SESSIONS] = {};
	const struct evnt_enable_set *set = evnt_set_of(p);
	u8 order[EVNTRACE_MAX_SESSIONS], count = 0;
	struct evntrace_enablement *e;
	struct evnt_list *l = data;
	u32 i, id, at;

	if (!set->count)
		return true;
	/* Sets are in the order in which sessions enabled the provider */
	for (i = 0; i < set->count; i++) {
		id = evnt_session_id(set->e[i].session);
		if (!(l->shown & BIT_ULL(id)))
			continue;
		at = l->is_part ? id : count;
		listed[at] = &set->e[i];
		order[at] = ++count;
	}
	for (i = 0; i < EVNTRACE_MAX_SESSIONS; i++) {
		if (!listed[i] || !is_wanted(l, p, i + 1, p->serial))
			continue;
		if (is_full(l))
			return false;
		e = next_element(l);
		if (e)
			fill_enablement(e, p, listed[i], order[i]);
		set_last(l, p, i + 1);
	}
	return true;
}

static void list_private(struct evnt_private_request *req, void *list)
{
	if (!evnt_private_request_check_query(req))
		list_element(&req->info.handle, list);
}

/*
 * List registrations or enablements.  Providers that appear after the first
 * part are left out.
 */
static void list_providers(struct evnt_list *l, u32 kind)
{
	if (l->is_part && !l->from.until)
		l->from.until = evnt_last_serial();
	l->last = l->from;
	evnt_providers_from(&l->from.id, is_group_cursor(&l->from),
			    kind == EVNTRACE_LIST_REGISTRATIONS ?
			    list_registrations_of : list_enablements_of, l);
}

/* List the counters of a session on each CPU */
static void list_cpus(struct evnt_list *l, const struct evnt_session *s)
{
	const struct evnt_buffers *b = &s->buffers;
	struct evntrace_cpu *e;
	u32 cpu, kind;

	for (cpu = 0; cpu < b->nr_cpus; cpu++) {
		e = next_element(l);
		if (!e)
			continue;
		e->events = local64_read(&b->cpus[cpu].events);
		for (kind = 0; kind < EVNT_LOSSES; kind++)
			e->events_lost += local64_read(&b->cpus[cpu].lost[kind].count);
	}
}

/* List an array, or as much of it as there is room for */
static void list_array(struct evnt_list *l, const void *array, u32 count)
{
	if (count)
		memcpy(l->elements, array,
		       (size_t)min(count, l->room) * l->element_size);
	l->count = count;
}

/* List the filters of an enablement of @s, or of the start of @private */
static int list_filters(struct evnt_list *l, struct evnt_session *s,
			u64 private, const struct evntrace_list *arg)
{
	void *infos;
	u32 len;

	infos = s ? evnt_filters_show(s, &arg->provider,
				      arg->flags & EVNTRACE_LIST_GROUP, &len) :
		    evnt_private_request_filters(private, arg, &len);
	if (IS_ERR(infos))
		return PTR_ERR(infos);
	list_array(l, infos, len / l->element_size);
	kvfree(infos);
	return 0;
}

/* Kinds of lists */
static const struct list_kind {
	u32 element_size;	/* in bytes; 0: the list is only set */
	u32 flags;		/* flags that the kind supports */
	bool is_of_session;
} list_kinds[] = {
	[EVNTRACE_LIST_SESSIONS] = { sizeof(u64) },
	[EVNTRACE_LIST_REGISTRATIONS] = {
		sizeof(struct evntrace_registration), EVNTRACE_LIST_PART },
	[EVNTRACE_LIST_ENABLEMENTS] = {
		sizeof(struct evntrace_enablement), EVNTRACE_LIST_PART },
	[EVNTRACE_LIST_ACCESS] = { sizeof(struct evntrace_access) },
	[EVNTRACE_LIST_USERS] = { sizeof(struct evntrace_user) },
	[EVNTRACE_LIST_CPUS] = { sizeof(struct evntrace_cpu), 0, true },
	[EVNTRACE_LIST_FILTERS] = { sizeof(u64), EVNTRACE_LIST_GROUP, true },
	[EVNTRACE_LIST_CAPTURE_STATE] = {
		sizeof(struct evntprov_guid), 0, true },
	[EVNTRACE_LIST_DISALLOWED] = { sizeof(struct evntprov_guid), 0, true },
	[EVNTRACE_LIST_PRIVATE] = { sizeof(u64) },
	[EVNTRACE_LIST_PROFILE_INTERVAL] = { sizeof(u32) },
};

static const struct list_kind *kind_of(u32 kind)
{
	return &list_kinds[array_index_nospec(kind, ARRAY_SIZE(list_kinds))];
}

/* Fill a list, under evnt_lock */
static int list_fill(struct evnt_list *l, struct evnt_session *s, u64 private,
		     struct evntrace_list *arg)
{
	const struct evnt_provider_list *ids;
	u32 interval;

	if (s && !evnt_session_runs(s))
		return -ESRCH;
	switch (arg->kind) {
	case EVNTRACE_LIST_SESSIONS:
		evnt_sessions_for_each(list_session, l);
		return 0;
	case EVNTRACE_LIST_ACCESS:
		evnt_access_for_each(list_element, l);
		return 0;
	case EVNTRACE_LIST_USERS:
		evnt_users_for_each(list_element, l);
		return 0;
	case EVNTRACE_LIST_CPUS:
		list_cpus(l, s);
		return 0;
	case EVNTRACE_LIST_FILTERS:
		return list_filters(l, s, private, arg);
	case EVNTRACE_LIST_CAPTURE_STATE:
		ids = &s->providers->captured;
		list_array(l, ids->ids, ids->count);
		arg->period_s = s->providers->period_s;
		return 0;
	case EVNTRACE_LIST_DISALLOWED:
		ids = &s->providers->disallowed;
		list_array(l, ids->ids, ids->count);
		return 0;
	case EVNTRACE_LIST_PRIVATE:
		evnt_private_requests_for_each(list_private, l);
		return 0;
	case EVNTRACE_LIST_PROFILE_INTERVAL:
		interval = evnt_profile_interval();
		list_element(&interval, l);
		return 0;
	}
	evnt_sessions_for_each(show_session, l);
	list_providers(l, arg->kind);
	return 0;
}

/* Check the argument: fields that its kind of list does not use must be zero */
int evnt_list_check(const struct evntrace_list *arg, bool is_of_session)
{
	const struct list_kind *kind = kind_of(arg->kind);

	if (arg->kind >= ARRAY_SIZE(list_kinds) || !kind->element_size ||
	    arg->element_size < kind->element_size ||
	    arg->element_size > EVNT_MAX_ELEMENT || arg->flags & ~kind->flags ||
	    kind->is_of_session != is_of_session)
		return -EINVAL;
	if (arg->period_s && arg->kind != EVNTRACE_LIST_CAPTURE_STATE)
		return -EINVAL;
	if (arg->kind != EVNTRACE_LIST_FILTERS &&
	    memchr_inv(&arg->provider, 0, sizeof(arg->provider)))
		return -EINVAL;
	if (arg->flags & EVNTRACE_LIST_PART)
		return arg->count ? 0 : -EINVAL;
	return memchr_inv(arg->cursor, 0, sizeof(arg->cursor)) ? -EINVAL : 0;
}

/**
 * evnt_list() - EVNTRACE_IOC_LIST
 * @s: session of a list of a session, which the caller may query; or NULL
 * @private: handle of a private session, for EVNTRACE_LIST_FILTERS; or zero
 * @arg: argument of the ioctl, checked by evnt_list_check()
 *
 * Return: 0 or a negative errno, as documented for EVNTRACE_IOC_LIST.
 */
int evnt_list(struct evnt_session *s, u64 private, struct evntrace_list *arg)
{
	const bool is_part = arg->flags & EVNTRACE_LIST_PART;
	struct evnt_list l = {
		.element_size = kind_of(arg->kind)->element_size,
		.room = min(arg->count, is_part ? MAX_PART : MAX_ELEMENTS),
		.is_part = is_part,
	};
	int err;

	BUILD_BUG_ON(sizeof(l.from) != sizeof(arg->cursor));
	memcpy(&l.from, arg->cursor, sizeof(l.from));
	/* Large arrays may fail; the caller is informed without a log message */
	l.elements = kvcalloc(l.room, l.element_size,
			      GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!l.elements)
		return -ENOMEM;
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	err = list_fill(&l, s, private, arg);
	mutex_unlock(&evnt_lock);
	if (!err)
		err = evnt_copy_elements(u64_to_user_ptr(arg->elements),
					 arg->element_size, l.elements,
					 l.element_size, min(l.count, l.room));
	arg->count = l.count;
	memcpy(arg->cursor, &l.last, sizeof(l.last));
free:
	kvfree(l.elements);
	return err;
}
