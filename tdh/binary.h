/* SPDX-License-Identifier: MIT */
/*
 * Programs that have a compiled manifest in them.
 */
#ifndef TDH_BINARY_H
#define TDH_BINARY_H

#include "../lib/manifest_note.h"
#include "wevt.h"

/*
 * A program or library of Windows, whose resources have the manifest; one of
 * Linux, whose notes have it; or the resource alone.  NULL, and *@code says why,
 * when there is none.
 */
struct manifest *binary_manifest(const void *data, size_t len, ULONG *code);

/*
 * Likewise; of those that it has, the one that describes a provider, unless that is
 * NULL; and if it is this build, unless that is NULL: its build id in hexadecimal,
 * "" when it is to have none.
 */
struct manifest *binary_manifest_of(const void *data, size_t len,
				    const GUID *provider, const char *build,
				    ULONG *code);

#endif /* TDH_BINARY_H */
