// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Reading the GNU build id of an ELF file.
 */
#include "core/build_id.h"

#define ELF_CLASS32		1
#define ELF_CLASS64		2
#define ELF_LITTLE_ENDIAN	1
#define ELF_PT_NOTE		4
#define ELF_NT_GNU_BUILD_ID	3

/* Offsets of the fields used, in the ELF header and in a program header */
static const struct elf_class {
	u32 header_size, phoff, phentsize, phnum;
	u32 ph_size, ph_offset, ph_filesz;
} classes[] = {
	[ELF_CLASS32] = { 52, 28, 42, 44, 32, 4, 16 },
	[ELF_CLASS64] = { 64, 32, 54, 56, 56, 8, 32 },
};

static u64 read_word(const struct elf_class *c, const u8 *from)
{
	return c == &classes[ELF_CLASS64] ? get_unaligned_le64(from) :
					    get_unaligned_le32(from);
}

/*
 * Return the ELF class of a file from its first bytes, or NULL if unsupported
 */
static const struct elf_class *class_of(const u8 *head, u32 len)
{
	static const u8 magic[] = { 0x7f, 'E', 'L', 'F' };
	const struct elf_class *c;

	if (len < 6 || memcmp(head, magic, sizeof(magic)) ||
	    head[5] != ELF_LITTLE_ENDIAN ||
	    (head[4] != ELF_CLASS32 && head[4] != ELF_CLASS64))
		return NULL;
	c = &classes[head[4]];
	return len >= c->header_size ? c : NULL;
}

/**
 * evnt_elf_next_notes() - find the next note segment of a file
 * @head: beginning of the file
 * @len: length of @head in bytes; program headers beyond it are ignored
 * @notes: zeroed before the first call; filled in
 *
 * Return: false if there are no further notes.
 */
bool evnt_elf_next_notes(const u8 *head, u32 len, struct evnt_notes *notes)
{
	const struct elf_class *c = class_of(head, len);
	u32 count, entry;
	const u8 *ph;
	u64 at;

	if (!c)
		return false;
	count = get_unaligned_le16(head + c->phnum);
	entry = get_unaligned_le16(head + c->phentsize);
	while (entry >= c->ph_size && notes->next < count) {
		at = read_word(c, head + c->phoff);
		if (at > len || at + (u64)(notes->next + 1) * entry > len)
			return false;
		ph = head + at + notes->next++ * entry;
		if (get_unaligned_le32(ph) != ELF_PT_NOTE)
			continue;
		notes->offset = read_word(c, ph + c->ph_offset);
		notes->size = read_word(c, ph + c->ph_filesz);
		return true;
	}
	return false;
}

/**
 * evnt_notes_build_id() - find a build id among notes
 * @notes: notes, or the beginning of them
 * @len: length of @notes in bytes
 * @id: set to the build id in @notes
 * @rest: set to the offset at which to continue if there are more notes; never
 *	0, and beyond the first note if that is longer than @len
 *
 * Return: the length of the id in bytes, at most EVNT_BUILD_ID_MAX, or 0 if
 * there is none.
 */
u32 evnt_notes_build_id(const u8 *notes, u32 len, const u8 **id, u64 *rest)
{
	u64 at = 0, name_len, data, data_len;

	*rest = len;
	while (at + 12 <= len) {
		name_len = get_unaligned_le32(notes + at);
		data_len = get_unaligned_le32(notes + at + 4);
		data = at + 12 + ALIGN(name_len, 4ULL);
		if (data + data_len > len) {
			*rest = at ?: data + ALIGN(data_len, 4ULL);
			return 0;
		}
		if (get_unaligned_le32(notes + at + 8) == ELF_NT_GNU_BUILD_ID &&
		    name_len == 4 && !memcmp(notes + at + 12, "GNU", 4)) {
			*id = notes + data;
			return data_len <= EVNT_BUILD_ID_MAX ? data_len : 0;
		}
		at = data + ALIGN(data_len, 4ULL);
	}
	if (at)
		*rest = at;
	return 0;
}

/* Limit on the number of reads of one note segment */
#define MAX_READS		16

static u32 read_some(evnt_read_fn read, void *file, u64 at, u8 *to, u64 len)
{
	if (at > (u64)S64_MAX - EVNT_FILE_READ)
		return 0;
	if (len > EVNT_FILE_READ)
		len = EVNT_FILE_READ;
	return read(file, at, to, len);
}

/*
 * Find a build id in a note segment; returns its length, or 0.  @id is in @s.
 */
static u32 find_among(struct evnt_elf_scratch *s, evnt_read_fn read, void *file,
		      const struct evnt_notes *notes, const u8 **id)
{
	u32 len, found, reads;
	u64 at = 0, rest;

	for (reads = 0; reads < MAX_READS && at < notes->size; reads++) {
		len = read_some(read, file, notes->offset + at, s->notes,
				notes->size - at);
		found = len ? evnt_notes_build_id(s->notes, len, id, &rest) : 0;
		if (found || !len)
			return found;
		at += rest;
	}
	return 0;
}

/**
 * evnt_file_build_id() - find the build id of a file
 * @s: scratch memory
 * @read: function that reads from the file
 * @file: argument of @read
 * @id: set to the build id in @s
 *
 * Return: the length of the id in bytes, at most EVNT_BUILD_ID_MAX, or 0 if
 * there is none.
 */
u32 evnt_file_build_id(struct evnt_elf_scratch *s, evnt_read_fn read,
		       void *file, const u8 **id)
{
	u32 found, len = read_some(read, file, 0, s->head, EVNT_FILE_READ);
	struct evnt_notes notes = {};

	while (evnt_elf_next_notes(s->head, len, &notes)) {
		found = find_among(s, read, file, &notes, id);
		if (found)
			return found;
	}
	return 0;
}
