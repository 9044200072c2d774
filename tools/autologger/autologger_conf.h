/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of sessions that start with the module: files of the form
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
 * struct autologger_provider - a provider's section
 * @id: provider
 * @line: line where the section begins
 * @seen: bit mask of the keys present
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
 * struct autologger - a session's description
 * @path: path of the file
 * @name: session name, which is the file's name without .conf
 * @log: value of FileName, or the default
 * @errors: number of errors reported
 * @seen: bit mask of the keys present
 * @providers: sections of providers
 * @count: number of sections
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
 * Read a file and report each error with its line. The caller must free the
 * result with autologger_free(), even after errors.
 */
void autologger_read(struct autologger *a, const char *path);
void autologger_free(struct autologger *a);

/* Return whether the session writes a log file */
bool autologger_has_file(const struct autologger *a);

#endif /* EVNT_AUTOLOGGER_CONF_H */
