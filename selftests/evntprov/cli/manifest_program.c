// SPDX-License-Identifier: GPL-2.0
/*
 * Write an event that a manifest describes; evnt_manifests.sh records it.
 *
 * With an argument, "wait" or a library built from this source, write it for
 * each input line, or let the library write it.  If built with ALONE, load no
 * library.
 */
#ifndef ALONE
#include <dlfcn.h>
#endif
#include <stdio.h>
#include <string.h>

#include "manifest_program.h"

int write_answer(const char *from, int wait);

int write_answer(const char *from, int wait)
{
	char line[16];

	if (EventRegisterEvntprov_Test_Manifest())
		return 1;
	if (wait) {
		puts("registered");
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 1;
	}
	EventWriteAnswered(42, from);
	return EventUnregisterEvntprov_Test_Manifest();
}

#ifdef ALONE
static int load(const char *path)
{
	return 1;
}
#else
static int load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*write)(const char *from, int wait);

	write = library ? dlsym(library, "write_answer") : NULL;
	return write ? write("library", 0) : 1;
}
#endif

int main(int argc, char **argv)
{
	if (argc == 1)
		return write_answer("program", 0);
	if (!strcmp(argv[1], "wait"))
		return write_answer("waiting", 1);
	return load(argv[1]);
}
