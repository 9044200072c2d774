/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of sessions that are to start with the module: files of lines
 *
 *	Key = value
 *	[GUID or *Name of a provider]
 *	Key = value
 *
 * The keys are the names of ETW's AutoLogger values in the registry.
 */
#ifndef EVNT_AUTOLOGGER_CONF_H
#define EVNT_AUTOLOGGER_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include <evntrace.h>

#define AUTOLOGGER_MAX_TEXT	1024
#define AUTOLOGGER_MAX_FILES	16

/**
 * struct autologger_provider - a section
 * @id: the provider
 * @line: where the section begins
 * @seen: keys that were there, a bit each
 * @enabled, @level, @property, @match_any, @match_all: what they say
 */
struct autologger_provider {
	GUID id;
	unsigned int line;
	unsigned int seen;
	ULONG enabled;
	ULONG level;
	ULONG property;
	ULONGLONG match_any;
	ULONGLONG match_all;
};

/**
 * struct autologger - what a file says
 * @path: the file's
 * @name: the session's: the file's name without .conf
 * @log: FileName, or the default
 * @errors: how much was wrong, and told
 * @seen: keys that were there, a bit each
 * @id, @start, ...: what they say, or the defaults
 * @providers: the sections
 * @count: how many
 */
struct autologger {
	char path[AUTOLOGGER_MAX_TEXT + 1];
	char name[AUTOLOGGER_MAX_TEXT + 1];
	char log[AUTOLOGGER_MAX_TEXT + 1];
	unsigned int errors;
	unsigned int seen;
	GUID id;
	ULONG start;
	ULONG mode;
	ULONG buffer_size;
	ULONG min_buffers;
	ULONG max_buffers;
	ULONG flush_timer;
	ULONG max_file_size;
	ULONG clock;
	ULONG file_max;
	struct autologger_provider *providers;
	size_t count;
};

/*
 * Reads a file, and tells the user what is wrong with it, line by line.  Free it
 * with autologger_free(), whatever is wrong.
 */
void autologger_read(struct autologger *a, const char *path);
void autologger_free(struct autologger *a);

/* Whether it logs to a file */
bool autologger_has_file(const struct autologger *a);

#endif /* EVNT_AUTOLOGGER_CONF_H */
