/* SPDX-License-Identifier: MIT */
/*
 * A list of /dev/evntrace, however long: for the library, and for the tools,
 * which have no part in what it keeps to itself.
 */
#ifndef EVNT_DOOR_LIST_H
#define EVNT_DOOR_LIST_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <linux/evntprov.h>

/**
 * evnt_door_list() - get a list
 * @door: the door's descriptor
 * @what: EVNTRACE_LIST_*
 * @element_size: of an element
 * @elements: out: an array, to be freed by the caller, also after a failure
 * @count: out: its elements; 0 after a failure
 *
 * Return: 0 or an errno.
 */
static inline int evnt_door_list(int door, __u32 what, size_t element_size,
				 void **elements, size_t *count)
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
		if (ioctl(door, EVNTRACE_IOC_LIST, &list))
			return errno;
		if (list.count <= room)
			break;
	}
	*count = list.count;
	return 0;
}

#endif /* EVNT_DOOR_LIST_H */
