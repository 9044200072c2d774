// SPDX-License-Identifier: MIT
/*
 * Dates and times as English text, by pictures like yyyy'-'MM'-'dd.
 */
#define _GNU_SOURCE
#include "compat.h"

static const char * const months[] = {
	"January", "February", "March", "April", "May", "June", "July",
	"August", "September", "October", "November", "December",
};

static const char * const days[] = {
	"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
	"Saturday",
};

/* Numbers have at least one or two digits; names have three or all letters */
static void put_number(FILE *out, int n, size_t letters)
{
	fprintf(out, "%0*d", letters > 1 ? 2 : 1, n);
}

static void put_name(FILE *out, const char *name, size_t letters)
{
	fprintf(out, "%.*s", letters > 3 ? -1 : 3, name);
}

static void put_date(FILE *out, WCHAR c, size_t n, const SYSTEMTIME *t)
{
	if (c == 'd' && n < 3)
		put_number(out, t->wDay, n);
	else if (c == 'd')
		put_name(out, days[t->wDayOfWeek], n);
	else if (c == 'M' && n < 3)
		put_number(out, t->wMonth, n);
	else if (c == 'M')
		put_name(out, months[t->wMonth - 1], n);
	else if (c == 'y' && n < 3)
		put_number(out, t->wYear % 100, n);
	else if (c == 'y')
		fprintf(out, "%04d", t->wYear);
	else if (c == 'g')
		fputs("A.D.", out);
}

static void put_time(FILE *out, WCHAR c, size_t n, const SYSTEMTIME *t)
{
	if (c == 'h')
		put_number(out, t->wHour % 12 ? t->wHour % 12 : 12, n);
	else if (c == 'H')
		put_number(out, t->wHour, n);
	else if (c == 'm')
		put_number(out, t->wMinute, n);
	else if (c == 's')
		put_number(out, t->wSecond, n);
	else if (c == 't')
		fprintf(out, "%.*s", n > 1 ? 2 : 1, t->wHour < 12 ? "AM" : "PM");
}

static void put_unit(FILE *out, WCHAR c)
{
	char bytes[4];
	bool malformed;
	size_t n = evnt16_to_utf8(&c, 1, bytes, 3, &malformed);

	fwrite(bytes, 1, n, out);
}

/* Copy quoted text unchanged; '' is an apostrophe */
static const WCHAR *put_quoted(FILE *out, const WCHAR *f)
{
	for (; *f; f++) {
		if (*f == '\'' && *++f != '\'')
			break;
		put_unit(out, *f);
	}
	return f;
}

static char *picture_text(const WCHAR *f, const char *letters,
			  const SYSTEMTIME *t,
			  void (*put)(FILE *, WCHAR, size_t, const SYSTEMTIME *))
{
	char *text = NULL;
	size_t size, n;
	FILE *out = open_memstream(&text, &size);

	while (out && *f) {
		if (*f == '\'') {
			f = put_quoted(out, f + 1);
			continue;
		}
		for (n = 1; f[n] == *f; n++)
			;
		if (*f < 0x80 && strchr(letters, *f)) {
			put(out, *f, n, t);
			f += n;
			continue;
		}
		put_unit(out, *f++);
	}
	if (out)
		fclose(out);
	return text;
}

/* Copy the text, and return its length with the nul; @size 0 only measures */
static int give(char *text, LPWSTR to, int size)
{
	WCHAR *wide = text ? evnt16_from_utf8_new(text) : NULL;
	int n = wide ? (int)evnt16_wcslen(wide) + 1 : 0;

	if (!wide) {
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
	} else if (size && n > size) {
		n = 0;
		SetLastError(ERROR_INSUFFICIENT_BUFFER);
	} else if (size) {
		memcpy(to, wide, n * sizeof(*to));
	}
	free(wide);
	free(text);
	return n;
}

static bool time_of(const SYSTEMTIME *given, SYSTEMTIME *t)
{
	FILETIME file;

	if (!given)
		GetLocalTime(t);
	else
		*t = *given;
	/* Ignore the given day of the week, and derive it from the date */
	return SystemTimeToFileTime(t, &file) && FileTimeToSystemTime(&file, t);
}

/* https://learn.microsoft.com/windows/win32/api/datetimeapi/nf-datetimeapi-getdateformatw */
int GetDateFormatW(LCID locale, DWORD flags, const SYSTEMTIME *date,
		   LPCWSTR picture, LPWSTR to, int size)
{
	SYSTEMTIME t;

	(void)locale;
	if (size < 0 || (size && !to) || !time_of(date, &t))
		return fail_with(ERROR_INVALID_PARAMETER);
	if (flags & ~(DATE_SHORTDATE | DATE_LONGDATE | LOCALE_NOUSEROVERRIDE) ||
	    (picture && flags & ~LOCALE_NOUSEROVERRIDE))
		return fail_with(ERROR_INVALID_FLAGS);
	if (!picture)
		picture = flags & DATE_LONGDATE ?
			  EVNT_WIDE("dddd, MMMM d, yyyy") :
			  EVNT_WIDE("M/d/yyyy");
	return give(picture_text(picture, "dMyg", &t, put_date), to, size);
}

/* https://learn.microsoft.com/windows/win32/api/datetimeapi/nf-datetimeapi-gettimeformatw */
int GetTimeFormatW(LCID locale, DWORD flags, const SYSTEMTIME *date,
		   LPCWSTR picture, LPWSTR to, int size)
{
	SYSTEMTIME t;

	(void)locale;
	if (size < 0 || (size && !to))
		return fail_with(ERROR_INVALID_PARAMETER);
	if (flags & ~(TIME_NOSECONDS | TIME_FORCE24HOURFORMAT |
		      LOCALE_NOUSEROVERRIDE))
		return fail_with(ERROR_INVALID_FLAGS);
	/* Ignore the date */
	if (date) {
		t = *date;
		if (t.wHour > 23 || t.wMinute > 59 || t.wSecond > 59)
			return fail_with(ERROR_INVALID_PARAMETER);
	} else {
		GetLocalTime(&t);
	}
	if (!picture && flags & TIME_FORCE24HOURFORMAT)
		picture = flags & TIME_NOSECONDS ? EVNT_WIDE("H:mm") :
						   EVNT_WIDE("H:mm:ss");
	else if (!picture)
		picture = flags & TIME_NOSECONDS ? EVNT_WIDE("h:mm tt") :
						   EVNT_WIDE("h:mm:ss tt");
	return give(picture_text(picture, "hHmst", &t, put_time), to, size);
}
