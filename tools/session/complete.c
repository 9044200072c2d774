// SPDX-License-Identifier: MIT
/* Completion for shells */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/process.h"
#include "tools/session/complete.h"
#include "tools/session/mode.h"
#include "tools/session/registered.h"
#include "tools/session/session_list.h"

void complete_word(const char *word, const char *text)
{
	printf("%s%s%s\n", word, text ? "\t" : "", text ? text : "");
}

static void complete_providers(void)
{
	struct evntrace_registration *all = NULL;
	char id[GUID_TEXT], *name;
	int device = dev_open();
	size_t count = 0;

	if (device < 0 || list_registrations(device, &all, &count))
		count = 0;
	for (size_t i = 0; i < count; i++) {
		name = registered_name(&all[i]);
		complete_word(format_guid(all[i].provider.b, id), name);
		if (*name)
			complete_word(name, NULL);
		free(name);
	}
	free(all);
	close(device);
}

static void complete_sessions(void)
{
	struct session_list list = { NULL, 0 };
	int device = dev_open();

	if (device >= 0)
		list_all_sessions(device, &list);
	for (size_t i = 0; i < list.count; i++)
		complete_word(list.sessions[i].name, NULL);
	free_sessions(&list);
	close(device);
}

/* Complete the names in a folder that begin with a digit */
static void complete_numbers(const char *folder)
{
	struct dirent *entry;
	char name[64];
	DIR *dir = opendir(folder);

	while (dir && (entry = readdir(dir))) {
		if (isdigit((unsigned char)*entry->d_name))
			complete_word(entry->d_name,
				      process_name(atoi(entry->d_name), name,
						   sizeof(name)));
	}
	if (dir)
		closedir(dir);
}

static void complete_pids(void)
{
	complete_numbers("/proc");
}

static void complete_kernels(void)
{
	complete_numbers("/lib/modules");
}

static void complete_modes(void)
{
	for (size_t i = 0; mode_name(i); i++)
		complete_word(mode_name(i), NULL);
}

static void complete_file(void)
{
	puts(":file");
}

static void complete_log(void)
{
	puts(":etl");
}

static void complete_folder(void)
{
	puts(":folder");
}

static const struct {
	const char *name;
	void (*complete)(void);
} kinds[] = {
	{ "SPEC", complete_providers },
	{ "PROVIDER", complete_providers },
	{ "SESSION", complete_sessions },
	{ "PID,...", complete_pids },
	{ "RELEASE", complete_kernels },
	{ "MODE", complete_modes },
	{ "FILE", complete_file },
	{ "FILE.etl", complete_log },
	{ "DIR", complete_folder },
};

/* Complete a word of a kind: the name of a kind, or a possible value */
static void complete_kind(const char *kind)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strcmp(kinds[i].name, kind)) {
			kinds[i].complete();
			return;
		}
	}
	/* Names of other values, as "MB", are in capital letters */
	if (strpbrk(kind, "abcdefghijklmnopqrstuvwxyz"))
		complete_word(kind, NULL);
}

void complete_value(const char *kind)
{
	char *words = must_have(strdup(kind)), *rest = words, *word;

	while ((word = strsep(&rest, " ")))
		complete_kind(word);
	free(words);
}

/* Return the option that takes the following word as its value, or NULL */
static const struct option_row *find_option(const struct listed_row *rows,
					    size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++) {
		const struct option_row *row = rows[i].row;
		const char letter[] = { '-', row->letter, '\0' };

		if (row->name &&
		    ((!strncmp(word, "--", 2) && !strcmp(word + 2, row->name)) ||
		     (row->letter && !strcmp(word, letter))))
			return row->value && *row->value != '[' ? row : NULL;
	}
	return NULL;
}

static void complete_options(const struct listed_row *rows, size_t count)
{
	char word[64];

	for (size_t i = 0; i < count; i++) {
		if (!rows[i].row->name)
			continue;
		snprintf(word, sizeof(word), "--%s", rows[i].row->name);
		complete_word(word, rows[i].row->text);
		snprintf(word, sizeof(word), "-%c", rows[i].row->letter);
		if (rows[i].row->letter)
			complete_word(word, rows[i].row->text);
	}
}

void complete_verb(const struct verb *verb, int count, char **words)
{
	struct listed_row rows[MAX_ROWS];
	size_t row_count = list_rows(verb->options, rows);
	const struct option_row *option = NULL;
	const char *kind = verb->arguments[0];

	for (int i = 1; i < count - 1; i++) {
		if (option) {
			option = NULL;
		} else if (*words[i] == '-') {
			if (verb->runs_command && !strcmp(words[i], "--")) {
				printf(":command %d\n", i + 1);
				return;
			}
			option = find_option(rows, row_count, words[i]);
		} else if (verb->arguments[1]) {
			kind = verb->arguments[1];
		}
	}
	if (option) {
		complete_value(option->complete ? option->complete :
						  option->value);
	} else if (kind && *words[count - 1] != '-') {
		complete_value(kind);
	} else {
		complete_options(rows, row_count);
		if (verb->runs_command)
			complete_word("--", "run a command");
	}
}
