/* SPDX-License-Identifier: MIT */
/* Why a log file may not open, in words. */
#ifndef EVNT_OPEN_PROBLEM_H
#define EVNT_OPEN_PROBLEM_H

#include <limits.h>

#define OPEN_PROBLEM_TEXT	(PATH_MAX + 128)

/* Why the library may have refused to open @path; returns @text */
const char *open_problem(const char *path, unsigned int error,
			 char text[OPEN_PROBLEM_TEXT]);

#endif /* EVNT_OPEN_PROBLEM_H */
