// SPDX-License-Identifier: MIT
/*
 * Filters that a provider applies itself: the FilterData of its callback.
 */
#include <stdlib.h>
#include <sys/ioctl.h>

#include "evntrace.h"
#include "lib/provider/registration.h"

_Static_assert(sizeof(EVENT_FILTER_HEADER) ==
	       sizeof(struct evntprov_filter_header) &&
	       offsetof(EVENT_FILTER_HEADER, InstanceId) ==
	       offsetof(struct evntprov_filter_header, session) &&
	       offsetof(EVENT_FILTER_HEADER, NextOffset) ==
	       offsetof(struct evntprov_filter_header, next_offset) &&
	       EVNTRACE_FILTER_SCHEMATIZED == EVENT_FILTER_TYPE_SCHEMATIZED,
	       "the ABI's header is EVENT_FILTER_HEADER");

/**
 * evnt_filter_data() - get the FilterData for a registration's callback
 * @handle: the registration
 * @control: control code for the callback, EVENT_CONTROL_CODE_*
 * @d: filled in if there is data
 *
 * Called without evnt_lib_lock.  If sessions change the data at the same time,
 * the callback will run again.
 *
 * Return: data that @d points to, freed by the caller, or NULL.
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
		if (ioctl(evnt_device_fd(), EVNTPROV_IOC_FILTER_DATA, &arg))
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
