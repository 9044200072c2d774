/* SPDX-License-Identifier: MIT */
/*
 * Names of Windows' providers whose events often occur without a manifest
 */
#ifndef EVNT_KNOWN_PROVIDERS_H
#define EVNT_KNOWN_PROVIDERS_H

#include <evntcons.h>

/* Return the published name of a provider, or NULL */
const char *known_provider(const GUID *id);

#endif /* EVNT_KNOWN_PROVIDERS_H */
