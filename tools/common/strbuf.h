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

/* Make room for more than @more bytes; exit if out of memory */
void out_grow(struct out *out, size_t more);

/*
 * Return room for @more bytes, which may be none, and one. The caller writes
 * there and increases @len.
 */
static inline char *out_room(struct out *out, size_t more)
{
	if (out->room - out->len <= more)
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

/* A word with the same value in each of its bytes */
#define OUT_EACH(value)	(0x0101010101010101ull * (value))

/*
 * Whether eight bytes are ASCII that is printed as it is.  A byte of up to 7f
 * plus 60, and plus 7f, has the highest bit unless it is below 20, or 0.
 */
static inline bool out_all_plain(uint64_t bytes)
{
	const uint64_t low = OUT_EACH(0x7f);

	return !(((bytes | (bytes + OUT_EACH(1))) & OUT_EACH(0x80)) |
		 (~((bytes + OUT_EACH(0x60)) &
		    ((bytes ^ OUT_EACH('"')) + low) &
		    ((bytes ^ OUT_EACH('\\')) + low)) & OUT_EACH(0x80)));
}

/* Return the length of the prefix of a text that needs no escapes */
static inline size_t out_plain_len(const char *text, const char *end)
{
	const char *at = text;
	uint64_t bytes;

	for (; end - at >= 8; at += 8) {
		memcpy(&bytes, at, 8);
		if (!out_all_plain(bytes))
			break;
	}
	while (at < end && out_is_plain(*at))
		at++;
	return at - text;
}

/* Append text of unknown origin, escaping control characters and newlines */
void out_safely(struct out *out, const char *text);
void out_unsigned(struct out *out, uint64_t number);
/* Append a number in hexadecimal with 0x in front */
void out_mask(struct out *out, uint64_t number);

/* Write a number in room for NUMBER_TEXT; return its end */
char *out_write_unsigned(char *at, uint64_t number);
/* In hexadecimal with 0x in front and upper-case digits, as TDH formats numbers */
char *out_write_hex(char *at, uint64_t number);
/* Write the last @count digits of a number */
void out_write_digits(char *at, uint32_t number, unsigned int count);

void out_hex(struct out *out, const void *bytes, size_t len);
void out_guid(struct out *out, const void *guid);
void out_time(struct out *out, uint64_t filetime);

/* Return the text nul-terminated; valid until more is appended */
const char *out_string(struct out *out);
/* Print the text and empty the buffer */
void out_print(struct out *out, FILE *file);
void out_free(struct out *out);

#endif /* EVNT_STRBUF_H */
