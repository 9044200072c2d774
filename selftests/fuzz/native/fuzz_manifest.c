// SPDX-License-Identifier: MIT
/*
 * Manifests, as XML and compiled, and payloads that they describe: an accepted
 * manifest is compiled, the result is read again, and each event decodes the
 * input.
 */
#include "decode.h"
#include "tdh/wevt.h"

/* Decode events of a provider, with the input as their payload */
static void decode_events(const struct provider *p, const uint8_t *data,
			  size_t size)
{
	EVENT_RECORD event = { .UserDataLength = size > 65535 ? 65535 : size };
	unsigned int count = 0;

	event.EventHeader.ProviderId = p->guid;
	event.EventHeader.Flags = EVENT_HEADER_FLAG_64_BIT_HEADER;
	event.UserData = malloc(event.UserDataLength + 1);
	if (!event.UserData)
		return;
	memcpy(event.UserData, data, event.UserDataLength);
	for (const struct event *e = p->events; e && count < 16; e = e->next) {
		event.EventHeader.EventDescriptor = e->descriptor;
		decode(&event);
		count++;
	}
	free(event.UserData);
}

static void use(struct manifest *m, const uint8_t *data, size_t size)
{
	struct bytes b = { 0 };
	struct manifest *again;

	manifest_number_messages(m);
	messages_write(&b, m, 0);
	bytes_free(&b);
	wevt_write(&b, m, 5);
	again = b.failed ? NULL : wevt_read(b.data, b.len);
	/* The reader accepts the writer's output */
	check(again || b.failed || b.len > 65536);
	manifest_free(again);
	bytes_free(&b);
	for (const struct provider *p = m->providers; p; p = p->next)
		decode_events(p, data, size);
}

static void report(const struct problem *problem, void *context)
{
	check(problem->text && *problem->text && problem->file);
	++*(unsigned int *)context;
}

static void read_xml(const uint8_t *data, size_t size)
{
	unsigned int problems = 0;
	struct manifest *m = manifest_parse("input", data, size, report,
					    &problems);

	/* Either a result or problems */
	check(m ? !problems : problems);
	if (!m)
		return;
	if (!TdhLoadManifestFromMemory(data, size)) {
		use(m, data, size);
		TdhUnloadManifestFromMemory(data, size);
	}
	manifest_free(m);
}

/* As published: what remains of the manifest decodes events */
static void read_lenient(const uint8_t *data, size_t size)
{
	unsigned int problems = 0;
	struct manifest *m = manifest_parse_lenient("input", data, size, report,
						    &problems);

	check(m || problems);
	if (!m || !problems)
		goto out;
	check(m->providers);
	if (!TdhLoadManifestFromMemory(data, size)) {
		for (const struct provider *p = m->providers; p; p = p->next)
			decode_events(p, data, size);
		TdhUnloadManifestFromMemory(data, size);
	}
out:
	manifest_free(m);
}

static void read_compiled(const uint8_t *data, size_t size)
{
	struct manifest *m = wevt_read(data, size);

	if (!m)
		return;
	messages_read(m, "en-US", data, size);
	manifest_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	if (size >= 4 && !memcmp(data, "CRIM", 4)) {
		read_compiled(data, size);
	} else if (size) {
		read_xml(data, size);
		read_lenient(data, size);
	}
	return 0;
}
