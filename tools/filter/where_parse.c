// SPDX-License-Identifier: MIT
/*
 * Parses conditions on fields into alternatives, each a list of conditions that
 * must all hold
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/evnt.h"
#include "tools/filter/where.h"

/* Maximum nesting of parentheses */
#define MAX_DEPTH	16

/**
 * struct where_parser - state of parsing
 * @where: result
 * @next: rest of the text
 * @depth: number of open parentheses
 * @problem: set to the error on failure
 */
struct where_parser {
	struct where *where;
	const char *next;
	unsigned int depth;
	struct where_problem *problem;
};

/* Alternatives of a part of the text */
struct alternatives {
	struct where_alternative at[WHERE_MAX_ALTERNATIVES];
	unsigned int count;
};

static bool refuse(struct where_parser *p, int column, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool refuse(struct where_parser *p, int column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(p->problem->why, sizeof(p->problem->why), format, args);
	va_end(args);
	p->problem->column = column;
	return false;
}

/* Skip blanks and return the column */
static int column(struct where_parser *p)
{
	p->next += strspn(p->next, " \t\n");
	return p->next - p->where->text;
}

/* Return whether a character ends an unquoted word */
static bool ends_word(char c)
{
	return !c || strchr(" \t\n()=!<>\"'", c);
}

/* Take @word if it comes next as a whole word, ignoring case */
static bool take(struct where_parser *p, const char *word)
{
	size_t len = strlen(word);

	column(p);
	if (strncasecmp(p->next, word, len) != 0 ||
	    (isalpha((unsigned char)word[0]) && !ends_word(p->next[len])))
		return false;
	p->next += len;
	return true;
}

static char *copy(const char *from, size_t len)
{
	return must_have(strndup(from, len));
}

/* Read a word, or a text up to the same quote, which it cannot contain */
static bool read_word(struct where_parser *p, struct where_word *word,
		      const char *what)
{
	const char *start, *end;

	word->column = column(p);
	if (*p->next == '"' || *p->next == '\'') {
		end = strchr(p->next + 1, *p->next);
		if (!end)
			return refuse(p, word->column,
				      "the quote is not closed");
		word->text = copy(p->next + 1, end - p->next - 1);
		p->next = end + 1;
		return true;
	}
	for (start = p->next; !ends_word(*p->next); p->next++)
		;
	if (p->next == start)
		return refuse(p, word->column, "%s is missing here", what);
	word->text = copy(start, p->next - start);
	return true;
}

/* Read the limits of a range into a single value */
static bool read_range(struct where_parser *p, struct where_condition *c)
{
	struct where_word low = { 0 }, high = { 0 };
	bool done = read_word(p, &low, "the range's lower end");

	if (done && !take(p, "and"))
		done = refuse(p, column(p), "a range is written between A and"
			      " B: 'and' is missing here");
	done = done && read_word(p, &high, "the range's upper end");
	c->value.column = low.column;
	if (done && asprintf(&c->value.text, "%s,%s", low.text,
			     high.text) < 0)
		c->value.text = must_have(NULL);
	free(low.text);
	free(high.text);
	return done;
}

/* Read a relation after "not" */
static bool read_negation(struct where_parser *p, struct where_condition *c)
{
	if (take(p, "contains"))
		c->relation = PAYLOADFIELD_DOESNTCONTAIN;
	else if (take(p, "between"))
		c->relation = PAYLOADFIELD_NOTBETWEEN;
	else
		return refuse(p, column(p), "'not' is followed by contains or"
			      " between");
	return true;
}

static bool read_relation(struct where_parser *p, struct where_condition *c)
{
	/* Longer relations precede their prefixes */
	static const struct {
		const char *text;
		USHORT relation;
	} relations[] = {
		{ "<=", PAYLOADFIELD_LE }, { ">=", PAYLOADFIELD_GE },
		{ "==", PAYLOADFIELD_EQ }, { "!=", PAYLOADFIELD_NE },
		{ "<>", PAYLOADFIELD_NE }, { "<", PAYLOADFIELD_LT },
		{ ">", PAYLOADFIELD_GT }, { "=", PAYLOADFIELD_EQ },
		{ "contains", PAYLOADFIELD_CONTAINS },
		{ "between", PAYLOADFIELD_BETWEEN },
	};

	c->relation_column = column(p);
	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
		if (take(p, relations[i].text)) {
			c->relation = relations[i].relation;
			return true;
		}
	}
	if (take(p, "is")) {
		c->relation = take(p, "not") ? PAYLOADFIELD_NE :
					       PAYLOADFIELD_EQ;
		return true;
	}
	if (take(p, "multiple") && take(p, "of")) {
		c->relation = PAYLOADFIELD_MODULO;
		return true;
	}
	if (take(p, "not"))
		return read_negation(p, c);
	return refuse(p, c->relation_column, "a relation is missing here: one"
		      " of = != < <= > >=, [not] contains, [not] between,"
		      " multiple of");
}

