/* SPDX-License-Identifier: MIT */
/* Small files of the system that have a line. */
#ifndef EVNT_FIRST_LINE_H
#define EVNT_FIRST_LINE_H

#include <stddef.h>

/* A file's first line, without its end; what cannot be read leaves @text as it is */
void first_line(const char *path, char *text, size_t size);

#endif /* EVNT_FIRST_LINE_H */
