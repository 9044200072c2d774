/* SPDX-License-Identifier: MIT */
/* Filters of an enabled provider, in the syntax of evnt-enable(1) */
#ifndef EVNT_FILTER_TEXT_H
#define EVNT_FILTER_TEXT_H

#include "tools/common/json.h"
#include "tools/session/control.h"

/**
 * struct filter_list - the filters of one provider in a session
 * @data: sequence of struct evntrace_filter, each with its data
 * @len: size of @data in bytes
 */
struct filter_list {
	void *data;
	size_t len;
};

/*
 * Query the filters of an enablement. The caller frees @list->data; the list is
 * empty after an error.
 */
void filters_list(int device, const struct evntrace_enablement *enablement,
		  struct filter_list *list);

/*
 * Return the filter at offset *@at, initially 0, and advance *@at. Return NULL
 * at the end of the list.
 */
const struct evntrace_filter *
filter_info_next(const struct filter_list *list, size_t *at);

/*
 * Return a filter's name, as in an option, and its value for the caller to free
 */
const char *filter_text(const struct evntrace_filter *info, char **value);

/*
 * Like filter_info_next(), but return the filter's name, as in an option, and
 * its value for the caller to free
 */
const char *filter_next(const struct filter_list *list, size_t *at,
			char **value);

/* Return an array of JSON objects with name and value */
json_object *filters_array(int device,
			   const struct evntrace_enablement *enablement);

#endif /* EVNT_FILTER_TEXT_H */
