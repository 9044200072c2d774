/* SPDX-License-Identifier: MIT */
/*
 * JSON as the tools write it: one object a line.  Numbers that JSON's readers
 * may not keep exactly, above 2^53 - 1, are strings of decimal digits.
 */
#ifndef EVNT_JSON_H
#define EVNT_JSON_H

#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#define JSON_EXACT_LIMIT	((1ull << 53) - 1)

void json_add_number(json_object *object, const char *key, uint64_t value);
void json_add_mask(json_object *object, const char *key, uint64_t value);
void json_add_text(json_object *object, const char *key, const char *text);
/* @guid: 16 bytes as in memory on Windows, of any alignment */
void json_add_guid(json_object *object, const char *key, const void *guid);

/* @object on a line, valid as long as it is */
const char *json_text(json_object *object);

/* Prints @object on a line, and puts it */
void json_print(json_object *object);

#endif /* EVNT_JSON_H */
