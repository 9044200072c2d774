// SPDX-License-Identifier: MIT
/*
 * Manifests that providers write into the log themselves.
 *
 * They are split into pieces, in events with id and task 65534. The header of a
 * piece is: format (1 byte, value 1), version (2 bytes), magic (1 byte), number
 * of pieces (2 bytes), index of this piece (2 bytes). The text follows. The
 * pieces of a provider come in order; a piece out of order discards the
 * manifest begun.
 */
#include <stdlib.h>
#include <string.h>

#include <evnttdh.h>

#include "decode/embedded.h"

#define MANIFEST_ID	0xfffe
#define HEAD		8
#define FORM_XML	1
#define MAGIC		0x5b

/* Maximum size of a manifest, far above real ones */
#define MAX_LEN		(16u << 20)

/*
 * Maximum number of manifests loaded from a log, and of incomplete ones at a
 * time
 */
#define MAX_LOADED	1024
#define MAX_PENDING	1024

/**
 * struct pending - an incomplete manifest
 * @next: manifest of another provider
 * @provider: provider of the manifest
 * @text: text received so far, @len bytes
 * @pieces: total number of pieces
 * @seen: number of pieces received
 */
struct pending {
	struct pending *next;
	GUID provider;
	char *text;
	size_t len;
	unsigned int pieces;
	unsigned int seen;
};

static struct pending *pending_of(struct embedded *e, const GUID *provider)
{
	struct pending *p;

	for (p = e->pending; p; p = p->next) {
		if (!memcmp(&p->provider, provider, sizeof(*provider)))
			return p;
	}
	p = e->pending_count < MAX_PENDING ? calloc(1, sizeof(*p)) : NULL;
	if (!p)
		return NULL;
	p->provider = *provider;
	p->next = e->pending;
	e->pending = p;
	e->pending_count++;
	return p;
}

static void begin_again(struct pending *p)
{
	free(p->text);
	p->text = NULL;
	p->len = 0;
	p->seen = 0;
}

/*
 * Add a piece, or begin with the first piece of another manifest. Return true
 * if the manifest is complete.
 */
static bool add_piece(struct pending *p, const unsigned char *data, size_t len)
{
	unsigned int pieces = data[4] | data[5] << 8;
	unsigned int number = data[6] | data[7] << 8;
	char *more = NULL;

	if (!number || number != p->seen || pieces != p->pieces)
		begin_again(p);
	p->pieces = pieces;
	len -= HEAD;
	if (number == p->seen && len <= MAX_LEN - p->len)
		more = realloc(p->text, p->len + len);
	if (!more) {
		begin_again(p);
		return false;
	}
	memcpy(more + p->len, data + HEAD, len);
	p->text = more;
	p->len += len;
	return ++p->seen >= pieces;
}

/* Manifests of classic events, written in MOF, do not come in pieces */
static bool is_xml(const struct pending *p)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t at = 0;

	if (p->len >= 2 && !memcmp(p->text, "\xff\xfe", 2))
		return true;
	if (p->len >= 3 && !memcmp(p->text, mark, 3))
		at = 3;
	while (at < p->len && strchr(" \t\r\n", p->text[at]))
		at++;
	return at < p->len && p->text[at] == '<';
}

bool embedded_take(struct embedded *e, const EVENT_RECORD *record)
{
	const EVENT_DESCRIPTOR *d = &record->EventHeader.EventDescriptor;
	const unsigned char *data = record->UserData;
	struct pending *p, **at = &e->pending;
	bool loaded;

	if (d->Id != MANIFEST_ID || d->Task != MANIFEST_ID ||
	    record->UserDataLength <= HEAD || data[0] != FORM_XML ||
	    data[3] != MAGIC)
		return false;
	if (e->loaded == MAX_LOADED)
		return false;
	p = pending_of(e, &record->EventHeader.ProviderId);
	if (!p || !add_piece(p, data, record->UserDataLength))
		return false;
	e->loaded++;
	loaded = is_xml(p) && !TdhLoadManifestFromMemory(p->text, p->len);
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	e->pending_count--;
	free(p->text);
	free(p);
	return loaded;
}

void embedded_free(struct embedded *e)
{
	while (e->pending) {
		struct pending *p = e->pending;

		e->pending = p->next;
		free(p->text);
		free(p);
	}
}
