// SPDX-License-Identifier: MIT
/*
 * EVENT_TRACE_PROPERTIES from programs: with any sizes and offsets, no memory
 * beyond the structure is accessed.
 */
#include <stdint.h>
#include <stdlib.h>

#include "fuzz.h"
#include "lib/base/properties.h"

static void use(EVENT_TRACE_PROPERTIES *p, const void *name, bool wide)
{
	static const struct evntrace_session info = { .handle = 1 };
	struct evnt_session_names names = { NULL, NULL };

	if (evnt_properties_check_offsets(p))
		return;
	if (!evnt_properties_check(p, name, wide) &&
	    !evnt_names_get(&names, p, name, wide)) {
		evnt_properties_fill(p, &info);
		evnt_properties_put_name(p, p->LoggerNameOffset, names.session,
					 wide);
		if (names.log)
			evnt_properties_put_name(p, p->LogFileNameOffset,
						 names.log, wide);
	}
	evnt_names_free(&names);
}

/* Make pointers valid unless NULL, as they cannot be checked */
static void point(EVENT_TRACE_PROPERTIES *p)
{
	static EVENT_FILTER_DESCRIPTOR filters[MAX_EVENT_FILTERS_COUNT];
	EVENT_TRACE_PROPERTIES_V2 *v2 = (EVENT_TRACE_PROPERTIES_V2 *)p;

	if (p->Wnode.BufferSize >= sizeof(*v2) && v2->FilterDesc)
		v2->FilterDesc = filters;
}

/* The input: wide or not, length of the name, the name, the structure */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	EVENT_TRACE_PROPERTIES *p;
	WCHAR name[1025] = {};
	size_t room, len;
	bool wide;

	if (size < 3)
		return 0;
	wide = data[0] & 1;
	len = data[1] | (data[2] & 7) << 8;
	data += 3;
	size -= 3;
	if (len > size)
		len = size;
	memcpy(name, data, len);
	room = size - len;
	/* BufferSize must not exceed the real size */
	if (room < sizeof(p->Wnode.BufferSize))
		return 0;
	p = malloc(room);
	if (!p)
		return 0;
	memcpy(p, data + len, room);
	if (p->Wnode.BufferSize > room)
		p->Wnode.BufferSize = room;
	point(p);
	use(p, name, wide);
	free(p);
	return 0;
}
