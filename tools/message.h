/* SPDX-License-Identifier: MIT */
#ifndef EVNT_MESSAGE_H
#define EVNT_MESSAGE_H

#include "fields.h"

/*
 * What a manifest says of an event to people, with the event's fields put in;
 * NULL when it says nothing.  Valid until the next call.
 */
const char *message_text(const struct schema *schema,
			 const EVENT_RECORD *record);
void message_free(void);

#endif /* EVNT_MESSAGE_H */
