/* SPDX-License-Identifier: MIT */
/*
 * Formats values as text. Each function fills in and returns @text, which is
 * always nul-terminated.
 */
#ifndef EVNT_FORMAT_H
#define EVNT_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define GUID_TEXT	37
#define TIME_TEXT	40
#define NUMBER_TEXT	24

/*
 * Format a GUID. @guid: 16 bytes in Windows' memory layout, of any alignment.
 */
char *format_guid(const void *guid, char text[GUID_TEXT]);

/* Format @filetime as ISO 8601 in UTC with a resolution of 100 ns */
char *format_time(uint64_t filetime, char text[TIME_TEXT]);

/* Return the standard name, otherwise the number */
char *format_level(uint8_t level, char text[NUMBER_TEXT]);
char *format_opcode(uint8_t opcode, char text[NUMBER_TEXT]);

/* Convert @count UTF-16 units to UTF-8. Invalid units become U+FFFD. */
char *format_utf16(const void *units, size_t count, char *text, size_t size);

/* Size of UTF-8 text for @units UTF-16 units, with the terminating nul */
#define UTF16_TEXT(units)	((units) * 3 + 1)

/* Validate @len bytes of UTF-8. Invalid bytes become U+FFFD. */
char *format_utf8(const void *bytes, size_t len, char *text, size_t size);

/*
 * Like format_utf8(), but return a copy for the caller to free; NULL if out of
 * memory
 */
char *format_utf8_copy(const char *text);

/* Format like vprintf(). The caller frees the result; NULL if out of memory. */
char *format_text(const char *format, va_list args)
	__attribute__((format(printf, 1, 0)));

/*
 * Replace characters that control the terminal by '?', since names come from
 * other users
 */
char *make_printable(char *text);

/* Format bytes in hexadecimal; @text needs 2 * @len + 1 bytes */
char *format_hex(const void *bytes, size_t len, char *text);

#endif /* EVNT_FORMAT_H */
