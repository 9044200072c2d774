// SPDX-License-Identifier: MIT
/*
 * Events of Windows' kernel: the input has the number of a layout in a byte, the
 * number of one of its types, the version in another byte, the size of pointers
 * in a third, and the payload.
 */
#include "decode.h"
#include "tdh/kernel_classes.h"

/* Return the number of type @which of a layout, which are NUMBER NAME,... */
static int type_of(const char *types, unsigned int which)
{
	const char *at = types;

	while (which-- && (at = strchr(at, ',')))
		at++;
	return atoi(at ? at : types);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct kernel_layout *layout;
	EVENT_RECORD event = {};
	ULONG info = 0;

	if (size < 4)
		return 0;
	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	layout = &kernel_layouts[data[0] % kernel_layout_count];
	event.EventHeader.ProviderId = kernel_classes[layout->class].guid;
	event.EventHeader.Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER |
				  (data[3] & 1 ? EVENT_HEADER_FLAG_32_BIT_HEADER :
						 EVENT_HEADER_FLAG_64_BIT_HEADER);
	event.EventHeader.EventDescriptor.Opcode = type_of(layout->types, data[1]);
	event.EventHeader.EventDescriptor.Version = data[2] < layout->first ||
						    data[2] > layout->last ?
						    layout->last : data[2];
	/* Each type of each layout has a description */
	check(TdhGetEventInformation(&event, 0, NULL, NULL, &info) ==
	      ERROR_INSUFFICIENT_BUFFER);
	event.UserDataLength = size - 4 > 65535 ? 65535 : size - 4;
	event.UserData = malloc(event.UserDataLength + 1);
	if (!event.UserData)
		return 0;
	memcpy(event.UserData, data + 4, event.UserDataLength);
	decode(&event);
	free(event.UserData);
	return 0;
}
