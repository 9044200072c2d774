/* SPDX-License-Identifier: MIT */
/*
 * Growing byte buffer.  After a failure to allocate, or beyond BYTES_MAX,
 * nothing is added and @failed is set, so that callers may check once at the
 * end.
 */
#ifndef TDH_BYTES_H
#define TDH_BYTES_H

#include "tdh/common.h"

/* Upper bound of any TDH structure and any resource, in bytes */
#define BYTES_MAX	(256u << 20)

struct bytes {
	u8 *data;
	size_t len;
	size_t room;
	bool failed;
};

/* Append @len zeros and return their offset, or 0 after a failure */
size_t bytes_reserve(struct bytes *b, size_t len);
size_t bytes_add(struct bytes *b, const void *data, size_t len);
void bytes_add_u8(struct bytes *b, u8 value);
void bytes_add_u16(struct bytes *b, u16 value);
void bytes_add_u32(struct bytes *b, u32 value);
void bytes_align(struct bytes *b, size_t multiple);

/* Overwrite existing bytes; @at may be past the end after a failure */
void bytes_put_u16(struct bytes *b, size_t at, u16 value);
void bytes_put_u32(struct bytes *b, size_t at, u32 value);

/*
 * Append UTF-8 as UTF-16; invalid sequences become U+FFFD.  bytes_add_wide()
 * appends no nul.  bytes_add_string() appends one and returns the offset, 0 for
 * NULL.
 */
void bytes_add_wide(struct bytes *b, const char *text);
size_t bytes_add_string(struct bytes *b, const char *text);

/* Append @count UTF-16 units, of any alignment, as UTF-8 without a nul */
void bytes_add_utf8(struct bytes *b, const u8 *units, size_t count);

/*
 * Append a file in UTF-8 or UTF-16 as UTF-8, without byte order mark.  Return
 * false for big-endian UTF-16.
 */
bool bytes_add_file(struct bytes *b, const u8 *data, size_t len);

void bytes_free(struct bytes *b);

/*
 * Copy the bytes to @buffer of *@size bytes, and store the required size in
 * *@size, as TDH functions do; @buffer may be NULL if *@size is too small.
 * Frees @b.
 */
ULONG bytes_hand_over(struct bytes *b, void *buffer, ULONG *size);

/* Check whether a UTF-16 text equals a UTF-8 text */
bool same_text(const WCHAR *wide, const char *narrow);

#endif /* TDH_BYTES_H */
