/* SPDX-License-Identifier: MIT */
/*
 * Manifests that providers write into the log themselves, as EventSource of .NET
 * does, in events of a kind of their own.
 */
#ifndef EVNT_EMBEDDED_H
#define EVNT_EMBEDDED_H

#include <evntcons.h>

/* Takes @record's piece of a manifest, if it is one; loads what is whole */
void embedded_take(const EVENT_RECORD *record);
void embedded_free(void);

#endif /* EVNT_EMBEDDED_H */
