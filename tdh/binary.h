/* SPDX-License-Identifier: MIT */
/*
 * Programs that have a compiled manifest in them.
 */
#ifndef TDH_BINARY_H
#define TDH_BINARY_H

#include "wevt.h"

/*
 * A program or library of Windows, whose resources have the manifest; one of
 * Linux, whose notes have it; or the resource alone.  NULL, and *@code says why,
 * when there is none.
 */
struct manifest *binary_manifest(const void *data, size_t len, ULONG *code);

/* The notes of evntmc: their name, and what each is */
#define NOTE_NAME	"evntprov"
#define NOTE_TEMPLATE	1	/* the resource */
#define NOTE_MESSAGES	2	/* a language's name with its nul, the table */

#endif /* TDH_BINARY_H */
