// SPDX-License-Identifier: MIT
/* Determines which events a session records, by level, keywords and filters */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evntprov.h>

#include "tools/evnt.h"
#include "core/level_keyword.h"
#include "tools/doctor/explain.h"

#define ENABLE_OTHERWISE						\
	"'evnt enable' with another level, keywords or filters replaces those" \
	" of the session"

void explain_add(struct explanation *v, enum explain_what what,
		 const char *advice, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = must_have(format_text(format, args));
	va_end(args);
	v->reasons = must_have(realloc(v->reasons, (v->count + 1) *
				       sizeof(*v->reasons)));
	v->reasons[v->count++] = text;
	if (what > v->what)
		v->what = what;
	v->advice = advice ? advice : v->advice;
}

static void evaluate_level(struct explanation *v, const struct question *q,
			   const struct evntrace_enablement *e)
{
	char limit[NUMBER_TEXT];
	UCHAR level = evnt_effective_level(e->level);

	format_level(level, limit);
	if (level == EVNT_LEVEL_ALL || q->level == 0 ||
	    (q->level > 0 && q->level <= level))
		return;
	if (q->level > 0)
		explain_add(v, EXPLAIN_NONE, ENABLE_OTHERWISE,
			    "its level is %d,"
			    " and the session takes those up to %u (%s)",
			    q->level, level, limit);
	else
		explain_add(v, EXPLAIN_SOME, ENABLE_OTHERWISE,
			    "up to level %u (%s)", level, limit);
}

/* Add the condition on keywords */
static void add_keywords(struct explanation *v,
			 const struct evntrace_enablement *e)
{
	const bool with_none = !(e->property &
				 EVNTRACE_PROPERTY_IGNORE_KEYWORD_0);
	char any[64] = "any keyword", all[64] = "";

	if (evnt_effective_any(e->match_any) != EVNT_KEYWORD_ALL)
		snprintf(any, sizeof(any), "a keyword of 0x%llx", e->match_any);
	if (e->match_all)
		snprintf(all, sizeof(all), " and all of 0x%llx", e->match_all);
	explain_add(v, EXPLAIN_SOME, ENABLE_OTHERWISE, "with %s%s%s", any, all,
		    with_none ? ", or with none" : "");
}

static void evaluate_keyword(struct explanation *v, const struct question *q,
			     const struct evntrace_enablement *e)
{
	const bool ignores_0 = e->property & EVNTRACE_PROPERTY_IGNORE_KEYWORD_0;
	const struct evnt_level_keyword interest = {
		.match_any = evnt_effective_any(e->match_any),
		.match_all = e->match_all,
		.level = EVNT_LEVEL_ALL,
	};

	if (!q->has_keyword) {
		if (interest.match_any != EVNT_KEYWORD_ALL ||
		    interest.match_all || ignores_0)
			add_keywords(v, e);
	} else if (!q->keyword && ignores_0) {
		explain_add(v, EXPLAIN_NONE, ENABLE_OTHERWISE, "it has no"
			    " keyword, and the session does not record such"
			    " events");
	} else if (!evnt_wanted(&interest, 0, q->keyword)) {
		explain_add(v, EXPLAIN_NONE, ENABLE_OTHERWISE,
			    "its keywords are"
			    " 0x%llx, and the session takes those with any of"
			    " 0x%llx and all of 0x%llx",
			    q->keyword, (ULONGLONG)interest.match_any,
			    (ULONGLONG)interest.match_all);
	}
}

/* Apply a filter of ids, which does not affect TraceLogging events */
static void evaluate_ids(struct explanation *v, const struct question *q,
			 const EVENT_FILTER_EVENT_ID *f, const char *ids)
{
	bool is_listed = false;

	if (q->name)
		return;
	if (q->id < 0) {
		explain_add(v, EXPLAIN_SOME, ENABLE_OTHERWISE, f->FilterIn ?
			    "with the ids %s" : "with other ids than %s", ids);
		return;
	}
	for (unsigned int i = 0; i < f->Count && !is_listed; i++)
		is_listed = f->Events[i] == q->id;
	if (is_listed != !!f->FilterIn)
		explain_add(v, EXPLAIN_NONE, ENABLE_OTHERWISE,
			    "its id is %d, and"
			    " the session takes %s %s",
			    q->id, f->FilterIn ? "the ids" : "other ids than",
			    ids);
}

