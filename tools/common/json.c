// SPDX-License-Identifier: MIT
/* JSON output of the tools */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "decode/format.h"
#include "tools/common/json.h"

void json_add_text(json_object *object, const char *key, const char *text)
{
	json_object_object_add(object, key, json_object_new_string(text));
}

void json_add_number(json_object *object, const char *key, uint64_t value)
{
	char text[NUMBER_TEXT];

	if (value <= JSON_EXACT_LIMIT) {
		json_object_object_add(object, key,
				       json_object_new_int64(value));
		return;
	}
	snprintf(text, sizeof(text), "%" PRIu64, value);
	json_add_text(object, key, text);
}

void json_add_mask(json_object *object, const char *key, uint64_t value)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	json_add_text(object, key, text);
}

void json_add_guid(json_object *object, const char *key, const void *guid)
{
	char text[GUID_TEXT];

	json_add_text(object, key, format_guid(guid, text));
}

const char *json_text(json_object *object)
{
	return json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
}

void json_print(json_object *object)
{
	const char *text = json_text(object);

	/*
	 * Escape the control characters that json-c does not escape. They occur
	 * in strings only.
	 */
	for (; *text; text++) {
		const unsigned char c = *text, next = text[1];

		if (c == 0x7f)
			fputs("\\u007f", stdout);
		else if (c == 0xc2 && next >= 0x80 && next < 0xa0)
			printf("\\u00%02x", (unsigned char)*++text);
		else
			putchar(c);
	}
	putchar('\n');
	json_object_put(object);
}
