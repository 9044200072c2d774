/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The build id of an ELF file: a note of name GNU and type NT_GNU_BUILD_ID, by
 * which the linker identifies the build.
 *
 * The files are untrusted: a process may map any file.  Accesses are confined
 * to the bytes that were read, whatever offsets and sizes the file contains.
 */
#ifndef EVNT_BUILD_ID_H
#define EVNT_BUILD_ID_H

#include "core/port/port.h"

/* Longest id supported; linkers generate 8, 16 or 20 bytes, or a hash of 32 */
#define EVNT_BUILD_ID_MAX	32u

/* Number of bytes read at a time */
#define EVNT_FILE_READ		4096

/* Contents read from a file */
struct evnt_elf_scratch {
	u8 head[EVNT_FILE_READ];
	u8 notes[EVNT_FILE_READ];
};

/*
 * Read up to @len bytes, at most EVNT_FILE_READ; returns the number read, or 0
 */
typedef u32 (*evnt_read_fn)(void *file, u64 at, u8 *to, u32 len);

/**
 * struct evnt_notes - position of a note segment
 * @next: index of the next program header to check; 0 at first
 * @offset: offset of the notes in the file
 * @size: length of the notes in bytes
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
