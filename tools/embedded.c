// SPDX-License-Identifier: MIT
/*
 * Manifests that providers write into the log themselves.
 *
 * They are in events of id and task 65534, in pieces: a byte for the form, which is
 * 1, the version in two, a magic byte, how many pieces there are, which one this is,
 * each in two, then the text.  Pieces of a provider come in order; one that does
 * not fit ends what was begun.
 */
#include <stdlib.h>
#include <string.h>

#include "embedded.h"
#include "fields.h"

#define MANIFEST_ID	0xfffe
#define HEAD		8
#define FORM_XML	1
#define MAGIC		0x5b

/* More than any provider has */
#define MAX_LEN		(16u << 20)

/**
 * struct pending - what has come of a manifest
 * @next: of another provider
 * @provider: whose
 * @text: so far, @len bytes
 * @pieces: that there are to be
 * @seen: that came
 */
struct pending {
	struct pending *next;
	GUID provider;
	char *text;
	size_t len;
	unsigned int pieces;
	unsigned int seen;
};

static struct pending *all;

static bool is_piece(const EVENT_RECORD *record)
{
	const EVENT_DESCRIPTOR *d = &record->EventHeader.EventDescriptor;
	const unsigned char *data = record->UserData;

	return d->Id == MANIFEST_ID && d->Task == MANIFEST_ID &&
	       record->UserDataLength > HEAD && data[0] == FORM_XML &&
	       data[3] == MAGIC;
}

static struct pending *pending_of(const GUID *provider)
{
	struct pending *p;

	for (p = all; p; p = p->next) {
		if (!memcmp(&p->provider, provider, sizeof(*provider)))
			return p;
	}
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->provider = *provider;
	p->next = all;
	all = p;
	return p;
}

static void begin_again(struct pending *p)
{
	free(p->text);
	p->text = NULL;
	p->len = 0;
	p->seen = 0;
}

static bool add_text(struct pending *p, const unsigned char *text, size_t len)
{
	char *more;

	if (len > MAX_LEN - p->len)
		return false;
	more = realloc(p->text, p->len + len);
	if (!more)
		return false;
	memcpy(more + p->len, text, len);
	p->text = more;
	p->len += len;
	return true;
}

void embedded_take(const EVENT_RECORD *record)
{
	const unsigned char *data = record->UserData;
	unsigned int pieces, number;
	struct pending *p;

	if (!is_piece(record))
		return;
	p = pending_of(&record->EventHeader.ProviderId);
	if (!p)
		return;
	pieces = data[4] | data[5] << 8;
	number = data[6] | data[7] << 8;
	if (!number || number != p->seen || pieces != p->pieces)
		begin_again(p);
	p->pieces = pieces;
	if (number != p->seen ||
	    !add_text(p, data + HEAD, record->UserDataLength - HEAD)) {
		begin_again(p);
		return;
	}
	if (++p->seen < pieces)
		return;
	if (!TdhLoadManifestFromMemory(p->text, p->len))
		fields_forget_unknown();
	begin_again(p);
}

void embedded_free(void)
{
	while (all) {
		struct pending *p = all;

		all = p->next;
		free(p->text);
		free(p);
	}
}