static bool names_have(const EVENT_FILTER_EVENT_NAME *f, const char *wanted)
{
	const char *name = (const char *)f->Names;

	for (unsigned int i = 0; i < f->NameCount; i++) {
		if (!strcmp(name, wanted))
			return true;
		name += strlen(name) + 1;
	}
	return false;
}

/* Apply a filter of names, which affects TraceLogging events only */
static void evaluate_names(struct explanation *v, const struct question *q,
			   const EVENT_FILTER_EVENT_NAME *f, const char *names)
{
	const struct evnt_level_keyword interest = {
		.match_any = evnt_effective_any(f->MatchAnyKeyword),
		.match_all = f->MatchAnyKeyword ? f->MatchAllKeyword : 0,
		.level = evnt_effective_level(f->Level),
	};
	bool is_listed;

	if (q->name) {
		is_listed = evnt_wanted(&interest, q->level > 0 ? q->level : 0,
					q->keyword) && names_have(f, q->name);
		if (is_listed != !!f->FilterIn)
			explain_add(v, EXPLAIN_NONE, ENABLE_OTHERWISE, "it is"
				    " called '%s', and the session takes %s%s",
				    q->name, f->FilterIn ? "" : "others than ",
				    names);
	} else if (q->id < 0) {
		explain_add(v, EXPLAIN_SOME, ENABLE_OTHERWISE, f->FilterIn ?
			    "called %s, if of TraceLogging" :
			    "not called %s, if of TraceLogging", names);
	}
}

static void evaluate_filter(struct explanation *v, const struct question *q,
			    const struct evntrace_filter *info)
{
	const void *data = info + 1;
	char *value;

	filter_text(info, &value);
	switch (info->type) {
	case EVENT_FILTER_TYPE_EVENT_ID:
		evaluate_ids(v, q, data, value);
		break;
	case EVENT_FILTER_TYPE_EVENT_NAME:
		evaluate_names(v, q, data, value);
		break;
	case EVENT_FILTER_TYPE_PAYLOAD:
		if (!q->name)
			explain_add(v, EXPLAIN_SOME, ENABLE_OTHERWISE, "whose"
				    " fields match --where: %s", value);
		break;
	case EVENT_FILTER_TYPE_PID:
	case EVENT_FILTER_TYPE_EXECUTABLE_NAME:
	case EVENT_FILTER_TYPE_PACKAGE_ID:
	case EVENT_FILTER_TYPE_PACKAGE_APP_ID:
	case EVENT_FILTER_TYPE_STACKWALK:
	case EVENT_FILTER_TYPE_STACKWALK_NAME:
	case EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW:
		break;		/* apply to processes, or to extended items */
	default:
		explain_add(v, EXPLAIN_SOME, NULL, "that the provider writes"
			    " according to the filter passed to it");
	}
	free(value);
}

void explain_make(struct explanation *v, const struct court *court,
		  const struct evntrace_registration *r,
		  const struct evntrace_enablement *e)
{
	const struct question *q = court->question;
	const struct evntrace_filter *info;
	struct filter_list filters;

	*v = (struct explanation) { EXPLAIN_ALL, NULL, 0, NULL };
	filters_list(court->device, e, &filters);
	explain_of_process(v, court, r, e, &filters);
	if (v->what < EXPLAIN_NONE)
		evaluate_level(v, q, e);
	if (v->what < EXPLAIN_NONE)
		evaluate_keyword(v, q, e);
	for (size_t at = 0; v->what < EXPLAIN_NONE &&
	     (info = filter_info_next(&filters, &at)); )
		evaluate_filter(v, q, info);
	if (v->what < EXPLAIN_NONE &&
	    e->property & EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE)
		explain_add(v, EXPLAIN_SOME, NULL, "not written as InPrivate");
	free(filters.data);
}

void explain_free(struct explanation *v)
{
	for (size_t i = 0; i < v->count; i++)
		free(v->reasons[i]);
	free(v->reasons);
	v->reasons = NULL;
	v->count = 0;
}

char *explain_text(const struct explanation *v)
{
	/* The conditions are irrelevant if no event passes */
	size_t first = v->what == EXPLAIN_NONE ? v->count - 1 : 0;
	char *text = NULL;
	size_t size;
	FILE *to = must_have(open_memstream(&text, &size));

	for (size_t i = first; i < v->count; i++)
		fprintf(to, "%s%s", i > first ? "; " : "", v->reasons[i]);
	fclose(to);
	return must_have(text);
}
