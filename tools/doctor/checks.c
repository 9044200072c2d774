// SPDX-License-Identifier: MIT
/* Findings of evnt doctor */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/evnt.h"
#include "tools/doctor/checks.h"
#include "decode/format.h"

/* Widths of the columns in front of the text */
#define STATE_WIDTH	8
#define CHECK_WIDTH	11

static const struct {
	const char *text;
	const char *key;
} states[] = {
	[FINDING_OK] = { "ok", "ok" },
	[FINDING_NOTE] = { "note", "note" },
	[FINDING_PROBLEM] = { "PROBLEM", "problem" },
};

void findings_end(struct findings *f)
{
	json_object *object;

	if (!f->check)
		return;
	if (f->json) {
		object = finding_object(f);
		if (f->advice)
			json_add_text(object, "advice", f->advice);
		f->more = NULL;
		json_print(object);
	} else {
		printf("%-*s %-*s %s\n", STATE_WIDTH, states[f->state].text,
		       CHECK_WIDTH, f->check, make_printable(f->text));
		if (f->advice)
			printf("%*s %s\n", STATE_WIDTH + CHECK_WIDTH + 1, "->",
			       make_printable(f->advice));
	}
	free(f->text);
	free(f->advice);
	f->check = NULL;
	f->text = NULL;
	f->advice = NULL;
}

static char *text_of(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	return must_have(text);
}

void found(struct findings *f, enum finding_state state, const char *check,
	   const char *format, ...)
{
	va_list args;

	findings_end(f);
	va_start(args, format);
	f->text = text_of(format, args);
	va_end(args);
	f->check = check;
	f->state = state;
	f->problems += state == FINDING_PROBLEM;
}

void advise(struct findings *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	f->advice = text_of(format, args);
	va_end(args);
}

json_object *finding_object(struct findings *f)
{
	if (!f->json)
		return NULL;
	if (!f->more) {
		f->more = json_object_new_object();
		json_add_text(f->more, "check", f->check);
		json_add_text(f->more, "state", states[f->state].key);
		json_add_text(f->more, "text", f->text);
	}
	return f->more;
}
