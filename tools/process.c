// SPDX-License-Identifier: MIT
/* What processes and users are called. */
#include <pwd.h>
#include <stdio.h>

#include "first_line.h"
#include "process.h"

char *process_name(unsigned int pid, char *text, size_t size)
{
	char path[32];

	snprintf(text, size, pid ? "?" : "kernel");
	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	first_line(path, text, size);
	return text;
}

char *process_text(unsigned int pid, char *text, size_t size)
{
	char name[32];

	if (pid)
		snprintf(text, size, "process %u (%s)", pid,
			 process_name(pid, name, sizeof(name)));
	else
		snprintf(text, size, "the kernel");
	return text;
}

char *user_name(unsigned int uid, char *text, size_t size)
{
	struct passwd *user = getpwuid(uid);

	if (user)
		snprintf(text, size, "%s", user->pw_name);
	else
		snprintf(text, size, "%u", uid);
	return text;
}
