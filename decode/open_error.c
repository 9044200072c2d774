// SPDX-License-Identifier: MIT
/* Explains why a log file cannot be opened */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <evntcons.h>

#include "decode/open_error.h"

const char *open_problem(const char *path, unsigned int error,
			 char text[OPEN_PROBLEM_TEXT])
{
	bool is_large = error == ERROR_NOT_ENOUGH_MEMORY ||
			error == ERROR_OUTOFMEMORY;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0) {
		snprintf(text, OPEN_PROBLEM_TEXT, "cannot open '%s': %s", path,
			 strerror(errno));
		return text;
	}
	if (!fstat(fd, &st) && !S_ISREG(st.st_mode))
		snprintf(text, OPEN_PROBLEM_TEXT, "'%s' is no regular file",
			 path);
	else if (!st.st_size)
		snprintf(text, OPEN_PROBLEM_TEXT,
			 "'%s' is empty: no session has written to it", path);
	else
		snprintf(text, OPEN_PROBLEM_TEXT, "'%s' %s", path, is_large ?
			 "is too large for this machine's memory" :
			 "is no event trace log, or its beginning is damaged");
	close(fd);
	return text;
}
