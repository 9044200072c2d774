// SPDX-License-Identifier: MIT
/* Messages of WPP in debug information of Windows, and events they describe */
#include "decode.h"
#include "tdh/pdb.h"
#include "tdh/tmf.h"

#define MAX_EVENTS	8

static const uint8_t payload[64] = { 1, 0, 0, 0, 'a', 0, 'b', 0, 2 };

static void decode_events(const struct provider *p)
{
	EVENT_RECORD event = { .UserData = (void *)payload,
			       .UserDataLength = sizeof(payload) };
	int count = 0;

	event.EventHeader.ProviderId = p->guid;
	event.EventHeader.Flags = EVENT_HEADER_FLAG_TRACE_MESSAGE |
				  EVENT_HEADER_FLAG_64_BIT_HEADER;
	for (const struct event *e = p->events; e && count++ < MAX_EVENTS;
	     e = e->next) {
		event.EventHeader.EventDescriptor.Id = e->descriptor.Id;
		decode(&event);
	}
}

/* Messages that are found must be the same ones when the file is loaded */
static void load(const uint8_t *data, size_t size, const struct bytes *text)
{
	struct manifest *m = tmf_parse("input", text->data, text->len, NULL,
				       NULL);
	ULONG code = TdhLoadManifestFromMemory(data, size);

	check(m ? !code : code == ERROR_XML_PARSE_ERROR);
	if (!m)
		return;
	for (const struct provider *p = m->providers; p; p = p->next)
		decode_events(p);
	TdhUnloadManifestFromMemory(data, size);
	manifest_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes text = { 0 };

	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	pdb_messages(&text, data, size);
	/* Streams may overlap, but their total is limited */
	check(!text.failed && text.len <= 4 * size);
	check(!text.len || text.data[text.len - 1] == '\n');
	if (text.len)
		load(data, size, &text);
	bytes_free(&text);
	return 0;
}
