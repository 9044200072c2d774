/* SPDX-License-Identifier: MIT */
/*
 * Published names of the providers of Windows and of .NET, for events without a
 * manifest
 */
#ifndef EVNT_KNOWN_PROVIDERS_H
#define EVNT_KNOWN_PROVIDERS_H

#include <evntcons.h>

/* Return the published name of a provider, or NULL */
const char *known_provider(const GUID *id);

#endif /* EVNT_KNOWN_PROVIDERS_H */
