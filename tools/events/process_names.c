// SPDX-License-Identifier: MIT
/* Names of the processes of a log */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/evntprov.h>

#include "core/package.h"
#include "core/self_layout.h"
#include "decode/format.h"
#include "lib/base/internal.h"
#include "tools/common/hash.h"
#include "tools/evnt.h"
#include "tools/events/images.h"
#include "tools/events/process_event.h"
#include "tools/events/process_names.h"

/* Length of the id of a container, and of the part that is shown */
#define CONTAINER_DIGITS	64
#define SHOWN_DIGITS		12

/**
 * struct named - a process with a name
 * @pid: process id
 * @name: its last name
 * @package: its package, or NULL
 * @shown: name for people
 */
struct named {
	uint32_t pid;
	char *name;
	char *package;
	char *shown;
};

/**
 * struct names - processes with a name
 * @list: the processes
 * @count: number of elements in @list
 * @room: number of elements that memory is allocated for
 * @table: hash table of @list
 */
static struct names {
	struct named *list;
	size_t count;
	size_t room;
	struct hash table;
} names;

static bool has_pid(const void *context, uint32_t number)
{
	return names.list[number].pid == *(const uint32_t *)context;
}

/* The table scatters process ids itself */
static struct named *find(uint32_t pid)
{
	uint32_t number = hash_find(&names.table, pid, has_pid, &pid);

	return number == HASH_NONE ? NULL : &names.list[number];
}

static struct named *add(uint32_t pid)
{
	if (names.count == names.room) {
		names.room = names.room ? 2 * names.room : 64;
		names.list = must_have(realloc(names.list, names.room *
					       sizeof(*names.list)));
	}
	hash_add(&names.table, pid, names.count);
	names.list[names.count] = (struct named) { .pid = pid };
	return &names.list[names.count++];
}

/*
 * Return the id of a container in the name of its systemd scope, such as
 * docker-0123456789ab....scope, or NULL
 */
static const char *container_in(const char *package)
{
	size_t len;

	for (const char *at = package; *at; at += len ? len : 1) {
		len = strspn(at, "0123456789abcdef");
		if (len == CONTAINER_DIGITS)
			return at;
	}
	return NULL;
}

static void named_free(struct named *process)
{
	free(process->name);
	free(process->package);
	free(process->shown);
}

/* @package: package in UTF-8, owned by the entry from then on, or NULL */
static void set_name(uint32_t pid, const char *name, char *package)
{
	const char *container = package ? container_in(package) : NULL;
	struct named *process = find(pid);
	size_t size;

	if (!process)
		process = add(pid);
	named_free(process);
	process->name = must_have(format_utf8_copy(name));
	process->package = package;
	process->shown = NULL;
	if (container) {
		size = strlen(process->name) + 1 + SHOWN_DIGITS + 1;
		process->shown = must_have(malloc(size));
		snprintf(process->shown, size, "%s@%.*s", process->name,
			 SHOWN_DIGITS, container);
	}
}

/*
 * Return the package in the strings of a record, for the caller to free, or NULL.
 * @at, @end: strings of UTF-16, command line first; they may be unaligned.
 */
static char *package_in(const char *at, const char *end)
{
	WCHAR text[EVNT_PACKAGE_NAME] = {};
	size_t len = 0;

	while (end - at >= (long)sizeof(*text) && (at[0] || at[1]))
		at += sizeof(*text);
	at += sizeof(*text);
	while (end - at >= (long)sizeof(*text) && (at[0] || at[1]) &&
	       len < EVNT_PACKAGE_NAME - 1) {
		memcpy(&text[len++], at, sizeof(*text));
		at += sizeof(*text);
	}
	return len ? must_have(evnt_utf8(text)) : NULL;
}

uint32_t process_names_take_record(const EVENT_RECORD *record)
{
	struct evntprov_process fixed;
	const char *data = record->UserData;
	size_t len = record->UserDataLength - sizeof(fixed);
	char *name;

	memcpy(&fixed, data, sizeof(fixed));
	name = must_have(strndup(data + sizeof(fixed), len));
	if (*name)
		set_name(fixed.process_id, name,
			 package_in(data + sizeof(fixed) + strlen(name) + 1,
				    data + record->UserDataLength));
	free(name);
	return fixed.process_id;
}

void process_names_take(const struct view *view)
{
	char name[PROCESS_EVENT_NAME];
	uint32_t pid;

	if (process_event(view, &pid, name))
		set_name(pid, name, NULL);
}

static const char *name_of(const struct named *process, uint32_t pid)
{
	const struct image *image;

	if (process)
		return process->name;
	image = images_lowest(pid);
	return image ? image->module->name : NULL;
}

const char *process_names_find(uint32_t pid)
{
	return name_of(find(pid), pid);
}

const char *process_names_shown(uint32_t pid)
{
	const struct named *process = find(pid);

	return process && process->shown ? process->shown :
					   name_of(process, pid);
}

const char *process_names_package(uint32_t pid)
{
	const struct named *process = find(pid);

	return process ? process->package : NULL;
}

void process_names_free(void)
{
	for (size_t i = 0; i < names.count; i++)
		named_free(&names.list[i]);
	free(names.list);
	hash_free(&names.table);
	memset(&names, 0, sizeof(names));
}
