// SPDX-License-Identifier: MIT
/*
 * sscanf() and related functions with Microsoft's formats: l means 32 bits, ll
 * and I64 mean 64, %s is a string of the format's own width.
 *
 * The C library reads each value separately; strings are read to an
 * intermediate buffer first.
 */
#define _GNU_SOURCE
#include "compat.h"

struct scan {
	const char *text;	/* rest of the text */
	const char *format;
	va_list args;
	bool wide;		/* strings without a size are */
	bool safe;
	int count;
};

/* One conversion, from behind the percent sign to its letter */
struct item {
	bool skip;		/* with a star */
	bool is_wide, is_narrow;
	char width[8];
	const char *size;	/* size modifier of the C library */
	char type;
	char set[96];		/* of %[ */
};

static const char *read_sizes(const char *f, struct item *item)
{
	item->size = "";
	for (;; f++) {
		if (*f == 'h') {
			item->size = *item->size == 'h' ? "hh" : "h";
			item->is_narrow = true;
		} else if (*f == 'l' && f[1] == 'l') {
			item->size = "ll";
			f++;
		} else if (*f == 'l' || *f == 'w') {
			item->is_wide = true;
		} else if (*f == 'I' && !strncmp(f, "I64", 3)) {
			item->size = "ll";
			f += 2;
		} else if (*f == 'I' && !strncmp(f, "I32", 3)) {
			f += 2;
		} else if (*f == 'I' || *f == 'z' || *f == 'j' || *f == 't') {
			item->size = "ll";
		} else {
			return f;
		}
	}
}

/* Read a set, which ends at the first ] that is not its first character */
static const char *read_set(const char *f, struct item *item)
{
	const char *end = f + (*f == '^');
	size_t n;

	end = strchr(end + (*end == ']'), ']');
	n = end ? (size_t)(end - f) + 1 : sizeof(item->set);
	if (n >= sizeof(item->set))
		return NULL;
	memcpy(item->set, f, n);
	return end + 1;
}

/* Read a conversion; return the text behind it, or NULL if it is malformed */
static const char *read_item(const char *f, struct item *item)
{
	size_t n = 0;

	*item = (struct item) { 0 };
	if (*f == '*') {
		item->skip = true;
		f++;
	}
	for (; *f >= '0' && *f <= '9'; f++) {
		if (n < sizeof(item->width) - 1)
			item->width[n++] = *f;
	}
	f = read_sizes(f, item);
	item->type = *f;
	if (!*f)
		return NULL;
	return *f == '[' ? read_set(f + 1, item) : f + 1;
}

/* Store text in the argument's width; return whether there was room */
static bool store_text(struct scan *s, const struct item *item, bool wide,
		       const char *from, size_t n)
{
	void *to = va_arg(s->args, void *);
	size_t room = s->safe ? va_arg(s->args, unsigned int) : SIZE_MAX / 4;
	size_t unit = wide ? sizeof(WCHAR) : 1, end = item->type != 'c';
	size_t units = n;
	bool malformed;

	if (wide)
		units = evnt16_from_utf8(from, n, NULL, 0, &malformed);
	if (units + end > room) {
		if (room)
			memset(to, 0, unit);
		return false;
	}
	if (wide)
		evnt16_from_utf8(from, n, to, units, &malformed);
	else
		memcpy(to, from, n);
	if (end)
		memset((char *)to + units * unit, 0, unit);
	return true;
}

static bool scan_text(struct scan *s, const struct item *item)
{
	bool other = item->type == 'S' || item->type == 'C';
	bool wide = !item->is_narrow && (item->is_wide || s->wide != other);
	char type = other ? tolower(item->type) : item->type, spec[160];
	char *place = NULL;
	int used = 0;
	bool stored = true;

	/* %c stores characters without a nul, as many as are consumed */
	snprintf(spec, sizeof(spec), "%%%s%s%c%s%%n", item->width,
		 type == 'c' ? "" : "m", type, item->set);
	if (type == 'c') {
		used = item->width[0] ? atoi(item->width) : 1;
		if (strnlen(s->text, used) < (size_t)used)
			return false;
	} else if (sscanf(s->text, spec, &place, &used) < 1) {
		free(place);
		return false;
	}
	if (!item->skip)
		stored = store_text(s, item, wide, place ? place : s->text,
				    place ? strlen(place) : (size_t)used);
	free(place);
	if (!stored)
		return false;
	s->text += used;
	s->count += !item->skip;
	return true;
}

static bool scan_number(struct scan *s, const struct item *item)
{
	bool real = strchr("eEfFgGaA", item->type);
	long long skipped = 0;
	void *to = item->skip ? &skipped : va_arg(s->args, void *);
	char spec[32];
	int used = 0;

	snprintf(spec, sizeof(spec), "%%%s%s%c%%n", item->width,
		 real ? (item->is_wide ? "l" : "") :
		 item->type == 'p' ? "" : item->size, item->type);
	if (sscanf(s->text, spec, to, &used) < 1)
		return false;
	s->text += used;
	s->count += !item->skip;
	return true;
}

static bool skip_space(struct scan *s)
{
	while (isspace((unsigned char)*s->text))
		s->text++;
	return true;
}

static bool scan_item(struct scan *s, const struct item *item,
		      const char *from)
{
	switch (item->type) {
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p':
	case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a':
		return scan_number(s, item);
	case 's': case 'S': case 'c': case 'C': case '[':
		return scan_text(s, item);
	case 'n':
		*va_arg(s->args, int *) = (int)(s->text - from);
		return true;
	case '%':
		return skip_space(s) && *s->text++ == '%';
	}
	return false;
}

/* Return the number of values; EOF if the text ends before the first one */
static int scan(struct scan *s)
{
	const char *from = s->text, *f = s->format;
	struct item item;

	while (f && *f) {
		if (isspace((unsigned char)*f)) {
			skip_space(s);
			f++;
		} else if (*f != '%') {
			if (*s->text != *f++)
				break;
			s->text++;
		} else {
			f = read_item(f + 1, &item);
			if (!f || !scan_item(s, &item, from))
				break;
		}
	}
	skip_space(s);
	return s->count || *s->text ? s->count : EOF;
}

static int scan_narrow(const char *text, const char *format, bool safe,
		       va_list args)
{
	struct scan s = { .text = text, .format = format, .safe = safe };
	int n;

	va_copy(s.args, args);
	n = scan(&s);
	va_end(s.args);
	return n;
}

int evnt16_scan(const WCHAR *text, const WCHAR *format, bool safe, va_list args)
{
	char *bytes = evnt16_to_utf8_new(text);
	char *how = evnt16_to_utf8_new(format);
	struct scan s = {
		.text = bytes, .format = how, .safe = safe, .wide = true,
	};
	int n = EOF;

	if (bytes && how) {
		va_copy(s.args, args);
		n = scan(&s);
		va_end(s.args);
	}
	free(bytes);
	free(how);
	return n;
}

int evnt_sscanf(const char *text, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = scan_narrow(text, format, false, args);
	va_end(args);
	return n;
}

int evnt_sscanf_s(const char *text, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = scan_narrow(text, format, true, args);
	va_end(args);
	return n;
}

int evnt16_swscanf(const WCHAR *text, const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt16_scan(text, format, false, args);
	va_end(args);
	return n;
}

int swscanf_s(const WCHAR *text, const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt16_scan(text, format, true, args);
	va_end(args);
	return n;
}
