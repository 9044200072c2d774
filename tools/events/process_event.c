// SPDX-License-Identifier: MIT
/* Finds names of processes in events of Windows' kernel */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/events/fields.h"
#include "tools/events/process_event.h"

static const GUID classic = {
	0x3d6fa8d0, 0xfe05, 0x11d0,
	{ 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c }
};

static const GUID kernel_process = {
	0x22fb2cd6, 0x0e7b, 0x422b,
	{ 0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16 }
};

/* Ids of its events about processes; events of images have such fields, too */
enum {
	PROCESS_START = 1,
	PROCESS_STOP = 2,
	PROCESS_RUNDOWN = 15,
};

/**
 * struct process_fields - fields found in an event
 * @view: event
 * @schema: schema of the event
 * @has_pid: @pid is valid
 * @pid: process id
 * @name: name of the process, or empty
 */
struct process_fields {
	const struct view *view;
	const struct schema *schema;
	bool has_pid;
	uint32_t pid;
	char *name;
};

/*
 * Return the last component of a path, of any system. Threads of
 * Linux have names with a slash that are no paths, such as kworker/0:1.
 */
static const char *last_part(const char *path)
{
	const char *last = path;

	if (*path != '/' && !strchr(path, '\\'))
		return path;
	for (; *path; path++) {
		if ((*path == '\\' || *path == '/') && path[1])
			last = path + 1;
	}
	return last;
}

/* Copy a name, truncated at a character boundary */
static void copy_name(char name[PROCESS_EVENT_NAME], const char *text)
{
	size_t len = strlen(text);

	if (len >= PROCESS_EVENT_NAME) {
		len = PROCESS_EVENT_NAME - 1;
		while (len && (text[len] & 0xc0) == 0x80)
			len--;
	}
	memcpy(name, text, len);
	name[len] = '\0';
}

static ULONG WINAPI take(const EVNT_PROPERTY *property, PVOID context)
{
	struct process_fields *found = context;
	const char *field = found->schema->names[property->Index], *text;
	enum field_kind kind;

	if (property->Kind != EvntPropertyValue || !field)
		return ERROR_SUCCESS;
	text = fields_value(found->schema, found->view->record, property,
			    &kind);
	if (text && !strcasecmp(field, "ProcessId")) {
		found->has_pid = true;
		found->pid = strtoul(text, NULL, 0);
	} else if (text && (!strcasecmp(field, "ImageFileName") ||
			    !strcasecmp(field, "ImageName"))) {
		copy_name(found->name, last_part(text));
	}
	return ERROR_SUCCESS;
}

static bool is_process_event(const EVENT_HEADER *header)
{
	const USHORT id = header->EventDescriptor.Id;

	if (!memcmp(&header->ProviderId, &classic, sizeof(GUID)))
		return true;
	return !memcmp(&header->ProviderId, &kernel_process, sizeof(GUID)) &&
	       (id == PROCESS_START || id == PROCESS_STOP ||
		id == PROCESS_RUNDOWN);
}

bool process_event(const struct view *view, uint32_t *pid,
		   char name[PROCESS_EVENT_NAME])
{
	struct process_fields found = { .view = view, .name = name };

	if (!is_process_event(&view->record->EventHeader))
		return false;
	found.schema = fields_schema(view->kind, view->record);
	if (!found.schema)
		return false;
	name[0] = '\0';
	EvntEnumerateProperties(view->record, found.schema->info, take,
				&found);
	*pid = found.pid;
	return found.has_pid && name[0];
}
