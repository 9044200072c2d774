// SPDX-License-Identifier: MIT
/*
 * Command line as one text, and its split into arguments.
 */
#define _GNU_SOURCE
#include <shellapi.h>

#include "compat.h"

/* Quote an argument such that CommandLineToArgvW() restores it */
static void quote(FILE *out, const char *text)
{
	size_t slashes;

	if (*text && !strpbrk(text, " \t\"")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	while (*text) {
		/* Double each backslash before a quotation mark */
		slashes = strspn(text, "\\");
		fwrite(text, 1, slashes, out);
		text += slashes;
		if (!*text || *text == '"')
			fwrite(text - slashes, 1, slashes, out);
		if (*text == '"')
			fputc('\\', out);
		if (*text)
			fputc(*text++, out);
	}
	fputc('"', out);
}

static char *read_command_line(void)
{
	char *argument = NULL, *text = NULL;
	FILE *in = fopen("/proc/self/cmdline", "re");
	size_t room = 0, size, count = 0;
	FILE *out = open_memstream(&text, &size);

	while (in && out && getdelim(&argument, &room, 0, in) > 0) {
		if (count++)
			fputc(' ', out);
		quote(out, argument);
	}
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	free(argument);
	return text;
}

/* The text lives as long as the program; the first caller's is kept */
LPSTR GetCommandLineA(void)
{
	static char *line;
	char *mine, *none = NULL;

	if (__atomic_load_n(&line, __ATOMIC_ACQUIRE))
		return line;
	mine = read_command_line();
	if (!__atomic_compare_exchange_n(&line, &none, mine, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		free(mine);
	return line;
}

LPWSTR GetCommandLineW(void)
{
	static WCHAR *line;
	WCHAR *mine, *none = NULL;

	if (__atomic_load_n(&line, __ATOMIC_ACQUIRE))
		return line;
	mine = evnt16_from_utf8_new(GetCommandLineA());
	if (!__atomic_compare_exchange_n(&line, &none, mine, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		free(mine);
	return line;
}

static bool is_space(WCHAR c)
{
	return c == ' ' || c == '\t';
}

/*
 * Copy an argument to *@to, which moves behind the nul.  Before a quotation
 * mark, two backslashes are one, and an odd one makes the mark an ordinary
 * character.
 */
static const WCHAR *take_argument(const WCHAR *p, WCHAR **to)
{
	bool quoted = false;
	size_t slashes, i;

	while (*p && (quoted || !is_space(*p))) {
		for (slashes = 0; *p == '\\'; p++)
			slashes++;
		for (i = *p == '"' ? slashes / 2 : slashes; i; i--)
			*(*to)++ = '\\';
		if (*p == '"' && !(slashes % 2)) {
			/* Two quotation marks in quoted text are one */
			if (quoted && p[1] == '"')
				*(*to)++ = *p++;
			else
				quoted = !quoted;
			p++;
		} else if (*p && (quoted || !is_space(*p))) {
			*(*to)++ = *p++;
		}
	}
	*(*to)++ = 0;
	return p;
}

/* https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-commandlinetoargvw */
LPWSTR *CommandLineToArgvW(LPCWSTR line, int *count)
{
	size_t units, max;
	LPWSTR *arguments;
	WCHAR *to;

	if (!line || !count) {
		SetLastError(ERROR_INVALID_PARAMETER);
		return NULL;
	}
	/* There is at most one argument for two characters, and a final NULL */
	units = evnt16_wcslen(line);
	max = units / 2 + 2;
	arguments = LocalAlloc(0, max * sizeof(*arguments) +
			       (units + max) * sizeof(*to));
	if (!arguments) {
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	to = (WCHAR *)(arguments + max);
	for (*count = 0;; (*count)++) {
		while (is_space(*line))
			line++;
		arguments[*count] = NULL;
		if (!*line)
			return arguments;
		arguments[*count] = to;
		line = take_argument(line, &to);
	}
}
