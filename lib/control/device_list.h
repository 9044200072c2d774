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
#include <string.h>
#include <sys/ioctl.h>

#include <linux/evntprov.h>

/* Query a list in one call, growing the array as needed; 0 or an errno */
static inline int evnt_device_list_once(int device, __u32 what,
					size_t element_size, void **elements,
					size_t *count)
{
	struct evntrace_list list = {
		.size = sizeof(list),
		.what = what,
		.element_size = element_size,
	};
	size_t room = 64;

	*elements = NULL;
	*count = 0;
	for (;; room = list.count + 64) {
		void *grown = realloc(*elements, room * element_size);

		if (!grown)
			return ENOMEM;
		*elements = grown;
		list.elements = (uintptr_t)grown;
		list.count = room;
		if (ioctl(device, EVNTRACE_IOC_LIST, &list))
			return errno;
		if (list.count <= room)
			break;
	}
	/* Number of elements filled in, which the module limits */
	*count = list.count < 65536 ? list.count : 65536;
	return 0;
}

/* Query a list in parts; 0 or an errno */
static inline int evnt_device_list_parts(int device, __u32 what,
					 size_t element_size, void **elements,
					 size_t *count)
{
	struct evntrace_list list = {
		.size = sizeof(list),
		.flags = EVNTRACE_LIST_PART,
		.what = what,
		.element_size = element_size,
	};
	size_t room;
	char *grown;

	*elements = NULL;
	*count = 0;
	do {
		room = 2 * *count + 64;
		grown = realloc(*elements, room * element_size);
		if (!grown) {
			*count = 0;
			return ENOMEM;
		}
		*elements = grown;
		list.elements = (uintptr_t)(grown + *count * element_size);
		list.count = room - *count;
		if (ioctl(device, EVNTRACE_IOC_LIST, &list)) {
			*count = 0;
			return errno;
		}
		*count += list.count;
	} while (list.count);
	return 0;
}

/* Query a whole list; modules that cannot do parts return 65,536 at most */
static inline int evnt_device_list_all(int device, __u32 what,
				       size_t element_size, void **elements,
				       size_t *count)
{
	int err;

	if (what == EVNTRACE_LIST_REGISTRATIONS ||
	    what == EVNTRACE_LIST_ENABLEMENTS) {
		err = evnt_device_list_parts(device, what, element_size,
					     elements, count);
		if (err != EINVAL && err != E2BIG)
			return err;
		free(*elements);
	}
	return evnt_device_list_once(device, what, element_size, elements,
				     count);
}

/* Widen elements from @size to @element_size bytes, filled with zeros */
static inline int evnt_device_list_widen(void **elements, size_t count,
					 size_t size, size_t element_size)
{
	char *wide = realloc(*elements, (count + 1) * element_size);

	if (!wide)
		return ENOMEM;
	*elements = wide;
	while (count--) {
		memmove(wide + count * element_size, wide + count * size, size);
		memset(wide + count * element_size + size, 0,
		       element_size - size);
	}
	return 0;
}

/**
 * evnt_device_list() - query a list
 * @device: descriptor of /dev/evntrace
 * @what: EVNTRACE_LIST_*
 * @element_size: size of an element in bytes
 * @elements: out: array, which the caller frees, also after a failure
 * @count: out: number of elements; 0 after a failure
 *
 * The first modules accept their own element size only.  Their registrations
 * have no denied_sessions, which is zero then.
 *
 * Return: 0 or an errno.
 */
static inline int evnt_device_list(int device, __u32 what, size_t element_size,
				   void **elements, size_t *count)
{
	const size_t first = offsetof(struct evntrace_registration,
				      denied_sessions);
	int err;

	err = evnt_device_list_all(device, what, element_size, elements, count);
	if (err != EINVAL || what != EVNTRACE_LIST_REGISTRATIONS)
		return err;
	free(*elements);
	err = evnt_device_list_once(device, what, first, elements, count);
	if (!err)
		err = evnt_device_list_widen(elements, *count, first,
					     element_size);
	if (err)
		*count = 0;
	return err;
}

#endif /* EVNT_DEVICE_LIST_H */