static bool read_condition(struct where_parser *p, struct alternatives *a)
{
	struct where *w = p->where;
	struct where_condition *c = &w->conditions[w->condition_count];

	if (w->condition_count == WHERE_MAX_CONDITIONS)
		return refuse(p, column(p), "these are more than %d conditions",
			      WHERE_MAX_CONDITIONS);
	a->count = 1;
	a->at[0].count = 1;
	a->at[0].condition[0] = w->condition_count++;
	if (!read_word(p, &c->field, "a field's name") || !read_relation(p, c))
		return false;
	if (c->relation == PAYLOADFIELD_BETWEEN ||
	    c->relation == PAYLOADFIELD_NOTBETWEEN)
		return read_range(p, c);
	return read_word(p, &c->value, "a value");
}

static bool read_any(struct where_parser *p, struct alternatives *a);

static bool read_factor(struct where_parser *p, struct alternatives *a)
{
	int start = column(p);
	bool done;

	if (!take(p, "("))
		return read_condition(p, a);
	if (p->depth++ == MAX_DEPTH)
		return refuse(p, start, "parentheses are nested more than %d"
			      " deep", MAX_DEPTH);
	done = read_any(p, a);
	if (done && !take(p, ")"))
		done = refuse(p, start, "the parenthesis is not closed");
	p->depth--;
	return done;
}

/*
 * Combine with "and": pair each alternative of one side with each of the other
 */
static bool join_both(struct where_parser *p, int at, struct alternatives *a,
		      const struct alternatives *b)
{
	struct alternatives *all = must_have(calloc(1, sizeof(*all)));
	struct where_alternative *to = all->at;
	bool fits = a->count * b->count <= WHERE_MAX_ALTERNATIVES;

	for (unsigned int i = 0; fits && i < a->count * b->count; i++) {
		const struct where_alternative *x = &a->at[i / b->count],
					       *y = &b->at[i % b->count];

		fits = x->count + y->count <= ETW_MAX_PAYLOAD_PREDICATES;
		if (!fits)
			break;
		*to = *x;
		memcpy(to->condition + x->count, y->condition, y->count);
		to++->count += y->count;
	}
	all->count = to - all->at;
	*a = *all;
	free(all);
	return fits || refuse(p, at, "too much: written out as alternatives,"
			      " there may be %d of %d conditions each",
			      WHERE_MAX_ALTERNATIVES,
			      ETW_MAX_PAYLOAD_PREDICATES);
}

static bool read_all(struct where_parser *p, struct alternatives *a)
{
	struct alternatives *more = must_have(calloc(1, sizeof(*more)));
	bool done = read_factor(p, a);
	int at;

	while (done && (at = column(p), take(p, "and")))
		done = read_factor(p, more) && join_both(p, at, a, more);
	free(more);
	return done;
}

static bool read_any(struct where_parser *p, struct alternatives *a)
{
	struct alternatives *more = must_have(calloc(1, sizeof(*more)));
	bool done = read_all(p, a);
	int at;

	while (done && (at = column(p), take(p, "or"))) {
		done = read_all(p, more);
		if (done && a->count + more->count > WHERE_MAX_ALTERNATIVES)
			done = refuse(p, at, "these are more than %d"
				      " alternatives", WHERE_MAX_ALTERNATIVES);
		if (!done)
			break;
		memcpy(&a->at[a->count], more->at,
		       more->count * sizeof(*more->at));
		a->count += more->count;
	}
	free(more);
	return done;
}

bool where_parse(struct where *where, const char *text,
		 struct where_problem *problem)
{
	struct where_parser p = { .where = where,
				  .next = text,
				  .problem = problem };
	struct alternatives *a = must_have(calloc(1, sizeof(*a)));
	bool done;

	memset(where, 0, sizeof(*where));
	where->text = text;
	done = read_any(&p, a);
	if (done && text[column(&p)])
		done = refuse(&p, column(&p), "'and' or 'or' is missing here");
	memcpy(where->alternatives, a->at, sizeof(a->at));
	where->alternative_count = a->count;
	free(a);
	return done;
}

void where_free(struct where *where)
{
	for (unsigned int i = 0; i < where->condition_count; i++) {
		free(where->conditions[i].field.text);
		free(where->conditions[i].value.text);
		if (where->conditions[i].near.to)
			suggest_end(&where->conditions[i].near);
		free(where->conditions[i].near.text);
	}
	where->condition_count = 0;
	free(where->lacking);
	where->lacking = NULL;
	where->lacking_count = 0;
}
