/* SPDX-License-Identifier: MIT */
/*
 * XML of an event by the UserData element of its template
 */
#ifndef EVNT_USER_DATA_H
#define EVNT_USER_DATA_H

#include "tools/events/fields.h"
#include "tools/print/xml_writer.h"

/*
 * Write the element that @schema defines for its events, if it does, with the
 * values of @record.  An element of an array's value is repeated for each one; a
 * struct is its bytes in hexadecimal.  Returns false if the payload or the
 * definition is malformed; what has been written is complete elements.
 */
bool user_data_put(struct xml_writer *w, const EVENT_RECORD *record,
		   const struct schema *schema);

#endif /* EVNT_USER_DATA_H */
