/* SPDX-License-Identifier: MIT */
/*
 * JSON output of the tools: one object per line. Numbers above 2^53 - 1, which
 * JSON parsers may round, are written as strings of decimal digits.
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
/* @guid: 16 bytes in Windows' memory layout, of any alignment */
void json_add_guid(json_object *object, const char *key, const void *guid);

/* Return @object on a single line, valid as long as @object */
const char *json_text(json_object *object);

/* Print @object on a single line and drop the reference */
void json_print(json_object *object);

#endif /* EVNT_JSON_H */
