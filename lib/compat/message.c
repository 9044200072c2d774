// SPDX-License-Identifier: MIT
/*
 * FormatMessage(): messages of the system or of the program's own text, with
 * inserts as %1 or %1!format!.
 */
#define _GNU_SOURCE
#include "compat.h"

static const struct {
	DWORD id;
	const char *text;
} messages[] = {
	{ ERROR_SUCCESS, "The operation completed successfully." },
	{ ERROR_FILE_NOT_FOUND, "There is no such file." },
	{ ERROR_PATH_NOT_FOUND, "There is no such folder." },
	{ ERROR_ACCESS_DENIED, "Access is denied." },
	{ ERROR_INVALID_HANDLE, "The handle is invalid." },
	{ ERROR_NOT_ENOUGH_MEMORY, "There is not enough memory." },
	{ ERROR_OUTOFMEMORY, "There is not enough memory." },
	{ ERROR_BAD_LENGTH, "A length is wrong." },
	{ ERROR_NOT_SUPPORTED, "This is not supported." },
	{ ERROR_INVALID_PARAMETER, "A parameter is wrong." },
	{ ERROR_INSUFFICIENT_BUFFER, "The buffer is too small." },
	{ ERROR_ALREADY_EXISTS, "It exists already." },
	{ ERROR_MORE_DATA, "There is more data." },
	{ ERROR_NOT_FOUND, "It was not found." },
	{ ERROR_CANCELLED, "It was cancelled." },
	{ ERROR_NO_SYSTEM_RESOURCES, "The system has no resources for it." },
	{ ERROR_WMI_INSTANCE_NOT_FOUND, "There is no such session." },
	{ ERROR_CTX_CLOSE_PENDING, "It will be closed." },
};

static const char *message_of(DWORD id)
{
	size_t i;

	for (i = 0; i < ARRAYSIZE(messages); i++) {
		if (messages[i].id == id)
			return messages[i].text;
	}
	return NULL;
}

/* Copy to a buffer of @size units, or to an allocated one stored at @to */
static DWORD deliver(const void *text, size_t count, size_t unit, DWORD flags,
		     void *to, DWORD size)
{
	void *copy = to;

	if (!(flags & FORMAT_MESSAGE_ALLOCATE_BUFFER) && count >= size)
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	if (flags & FORMAT_MESSAGE_ALLOCATE_BUFFER) {
		copy = LocalAlloc(0, (count >= size ? count + 1 : size) * unit);
		if (!copy)
			return fail_with(ERROR_NOT_ENOUGH_MEMORY);
		*(void **)to = copy;
	}
	memcpy(copy, text, (count + 1) * unit);
	return count;
}

/* Source of inserts: read in order and kept, as %2 may precede %1 */
struct inserts {
	va_list *list;
	const ULONG_PTR *array;
	ULONG_PTR values[99 + 2];	/* %99 with two stars */
	int count;
};

static ULONG_PTR insert_of(struct inserts *in, int n)
{
	if (in->array)
		return in->array[n - 1];
	while (in->count < n)
		in->values[in->count++] = va_arg(*in->list, ULONG_PTR);
	return in->values[n - 1];
}

static char *format_insert(const WCHAR *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = evnt16_format(format, args);
	va_end(args);
	return text;
}

/*
 * Put a string, or an insert formatted by the text between !!.  Each star in it
 * takes one more insert.
 */
static const WCHAR *put_insert(FILE *out, const WCHAR *f, int n,
			       struct inserts *in, bool wide)
{
	WCHAR format[32] = { '%', wide ? 's' : 'S', 0 };
	ULONG_PTR value[3] = { 0 };
	size_t size, stars = 0, i;
	const WCHAR *end;
	char *text;

	if (*f == '!') {
		end = evnt16_wcschr(f + 1, '!');
		size = end ? (size_t)(end - f) - 1 : 0;
		if (!size || size > 30)
			return NULL;
		memcpy(format + 1, f + 1, size * sizeof(*f));
		format[size + 1] = 0;
		/* In the narrow function, s is a narrow string, S a wide one */
		if (!wide && (format[size] == 's' || format[size] == 'S'))
			format[size] ^= 's' ^ 'S';
		f = end + 1;
	}
	for (i = 0; format[i]; i++)
		stars += format[i] == '*' && stars < 2;
	for (i = 0; i <= stars; i++)
		value[i] = insert_of(in, n + (int)i);
	text = format_insert(format, value[0], value[1], value[2]);
	if (text)
		fputs(text, out);
	free(text);
	return f;
}

