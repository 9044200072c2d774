/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What a record of a classic provider looks like in a buffer: of an event, of one of
 * a transaction, or of a message.
 *
 * Owns the layout.  Knows nothing of buffers or of whose memory the data comes from.
 */
#ifndef EVNT_CLASS_RECORD_H
#define EVNT_CLASS_RECORD_H

#include <linux/evntprov.h>

#include "record.h"

/**
 * struct evnt_class_record - a record
 * @arg: what is written
 * @options: of a message, as they stand in the record
 * @header: what is in front of the data, in bytes
 * @who: the writer, and the length of the data
 */
struct evnt_class_record {
	const struct evntprov_trace *arg;
	u16 options;
	u32 header;
	struct evnt_event who;
};

void evnt_class_record_describe(struct evnt_class_record *r, bool numbers);
void evnt_class_record_put(const struct evnt_class_record *r, u8 *to, u32 size,
			   s64 time);

/* Whether the session numbers it */
static inline bool evnt_class_record_has_number(const struct evnt_class_record *r)
{
	return r->arg->kind == EVNTPROV_TRACE_MESSAGE &&
	       r->options & ETL_MESSAGE_SEQUENCE;
}

static inline void evnt_class_record_put_number(u8 *record, u32 number)
{
	memcpy(record + sizeof(struct etl_message_header), &number,
	       sizeof(number));
}

#endif /* EVNT_CLASS_RECORD_H */
