// SPDX-License-Identifier: MIT
/* Names of processes and users, and first lines of files */
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/process.h"

char *process_name(unsigned int pid, char *text, size_t size)
{
	char path[32];

	snprintf(text, size, pid ? "?" : "kernel");
	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	first_line(path, text, size);
	return text;
}

/* Return whether a process is not visible in this pid namespace */
static bool is_elsewhere(const struct evntrace_registration *registration)
{
	return !registration->pid &&
	       !(registration->flags & EVNTRACE_REGISTRATION_KERNEL);
}

char *registrant_name(const struct evntrace_registration *registration,
		      char *text, size_t size)
{
	if (!is_elsewhere(registration))
		return process_name(registration->pid, text, size);
	snprintf(text, size, "elsewhere");
	return text;
}

char *registrant_text(const struct evntrace_registration *registration,
		      char *text, size_t size)
{
	char name[32];

	if (registration->pid)
		snprintf(text, size, "process %u (%s)", registration->pid,
			 process_name(registration->pid, name, sizeof(name)));
	else
		snprintf(text, size, is_elsewhere(registration) ?
			 "a process of another namespace" : "the kernel");
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

void first_line(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");

	if (!file)
		return;
	if (fgets(text, size, file))
		text[strcspn(text, "\n")] = '\0';
	fclose(file);
}
