/* SPDX-License-Identifier: MIT */
/* Numbers as users write them. */
#ifndef EVNT_NUMBER_H
#define EVNT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include <evntbase.h>

/* A decimal number from @least to @most, and nothing else in @text */
bool parse_count(const char *text, ULONG least, ULONG most, ULONG *value);

/* The first @len bytes of @text: hexadecimal after 0x, else decimal */
bool parse_number(const char *text, size_t len, ULONGLONG *value);

#endif /* EVNT_NUMBER_H */
