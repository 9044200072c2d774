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

/* Of a file that it cannot read, kernel_read() would complain to the log */
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

	id_len = evnt_file_build_id(&s->elf, read_file, file, &id);
	to += scnprintf(to, 2 * EVNT_BUILD_ID_MAX + 1, "%*phN", (int)id_len,
			id) + 1;
	to += strscpy(to, name_of(s, file), PATH_MAX) + 1;
	return to - text;
}
