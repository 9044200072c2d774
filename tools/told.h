/* SPDX-License-Identifier: MIT */
/*
 * Manifests that the module's events tell of: which program has that of a provider
 * in it.
 */
#ifndef EVNT_TOLD_H
#define EVNT_TOLD_H

#include <evntcons.h>

/* Takes what is_of_module(), and no image; what cannot be had is told on stderr */
void told_take(const EVENT_RECORD *record);

void told_free(void);

#endif /* EVNT_TOLD_H */
