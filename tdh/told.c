// SPDX-License-Identifier: MIT
/*
 * Manifests that a log, or a session, tells of: by events of the module.
 */
#include <stddef.h>

#include <linux/evntprov.h>

#include "evnttdh.h"
#include "store.h"

static bool tells(const EVENT_RECORD *event)
{
	static const struct evntprov_guid id = EVNTPROV_IMAGES_PROVIDER;
	const EVENT_HEADER *h = &event->EventHeader;

	return !memcmp(&h->ProviderId, &id, sizeof(id)) &&
	       !h->EventDescriptor.Id && !h->EventDescriptor.Version &&
	       h->EventDescriptor.Opcode == EVNTPROV_MANIFEST_OPCODE;
}

/* The string that begins at *@from, which then is behind it; or NULL */
static const char *take_text(const char **from, const char *end)
{
	const char *text = *from, *nul = memchr(text, 0, end - text);

	*from = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

static bool read_event(const EVENT_RECORD *event, struct told *t)
{
	const char *from = event->UserData;
	const char *end = from + event->UserDataLength;

	if (event->UserDataLength < sizeof(struct evntprov_manifest))
		return false;
	memcpy(&t->provider, from, sizeof(t->provider));
	from += sizeof(struct evntprov_manifest);
	t->build = take_text(&from, end);
	t->path = take_text(&from, end);
	return t->build && t->path && *t->path == '/';
}

/**
 * EvntLoadManifestFromEvent() - load the manifest that an event tells of
 * @Event: the event, which may be any
 *
 * The event Manifest of the provider Evntprov-Images, see evntprov(7), says which
 * program or library has the manifest of a provider in it.  If that file is there
 * still, and of the same build, the manifest is loaded from it, to decode the
 * provider's events, and no other's; in the place of one of the system's folders,
 * but not of one that somebody has loaded.  A file that is loaded is not read
 * again.  Only regular files are opened.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL; ERROR_NOT_FOUND when the
 * event is another one; ERROR_EVT_INVALID_EVENT_DATA when it is malformed, or the
 * path is not absolute; ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND,
 * ERROR_ACCESS_DENIED, ERROR_BAD_PATHNAME when the file cannot be read;
 * ERROR_REVISION_MISMATCH when it is another build; ERROR_RESOURCE_TYPE_NOT_FOUND
 * when the provider's manifest is not in it; ERROR_FILE_CORRUPT when what is in it
 * is malformed; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS EvntLoadManifestFromEvent(PCEVENT_RECORD Event)
{
	struct told t;

	if (!Event)
		return ERROR_INVALID_PARAMETER;
	if (!tells(Event))
		return ERROR_NOT_FOUND;
	if (!read_event(Event, &t))
		return ERROR_EVT_INVALID_EVENT_DATA;
	return store_load_told(&t);
}
