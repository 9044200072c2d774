/* SPDX-License-Identifier: MIT */
/* Explains why a log file cannot be opened */
#ifndef EVNT_OPEN_ERROR_H
#define EVNT_OPEN_ERROR_H

#include <limits.h>

#define OPEN_PROBLEM_TEXT	(PATH_MAX + 128)

/* Describe why the library has failed to open @path; return @text */
const char *open_problem(const char *path, unsigned int error,
			 char text[OPEN_PROBLEM_TEXT]);

#endif /* EVNT_OPEN_ERROR_H */
