/* SPDX-License-Identifier: MIT */
/*
 * What Windows' compiler makes of a manifest: a resource of the kind
 * WEVT_TEMPLATE, which decoders read, and a table of messages.
 *
 * The resource begins with CRIM, its providers' GUIDs, and where the WEVT of each
 * is; that says where its lists are.  Everything is little-endian; offsets are
 * from the resource's start.
 */
#ifndef TDH_WEVT_H
#define TDH_WEVT_H

#include "model.h"

#define TAG(a, b, c, d) \
	((u32)(a) | (u32)(b) << 8 | (u32)(c) << 16 | (u32)(d) << 24)

#define TAG_CRIM	TAG('C', 'R', 'I', 'M')
#define TAG_WEVT	TAG('W', 'E', 'V', 'T')

/* Kinds of a provider's lists */
enum wevt_list {
	WEVT_LEVELS = 0,
	WEVT_TASKS = 1,
	WEVT_OPCODES = 2,
	WEVT_KEYWORDS = 3,
	WEVT_EVENTS = 4,
	WEVT_CHANNELS = 5,
	WEVT_MAPS = 6,
	WEVT_TEMPLATES = 7,
	WEVT_FILTERS = 9,
	WEVT_EVENT_ATTRIBUTES = 12,
	WEVT_PROVIDER_ATTRIBUTES = 13,
};

/* Flags of a property */
#define WEVT_STRUCT		0x01
#define WEVT_FIXED_LENGTH	0x02
#define WEVT_FIELD_LENGTH	0x04
#define WEVT_FIXED_COUNT	0x08
#define WEVT_FIELD_COUNT	0x10

/* A channel that was declared elsewhere */
#define WEVT_IMPORTED		1

/* What an attribute of a provider, or of an event, is */
#define WEVT_PROVIDER_NAME	0x10000001u
#define WEVT_CONTROL_GUID	0x20000001u
#define WEVT_GROUP_GUID		0x20000002u
#define WEVT_EVENT_NAME		0x11
#define WEVT_EVENT_ATTRIBUTE	0x12

/*
 * Writes a manifest whose messages have numbers.  @version is 5, or 3 as Windows'
 * kits before 10.0.16299 wrote, without attributes.
 */
void wevt_write(struct bytes *b, struct manifest *m, unsigned int version);

/* The messages of one language */
void messages_write(struct bytes *b, const struct manifest *m,
		    unsigned int culture);

/* binxml.c: an event's XML, as its template holds it, and the template's id */
void binxml_write(struct bytes *b, const struct template *t);
void binxml_template_id(const struct template *t, GUID *id);

/*
 * Reads the resource, and where there are any the tables of messages that its
 * numbers are in.  Nothing of them is trusted.  Returns NULL when it is none, or
 * when there is no memory.
 */
struct manifest *wevt_read(const void *data, size_t len);
bool messages_read(struct manifest *m, const char *culture, const void *data,
		   size_t len);

#endif /* TDH_WEVT_H */
