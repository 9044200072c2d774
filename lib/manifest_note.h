/* SPDX-License-Identifier: MIT */
/*
 * The notes of evntmc, which put a compiled manifest into a program.
 */
#ifndef EVNT_MANIFEST_NOTE_H
#define EVNT_MANIFEST_NOTE_H

#include <evntprov.h>

/* Their name, and what each is */
#define EVNT_NOTE_NAME		"evntprov"
#define EVNT_NOTE_TEMPLATE	1	/* the resource */
#define EVNT_NOTE_MESSAGES	2	/* a language's name with its nul, the table */

const void *evnt_manifest_note(LPCGUID id);

#endif /* EVNT_MANIFEST_NOTE_H */
