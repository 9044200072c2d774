// SPDX-License-Identifier: MIT
/* Loads the manifests that events of the module refer to */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <linux/evntprov.h>

#include "core/self_layout.h"
#include "tdh/event_metadata.h"
#include "tools/evnt.h"
#include "tools/events/fields.h"
#include "decode/format.h"
#include "tools/events/manifest_events.h"
#include "tools/common/win32.h"

/* Maximum number of different manifest events; further ones are ignored */
#define MAX_TRIED	4096

/* Events already processed, whose repetitions are skipped */
static struct tried {
	struct tried *next;
	size_t len;
	char data[];
} *all;

static unsigned int count;

static bool is_new(const EVENT_RECORD *record)
{
	const size_t len = record->UserDataLength;
	struct tried *t;

	for (t = all; t; t = t->next) {
		if (t->len == len && !memcmp(t->data, record->UserData, len))
			return false;
	}
	if (count++ >= MAX_TRIED)
		return false;
	t = must_have(malloc(sizeof(*t) + len));
	t->len = len;
	memcpy(t->data, record->UserData, len);
	t->next = all;
	all = t;
	return true;
}

/* Return whether a loaded or installed manifest describes the provider */
static bool is_described(const EVENT_RECORD *record)
{
	ULONG size = 0;
	GUID id;

	memcpy(&id, record->UserData, sizeof(id));
	return TdhEnumerateManifestProviderEvents(&id, NULL, &size) !=
	       ERROR_FILE_NOT_FOUND;
}

void description_take(const EVENT_RECORD *record)
{
	static const GUID id = EVENT_METADATA_PROVIDER;

	if (!memcmp(&record->EventHeader.ProviderId, &id, sizeof(id)) &&
	    !EvntLoadManifestFromEvent(record))
		fields_forget_unknown();
}

void reported_take(const EVENT_RECORD *record)
{
	const char *build;
	char *path;
	ULONG code;

	if (!is_new(record))
		return;
	code = EvntLoadManifestFromEvent(record);
	if (!code)
		fields_forget_unknown();
	if (!code || code == ERROR_NOT_FOUND ||
	    code == ERROR_EVT_INVALID_EVENT_DATA || is_described(record))
		return;
	/* The event is well-formed: a build and a path follow */
	build = (const char *)record->UserData +
		sizeof(struct evntprov_manifest);
	path = must_have(format_utf8_copy(build + strlen(build) + 1));
	if (code == ERROR_REVISION_MISMATCH)
		note("%s is another build than the one that was recorded: its"
		     " manifest is not used", path);
	else
		note("no manifest from %s: %s (error %u)", path,
		     win32_text(code), code);
	free(path);
}

void reported_free(void)
{
	struct tried *next;

	for (; all; all = next) {
		next = all->next;
		free(all);
	}
	count = 0;
}
