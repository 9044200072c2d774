/* SPDX-License-Identifier: MIT */
/* Compare UTF-16 of TDH's structures with text in a test. */
#ifndef EVNT_TEST_TDH_TEXT_H
#define EVNT_TEST_TDH_TEXT_H

#include <stdbool.h>
#include <stdlib.h>

#include "evnttdh.h"
#include "tdh/bytes.h"

static inline size_t wide_len(const WCHAR *text)
{
	size_t len = 0;

	while (text[len])
		len++;
	return len;
}

/* Convert to UTF-8; the caller frees the result */
static char *narrow(const WCHAR *text)
{
	struct bytes b = { 0 };

	bytes_add_utf8(&b, (const u8 *)text, wide_len(text));
	bytes_add_u8(&b, 0);
	return (char *)b.data;
}

static bool is_text(const WCHAR *text, const char *want)
{
	char *got;
	bool same;

	if (!text)
		return !want;
	got = narrow(text);
	same = want && !strcmp(got, want);
	if (!same)
		printf("# '%s', not '%s'\n", got, want ? want : "(none)");
	free(got);
	return same;
}

/* Get information for the event; the caller frees it; NULL: no description */
static inline TRACE_EVENT_INFO *info_of(EVENT_RECORD *event)
{
	TRACE_EVENT_INFO *info;
	ULONG size = 0;

	if (TdhGetEventInformation(event, 0, NULL, NULL, &size) !=
	    ERROR_INSUFFICIENT_BUFFER)
		return NULL;
	info = malloc(size);
	if (TdhGetEventInformation(event, 0, NULL, info, &size)) {
		free(info);
		return NULL;
	}
	return info;
}

#endif /* EVNT_TEST_TDH_TEXT_H */
