// SPDX-License-Identifier: GPL-2.0
/*
 * Description of a file that a process has mapped.
 *
 * The kernel determines the name and reads the build id from the file, so that
 * the process cannot forge the description.
 */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>

#include "module/compat/compat.h"
#include "module/self/mapped_file.h"

/* Exclude files that kernel_read() cannot read and would warn about */
static bool is_readable(const struct file *file)
{
	return file->f_mode & FMODE_READ && file->f_op->read_iter &&
	       !file->f_op->read;
}

static u32 read_file(void *file, u64 at, u8 *to, u32 len)
{
	loff_t pos = at;
	ssize_t done;

	if (!is_readable(file))
		return 0;
	done = kernel_read(file, to, len, &pos);
	return done < 0 ? 0 : done;
}

/**
 * evnt_mapped_file_info() - describe a mapped file
 * @s: scratch memory
 * @file: file
 * @text: buffer of EVNT_FILE_TEXT_MAX bytes; set to the build id in
 *	hexadecimal, or "" if there is none, and the path as seen by the current
 *	process, or "" if it is too long, each NUL-terminated
 *
 * Context: Process context.  May sleep.
 *
 * Return: number of bytes written to @text.
 */
u32 evnt_mapped_file_info(struct evnt_file_scratch *s, struct file *file,
			  char *text)
{
	const u8 *id = NULL;
	char *path, *to = text;
	u32 id_len;

	id_len = evnt_file_build_id(&s->elf, read_file, file, &id);
	to += scnprintf(to, 2 * EVNT_BUILD_ID_MAX + 1, "%*phN", (int)id_len,
			id) + 1;
	/* The path as seen by the current process */
	path = d_path(evnt_user_path(file), s->path, sizeof(s->path));
	to += strscpy(to, IS_ERR(path) ? "" : path, PATH_MAX) + 1;
	return to - text;
}
