/* SPDX-License-Identifier: MIT */
#ifndef EVNT_MESSAGE_H
#define EVNT_MESSAGE_H

#include "fields.h"

/*
 * What a manifest says of an event to people, with the event's fields put in.  To
 * be freed; NULL when it says nothing, or there is no memory.
 */
char *message_text(const struct schema *schema, const EVENT_RECORD *record);

#endif /* EVNT_MESSAGE_H */
