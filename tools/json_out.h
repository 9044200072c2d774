/* SPDX-License-Identifier: MIT */
/*
 * JSON that is written as it comes, for events: objects of json.h for each of a
 * million events take three times as long.  The rules are the same ones: numbers
 * above 2^53 - 1 are strings.
 *
 * Commas are put where they belong: in front of what is not the first.
 */
#ifndef EVNT_JSON_OUT_H
#define EVNT_JSON_OUT_H

#include <stdbool.h>

#include "out.h"

/* '{' or '['; json_end() with '}' or ']' */
void json_begin(struct out *out, char bracket);
void json_end(struct out *out, char bracket);

/* A key, of an object; what is put next is its value */
void json_key(struct out *out, const char *key);
/* One that is known to need no escapes */
#define json_plain_key(out, key)	json_bytes_key(out, key, sizeof(key) - 1)
void json_bytes_key(struct out *out, const char *key, size_t len);

/* In an array json_next() comes before each value, or json_begin() */
void json_next(struct out *out);

/* Values */
void json_put_text(struct out *out, const char *text);
void json_put_unsigned(struct out *out, uint64_t number);
/* Text that is a number already; long ones become strings */
void json_put_number(struct out *out, const char *number);
void json_put_mask(struct out *out, uint64_t number);
void json_put_hex(struct out *out, const void *bytes, size_t len);
void json_put_guid(struct out *out, const void *guid);

#endif /* EVNT_JSON_OUT_H */
