// SPDX-License-Identifier: MIT
/*
 * Compiled filters of private sessions.
 *
 * Filters that select processes are not supported, since a private session sees
 * only one process.
 */
#include "evntcons.h"
#include "lib/private/private.h"

static int create_ids(struct evnt_private_filters *f, const void *from, u32 len)
{
	return f->ids ? -EINVAL : evnt_ids_create(&f->ids, from, len);
}

static int create_names(struct evnt_private_filters *f, const void *from,
			u32 len)
{
	return f->names ? -EINVAL : evnt_names_create(&f->names, from, len);
}

static int create_program(struct evnt_private_filters *f, const void *from,
			  u32 len)
{
	return f->program ? -EINVAL :
			    evnt_program_create(&f->program, from, len);
}

static int create_stack_ids(struct evnt_private_filters *f, const void *from,
			    u32 len)
{
	return f->stack_ids ? -EINVAL :
			      evnt_ids_create(&f->stack_ids, from, len);
}

static int create_stack_names(struct evnt_private_filters *f, const void *from,
			      u32 len)
{
	return f->stack_names ? -EINVAL :
				evnt_names_create(&f->stack_names, from, len);
}

static int create_stack_level_kw(struct evnt_private_filters *f,
				 const void *from, u32 len)
{
	return f->stack_level_kw ? -EINVAL :
		evnt_level_kw_create(&f->stack_level_kw, from, len);
}

static const struct private_filter_type {
	u32 type;
	u32 max_len;
	int (*create)(struct evnt_private_filters *f, const void *from,
		      u32 len);
} types[] = {
	{ EVNTRACE_FILTER_EVENT_ID, EVNTRACE_MAX_FILTER_SIZE, create_ids },
	{ EVNTRACE_FILTER_EVENT_NAME, EVNTRACE_MAX_FILTER_NAMES_SIZE,
	  create_names },
	{ EVNTRACE_FILTER_PAYLOAD, EVNTRACE_MAX_PROGRAM_SIZE, create_program },
	{ EVNTRACE_FILTER_STACKWALK, EVNTRACE_MAX_FILTER_SIZE,
	  create_stack_ids },
	{ EVNTRACE_FILTER_STACKWALK_NAME, EVNTRACE_MAX_FILTER_NAMES_SIZE,
	  create_stack_names },
	{ EVNTRACE_FILTER_STACKWALK_LEVEL_KW, EVNTRACE_MAX_FILTER_SIZE,
	  create_stack_level_kw },
};

static ULONG add(struct evnt_private_filters *f,
		 const struct evntrace_filter *from)
{
	const struct private_filter_type *type = types;
	const struct private_filter_type *end = type + EVNT_ARRAY_SIZE(types);
	void *copy;
	int err;

	while (type < end && type->type != from->type)
		type++;
	if (type == end)
		return ERROR_NOT_SUPPORTED;
	if (!from->ptr || !from->len || from->len > type->max_len)
		return ERROR_INVALID_PARAMETER;
	/* The filter functions need aligned data */
	copy = evnt_alloc(from->len);
	if (!copy)
		return ERROR_NOT_ENOUGH_MEMORY;
	memcpy(copy, (const void *)(uintptr_t)from->ptr, from->len);
	err = type->create(f, copy, from->len);
	evnt_free(copy);
	return evnt_win32(-err);
}

/**
 * evnt_private_filters_create() - compile the filters of an enablement
 * @f: zeroed; filled in
 * @arg: enable request
 *
 * Return: ERROR_SUCCESS; ERROR_NOT_SUPPORTED for an unknown filter type;
 * ERROR_INVALID_PARAMETER for a filter that is malformed, too long or
 * duplicate; ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG evnt_private_filters_create(struct evnt_private_filters *f,
				  const struct evntrace_enable *arg)
{
	const struct evntrace_filter *from =
		(const void *)(uintptr_t)arg->filters;
	ULONG code = ERROR_SUCCESS;
	u32 i;

	for (i = 0; i < arg->filter_count && !code; i++)
		code = add(f, &from[i]);
	if (code)
		evnt_private_filters_destroy(f);
	return code;
}

void evnt_private_filters_destroy(struct evnt_private_filters *f)
{
	evnt_free(f->ids);
	evnt_free(f->names);
	evnt_free(f->program);
	evnt_free(f->stack_ids);
	evnt_free(f->stack_names);
	evnt_free(f->stack_level_kw);
	*f = (struct evnt_private_filters) {};
}
