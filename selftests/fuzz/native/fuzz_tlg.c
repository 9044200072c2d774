// SPDX-License-Identifier: MIT
/*
 * Self-describing events: the input has the description's length in two bytes,
 * the description, and the payload.
 */
#include "decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	EVENT_HEADER_EXTENDED_DATA_ITEM item = {
		.ExtType = EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL,
	};
	EVENT_RECORD event = {
		.ExtendedData = &item,
		.ExtendedDataCount = 1,
	};
	BYTE *schema, *payload;
	USHORT len;

	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	if (size < 2 || size > 65535)
		return 0;
	memcpy(&len, data, sizeof(len));
	if (len > size)
		len = size;
	/* Separate allocations, so that reads beyond their ends are detected */
	schema = malloc(len ? len : 1);
	payload = malloc(size - len ? size - len : 1);
	if (!schema || !payload)
		goto out;
	memcpy(schema, data, len);
	memcpy(payload, data + len, size - len);
	item.DataSize = len;
	item.DataPtr = (uintptr_t)schema;
	event.UserData = payload;
	event.UserDataLength = size - len;
	event.EventHeader.Flags = size & 1 ? EVENT_HEADER_FLAG_32_BIT_HEADER :
					     EVENT_HEADER_FLAG_64_BIT_HEADER;
	decode(&event);
out:
	free(schema);
	free(payload);
	return 0;
}
