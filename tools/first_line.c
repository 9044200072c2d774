// SPDX-License-Identifier: MIT
/* Small files of the system that have a line. */
#include <stdio.h>
#include <string.h>

#include "first_line.h"

void first_line(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");

	if (!file)
		return;
	if (fgets(text, size, file))
		text[strcspn(text, "\n")] = '\0';
	fclose(file);
}
