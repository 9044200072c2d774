// SPDX-License-Identifier: MIT
/*
 * Trace message format files: the input up to a nul is the file, the rest is the
 * payload of its first events.
 */
#include "decode.h"
#include "tdh/tmf.h"

#define MAX_EVENTS	8

static void decode_events(const struct provider *p, const uint8_t *data,
			  size_t size)
{
	EVENT_RECORD event = { .UserDataLength = size > 65535 ? 65535 : size };
	int count = 0;

	event.EventHeader.ProviderId = p->guid;
	event.EventHeader.Flags = EVENT_HEADER_FLAG_TRACE_MESSAGE |
				  EVENT_HEADER_FLAG_64_BIT_HEADER;
	event.UserData = malloc(event.UserDataLength + 1);
	if (!event.UserData)
		return;
	memcpy(event.UserData, data, event.UserDataLength);
	for (const struct event *e = p->events; e && count++ < MAX_EVENTS;
	     e = e->next) {
		event.EventHeader.EventDescriptor.Id = e->descriptor.Id;
		decode(&event);
	}
	free(event.UserData);
}

static void report_tmf(const struct problem *problem, void *context)
{
	check(problem->text && *problem->text && problem->line);
	++*(unsigned int *)context;
}

static void count_guid(const GUID *guid, void *context)
{
	(void)guid;
	++*(unsigned int *)context;
}

static void read_tmf(const uint8_t *data, size_t len, const uint8_t *payload,
		     size_t size)
{
	unsigned int problems = 0, guids = 0, providers = 0;
	struct manifest *m;
	char *text;

	if (!is_tmf(data, len))
		return;
	m = tmf_parse("input", data, len, report_tmf, &problems);
	if (!m)
		return;
	if (!TdhLoadManifestFromMemory(data, len)) {
		for (const struct provider *p = m->providers; p; p = p->next) {
			decode_events(p, payload, size);
			providers++;
		}
		TdhUnloadManifestFromMemory(data, len);
	}
	manifest_free(m);
	text = strndup((const char *)data, len);
	tmf_guids(text, count_guid, &guids);
	/* UTF-16 is converted before */
	check(data[0] >= 0x80 || guids >= providers);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = strnlen((const char *)data, size);
	size_t skip = len < size ? len + 1 : len;

	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	if (len)
		read_tmf(data, len, data + skip, size - skip);
	return 0;
}
