// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of what there is, for controllers.
 *
 * A list is built in kernel memory under evnt_lock, and copied out without it.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "access.h"
#include "enable.h"
#include "list.h"
#include "logger.h"
#include "quota.h"
#include "session.h"
#include "view.h"

/* At most this many elements are filled in, whatever room the caller has */
#define MAX_ELEMENTS	65536u

/**
 * struct evnt_list - a list that is being built
 * @elements: of element_size bytes each
 * @element_size: bytes
 * @room: how many fit
 * @count: how many there are; the first @room of them are filled in
 * @shown: ids of the sessions that the caller may query, a bit each
 */
struct evnt_list {
	void *elements;
	u32 element_size;
	u32 room;
	u32 count;
	u64 shown;
};

/* Where the next element goes, or NULL when it is only counted */
static void *next_element(struct evnt_list *l)
{
	u32 i = l->count++;

	return i < l->room ? l->elements + (size_t)i * l->element_size : NULL;
}

static void list_session(struct evnt_list *l, u64 handle)
{
	u64 *e = next_element(l);

	if (e)
		*e = handle;
}

static void list_sessions(struct evnt_list *l)
{
	u64 handles[EVNTRACE_MAX_SESSIONS];
	u32 i, n = evnt_sessions_list(handles);

	for (i = 0; i < n; i++)
		list_session(l, handles[i]);
}

static void copy_name(struct evntrace_registration *e,
		      const struct evnt_registration *r)
{
	const struct evnt_traits *traits;

	traits = rcu_dereference_protected(r->traits,
					   lockdep_is_held(&evnt_lock));
	if (traits)
		strscpy_pad(e->name, traits->blob + 2, sizeof(e->name));
}

static void list_registrations_of(struct evnt_provider *p, void *list)
{
	const u64 shown = ((struct evnt_list *)list)->shown;
	struct evntrace_registration *e;
	struct evnt_registration *r;
	struct list_head *node;

	if (p->is_group)
		return;
	list_for_each(node, &p->registrations) {
		r = evnt_registration_at(p, node);
		e = next_element(list);
		if (!e)
			continue;
		e->provider = p->id;
		e->pid = pid_nr(r->process);
		e->flags = r->flags;
		e->sessions = evnt_enabled_sessions(r, false) & shown;
		e->group_sessions = evnt_enabled_sessions(r, true) & shown;
		e->denied_sessions = evnt_denied_sessions(r) &
				     (e->sessions | e->group_sessions);
		if (r->group)
			e->group = r->group->id;
		copy_name(e, r);
	}
}

static void list_enablements_of(struct evnt_provider *p, void *list)
{
	const u64 shown = ((struct evnt_list *)list)->shown;
	const struct evnt_enable_set *set = evnt_set_of(p);
	struct evntrace_enablement *e;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (!(shown & BIT_ULL(evnt_session_id(set->e[i].session))))
			continue;
		e = next_element(list);
		if (!e)
			continue;
		e->provider = p->id;
		e->handle = set->e[i].session->handle;
		e->match_any = set->e[i].set_any;
		e->match_all = set->e[i].interest.match_all;
		e->property = set->e[i].property & ~EVNT_PROPERTY_OWN;
		e->level = set->e[i].set_level;
	}
}

static void list_logger(struct evnt_logger *l, void *list)
{
	if (!evnt_logger_check_query(l))
		list_session(list, l->info.handle);
}

static void list_access_entry(const struct evntrace_access_entry *entry,
			      void *list)
{
	struct evntrace_access_entry *e = next_element(list);

	if (e)
		*e = *entry;
}

static void list_user(const struct evntrace_user *user, void *list)
{
	struct evntrace_user *e = next_element(list);

	if (e)
		*e = *user;
}

static void list_fill(struct evnt_list *l, u32 what)
{
	if (what == EVNTRACE_LIST_SESSIONS) {
		list_sessions(l);
		return;
	}
	if (what == EVNTRACE_LIST_USERS) {
		evnt_users_for_each(list_user, l);
		return;
	}
	mutex_lock(&evnt_lock);
	l->shown = evnt_sessions_shown();
	if (what == EVNTRACE_LIST_ACCESS)
		evnt_access_for_each(list_access_entry, l);
	else if (what == EVNTRACE_LIST_LOGGERS)
		evnt_loggers_for_each(list_logger, l);
	else if (what == EVNTRACE_LIST_REGISTRATIONS)
		evnt_providers_for_each(list_registrations_of, l);
	else
		evnt_providers_for_each(list_enablements_of, l);
	mutex_unlock(&evnt_lock);
}

static u32 element_size(u32 what)
{
	switch (what) {
	case EVNTRACE_LIST_SESSIONS:
	case EVNTRACE_LIST_LOGGERS:
		return sizeof(u64);
	case EVNTRACE_LIST_REGISTRATIONS:
		return sizeof(struct evntrace_registration);
	case EVNTRACE_LIST_ENABLEMENTS:
		return sizeof(struct evntrace_enablement);
	case EVNTRACE_LIST_ACCESS:
		return sizeof(struct evntrace_access_entry);
	case EVNTRACE_LIST_USERS:
		return sizeof(struct evntrace_user);
	}
	return 0;
}

/* The size that an element had in the first version */
static u32 least_size(u32 what)
{
	if (what == EVNTRACE_LIST_REGISTRATIONS)
		return offsetof(struct evntrace_registration, group);
	return element_size(what);
}

/**
 * evnt_copy_elements() - copy an array out to who knows its elements otherwise
 * @to: where to
 * @to_size: size of an element there: what is longer here is cut, what is shorter
 *	has zeroes behind
 * @from: the array
 * @size: size of an element
 * @count: how many
 *
 * Return: 0 or -EFAULT.
 */
int evnt_copy_elements(void __user *to, u32 to_size, const void *from, u32 size,
		       u32 count)
{
	u32 both = min(to_size, size);

	if (to_size == size)
		return copy_to_user(to, from, (size_t)count * size) ?
		       -EFAULT : 0;
	for (; count; count--, to += to_size, from += size) {
		if (copy_to_user(to, from, both) ||
		    clear_user(to + both, to_size - both))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}

/**
 * evnt_list() - EVNTRACE_IOC_LIST
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_list(struct evntrace_list *arg)
{
	struct evnt_list l = {
		.element_size = element_size(arg->what),
		.room = min(arg->count, MAX_ELEMENTS),
	};
	int err;

	if (!l.element_size || arg->element_size < least_size(arg->what) ||
	    arg->element_size > EVNT_MAX_ELEMENT)
		return -EINVAL;
	/* So much may well not be there: told to the caller, not to the log */
	l.elements = kvcalloc(l.room, l.element_size,
			      GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!l.elements)
		return -ENOMEM;
	list_fill(&l, arg->what);
	err = evnt_copy_elements(u64_to_user_ptr(arg->elements),
				 arg->element_size, l.elements, l.element_size,
				 min(l.count, l.room));
	arg->count = l.count;
	kvfree(l.elements);
	return err;
}
