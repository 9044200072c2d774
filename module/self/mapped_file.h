/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Description of a file that a process has mapped: its build id and its path.
 */
#ifndef EVNT_MAPPED_FILE_H
#define EVNT_MAPPED_FILE_H

#include <linux/limits.h>

#include "core/build_id.h"

/* Build id and path, each with its NUL */
#define EVNT_FILE_TEXT_MAX	(2 * EVNT_BUILD_ID_MAX + 1 + PATH_MAX)

/* Temporary memory of evnt_mapped_file_info() */
struct evnt_file_scratch {
	struct evnt_elf_scratch elf;
	char path[PATH_MAX];
};

u32 evnt_mapped_file_info(struct evnt_file_scratch *s, struct file *file,
			  char *text);

#endif /* EVNT_MAPPED_FILE_H */
