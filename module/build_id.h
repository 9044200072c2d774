/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The build id of an ELF file: what its linker calls this very build, a note of
 * the name GNU and of type NT_GNU_BUILD_ID.
 *
 * Files are whatever somebody maps.  Nothing outside of the bytes at hand is
 * looked at, whatever they say.
 */
#ifndef EVNT_BUILD_ID_H
#define EVNT_BUILD_ID_H

#include "port.h"

/* The longest that is taken; linkers make 8, 16 or 20 bytes, or a hash of 32 */
#define EVNT_BUILD_ID_MAX	32u

/* How much is read of a file at a time: of its beginning, and of its notes */
#define EVNT_FILE_READ		4096

/* What was read of a file */
struct evnt_elf_scratch {
	u8 head[EVNT_FILE_READ];
	u8 notes[EVNT_FILE_READ];
};

/* Reads @len bytes of a file, at most EVNT_FILE_READ; how much there was, or 0 */
typedef u32 (*evnt_read_fn)(void *file, u64 at, u8 *to, u32 len);

/**
 * struct evnt_notes - where a file has notes
 * @next: the program header to look at next; 0 at first
 * @offset: where they are in the file
 * @size: how long they are in bytes
 */
struct evnt_notes {
	u32 next;
	u64 offset;
	u64 size;
};

bool evnt_elf_next_notes(const u8 *head, u32 len, struct evnt_notes *notes);
u32 evnt_notes_build_id(const u8 *notes, u32 len, const u8 **id, u64 *rest);
u32 evnt_file_build_id(struct evnt_elf_scratch *s, evnt_read_fn read,
		       void *file, const u8 **id);

#endif /* EVNT_BUILD_ID_H */