/*
 * Put an escape behind its percent sign.  Return the text behind it, or NULL at
 * the end or for a malformed escape.
 */
static const WCHAR *put_escape(FILE *out, const WCHAR *f, struct inserts *in,
			       bool wide)
{
	int n;

	if (*f >= '1' && *f <= '9') {
		n = *f++ - '0';
		if (*f >= '0' && *f <= '9')
			n = n * 10 + *f++ - '0';
		if (in)
			return put_insert(out, f, n, in, wide);
		fprintf(out, "%%%d", n);
		return f;
	}
	switch (*f) {
	case 0: case '0':
		return NULL;
	case 'n':
		fputs("\r\n", out);
		break;
	case 'r':
		fputc('\r', out);
		break;
	case 't':
		fputc('\t', out);
		break;
	case 'b':
		fputc(' ', out);
		break;
	default:
		if (*f < 0x80)
			fputc(*f, out);
		break;
	}
	return f + 1;
}

/* Expand to UTF-8; @in is NULL to ignore inserts; NULL without memory */
static char *expand(const WCHAR *f, struct inserts *in, bool wide)
{
	char *text = NULL, bytes[8];
	bool malformed;
	size_t size, n, units;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	while (f && *f) {
		if (*f == '%') {
			f = put_escape(out, f + 1, in, wide);
			continue;
		}
		units = (*f & 0xfc00) == 0xd800 && f[1] ? 2 : 1;
		n = evnt16_to_utf8(f, units, bytes, sizeof(bytes), &malformed);
		fwrite(bytes, 1, n, out);
		f += units;
	}
	fclose(out);
	return text;
}

/* Return a system message with a line end, or the program's own text */
static WCHAR *template_of(DWORD flags, const void *source, DWORD id, bool wide)
{
	const char *text = message_of(id);
	char line[128];

	if (flags & FORMAT_MESSAGE_FROM_STRING)
		return wide ? _wcsdup(source) : evnt16_from_utf8_new(source);
	if (!(flags & FORMAT_MESSAGE_FROM_SYSTEM)) {
		SetLastError(flags & FORMAT_MESSAGE_FROM_HMODULE ?
			     ERROR_RESOURCE_TYPE_NOT_FOUND :
			     ERROR_INVALID_PARAMETER);
		return NULL;
	}
	if (!text) {
		SetLastError(ERROR_MR_MID_NOT_FOUND);
		return NULL;
	}
	snprintf(line, sizeof(line), "%s\r\n", text);
	return evnt16_from_utf8_new(line);
}

static char *message_text(DWORD flags, const void *source, DWORD id, bool wide,
			  va_list *args)
{
	bool is_array = flags & FORMAT_MESSAGE_ARGUMENT_ARRAY;
	struct inserts in = {
		.list = args, .array = is_array ? (ULONG_PTR *)args : NULL,
	};
	WCHAR *template = template_of(flags, source, id, wide);
	char *text;

	if (!template)
		return NULL;
	text = expand(template, args &&
		      !(flags & FORMAT_MESSAGE_IGNORE_INSERTS) ? &in : NULL,
		      wide);
	free(template);
	return text;
}

/* https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-formatmessage */
DWORD FormatMessageA(DWORD flags, LPCVOID source, DWORD id, DWORD language,
		     LPSTR to, DWORD size, va_list *args)
{
	char *text = message_text(flags, source, id, false, args);
	DWORD n = 0;

	(void)language;
	if (text)
		n = deliver(text, strlen(text), 1, flags, to, size);
	free(text);
	return n;
}

DWORD FormatMessageW(DWORD flags, LPCVOID source, DWORD id, DWORD language,
		     LPWSTR to, DWORD size, va_list *args)
{
	char *text = message_text(flags, source, id, true, args);
	WCHAR *wide = text ? evnt16_from_utf8_new(text) : NULL;
	DWORD n = 0;

	(void)language;
	if (wide)
		n = deliver(wide, evnt16_wcslen(wide), sizeof(*wide), flags, to,
			    size);
	free(wide);
	free(text);
	return n;
}
