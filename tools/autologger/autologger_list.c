// SPDX-License-Identifier: MIT
/* Reads a folder of descriptions of sessions that start with the module */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/autologger/autologger_list.h"
#include "tools/evnt.h"

void autologger_list_free(struct autologger_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		autologger_free(&list->all[i]);
	free(list->all);
}

bool autologger_list_add(struct autologger_list *list, const char *path)
{
	void *grown = realloc(list->all,
			      (list->count + 1) * sizeof(*list->all));

	if (!grown) {
		failed("out of memory");
		return false;
	}
	list->all = grown;
	autologger_read(&list->all[list->count++], path);
	return true;
}

static int is_description(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len > 5 &&
	       !strcmp(entry->d_name + len - 5, ".conf");
}

bool autologger_list_read(struct autologger_list *list, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_description, alphasort);
	bool done = true;
	char *path;

	if (count < 0) {
		if (errno == ENOENT)
			return true;
		failed("cannot read %s: %s", folder, strerror(errno));
		return false;
	}
	for (int i = 0; i < count; i++) {
		if (done && asprintf(&path, "%s/%s", folder,
				     entries[i]->d_name) >= 0) {
			done = autologger_list_add(list, path);
			free(path);
		}
		free(entries[i]);
	}
	free(entries);
	return done;
}

size_t autologger_list_errors(const struct autologger_list *list)
{
	size_t errors = 0;

	for (size_t i = 0; i < list->count; i++)
		errors += list->all[i].errors;
	return errors;
}
