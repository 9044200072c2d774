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

#endif /* EVNT_MANIFEST_EVENTS_H */
