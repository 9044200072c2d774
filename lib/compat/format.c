// SPDX-License-Identifier: MIT
/*
 * Format strings like Microsoft's: %s is a string of the format's own width, %S
 * of the other width; %hs is narrow, %ls and %ws are wide; the same holds for
 * %c.  %wZ and %Z are UNICODE_STRING and ANSI_STRING. l means 32 bits, ll and
 * I64 mean 64, I means the size of a pointer.
 *
 * The result is built in UTF-8, with numbers formatted by the C library.
 */
#define _GNU_SOURCE
#include "compat.h"

/* One conversion: flags, width and precision as text, and the size */
struct spec {
	char text[64];
	size_t len;
	int precision;		/* -1: none */
	char size;		/* h, l, L for 64 bits, or 0 */
	bool wide;		/* of the format, and thus of %s */
};

static void spec_add(struct spec *s, char c)
{
	if (s->len < sizeof(s->text) - 8)
		s->text[s->len++] = c;
}

static void spec_number(struct spec *s, int n)
{
	char text[16], *p = text;

	snprintf(text, sizeof(text), "%d", n);
	while (*p)
		spec_add(s, *p++);
}

/* Read digits, or an argument for a star */
static const WCHAR *read_number(const WCHAR *f, va_list *args, int *value)
{
	*value = 0;
	if (*f == '*') {
		*value = va_arg(*args, int);
		return f + 1;
	}
	for (; *f >= '0' && *f <= '9'; f++)
		*value = *value < 10000 ? *value * 10 + *f - '0' : *value;
	return f;
}

static const WCHAR *read_size(const WCHAR *f, struct spec *s)
{
	for (;; f++) {
		switch (*f) {
		case 'h':
			s->size = 'h';
			break;
		case 'l':
			s->size = s->size == 'l' ? 'L' : 'l';
			break;
		case 'w':
			s->size = 'l';
			break;
		case 'z': case 'j': case 't':
			s->size = 'L';
			break;
		case 'I':
			s->size = 'L';
			if (f[1] == '3' && f[2] == '2')
				s->size = 'l';
			if ((f[1] == '3' && f[2] == '2') ||
			    (f[1] == '6' && f[2] == '4'))
				f += 2;
			break;
		default:
			return f;
		}
	}
}

static const WCHAR *read_spec(const WCHAR *f, va_list *args, struct spec *s)
{
	int n;

	*s = (struct spec) {
		.text = "%", .len = 1, .precision = -1, .wide = s->wide,
	};
	while (*f && strchr("-+ #0", *f) && *f < 0x80)
		spec_add(s, *f++);
	if (*f == '*' || (*f >= '0' && *f <= '9')) {
		f = read_number(f, args, &n);
		spec_number(s, n);
	}
	if (*f == '.') {
		f = read_number(f + 1, args, &s->precision);
		spec_add(s, '.');
		spec_number(s, s->precision);
	}
	return read_size(f, s);
}

/* Append one argument as formatted by the C library */
#define PRINT(out, s, suffix, value) do { \
	snprintf((s)->text + (s)->len, sizeof((s)->text) - (s)->len, "%s", \
		 suffix); \
	fprintf(out, (s)->text, value); \
} while (0)

static void print_integer(FILE *out, struct spec *s, char type, va_list *args)
{
	char suffix[4] = { type };

	if (s->size == 'L') {
		snprintf(suffix, sizeof(suffix), "ll%c", type);
		PRINT(out, s, suffix, va_arg(*args, long long));
	} else if (s->size == 'h') {
		snprintf(suffix, sizeof(suffix), "h%c", type);
		PRINT(out, s, suffix, va_arg(*args, int));
	} else {
		PRINT(out, s, suffix, va_arg(*args, int));
	}
}

