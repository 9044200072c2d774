/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's own events, of the provider EVNTPROV_IMAGES_PROVIDER.
 *
 * They are of TraceLogging, with their fields described, and go to the session
 * that they are for, whatever it has enabled.
 */
#ifndef EVNT_OWN_EVENT_H
#define EVNT_OWN_EVENT_H

#include "record.h"
#include "session.h"

/* Types of TraceLogging: unsigned, hexadecimal, GUID, text, text in UTF-8 */
#define EVNT_TLG_UINT64		"\x0a"
#define EVNT_TLG_HEXINT64	"\x15"
#define EVNT_TLG_GUID		"\x0f"
#define EVNT_TLG_ANSI		"\x02"
#define EVNT_TLG_UTF8		"\x82\x23"

/**
 * struct evnt_own_event - a kind of them
 * @descriptor: which it is
 * @text: a byte of tags, which is 0, its name, its fields: what TraceLogging's
 *	metadata has behind its length
 * @len: how long that is in bytes, without the nul that C puts behind it
 */
struct evnt_own_event {
	struct etl_descriptor descriptor;
	const char *text;
	u16 len;
};

/* The channel and level of TraceLogging's events */
#define EVNT_OWN_DESCRIPTOR(of_opcode)					\
	{ .channel = 11, .level = 4, .opcode = (of_opcode) }

void evnt_own_describe(struct evnt_event *e, const struct evnt_own_event *own,
		       u32 len);
int evnt_own_write(struct evnt_session *s, const struct evnt_own_event *own,
		   const struct evnt_event *e, const void *data);

#endif /* EVNT_OWN_EVENT_H */
