/* SPDX-License-Identifier: MIT */
/* Whether conditions hold for an event that was read. */
#ifndef EVNT_WHERE_MATCH_H
#define EVNT_WHERE_MATCH_H

#include "fields.h"
#include "where.h"

/*
 * As the module's filters judge, and of any type of field: two numbers are compared
 * as such, else what is printed of the field, the case of ASCII letters aside.  A
 * condition holds for an array when it does for an element, and never for an event
 * without the field.
 */
bool where_matches(const struct where *where, const struct schema *schema,
		   const EVENT_RECORD *record);

#endif /* EVNT_WHERE_MATCH_H */
