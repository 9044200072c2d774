/* SPDX-License-Identifier: MIT */
/*
 * What is told of a file that the process has mapped: its build id and its name.
 */
#ifndef EVNT_FILE_TEXT_H
#define EVNT_FILE_TEXT_H

#include <limits.h>

#include "build_id.h"

/* The build id, the name, and the nul of each */
#define EVNT_FILE_TEXT_MAX	(2 * EVNT_BUILD_ID_MAX + 1 + PATH_MAX)

u32 evnt_file_describe(struct evnt_elf_scratch *s, const char *path,
		       u64 inode, char *text);

#endif /* EVNT_FILE_TEXT_H */
