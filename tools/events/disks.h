/* SPDX-License-Identifier: MIT */
/* Names of the disks of a log, as far as events contain them */
#ifndef EVNT_DISKS_H
#define EVNT_DISKS_H

#include <stdbool.h>
#include <stdint.h>

#include <evntcons.h>

#define DISK_TEXT	128
#define DISK_NUMBER	24

/* Take the name from an event that describes a disk; ignore other events */
void disks_take(const EVENT_RECORD *record);

/* Return whether an event is about a request to a disk, and the disk's number */
bool disk_of_event(const EVENT_RECORD *record, uint32_t *number);

/* Return the name of a disk, or NULL; valid until the next event */
const char *disk_name(uint32_t number);

/* Format the number of a disk; on Linux, the two numbers of its device */
const char *disk_number(uint32_t number, char text[DISK_NUMBER]);

/* Format the name, if it is known, and the number of a disk */
const char *disk_text(uint32_t number, char text[DISK_TEXT]);

void disks_free(void);

#endif /* EVNT_DISKS_H */
