/* SPDX-License-Identifier: MIT */
/*
 * Loads the manifests that events of the module refer to: each names a program
 * that contains a provider's manifest
 */
#ifndef EVNT_MANIFEST_EVENTS_H
#define EVNT_MANIFEST_EVENTS_H

#include <evntcons.h>

/*
 * Take an event of is_of_module() that is not an image; report errors on stderr
 */
void reported_take(const EVENT_RECORD *record);

void reported_free(void);

/* Take a description of events that the log contains, if @record has one */
void description_take(const EVENT_RECORD *record);

#endif /* EVNT_MANIFEST_EVENTS_H */
