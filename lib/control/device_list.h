/* SPDX-License-Identifier: MIT */
/*
 * Lists of /dev/evntrace of any length, for the library and for the tools,
 * which cannot use the library's internal functions.
 */
#ifndef EVNT_DEVICE_LIST_H
#define EVNT_DEVICE_LIST_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <linux/evntrace.h>

/* Query a list in one call, growing the array as needed; 0 or an errno */
static inline int evnt_device_list_once(int device, struct evntrace_list *list,
					void **elements, size_t *count)
{
	size_t room = 64;

	*elements = NULL;
	*count = 0;
	for (;; room = list->count + 64) {
		void *grown = realloc(*elements, room * list->element_size);

		if (!grown)
			return ENOMEM;
		*elements = grown;
		list->elements = (uintptr_t)grown;
		list->count = room;
		if (ioctl(device, EVNTRACE_IOC_LIST, list))
			return errno;
		if (list->count <= room)
			break;
	}
	/* Number of elements filled in, which the module limits */
	*count = list->count < 65536 ? list->count : 65536;
	return 0;
}

/* Query a list in parts; 0 or an errno */
static inline int evnt_device_list_parts(int device, struct evntrace_list *list,
					 void **elements, size_t *count)
{
	size_t room;
	char *grown;

	list->flags = EVNTRACE_LIST_PART;
	*elements = NULL;
	*count = 0;
	do {
		room = 2 * *count + 64;
		grown = realloc(*elements, room * list->element_size);
		if (!grown) {
			*count = 0;
			return ENOMEM;
		}
		*elements = grown;
		list->elements = (uintptr_t)(grown +
					     *count * list->element_size);
		list->count = room - *count;
		if (ioctl(device, EVNTRACE_IOC_LIST, list)) {
			*count = 0;
			return errno;
		}
		*count += list->count;
	} while (list->count);
	return 0;
}

/**
 * evnt_device_list() - query a list
 * @device: descriptor of /dev/evntrace
 * @kind: EVNTRACE_LIST_*
 * @element_size: size of an element in bytes
 * @elements: out: array, which the caller frees, also after a failure
 * @count: out: number of elements; 0 after a failure
 *
 * Return: 0 or an errno.
 */
static inline int evnt_device_list(int device, __u32 kind, size_t element_size,
				   void **elements, size_t *count)
{
	struct evntrace_list list = {
		.size = sizeof(list),
		.kind = kind,
		.element_size = element_size,
	};

	if (kind == EVNTRACE_LIST_REGISTRATIONS ||
	    kind == EVNTRACE_LIST_ENABLEMENTS)
		return evnt_device_list_parts(device, &list, elements, count);
	return evnt_device_list_once(device, &list, elements, count);
}

#endif /* EVNT_DEVICE_LIST_H */
