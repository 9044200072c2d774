/* SPDX-License-Identifier: MIT */
/*
 * Text buffer, for printing an event at once for example: a call of stdio for
 * each word is too slow for a million events per second
 */
#ifndef EVNT_STRBUF_H
#define EVNT_STRBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/**
 * struct out - a text buffer
 * @text: contents, not nul-terminated
 * @len: length in bytes
 * @room: allocated size in bytes
 */
struct out {
	char *text;
	size_t len;
	size_t room;
};

/* Make room for @more bytes; exit if out of memory */
void out_grow(struct out *out, size_t more);

/* Return room for @more bytes. The caller writes there and increases @len. */
static inline char *out_room(struct out *out, size_t more)
{
	if (out->room - out->len < more)
		out_grow(out, more);
	return out->text + out->len;
}

static inline void out_bytes(struct out *out, const void *bytes, size_t len)
{
	memcpy(out_room(out, len), bytes, len);
	out->len += len;
}

static inline void out_char(struct out *out, char c)
{
	*out_room(out, 1) = c;
	out->len++;
}

static inline void out_text(struct out *out, const char *text)
{
	out_bytes(out, text, strlen(text));
}

/* Whether bytes are printed as they are; 0xc2 may begin a control character */
extern const bool out_plain[256];

static inline bool out_is_plain(char c)
{
	return out_plain[(unsigned char)c];
}

/* Return the length of the prefix that needs no escapes */
static inline size_t out_plain_len(const char *text)
{
	size_t len = 0;

	while (out_is_plain(text[len]))
		len++;
	return len;
}

/* Append text of unknown origin, escaping control characters and newlines */
void out_safely(struct out *out, const char *text);
void out_unsigned(struct out *out, uint64_t number);
/* Append a number in hexadecimal with 0x in front */
void out_mask(struct out *out, uint64_t number);
/* The same with upper-case digits, as TDH formats numbers */
void out_hex_number(struct out *out, uint64_t number);
void out_hex(struct out *out, const void *bytes, size_t len);
void out_guid(struct out *out, const void *guid);
void out_time(struct out *out, uint64_t filetime);

/* Return the text nul-terminated; valid until more is appended */
const char *out_string(struct out *out);
/* Print the text and empty the buffer */
void out_print(struct out *out, FILE *file);
void out_free(struct out *out);

#endif /* EVNT_STRBUF_H */
