/* SPDX-License-Identifier: MIT */
/*
 * Manifests compiled into programs.
 */
#ifndef TDH_BINARY_H
#define TDH_BINARY_H

#include "lib/provider/manifest_note.h"
#include "tdh/wevt.h"

/*
 * Read a manifest from a Windows program or library, which contains it as a
 * resource, from a Linux one, which contains it in notes, or from the bare
 * resource.  Return NULL and set *@code if there is none.
 */
struct manifest *binary_manifest(const void *data, size_t len, ULONG *code);

/* Check whether a file is a program, or the bare resource */
bool is_binary(const void *data, size_t len);

/*
 * Read the manifest that describes @provider, unless @provider is NULL, and
 * only if the file has the build id @build, unless @build is NULL.  @build is
 * hexadecimal, and "" for a file without build id.
 */
struct manifest *binary_manifest_of(const void *data, size_t len,
				    const GUID *provider, const char *build,
				    ULONG *code);

#endif /* TDH_BINARY_H */
