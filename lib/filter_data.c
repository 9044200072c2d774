// SPDX-License-Identifier: MIT
/*
 * What sessions want a provider to look at itself: the FilterData of its callback.
 */
#include <stdlib.h>
#include <sys/ioctl.h>

#include "evntrace.h"
#include "registration.h"

_Static_assert(sizeof(EVENT_FILTER_HEADER) ==
	       sizeof(struct evntprov_filter_header) &&
	       offsetof(EVENT_FILTER_HEADER, InstanceId) ==
	       offsetof(struct evntprov_filter_header, session) &&
	       offsetof(EVENT_FILTER_HEADER, NextOffset) ==
	       offsetof(struct evntprov_filter_header, next_offset) &&
	       EVNTRACE_FILTER_SCHEMATIZED == EVENT_FILTER_TYPE_SCHEMATIZED,
	       "the ABI's header is EVENT_FILTER_HEADER");

/**
 * evnt_filter_data() - what there is for a registration's callback
 * @handle: the registration
 * @control: what the callback is told, EVENT_CONTROL_CODE_*
 * @d: filled in, when there is something
 *
 * Without the lock: sessions may change it meanwhile, and have the callback run
 * again then.
 *
 * Return: what @d points to, to be freed, or NULL.
 */
void *evnt_filter_data(REGHANDLE handle, ULONG control,
		       EVENT_FILTER_DESCRIPTOR *d)
{
	struct evntprov_filter_data arg = {
		.size = sizeof(arg), .handle = handle,
	};
	void *data = NULL, *more;
	ULONG room;

	if (control == EVENT_CONTROL_CODE_CAPTURE_STATE)
		arg.flags = EVNTPROV_FILTER_DATA_CAPTURE;
	do {
		room = arg.len;
		more = room ? realloc(data, room) : NULL;
		if (room && !more)
			break;
		data = more;
		arg.buffer = (uintptr_t)data;
		if (ioctl(evnt_door_fd(), EVNTPROV_IOC_FILTER_DATA, &arg))
			arg.len = 0;
	} while (arg.len > room);
	if (!arg.len || arg.len > room) {
		free(data);
		return NULL;
	}
	*d = (EVENT_FILTER_DESCRIPTOR) {
		.Ptr = (uintptr_t)data, .Size = arg.len, .Type = arg.type,
	};
	return data;
}
