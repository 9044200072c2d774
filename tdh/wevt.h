/* SPDX-License-Identifier: MIT */
/*
 * Compiled form of a manifest: a resource of the kind WEVT_TEMPLATE, which
 * decoders read, and a message table.
 *
 * The resource begins with CRIM, the GUIDs of its providers, and the offset of
 * each provider's WEVT, which contains the offsets of its lists.  All numbers
 * are little-endian; offsets are relative to the start of the resource.
 */
#ifndef TDH_WEVT_H
#define TDH_WEVT_H

#include "tdh/model.h"

#define TAG(a, b, c, d) \
	((u32)(a) | (u32)(b) << 8 | (u32)(c) << 16 | (u32)(d) << 24)

#define TAG_CRIM	TAG('C', 'R', 'I', 'M')
#define TAG_WEVT	TAG('W', 'E', 'V', 'T')

/* Kinds of lists of a provider */
enum wevt_list {
	WEVT_LEVELS = 0,
	WEVT_TASKS = 1,
	WEVT_OPCODES = 2,
	WEVT_KEYWORDS = 3,
	WEVT_EVENTS = 4,
	WEVT_CHANNELS = 5,
	WEVT_MAPS = 6,
	WEVT_TEMPLATES = 7,
	WEVT_QUERIES = 8,
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

/* Flag of a channel declared by another manifest */
#define WEVT_IMPORTED		1

/* Kinds of attributes of a provider or an event */
#define WEVT_PROVIDER_NAME	0x10000001u
#define WEVT_CONTROL_GUID	0x20000001u
#define WEVT_GROUP_GUID		0x20000002u
#define WEVT_EVENT_NAME		0x11
#define WEVT_EVENT_ATTRIBUTE	0x12

/*
 * Write a manifest whose messages are numbered.  @version is 5, or 3 for the
 * format of Windows kits before 10.0.16299, which has no attributes.
 */
void wevt_write(struct bytes *b, struct manifest *m, unsigned int version);

/* Maximum length of a message's text in bytes of UTF-16 */
#define MESSAGE_MAX	65520

/* Write the messages of one language */
void messages_write(struct bytes *b, const struct manifest *m,
		    unsigned int culture);

/*
 * Maximum length of the binary XML of a UserData element in bytes.  Each event's
 * information has a copy, and any number of events may have the template.
 */
#define USER_DATA_MAX	(64u << 10)

/*
 * binxml.c: write the XML of events for their template; compute the template's
 * id
 */
void binxml_write(struct bytes *b, const struct template *t);
void binxml_template_id(const struct template *t, GUID *id);

/*
 * Read the resource, and the message tables that its numbers refer to, if any.
 * Neither is trusted.  Return NULL if the resource is invalid or memory is
 * exhausted.
 */
struct manifest *wevt_read(const void *data, size_t len);
bool messages_read(struct manifest *m, const char *culture, const void *data,
		   size_t len);

#endif /* TDH_WEVT_H */
