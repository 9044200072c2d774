/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Record layout of classic providers: events, instance events and messages.
 *
 * Owns the layout.  Depends on neither buffers nor the origin of the data.
 */
#ifndef EVNT_CLASSIC_RECORD_H
#define EVNT_CLASSIC_RECORD_H

#include <linux/evntprov.h>

#include "core/record.h"

/**
 * struct evnt_class_record - record of a classic provider
 * @arg: arguments of the write
 * @kind: ETL_RECORD_*
 * @options: message options as stored in the record
 * @header: number of bytes in front of the data
 * @subject: the writer, and the length of the data
 */
struct evnt_class_record {
	const struct evntprov_write *arg;
	u16 kind;
	u16 options;
	u32 header;
	struct evnt_event subject;
};

void evnt_class_record_describe(struct evnt_class_record *r, bool numbers);
void evnt_class_record_put(const struct evnt_class_record *r, u8 *to, u32 size,
			   s64 time);

/* Return the kind of a record, EVNTPROV_TRACE_* */
static inline u32 evnt_class_record_kind(const struct evntprov_write *arg)
{
	return arg->flags & EVNTPROV_TRACE_KIND;
}

/* Check whether the record has a sequence number of the session */
static inline bool evnt_class_record_has_number(const struct evnt_class_record *r)
{
	return evnt_class_record_kind(r->arg) == EVNTPROV_TRACE_MESSAGE &&
	       r->options & ETL_MESSAGE_SEQUENCE;
}

static inline void evnt_class_record_put_number(u8 *record, u32 number)
{
	memcpy(record + sizeof(struct etl_message_header), &number,
	       sizeof(number));
}

#endif /* EVNT_CLASSIC_RECORD_H */
