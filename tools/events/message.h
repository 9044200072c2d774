/* SPDX-License-Identifier: MIT */
#ifndef EVNT_MESSAGE_H
#define EVNT_MESSAGE_H

#include "tools/events/fields.h"

/*
 * Return the message that a manifest defines for an event, with the event's
 * fields inserted; NULL if there is none. Valid until the next call.
 */
const char *message_text(const struct fields *fields);
void message_free(void);

#endif /* EVNT_MESSAGE_H */
