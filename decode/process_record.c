// SPDX-License-Identifier: MIT
/* Records by which the module names processes, and the names of one log */
#include <stdlib.h>
#include <string.h>

#include "core/self_layout.h"
#include "decode/format.h"
#include "decode/process_record.h"

/**
 * struct process_entry - name of a process
 * @next: next entry of the hash chain
 * @name: its name
 * @pid: process id
 */
struct process_entry {
	struct process_entry *next;
	char *name;
	uint32_t pid;
};

bool is_process_name(const EVENT_RECORD *record)
{
	static const GUID class = {
		0x3d6fa8d0, 0xfe05, 0x11d0,
		{ 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c }
	};
	const EVENT_HEADER *h = &record->EventHeader;
	struct evntprov_process fixed;

	if (h->EventDescriptor.Opcode != EVENT_TRACE_TYPE_DC_START ||
	    h->EventDescriptor.Version != 4 ||
	    record->UserDataLength < sizeof(fixed) ||
	    memcmp(&h->ProviderId, &class, sizeof(class)) != 0)
		return false;
	memcpy(&fixed, record->UserData, sizeof(fixed));
	return fixed.flags & EVNTPROV_PROCESS_NAMED && !fixed.sid;
}

static struct process_entry *find(const struct process_table *table,
				  uint32_t pid)
{
	struct process_entry *entry = table->chains[pid % PROCESS_CHAINS];

	while (entry && entry->pid != pid)
		entry = entry->next;
	return entry;
}

bool process_table_take(struct process_table *table,
			const EVENT_RECORD *record)
{
	struct process_entry *entry, **chain;
	struct evntprov_process fixed;
	const char *data = record->UserData;
	char *text, *name;

	memcpy(&fixed, data, sizeof(fixed));
	text = strndup(data + sizeof(fixed),
		       record->UserDataLength - sizeof(fixed));
	name = text ? format_utf8_copy(text) : NULL;
	free(text);
	entry = find(table, fixed.process_id);
	if (name && !entry) {
		entry = calloc(1, sizeof(*entry));
		if (entry) {
			chain = &table->chains[fixed.process_id % PROCESS_CHAINS];
			entry->pid = fixed.process_id;
			entry->next = *chain;
			*chain = entry;
		}
	}
	if (!name || !entry) {
		free(name);
		return false;
	}
	free(entry->name);
	entry->name = name;
	return true;
}

const char *process_table_find(const struct process_table *table, uint32_t pid)
{
	const struct process_entry *entry = find(table, pid);

	return entry ? entry->name : NULL;
}

void process_table_free(struct process_table *table)
{
	struct process_entry *entry, *next;

	for (size_t i = 0; i < PROCESS_CHAINS; i++) {
		for (entry = table->chains[i]; entry; entry = next) {
			next = entry->next;
			free(entry->name);
			free(entry);
		}
		table->chains[i] = NULL;
	}
}
