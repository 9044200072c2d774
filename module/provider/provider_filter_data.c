// SPDX-License-Identifier: GPL-2.0
/*
 * Filters in the form in which a controller passed them: queried by
 * controllers, and handed to providers, which evaluate some of them themselves.
 *
 * Results are assembled under evnt_lock and copied out after it is dropped.
 */
#include <linux/align.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "module/provider/enable.h"
#include "module/provider/filter_set.h"
#include "module/session/session.h"

#define BLOCK	8	/* alignment of each filter in bytes */

/* Copy the result to the caller if it fits into @room, and free it */
int evnt_filters_hand_over(void *from, u32 len, u64 buffer, u32 room)
{
	int err = 0;

	if (len <= room && copy_to_user(u64_to_user_ptr(buffer), from, len))
		err = -EFAULT;
	kvfree(from);
	return err;
}

static u32 info_len(const struct evnt_given *g)
{
	return sizeof(struct evntrace_filter) + ALIGN(g->len, BLOCK);
}

/* Return the length in bytes of the description of filters; @f may be NULL */
u32 evnt_filters_len(const struct evnt_filters *f)
{
	u32 i, len = 0;

	for (i = 0; f && i < f->count; i++)
		len += info_len(&f->given[i]);
	return len;
}

/* Describe filters in zeroed memory, evnt_filters_len() bytes */
void evnt_filters_describe(const struct evnt_filters *f, void *to)
{
	struct evntrace_filter *info;
	u32 i;

	for (i = 0; f && i < f->count; i++) {
		info = to;
		info->type = f->given[i].type;
		info->len = f->given[i].len;
		memcpy(info + 1, f->given[i].data, info->len);
		to += info_len(&f->given[i]);
	}
}

/**
 * evnt_filters_infos() - assemble the description of filters
 * @f: filters, or NULL
 * @len: set to the length in bytes
 *
 * Return: a buffer to be freed by kvfree(), NULL if there are no filters, or an
 * ERR_PTR().
 */
void *evnt_filters_infos(const struct evnt_filters *f, u32 *len)
{
	void *infos;

	*len = evnt_filters_len(f);
	if (!*len)
		return NULL;
	infos = kvzalloc(*len, GFP_KERNEL);
	if (!infos)
		return ERR_PTR(-ENOMEM);
	evnt_filters_describe(f, infos);
	return infos;
}

/*
 * Map process ids to the caller's pid namespace; 0 if not visible or
 * nonexistent
 */
static void translate_pids(void *infos, const struct evnt_filters *f)
{
	struct evntrace_filter *info;
	u32 i, k, *ids;

	for (i = 0; i < f->count; i++) {
		info = infos;
		ids = (u32 *)(info + 1);
		for (k = 0; info->type == EVNTRACE_FILTER_PID &&
		     k < f->scope->pid_count; k++)
			ids[k] = pid_vnr(f->scope->pids[k]);
		infos += info_len(&f->given[i]);
	}
}

/**
 * evnt_filters_show() - describe the filters of an enablement
 * @s: session
 * @provider: id of the provider or group that the session has enabled
 * @is_group: @provider is a group
 * @len: set to the length in bytes
 *
 * The caller must hold evnt_lock.
 *
 * Return: a buffer to be freed by kvfree(), NULL if there are no filters, or an
 * ERR_PTR(): -ENOENT or -ENOMEM.
 */
void *evnt_filters_show(struct evnt_session *s,
			const struct evntprov_guid *provider, bool is_group,
			u32 *len)
{
	struct evnt_provider *p = evnt_provider_find(provider, is_group);
	const struct evnt_enablement *e;
	void *infos;

	e = p ? evnt_set_find(evnt_set_of(p), s) : NULL;
	if (!e)
		return ERR_PTR(-ENOENT);
	infos = evnt_filters_infos(e->filters, len);
	if (!IS_ERR_OR_NULL(infos))
		translate_pids(infos, e->filters);
	return infos;
}

static const struct evnt_given *own_in(const struct evnt_enablement *e)
{
	return e->filters ? e->filters->own : NULL;
}

/*
 * Return the filter of an enablement that the provider evaluates, or NULL.  In
 * a pair, the filter set for the provider takes precedence over the group's.
 */
static const struct evnt_given *own_of(const struct evnt_enablement *e)
{
	return e->pair ? own_in(&e->pair[0]) ?: own_in(&e->pair[1]) : own_in(e);
}

static const struct evnt_given *chained_of(const struct evnt_enablement *e)
{
	const struct evnt_given *g = own_of(e);

	return g && g->type == EVNTRACE_FILTER_SCHEMATIZED ? g : NULL;
}

/*
 * Chain the filters of all sessions, @len bytes in total, each with its
 * session's bit
 */
static void put_chain(void *to, u32 len, const struct evnt_enable_set *set)
{
	struct evntprov_filter_header *header;
	const struct evnt_given *g;
	u32 i, step;

	for (i = 0; i < set->count; i++) {
		g = chained_of(&set->e[i]);
		if (!g)
			continue;
		step = ALIGN(g->len, BLOCK);
		len -= step;
		header = memcpy(to, g->data, g->len);
		header->session = BIT_ULL(evnt_session_id(set->e[i].session));
		header->next_offset = len ? step : 0;
		to += step;
	}
}

/**
 * evnt_filter_data() - assemble the filter data that a provider evaluates
 * @set: set of enablements that contains the filters
 * @room: maximum size of the notification in bytes
 * @n: notification that the data belongs to; size and filter fields are set
 * @data: set to the data, to be freed with kvfree(), if there is any
 *
 * Context: The caller holds evnt_lock.
 *
 * Return: 0, -EMSGSIZE or -ENOMEM.
 */
int evnt_filter_data(const struct evnt_enable_set *set, size_t room,
		     struct evntprov_notification *n, void **data)
{
	const struct evnt_given *link, *g = NULL;
	u32 i, chained = 0;

	/* All chained filters, otherwise the first one */
	for (i = 0; i < set->count; i++) {
		if (!g)
			g = own_of(&set->e[i]);
		link = chained_of(&set->e[i]);
		if (link)
			chained += ALIGN(link->len, BLOCK);
	}
	if (g) {
		n->filter_len = chained ?: g->len;
		n->filter_type = chained ? EVNTRACE_FILTER_SCHEMATIZED :
					   g->type;
		n->filter_offset = sizeof(*n);
		n->size += n->filter_len;
	}
	if (n->size > room)
		return -EMSGSIZE;
	if (!n->filter_len)
		return 0;
	*data = kvzalloc(n->filter_len, GFP_KERNEL);
	if (!*data)
		return -ENOMEM;
	if (chained)
		put_chain(*data, chained, set);
	else
		memcpy(*data, g->data, g->len);
	return 0;
}
