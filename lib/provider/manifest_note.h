/* SPDX-License-Identifier: MIT */
/*
 * ELF notes in which evntmc embeds a compiled manifest into a program.
 */
#ifndef EVNT_MANIFEST_NOTE_H
#define EVNT_MANIFEST_NOTE_H

#include <evntprov.h>

/* Name of the notes, and their types */
#define EVNT_NOTE_NAME		"evntprov"
#define EVNT_NOTE_TEMPLATE	1	/* WEVT_TEMPLATE resource */
#define EVNT_NOTE_MESSAGES	2	/* language name, nul, message table */

const void *evnt_manifest_note(LPCGUID id);
void evnt_manifest_fork_begin(void);
void evnt_manifest_forked(void);

#endif /* EVNT_MANIFEST_NOTE_H */
