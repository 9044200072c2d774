/* SPDX-License-Identifier: MIT */
/*
 * Text that is put together, an event's for example, to be printed in one piece: a
 * million events a second leave no time for a call of stdio for each word.
 */
#ifndef EVNT_OUT_H
#define EVNT_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/**
 * struct out - text
 * @text: so far
 * @len: bytes of it
 * @room: bytes that fit without more memory
 */
struct out {
	char *text;
	size_t len;
	size_t room;
};

/* Makes room for @more bytes; the program ends where there is no memory */
void out_grow(struct out *out, size_t more);

/* Where @more bytes may be written; @len says then how many were */
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

/* As text of unknown origin: it does not steer the terminal, or begin a line */
void out_safely(struct out *out, const char *text);
void out_unsigned(struct out *out, uint64_t number);
/* With 0x in front */
void out_mask(struct out *out, uint64_t number);
void out_hex(struct out *out, const void *bytes, size_t len);
void out_guid(struct out *out, const void *guid);
void out_time(struct out *out, uint64_t filetime);

/* With a nul at the end; valid until more is put to it */
const char *out_string(struct out *out);
/* Prints it, and begins anew */
void out_print(struct out *out, FILE *file);
void out_free(struct out *out);

#endif /* EVNT_OUT_H */
