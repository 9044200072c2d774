// SPDX-License-Identifier: MIT
/*
 * Descriptions of classic events: the input up to a nul is the description, the
 * rest is the payload of events of each of its classes.
 */
#include "decode.h"
#include "tdh/mof.h"

static void decode_class(const struct mof_class *class, const uint8_t *data,
			 size_t size)
{
	const struct mof_qualifier *types = mof_qualifier(class->qualifiers,
							  "EventType");
	const struct mof_class *events = class;
	EVENT_RECORD event = { .UserDataLength = size > 65535 ? 65535 : size };
	const struct mof_value *type;
	int count = 0;

	while (events && !events->has_guid)
		events = events->base;
	if (!types || !events)
		return;
	event.EventHeader.ProviderId = events->guid;
	event.EventHeader.Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER |
				  EVENT_HEADER_FLAG_64_BIT_HEADER;
	event.UserData = malloc(event.UserDataLength + 1);
	if (!event.UserData)
		return;
	memcpy(event.UserData, data, event.UserDataLength);
	for (type = types->values; type && count < 4; type = type->next) {
		event.EventHeader.EventDescriptor.Opcode = type->number;
		event.EventHeader.EventDescriptor.Version = count++;
		decode(&event);
	}
	free(event.UserData);
}

static void report_mof(const struct problem *problem, void *context)
{
	check(problem->text && *problem->text && problem->line &&
	      problem->column);
	++*(unsigned int *)context;
}

static void read_mof(const uint8_t *data, size_t len, const uint8_t *payload,
		     size_t size)
{
	unsigned int problems = 0;
	struct manifest *m;

	if (!is_mof(data, len))
		return;
	m = mof_parse("input", data, len, report_mof, &problems);
	/* Either a result or one problem */
	check(m ? !problems : problems == 1);
	if (!m)
		return;
	if (!TdhLoadManifestFromMemory(data, len)) {
		for (const struct mof_class *c = m->classes; c; c = c->next)
			decode_class(c, payload, size);
		TdhUnloadManifestFromMemory(data, len);
	}
	manifest_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = strnlen((const char *)data, size);
	size_t skip = len < size ? len + 1 : len;

	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	if (len)
		read_mof(data, len, data + skip, size - skip);
	return 0;
}
