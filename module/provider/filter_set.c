// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of an enablement, compiled from what a controller passed.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "module/provider/filter_set.h"

/* Table entry for provider-defined types; no built-in type has this value */
#define FILTER_OWN	0u

/*
 * Accept an EVENT_FILTER_HEADER and data that only the provider interprets.
 * Its session and next offset are filled in when the filter is handed to the
 * provider.
 */
static int check_schematized(const void *from, u32 len)
{
	const struct evntprov_filter_header *header = from;

	if (len < sizeof(*header) || header->filter_len != len ||
	    header->session || header->next_offset)
		return -EINVAL;
	return 0;
}

static int create_rundown(struct evnt_filters *f, const void *from, u32 len)
{
	if (len != sizeof(f->rundown))
		return -EINVAL;
	memcpy(&f->rundown, from, len);
	return f->rundown ? 0 : -EINVAL;
}

/* Compile a filter; any data is accepted that only the provider interprets */
static int compile(struct evnt_filters *f, const struct evnt_given *g)
{
	switch (g->type) {
	case EVNTRACE_FILTER_PID:
		return evnt_scope_add_pids(&f->scope, g->data, g->len);
	case EVNTRACE_FILTER_EXECUTABLE_NAME:
		return evnt_scope_add_list(&f->scope, EVNT_SCOPE_EXE, g->data,
					   g->len);
	case EVNTRACE_FILTER_PACKAGE_ID:
		return evnt_scope_add_list(&f->scope, EVNT_SCOPE_PACKAGE,
					   g->data, g->len);
	case EVNTRACE_FILTER_PACKAGE_APP_ID:
		return evnt_scope_add_list(&f->scope, EVNT_SCOPE_APP, g->data,
					   g->len);
	case EVNTRACE_FILTER_PAYLOAD:
		return evnt_program_create(&f->program, g->data, g->len);
	case EVNTRACE_FILTER_EVENT_ID:
		return evnt_ids_create(&f->ids, g->data, g->len);
	case EVNTRACE_FILTER_EVENT_NAME:
		return evnt_names_create(&f->names, g->data, g->len);
	case EVNTRACE_FILTER_STACKWALK:
		return evnt_ids_create(&f->stack_ids, g->data, g->len);
	case EVNTRACE_FILTER_STACKWALK_NAME:
		return evnt_names_create(&f->stack_names, g->data, g->len);
	case EVNTRACE_FILTER_STACKWALK_LEVEL_KW:
		return evnt_level_kw_create(&f->stack_level_kw, g->data, g->len);
	case EVNTRACE_FILTER_TRACEHANDLE:
		return create_rundown(f, g->data, g->len);
	case EVNTRACE_FILTER_SCHEMATIZED:
		return check_schematized(g->data, g->len);
	}
	return 0;
}

/* Maximum size of each filter type */
static const struct filter_type {
	u32 type;
	u32 max_len;
} filter_types[] = {
	{ EVNTRACE_FILTER_PID, EVNTRACE_MAX_FILTER_SIZE },
	{ EVNTRACE_FILTER_EXECUTABLE_NAME, EVNTRACE_MAX_FILTER_LIST_SIZE },
	{ EVNTRACE_FILTER_PACKAGE_ID, EVNTRACE_MAX_FILTER_LIST_SIZE },
	{ EVNTRACE_FILTER_PACKAGE_APP_ID, EVNTRACE_MAX_FILTER_LIST_SIZE },
	{ EVNTRACE_FILTER_PAYLOAD, EVNTRACE_MAX_PROGRAM_SIZE },
	{ EVNTRACE_FILTER_EVENT_ID, EVNTRACE_MAX_FILTER_SIZE },
	{ EVNTRACE_FILTER_EVENT_NAME, EVNTRACE_MAX_FILTER_NAMES_SIZE },
	{ EVNTRACE_FILTER_STACKWALK, EVNTRACE_MAX_FILTER_SIZE },
	{ EVNTRACE_FILTER_STACKWALK_NAME, EVNTRACE_MAX_FILTER_NAMES_SIZE },
	{ EVNTRACE_FILTER_STACKWALK_LEVEL_KW, EVNTRACE_MAX_FILTER_SIZE },
	{ EVNTRACE_FILTER_TRACEHANDLE, EVNTRACE_MAX_FILTER_SIZE },
	{ EVNTRACE_FILTER_SCHEMATIZED, EVNTRACE_MAX_FILTER_SIZE },
	/* Any provider-defined type; at most one such filter is allowed */
	{ FILTER_OWN, EVNTRACE_MAX_FILTER_SIZE },
};

