/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is told of a file that a process has mapped: its build id and its name.
 */
#ifndef EVNT_FILE_TEXT_H
#define EVNT_FILE_TEXT_H

#include <linux/limits.h>

#include "build_id.h"

/* The build id, the name, and the nul of each */
#define EVNT_FILE_TEXT_MAX	(2 * EVNT_BUILD_ID_MAX + 1 + PATH_MAX)

/* What is needed for a while */
struct evnt_file_scratch {
	struct evnt_elf_scratch elf;
	char path[PATH_MAX];
};

u32 evnt_file_describe(struct evnt_file_scratch *s, struct file *file,
		       char *text);

#endif /* EVNT_FILE_TEXT_H */
