/* SPDX-License-Identifier: MIT */
/*
 * Values as text.  Each function fills in and returns @text, which it always
 * terminates.
 */
#ifndef EVNT_FORMAT_H
#define EVNT_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define GUID_TEXT	37
#define TIME_TEXT	40
#define NUMBER_TEXT	24

/* @guid: 16 bytes as in memory on Windows, of any alignment */
char *format_guid(const void *guid, char text[GUID_TEXT]);

/* @filetime: ISO 8601, UTC, to 100 ns */
char *format_time(uint64_t filetime, char text[TIME_TEXT]);

/* A name where there is one, else the number */
char *format_level(uint8_t level, char text[NUMBER_TEXT]);
char *format_opcode(uint8_t opcode, char text[NUMBER_TEXT]);

/* UTF-8 from @count UTF-16 units; what is none becomes U+FFFD */
char *format_utf16(const void *units, size_t count, char *text, size_t size);

/* @text needs 3 bytes for each of UTF-16's units, and one */
#define UTF16_TEXT(units)	((units) * 3 + 1)

/* UTF-8 from @len bytes that claim to be it; what is none becomes U+FFFD */
char *format_utf8(const void *bytes, size_t len, char *text, size_t size);

/* Likewise, a copy of @text, to be freed; or NULL when there is no memory */
char *format_utf8_copy(const char *text);

/* What printf() would print, to be freed; or NULL when there is no memory */
char *format_text(const char *format, va_list args)
	__attribute__((format(printf, 1, 0)));

/* Names are others' choice: what would steer the terminal becomes ? */
char *make_printable(char *text);

/* @text needs 2 * @len + 1 bytes */
char *format_hex(const void *bytes, size_t len, char *text);

#endif /* EVNT_FORMAT_H */
