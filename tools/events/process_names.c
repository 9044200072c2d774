// SPDX-License-Identifier: MIT
/* Names of the processes of a log */
#include <stdlib.h>
#include <string.h>

#include <linux/evntprov.h>

#include "core/package.h"
#include "core/self_layout.h"
#include "decode/format.h"
#include "tools/common/hash.h"
#include "tools/evnt.h"
#include "tools/events/images.h"
#include "tools/events/process_event.h"
#include "tools/events/process_names.h"

/**
 * struct named - a process with a name
 * @pid: process id
 * @name: its last name
 */
struct named {
	uint32_t pid;
	char *name;
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

static uint64_t hash_of(uint32_t pid)
{
	return hash_bytes(HASH_BEGIN, &pid, sizeof(pid));
}

static struct named *find(uint32_t pid)
{
	uint32_t number = hash_find(&names.table, hash_of(pid), has_pid, &pid);

	return number == HASH_NONE ? NULL : &names.list[number];
}

static struct named *add(uint32_t pid)
{
	if (names.count == names.room) {
		names.room = names.room ? 2 * names.room : 64;
		names.list = must_have(realloc(names.list, names.room *
					       sizeof(*names.list)));
	}
	hash_add(&names.table, hash_of(pid), names.count);
	names.list[names.count] = (struct named) { .pid = pid };
	return &names.list[names.count++];
}

static void set_name(uint32_t pid, const char *name)
{
	struct named *process = find(pid);

	if (!process)
		process = add(pid);
	free(process->name);
	process->name = must_have(format_utf8_copy(name));
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
		set_name(fixed.process_id, name);
	free(name);
	return fixed.process_id;
}

void process_names_take(const struct view *view)
{
	char name[PROCESS_EVENT_NAME];
	uint32_t pid;

	if (process_event(view, &pid, name))
		set_name(pid, name);
}

const char *process_names_find(uint32_t pid)
{
	const struct named *process = find(pid);
	const struct image *image;

	if (process)
		return process->name;
	image = images_lowest(pid);
	return image ? image->module->name : NULL;
}

void process_names_free(void)
{
	for (size_t i = 0; i < names.count; i++)
		free(names.list[i].name);
	free(names.list);
	hash_free(&names.table);
	memset(&names, 0, sizeof(names));
}
