// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Layout of an event in a buffer: header, extended items, data.
 */
#include "core/record.h"

/* Not inline: compute the size of a record as evnt_record_len() */
u64 evnt_record_size(const struct evnt_event *e)
{
	return evnt_record_len(e);
}

/* Not inline: write a record as evnt_record_put() */
struct evnt_record_parts evnt_record_lay_out(u8 *record, u32 size,
					     const struct evnt_event *e,
					     s64 time)
{
	return evnt_record_put(record, size, e, time);
}
