/* SPDX-License-Identifier: MIT */
/*
 * Classes of the events of Windows' kernel, which its systems describe in the
 * Managed Object Format.
 */
#ifndef TDH_KERNEL_CLASSES_H
#define TDH_KERNEL_CLASSES_H

#include "tdh/bytes.h"

/**
 * struct kernel_class - a class of events
 * @guid: GUID of the events
 * @name: name of the class
 * @provider: name of the provider; NULL for the kernel itself
 */
struct kernel_class {
	GUID guid;
	const char *name;
	const char *provider;
};

/**
 * struct kernel_layout - fields of some types of events of a class
 * @class: index in kernel_classes
 * @first: first version with these fields
 * @last: last version with these fields
 * @types: NUMBER NAME of each type, separated by commas
 * @fields: NAME:T of each field, separated by spaces
 *
 * T is a letter of the table of types in kernel_info.c.  Behind it, [NUMBER] is
 * the number of elements of an array, or of characters of a string; [NAME]
 * refers to a field in front that contains the number; [] is an array that
 * extends to the end of the event.
 */
struct kernel_layout {
	u8 class;
	u8 first;
	u8 last;
	const char *types;
	const char *fields;
};

extern const struct kernel_class kernel_classes[];
extern const struct kernel_layout kernel_layouts[];
extern const unsigned int kernel_class_count;
extern const unsigned int kernel_layout_count;

/* Append a TRACE_EVENT_INFO, or return ERROR_NOT_FOUND */
ULONG kernel_event_info(const EVENT_RECORD *event, struct bytes *b);

#endif /* TDH_KERNEL_CLASSES_H */
