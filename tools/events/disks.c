// SPDX-License-Identifier: MIT
/*
 * Names of the disks of a log: from events PhyDisk of class SystemConfig, which
 * describe each disk
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "decode/format.h"
#include "tools/evnt.h"
#include "tools/events/disks.h"

/* Classes by the first field of their GUIDs, which all differ in it */
#define DISK_IO		0x3d6fa8d4u
#define SYSTEM_CONFIG	0x01853a65u

#define DISK_READ	10
#define DISK_WRITE	11
#define DISK_FLUSH	14
#define PHYSICAL_DISK	11

/* Place in bytes, and length in units of 16 bits, of the name of a disk */
#define NAME_AT		40
#define NAME_UNITS	256

/* More than a machine has: a damaged log could name any number of disks */
#define MAX_DISKS	4096u

/* Windows numbers its disks; Linux has numbers of devices, with a major number */
#define MAX_WINDOWS_DISK	255

/**
 * struct disk - a disk with a name
 * @number: its number
 * @name: its last name
 */
struct disk {
	uint32_t number;
	char *name;
};

static struct {
	struct disk *list;
	size_t count;
} disks;

static bool is_of_class(const EVENT_RECORD *record, ULONG class)
{
	const EVENT_HEADER *h = &record->EventHeader;

	return h->ProviderId.Data1 == class &&
	       (h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER);
}

static uint32_t number_in(const EVENT_RECORD *record)
{
	uint32_t number;

	memcpy(&number, record->UserData, sizeof(number));
	return number;
}

static struct disk *find(uint32_t number)
{
	for (size_t i = 0; i < disks.count; i++) {
		if (disks.list[i].number == number)
			return &disks.list[i];
	}
	return NULL;
}

/* Add a disk; NULL if there are too many */
static struct disk *add(uint32_t number)
{
	if (disks.count == MAX_DISKS)
		return NULL;
	disks.list = must_have(realloc(disks.list, (disks.count + 1) *
				       sizeof(*disks.list)));
	disks.list[disks.count] = (struct disk) { .number = number };
	return &disks.list[disks.count++];
}

void disks_take(const EVENT_RECORD *record)
{
	const unsigned char *data = record->UserData;
	char name[UTF16_TEXT(NAME_UNITS)];
	struct disk *disk;
	size_t len = 0;

	if (!is_of_class(record, SYSTEM_CONFIG) ||
	    record->EventHeader.EventDescriptor.Opcode != PHYSICAL_DISK ||
	    record->UserDataLength < NAME_AT + 2 * NAME_UNITS)
		return;
	while (len < NAME_UNITS &&
	       (data[NAME_AT + 2 * len] || data[NAME_AT + 2 * len + 1]))
		len++;
	format_utf16(data + NAME_AT, len, name, sizeof(name));
	/* Windows fills up some names with blanks */
	for (len = strlen(name); len && name[len - 1] == ' '; len--)
		name[len - 1] = '\0';
	if (!*name)
		return;
	disk = find(number_in(record));
	if (!disk)
		disk = add(number_in(record));
	if (!disk)
		return;
	free(disk->name);
	disk->name = must_have(strdup(name));
}

bool disk_of_event(const EVENT_RECORD *record, uint32_t *number)
{
	const UCHAR type = record->EventHeader.EventDescriptor.Opcode;

	if (!is_of_class(record, DISK_IO) ||
	    (type != DISK_READ && type != DISK_WRITE && type != DISK_FLUSH) ||
	    record->UserDataLength < sizeof(*number))
		return false;
	*number = number_in(record);
	return true;
}

const char *disk_name(uint32_t number)
{
	const struct disk *disk = find(number);

	return disk ? disk->name : NULL;
}

const char *disk_number(uint32_t number, char text[DISK_NUMBER])
{
	if (number <= MAX_WINDOWS_DISK)
		snprintf(text, DISK_NUMBER, "%u", number);
	else
		snprintf(text, DISK_NUMBER, "%u:%u", major(number),
			 minor(number));
	return text;
}

const char *disk_text(uint32_t number, char text[DISK_TEXT])
{
	const char *name = disk_name(number);
	char digits[DISK_NUMBER];

	if (!name)
		return disk_number(number, text);
	disk_number(number, digits);
	snprintf(text, DISK_TEXT, "%.80s (%s)", name, digits);
	return text;
}

void disks_free(void)
{
	for (size_t i = 0; i < disks.count; i++)
		free(disks.list[i].name);
	free(disks.list);
	memset(&disks, 0, sizeof(disks));
}
