// SPDX-License-Identifier: GPL-2.0
/*
 * Filters as they were passed: shown to controllers, and handed to providers,
 * who look at some of them themselves.
 *
 * What is told is put together under evnt_lock, and copied out without it.
 */
#include <linux/align.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "enable.h"
#include "filter_data.h"
#include "logger.h"
#include "session.h"
#include "view.h"

#define BLOCK	8	/* each begins at a multiple of so many bytes */

/* Copy out what was put together, where there is room; frees it */
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
	return sizeof(struct evntrace_filter_info) + ALIGN(g->len, BLOCK);
}

static u32 infos_len(const struct evnt_filters *f)
{
	u32 i, len = 0;

	for (i = 0; i < f->count; i++)
		len += info_len(&f->given[i]);
	return len;
}

static void put_infos(void *to, const struct evnt_filters *f)
{
	struct evntrace_filter_info *info;
	u32 i;

	for (i = 0; i < f->count; i++) {
		info = to;
		info->type = f->given[i].type;
		info->len = f->given[i].len;
		memcpy(info + 1, f->given[i].data, info->len);
		to += info_len(&f->given[i]);
	}
}

/**
 * evnt_filters_infos() - put together what is told of filters
 * @f: the filters, or NULL
 * @len: out: how long it is in bytes
 * @count: out: how many there are
 *
 * Return: it, for evnt_filters_hand_over(); NULL when there are none; or an error
 * pointer.
 */
void *evnt_filters_infos(const struct evnt_filters *f, u32 *len, u32 *count)
{
	void *infos;

	*count = f ? f->count : 0;
	*len = f ? infos_len(f) : 0;
	if (!*len)
		return NULL;
	infos = kvzalloc(*len, GFP_KERNEL);
	if (!infos)
		return ERR_PTR(-ENOMEM);
	put_infos(infos, f);
	return infos;
}

/* Tell ids of processes as the caller knows them; 0: it does not, or there was none */
static void translate_pids(void *infos, const struct evnt_filters *f)
{
	struct evntrace_filter_info *info;
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

static void *show_locked(struct evntrace_filters *arg)
{
	struct evnt_session *s = evnt_session_lookup(arg->handle);
	bool is_group = arg->flags & EVNTRACE_FILTERS_GROUP;
	struct evnt_provider *p = evnt_provider_find(&arg->provider, is_group);
	const struct evnt_enablement *e;
	void *infos;
	int err;

	if (!s)
		return ERR_PTR(-ESRCH);
	err = evnt_session_check(s, EVNTRACE_RIGHT_QUERY);
	if (err)
		return ERR_PTR(err);
	if (!p)
		return ERR_PTR(-ENOENT);
	e = evnt_set_find(evnt_set_of(p), s);
	if (!e)
		return ERR_PTR(-ENOENT);
	infos = evnt_filters_infos(e->filters, &arg->len, &arg->count);
	if (!IS_ERR_OR_NULL(infos))
		translate_pids(infos, e->filters);
	return infos;
}

/**
 * evnt_filters_show() - EVNTRACE_IOC_FILTERS
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_filters_show(struct evntrace_filters *arg)
{
	u32 room = arg->len;
	void *infos;

	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	infos = evnt_is_logger(arg->handle) ? evnt_logger_filters(arg) :
					      show_locked(arg);
	mutex_unlock(&evnt_lock);
	if (IS_ERR(infos))
		return PTR_ERR(infos);
	return evnt_filters_hand_over(infos, arg->len, arg->buffer, room);
}

static const struct evnt_given *own_in(const struct evnt_enablement *e)
{
	return e->filters ? e->filters->own : NULL;
}

/*
 * What the provider is to look at for one that has enabled it, or NULL; of a
 * pair, what was meant for the provider, rather than for the group
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

static u32 chain_len(const struct evnt_enable_set *set)
{
	const struct evnt_given *g;
	u32 i, len = 0;

	for (i = 0; i < set->count; i++) {
		g = chained_of(&set->e[i]);
		if (g)
			len += ALIGN(g->len, BLOCK);
	}
	return len;
}

/* All sessions' filters, of @len bytes, each with its session's bit */
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

static const struct evnt_given *first_own(const struct evnt_enable_set *set)
{
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (own_of(&set->e[i]))
			return own_of(&set->e[i]);
	}
	return NULL;
}

/* Put together what a provider is handed; as show() */
static void *tell(const struct evnt_enable_set *set,
		  struct evntprov_filter_data *arg)
{
	const struct evnt_given *g = first_own(set);
	u32 chained = chain_len(set);
	void *data;

	arg->len = chained ?: g ? g->len : 0;
	arg->type = chained ? EVNTRACE_FILTER_SCHEMATIZED : g ? g->type : 0;
	if (!arg->len)
		return NULL;
	data = kvzalloc(arg->len, GFP_KERNEL);
	if (!data)
		return ERR_PTR(-ENOMEM);
	if (chained)
		put_chain(data, chained, set);
	else
		memcpy(data, g->data, g->len);
	return data;
}

/**
 * evnt_filter_data_get() - what a provider is handed
 * @pf: where the registration is
 * @arg: as of EVNTPROV_IOC_FILTER_DATA, but for @buffer; @len, @type: filled in
 *
 * Under evnt_lock.
 *
 * Return: it, to be freed with kvfree(); NULL when there is nothing; -ENOENT: there
 * is no such registration; -ENOMEM.
 */
void *evnt_filter_data_get(struct evnt_prov_file *pf,
			   struct evntprov_filter_data *arg)
{
	struct evnt_registration *r = evnt_registration_find(pf, arg->handle);

	if (!r)
		return ERR_PTR(-ENOENT);
	if (arg->flags & EVNTPROV_FILTER_DATA_CAPTURE && r->answering)
		return tell(r->answering, arg);
	return tell(evnt_view_of(r), arg);
}

/**
 * evnt_filter_data() - EVNTPROV_IOC_FILTER_DATA
 * @pf: where the registration is
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_filter_data(struct evnt_prov_file *pf,
		     struct evntprov_filter_data *arg)
{
	u32 room = arg->len;
	void *data;

	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	data = evnt_filter_data_get(pf, arg);
	mutex_unlock(&evnt_lock);
	if (IS_ERR(data))
		return PTR_ERR(data);
	return evnt_filters_hand_over(data, arg->len, arg->buffer, room);
}
