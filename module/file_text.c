// SPDX-License-Identifier: GPL-2.0
/*
 * What is told of a file that a process has mapped.
 *
 * The kernel says the name, and reads the build id from the file: whatever is
 * told of it is not for the process to say.
 */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>

#include "compat/compat.h"
#include "file_text.h"

/* Read from a file, as far as there is something; how much */
static u32 read_file(struct file *file, u64 at, u8 *to, u64 len)
{
	loff_t pos = at;
	ssize_t done;

	if (at > S64_MAX - EVNT_FILE_READ)
		return 0;
	done = kernel_read(file, to, min_t(u64, len, EVNT_FILE_READ), &pos);
	return done < 0 ? 0 : done;
}

/* As often notes are read on, for those that are longer than what is read */
#define MAX_READS		16

/* Where the build id is among notes, in @s, and how long it is; or 0 */
static u32 find_among(struct evnt_file_scratch *s, struct file *file,
		      const struct evnt_notes *notes, const u8 **id)
{
	u32 len, found, reads;
	u64 at = 0, rest;

	for (reads = 0; reads < MAX_READS && at < notes->size; reads++) {
		len = read_file(file, notes->offset + at, s->notes,
				notes->size - at);
		found = len ? evnt_notes_build_id(s->notes, len, id, &rest) : 0;
		if (found || !len)
			return found;
		at += rest;
	}
	return 0;
}

/* Where the build id of a file is, in @s, and how long it is; or 0 */
static u32 find_build_id(struct evnt_file_scratch *s, struct file *file,
			 const u8 **id)
{
	u32 found, head_len = read_file(file, 0, s->head, EVNT_FILE_READ);
	struct evnt_notes notes = {};

	while (evnt_elf_next_notes(s->head, head_len, &notes)) {
		found = find_among(s, file, &notes, id);
		if (found)
			return found;
	}
	return 0;
}

/* The name of a file as the process sees it; or "" */
static const char *name_of(struct evnt_file_scratch *s,
			   const struct file *file)
{
	char *path = d_path(evnt_user_path(file), s->path, sizeof(s->path));

	return IS_ERR(path) ? "" : path;
}

/**
 * evnt_file_describe() - write down what is told of a file
 * @s: room for what is read
 * @file: the file
 * @text: room for EVNT_FILE_TEXT_MAX bytes: the build id in hexadecimal, which is
 *	empty when there is none, and the name as the current process sees it,
 *	which is empty when it does not fit; each with its nul
 *
 * May sleep.
 *
 * Return: how many bytes that is.
 */
u32 evnt_file_describe(struct evnt_file_scratch *s, struct file *file,
		       char *text)
{
	const u8 *id = NULL;
	char *to = text;
	u32 id_len;

	id_len = find_build_id(s, file, &id);
	to += scnprintf(to, 2 * EVNT_BUILD_ID_MAX + 1, "%*phN", (int)id_len,
			id) + 1;
	to += strscpy(to, name_of(s, file), PATH_MAX) + 1;
	return to - text;
}
