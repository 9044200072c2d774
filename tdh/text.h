/* SPDX-License-Identifier: MIT */
/*
 * Text output to a buffer of the caller, in UTF-16 as on Windows, or in UTF-8.
 * Units that do not fit are counted, which yields the required size.
 */
#ifndef TDH_TEXT_H
#define TDH_TEXT_H

#include "tdh/common.h"

/**
 * struct text - text written so far
 * @out: the buffer; may be NULL if @room is 0
 * @room: size of the buffer in units: WCHAR if @wide, otherwise bytes
 * @len: length of the text in units, including those that do not fit
 * @wide: the text is UTF-16
 */
struct text {
	void *out;
	size_t room;
	size_t len;
	bool wide;
};

void put_ascii(struct text *t, const char *ascii);
void put_char(struct text *t, char ascii);
void put_nul(struct text *t);
void put_unsigned(struct text *t, u64 number);
/* With zeros in front, up to a number of digits */
void put_padded(struct text *t, u64 number, unsigned int digits);
void put_signed(struct text *t, int64_t number);
/* Prefixed with 0x */
void put_hex(struct text *t, u64 number);
void put_hex_bytes(struct text *t, const u8 *data, u32 len);
/* Not prefixed */
void put_hex_byte(struct text *t, u8 byte);

/* Append any Unicode character */
void put_character(struct text *t, u32 c);
/* Append @len bytes of UTF-16, except an odd byte at the end */
void put_utf16(struct text *t, const u8 *data, u32 len);
/* Append @len bytes of UTF-8; invalid sequences become U+FFFD */
void put_utf8(struct text *t, const char *data, u32 len);

#endif /* TDH_TEXT_H */
