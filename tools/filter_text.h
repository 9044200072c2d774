/* SPDX-License-Identifier: MIT */
/* What a session has enabled a provider with, as evnt-enable(1) writes it. */
#ifndef EVNT_FILTER_TEXT_H
#define EVNT_FILTER_TEXT_H

#include "json.h"
#include "trace_door.h"

/**
 * struct filter_list - the filters of one provider of a session
 * @data: each a struct evntrace_filter_info and what it is made of
 * @len: of @data, in bytes
 */
struct filter_list {
	void *data;
	size_t len;
};

/* @list->data is to be freed; it is empty when that fails */
void filters_list(int door, const struct evntrace_enablement *enablement,
		  struct filter_list *list);

/* The filter at *@at, from 0 on, which goes to the next.  NULL: there are no more. */
const struct evntrace_filter_info *
filter_info_next(const struct filter_list *list, size_t *at);

/* Its name, as of an option, and its value, to be freed */
const char *filter_text(const struct evntrace_filter_info *info, char **value);

/*
 * Both: the name of the filter at *@at, as of an option, and its value, to be freed;
 * *@at, from 0 on, goes to the next.  NULL: there are no more.
 */
const char *filter_next(const struct filter_list *list, size_t *at,
			char **value);

/* An array of objects with name and value */
json_object *filters_array(int door,
			   const struct evntrace_enablement *enablement);

#endif /* EVNT_FILTER_TEXT_H */
