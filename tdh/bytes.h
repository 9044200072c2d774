/* SPDX-License-Identifier: MIT */
/*
 * Bytes that grow.  After a failure, of memory or of size, nothing is added any
 * more and @failed says so: whoever fills one asks once, in the end.
 */
#ifndef TDH_BYTES_H
#define TDH_BYTES_H

#include "internal.h"

/* More than any structure of TDH, and any resource, has */
#define BYTES_MAX	(256u << 20)

struct bytes {
	u8 *data;
	size_t len;
	size_t room;
	bool failed;
};

/* Adds @len zeros and returns where they begin: an offset, 0 after a failure */
size_t bytes_reserve(struct bytes *b, size_t len);
size_t bytes_add(struct bytes *b, const void *data, size_t len);
void bytes_add_u8(struct bytes *b, u8 value);
void bytes_add_u16(struct bytes *b, u16 value);
void bytes_add_u32(struct bytes *b, u32 value);
void bytes_align(struct bytes *b, size_t multiple);

/* Writes over what is there; @at may be past the end after a failure */
void bytes_put_u16(struct bytes *b, size_t at, u16 value);
void bytes_put_u32(struct bytes *b, size_t at, u32 value);

/*
 * UTF-16 of UTF-8; what is none becomes U+FFFD.  bytes_add_wide() adds no nul;
 * bytes_add_string() does and returns the offset, 0 for NULL.
 */
void bytes_add_wide(struct bytes *b, const char *text);
size_t bytes_add_string(struct bytes *b, const char *text);

/* UTF-8 of @count UTF-16 units of any alignment; no nul is added */
void bytes_add_utf8(struct bytes *b, const u8 *units, size_t count);

/*
 * The UTF-8 of a file that may be in UTF-16; a byte order mark is left out.  False:
 * it is in the byte order of other machines.
 */
bool bytes_add_file(struct bytes *b, const u8 *data, size_t len);

void bytes_free(struct bytes *b);

/*
 * Hands over what was built, as the functions of TDH do: @buffer of *@size
 * bytes, which may be NULL where that is too little.  Frees @b.
 */
ULONG bytes_hand_over(struct bytes *b, void *buffer, ULONG *size);

/* The character at *@p, before @end; *@p goes behind it.  U+FFFD: it is none */
u32 utf8_next(const char **p, const char *end);

/* Likewise, of UTF-16 of any alignment */
u32 utf16_next(const u8 **p, const u8 *end);

/* Store @c at @out, and return how many units or bytes it takes */
unsigned int utf16_put(u32 c, WCHAR out[2]);
unsigned int utf8_put(u32 c, char out[4]);

#define REPLACEMENT	0xfffdu

/* Whether UTF-16 and UTF-8 are the same text */
bool same_text(const WCHAR *wide, const char *narrow);

#endif /* TDH_BYTES_H */
