// SPDX-License-Identifier: MIT
/*
 * Manifests named by events of the module in a log or session.
 */
#include <stddef.h>

#include <linux/evntprov.h>

#include "core/self_layout.h"
#include "evnttdh.h"
#include "tdh/event_metadata.h"
#include "tdh/store.h"

static bool reports(const EVENT_RECORD *event)
{
	static const struct evntprov_guid id = EVNTPROV_IMAGES_PROVIDER;
	const EVENT_HEADER *h = &event->EventHeader;

	return !memcmp(&h->ProviderId, &id, sizeof(id)) &&
	       !h->EventDescriptor.Id && !h->EventDescriptor.Version &&
	       h->EventDescriptor.Opcode == EVNTPROV_MANIFEST_OPCODE;
}

/* Return the string at *@from and advance *@from past it, or NULL */
static const char *take_text(const char **from, const char *end)
{
	const char *text = *from, *nul = memchr(text, 0, end - text);

	*from = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

/**
 * EvntLoadManifestFromEvent() - load the manifest or description that an event
 *	names or contains
 * @Event: any event
 *
 * Events of the provider Microsoft-Windows-EventMetadata in merged logs contain
 * descriptions of events and maps, which are used for events that no manifest
 * describes.
 *
 * The event Manifest of the provider Evntprov-Images, see evntprov(7), names
 * the program or library that contains a provider's manifest.  If that file
 * still exists with the same build id, the manifest is loaded from it and used
 * only for this provider.  It overrides a manifest in the system's folders, but
 * not a manifest that the program loaded.  A file that is loaded already is not
 * read again.  Only regular files are opened.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL; ERROR_NOT_FOUND for
 * another event; ERROR_EVT_INVALID_EVENT_DATA if the event is malformed or the
 * path is not absolute; ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND,
 * ERROR_ACCESS_DENIED or ERROR_BAD_PATHNAME if the file cannot be read;
 * ERROR_REVISION_MISMATCH if its build id differs;
 * ERROR_RESOURCE_TYPE_NOT_FOUND if it does not contain the provider's manifest;
 * ERROR_FILE_CORRUPT if its manifest is malformed; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS EvntLoadManifestFromEvent(PCEVENT_RECORD Event)
{
	const char *from, *end;
	struct reported t;

	if (!Event)
		return ERROR_INVALID_PARAMETER;
	if (is_metadata(Event))
		return metadata_load(Event);
	if (!reports(Event))
		return ERROR_NOT_FOUND;
	if (Event->UserDataLength < sizeof(struct evntprov_manifest))
		return ERROR_EVT_INVALID_EVENT_DATA;
	from = Event->UserData;
	end = from + Event->UserDataLength;
	memcpy(&t.provider, from, sizeof(t.provider));
	from += sizeof(struct evntprov_manifest);
	t.build = take_text(&from, end);
	t.path = take_text(&from, end);
	if (!t.build || !t.path || *t.path != '/')
		return ERROR_EVT_INVALID_EVENT_DATA;
	return store_load_reported(&t);
}