/* Print a string, whose precision counts characters of its own width */
static void print_string(FILE *out, struct spec *s, bool wide, va_list *args)
{
	size_t max = s->precision < 0 ? SIZE_MAX : (size_t)s->precision, n;
	const void *text = va_arg(*args, const void *);
	char *dot = memchr(s->text, '.', s->len), *bytes = NULL;
	bool malformed;

	if (dot)
		s->len = dot - s->text;
	if (!text || !wide) {
		text = text ? text : "(null)";
		bytes = strndup(text, max);
	} else {
		n = evnt16_wcsnlen(text, max);
		bytes = calloc(3, n + 1);
		if (bytes)
			evnt16_to_utf8(text, n, bytes, 3 * n, &malformed);
	}
	if (bytes)
		PRINT(out, s, "s", bytes);
	free(bytes);
}

static void print_character(FILE *out, struct spec *s, bool wide, va_list *args)
{
	WCHAR c = va_arg(*args, int);
	char bytes[4] = { 0 };
	bool malformed;

	if (wide)
		evnt16_to_utf8(&c, 1, bytes, 3, &malformed);
	else
		bytes[0] = c;
	PRINT(out, s, "s", bytes);
}

/* Return whether text is wide; @other: for %S instead of %s */
static bool is_wide(const struct spec *s, bool other)
{
	if (s->size == 'h')
		return false;
	return s->size == 'l' || s->wide != other;
}

/* Print a UNICODE_STRING or an ANSI_STRING */
static void print_counted(FILE *out, struct spec *s, va_list *args)
{
	const STRING *text = va_arg(*args, const STRING *);
	size_t size = text ? text->Length : 0, n;
	char *bytes = calloc(3, size + 1);
	bool malformed;

	if (!bytes)
		return;
	if (s->size == 'l' && size)
		n = evnt16_to_utf8((const WCHAR *)(void *)text->Buffer,
				   size / sizeof(WCHAR), bytes, 3 * size,
				   &malformed);
	else
		n = size;
	if (s->size != 'l' && size)
		memcpy(bytes, text->Buffer, size);
	fwrite(bytes, 1, n, out);
	free(bytes);
}

static void print_spec(FILE *out, struct spec *s, WCHAR type, va_list *args)
{
	char suffix[2] = { type };

	switch (type) {
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
		print_integer(out, s, type, args);
		break;
	case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
	case 'a': case 'A':
		PRINT(out, s, suffix, va_arg(*args, double));
		break;
	case 's': case 'S':
		print_string(out, s, is_wide(s, type == 'S'), args);
		break;
	case 'c': case 'C':
		print_character(out, s, is_wide(s, type == 'C'), args);
		break;
	case 'Z':
		print_counted(out, s, args);
		break;
	case 'p':
		fprintf(out, "%016llX", va_arg(*args, unsigned long long));
		break;
	case '%':
		fputc('%', out);
		break;
	}
}

/* Print text up to a percent sign or the end */
static const WCHAR *print_plain(FILE *out, const WCHAR *f)
{
	const WCHAR *from = f;
	char bytes[96];
	bool malformed;
	size_t n;

	while (*f && *f != '%' && f - from < 31)
		f++;
	/* Do not split a surrogate pair */
	if (f - from == 31 && (f[-1] & 0xfc00) == 0xd800)
		f--;
	n = evnt16_to_utf8(from, f - from, bytes, sizeof(bytes), &malformed);
	fwrite(bytes, 1, n, out);
	return f;
}

/* Format all; NULL without memory */
static char *format_text(const WCHAR *format, bool wide, va_list args)
{
	struct spec s = { .wide = wide };
	char *text = NULL;
	va_list copy;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	va_copy(copy, args);
	while (*format) {
		if (*format != '%') {
			format = print_plain(out, format);
			continue;
		}
		format = read_spec(format + 1, &copy, &s);
		if (!*format)
			break;
		print_spec(out, &s, *format++, &copy);
	}
	va_end(copy);
	fclose(out);
	return text;
}

char *evnt16_format(const WCHAR *format, va_list args)
{
	return format_text(format, true, args);
}

char *evnt_format(const char *format, va_list args)
{
	WCHAR *wide = evnt16_from_utf8_new(format);
	char *text = wide ? format_text(wide, false, args) : NULL;

	free(wide);
	return text;
}
