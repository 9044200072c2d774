/* SPDX-License-Identifier: MIT */
/*
 * Text in a buffer of the caller's, who wants UTF-16, as Windows does, or UTF-8.
 * What does not fit is counted: so the caller learns what would.
 */
#ifndef TDH_TEXT_H
#define TDH_TEXT_H

#include "internal.h"

/**
 * struct text - what is written so far
 * @out: the buffer; may be NULL without @room
 * @room: units that it holds: WCHAR if @wide, else bytes
 * @len: units that the text has, whether they fit or not
 * @wide: UTF-16
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
/* As in printf, for ASCII; 127 characters at most */
void put_printf(struct text *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void put_unsigned(struct text *t, u64 number);
void put_signed(struct text *t, int64_t number);
/* With 0x in front */
void put_hex(struct text *t, u64 number);
void put_hex_bytes(struct text *t, const u8 *data, u32 len);

/* Any character */
void put_character(struct text *t, u32 c);
/* @len bytes of UTF-16; an odd one at the end is left out */
void put_utf16(struct text *t, const u8 *data, u32 len);
/* @len bytes of UTF-8; what is none becomes U+FFFD */
void put_utf8(struct text *t, const char *data, u32 len);

#endif /* TDH_TEXT_H */