/* Check whether the provider evaluates the filter rather than the module */
static bool is_own(const struct filter_type *type)
{
	return type->type == EVNTRACE_FILTER_SCHEMATIZED ||
	       type->type == FILTER_OWN;
}

/* Check whether the filter type is allowed for the given control code */
static bool is_for(const struct filter_type *type, u32 control)
{
	bool rundown = type->type == EVNTRACE_FILTER_TRACEHANDLE;

	if (control == EVNTPROV_CONTROL_CAPTURE_STATE)
		return rundown || is_own(type);
	return !rundown;
}

static const struct filter_type *find_type(u32 type)
{
	size_t i;

	if (!type)
		return NULL;
	if (!(type & EVNTRACE_FILTER_BUILT_IN))
		type = FILTER_OWN;
	for (i = 0; i < ARRAY_SIZE(filter_types); i++) {
		if (filter_types[i].type == type)
			return &filter_types[i];
	}
	return NULL;
}

/* Add one filter; @seen has a bit for each type added so far */
static int add_filter(struct evnt_filters *f, unsigned long *seen,
		      const struct evntrace_filter *arg, u32 control)
{
	const struct filter_type *type = find_type(arg->type);
	struct evnt_given *g;

	if (!type)
		return -EOPNOTSUPP;
	if (__test_and_set_bit(type - filter_types, seen) ||
	    !is_for(type, control) || !arg->len || arg->len > type->max_len)
		return -EINVAL;
	g = &f->given[f->count++];
	if (is_own(type)) {
		if (f->own)
			return -EINVAL;
		f->own = g;
	}
	/* Keep a copy of the filter as passed */
	g->data = kmalloc(arg->len, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!g->data)
		return -ENOMEM;
	g->type = arg->type;
	g->len = arg->len;
	if (copy_from_user(g->data, u64_to_user_ptr(arg->ptr), arg->len))
		return -EFAULT;
	return compile(f, g);
}

/**
 * evnt_filters_create() - compile the filters that a controller passed
 * @from: user address of an array of struct evntrace_filter
 * @count: number of elements
 * @control: EVNTPROV_CONTROL_* for which the filters are passed
 *
 * Return: the filters with one reference, or NULL if @count is 0; -EINVAL,
 * -EOPNOTSUPP, -EFAULT or -ENOMEM as an ERR_PTR().
 */
struct evnt_filters *evnt_filters_create(u64 from, u32 count, u32 control)
{
	const struct evntrace_filter __user *args = u64_to_user_ptr(from);
	struct evntrace_filter arg;
	unsigned long seen = 0;
	struct evnt_filters *f;
	int err = 0;
	u32 i;

	if (count > EVNTRACE_MAX_FILTERS)
		return ERR_PTR(-EINVAL);
	if (!count)
		return NULL;
	f = kzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT);
	if (!f)
		return ERR_PTR(-ENOMEM);
	refcount_set(&f->refs, 1);
	for (i = 0; i < count && !err; i++) {
		if (copy_from_user(&arg, &args[i], sizeof(arg)))
			err = -EFAULT;
		else
			err = add_filter(f, &seen, &arg, control);
	}
	if (!err)
		return f;
	evnt_filters_put(f);
	return ERR_PTR(err);
}

void evnt_filters_get(struct evnt_filters *f)
{
	if (f)
		refcount_inc(&f->refs);
}

/* Drop a reference.  May be called in any context but NMI. */
void evnt_filters_put(struct evnt_filters *f)
{
	if (!f || !refcount_dec_and_test(&f->refs))
		return;
	evnt_free(f->ids);
	evnt_free(f->names);
	evnt_free(f->program);
	evnt_free(f->stack_ids);
	evnt_free(f->stack_names);
	evnt_free(f->stack_level_kw);
	evnt_scope_free(f->scope);
	while (f->count)
		kfree(f->given[--f->count].data);
	kfree(f);
}
