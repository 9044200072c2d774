/* SPDX-License-Identifier: MIT */
/*
 * A list of /dev/evntrace, however long: for the library, and for the tools,
 * which have no part in what it keeps to itself.
 */
#ifndef EVNT_DOOR_LIST_H
#define EVNT_DOOR_LIST_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/evntprov.h>

/* In an array of elements, as the module knows them.  Return: 0 or an errno. */
static inline int evnt_door_list_once(int door, __u32 what,
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
		if (ioctl(door, EVNTRACE_IOC_LIST, &list))
			return errno;
		if (list.count <= room)
			break;
	}
	/* Those that are filled in */
	*count = list.count < 65536 ? list.count : 65536;
	return 0;
}

/* Likewise, part by part.  Return: 0 or an errno. */
static inline int evnt_door_list_parts(int door, __u32 what,
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
		if (ioctl(door, EVNTRACE_IOC_LIST, &list)) {
			*count = 0;
			return errno;
		}
		*count += list.count;
	} while (list.count);
	return 0;
}

/* However many there are, where the module can: others tell 65,536 at most */
static inline int evnt_door_list_all(int door, __u32 what, size_t element_size,
				     void **elements, size_t *count)
{
	int err;

	if (what == EVNTRACE_LIST_REGISTRATIONS ||
	    what == EVNTRACE_LIST_ENABLEMENTS) {
		err = evnt_door_list_parts(door, what, element_size, elements,
					   count);
		if (err != EINVAL && err != E2BIG)
			return err;
		free(*elements);
	}
	return evnt_door_list_once(door, what, element_size, elements, count);
}

/* What an element has behind @size is zero, in an array of those that have not */
static inline int evnt_door_list_widen(void **elements, size_t count,
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
 * evnt_door_list() - get a list
 * @door: the door's descriptor
 * @what: EVNTRACE_LIST_*
 * @element_size: of an element
 * @elements: out: an array, to be freed by the caller, also after a failure
 * @count: out: its elements; 0 after a failure
 *
 * The first modules take elements of their own size alone: of registrations, these
 * had no @denied_sessions, which is zero then.
 *
 * Return: 0 or an errno.
 */
static inline int evnt_door_list(int door, __u32 what, size_t element_size,
				 void **elements, size_t *count)
{
	const size_t first = offsetof(struct evntrace_registration,
				      denied_sessions);
	int err;

	err = evnt_door_list_all(door, what, element_size, elements, count);
	if (err != EINVAL || what != EVNTRACE_LIST_REGISTRATIONS)
		return err;
	free(*elements);
	err = evnt_door_list_once(door, what, first, elements, count);
	if (!err)
		err = evnt_door_list_widen(elements, *count, first,
					   element_size);
	if (err)
		*count = 0;
	return err;
}

#endif /* EVNT_DOOR_LIST_H */
