/* SPDX-License-Identifier: MIT */
/* What events hold, put into messages. */
#ifndef EVNT_BABELTRACE_FILL_H
#define EVNT_BABELTRACE_FILL_H

#include "classes.h"

/*
 * An event as a message, its time @time, of @packet; or NULL when there is no
 * memory.
 */
bt_message *fill_message(struct component *c, bt_self_message_iterator *self,
			 const EVENT_RECORD *record, const bt_packet *packet,
			 s64 time);

#endif /* EVNT_BABELTRACE_FILL_H */
