/* SPDX-License-Identifier: GPL-2.0 */
/* Settings of the kernel, which are files. */
#ifndef EVNT_TEST_WRITE_FILE_H
#define EVNT_TEST_WRITE_FILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Return false if the file does not exist, or refuses, as for a busy CPU */
static inline bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok;

	if (fd < 0)
		return false;
	ok = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return ok;
}

#endif /* EVNT_TEST_WRITE_FILE_H */
