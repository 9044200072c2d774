// SPDX-License-Identifier: MIT
/*
 * Grammar of classes in the Managed Object Format.  Instances and declarations
 * of qualifiers are skipped.
 */
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#include "tdh/mof.h"

/**
 * struct mof_parser - parser state
 * @mof: the file
 * @token: lookahead token
 */
struct mof_parser {
	struct mof *mof;
	struct mof_token token;
};

#define ALLOC(p, type) \
	((type *)arena_alloc(&(p)->mof->manifest->arena, sizeof(type)))

bool mof_refuse(struct mof *mof, const struct mof_place *place,
		const char *format, ...)
{
	struct problem problem = {
		.file = mof->file,
		.line = place->line,
		.column = place->column,
	};
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	problem.text = text;
	mof->failed = true;
	if (mof->report)
		mof->report(&problem, mof->context);
	return false;
}

bool mof_is(const char *name, const char *other)
{
	return !strcasecmp(name, other);
}

const struct mof_qualifier *
mof_qualifier(const struct mof_qualifier *list, const char *name)
{
	while (list && !mof_is(list->name, name))
		list = list->next;
	return list;
}

const char *mof_text(const struct mof_qualifier *list, const char *name)
{
	const struct mof_qualifier *q = mof_qualifier(list, name);

	return q && q->values ? q->values->text : NULL;
}

bool mof_says(const struct mof_qualifier *list, const char *name,
	      const char *text)
{
	const char *is = mof_text(list, name);

	return is && mof_is(is, text);
}

static bool next(struct mof_parser *p)
{
	return mof_token(p->mof, &p->token);
}

static bool is_next(const struct mof_parser *p, int kind)
{
	return (int)p->token.kind == kind;
}

static bool is_word(const struct mof_parser *p, const char *word)
{
	return is_next(p, MOF_NAME) && mof_is(p->token.text, word);
}

static bool expect(struct mof_parser *p, char c, const char *where)
{
	if (is_next(p, c))
		return next(p);
	return mof_refuse(p->mof, &p->token.place, "'%c' is missing here, %s",
			  c, where);
}

static bool read_name(struct mof_parser *p, const char **name, const char *what)
{
	if (!is_next(p, MOF_NAME))
		return mof_refuse(p->mof, &p->token.place,
				  "%s is missing here", what);
	*name = p->token.text;
	return next(p);
}

/* Read a text, a number, or a name such as TRUE, which counts as a text */
static bool read_value(struct mof_parser *p, struct mof_value **list)
{
	struct mof_value *value = ALLOC(p, struct mof_value);

	if (!value)
		return false;
	if (is_next(p, MOF_NUMBER))
		value->number = p->token.number;
	else if (is_next(p, MOF_TEXT) || is_next(p, MOF_NAME))
		value->text = p->token.text;
	else
		return mof_refuse(p->mof, &p->token.place,
				  "a value is missing here");
	*list = value;
	return next(p);
}

/* Read one value in parentheses, or several in braces */
static bool read_values(struct mof_parser *p, struct mof_qualifier *q)
{
	char end = is_next(p, '(') ? ')' : '}';
	struct mof_value **last = &q->values;

	if (!next(p))
		return false;
	/* NAME({...}) is also valid */
	if (end == ')' && is_next(p, '{'))
		return read_values(p, q) && expect(p, ')', "to end a value");
	while (!is_next(p, end)) {
		if (!read_value(p, last))
			return false;
		last = &(*last)->next;
		/* Real files have lists with missing or superfluous commas */
		if (is_next(p, ',') && !next(p))
			return false;
	}
	return next(p);
}

static bool read_qualifier(struct mof_parser *p, struct mof_qualifier **list)
{
	struct mof_qualifier *q = ALLOC(p, struct mof_qualifier);

	if (!q || !read_name(p, &q->name, "a qualifier's name"))
		return false;
	*list = q;
	if ((is_next(p, '(') || is_next(p, '{')) && !read_values(p, q))
		return false;
	if (!is_next(p, ':'))
		return true;
	/* Skip the scope, such as ": amended tosubclass" */
	do {
		if (!next(p))
			return false;
	} while (is_next(p, MOF_NAME));
	return true;
}

/* Read optional qualifiers [A, B(1), C{"x", "y"}] */
static bool read_qualifiers(struct mof_parser *p, struct mof_qualifier **list)
{
	if (!is_next(p, '['))
		return true;
	do {
		if (!next(p))
			return false;
		if (is_next(p, ']'))
			break;
		if (!read_qualifier(p, list))
			return false;
		list = &(*list)->next;
	} while (is_next(p, ','));
	return expect(p, ']', "to end the qualifiers");
}

/* Skip to the end of a statement */
static bool skip_statement(struct mof_parser *p)
{
	unsigned int depth = 0;

	while (depth || !is_next(p, ';')) {
		if (is_next(p, MOF_END))
			return mof_refuse(p->mof, &p->token.place,
					  "the file ends in a declaration");
		if (is_next(p, '{'))
			depth++;
		if (is_next(p, '}') && depth)
			depth--;
		if (!next(p))
			return false;
	}
	return next(p);
}

/* Read an optional dimension, as in NAME[4] or NAME[] */
static bool read_dimension(struct mof_parser *p, struct mof_field *field)
{
	if (!is_next(p, '['))
		return true;
	field->is_array = true;
	if (!next(p))
		return false;
	if (is_next(p, MOF_NUMBER)) {
		if (p->token.number < 1 || p->token.number > UINT16_MAX)
			return mof_refuse(p->mof, &p->token.place,
					  "an array has 1 to %u elements",
					  UINT16_MAX);
		field->elements = p->token.number;
		if (!next(p))
			return false;
	}
	return expect(p, ']', "to end an array's size");
}

/* Read a property; skip a method and leave *@list unchanged */
static bool read_field(struct mof_parser *p, struct mof_field **list)
{
	struct mof_field *field = ALLOC(p, struct mof_field);

	if (!field || !read_qualifiers(p, &field->qualifiers))
		return false;
	field->place = p->token.place;
	if (!read_name(p, &field->type, "a type") ||
	    /* object ref X, X ref Y */
	    (is_word(p, "ref") && !next(p)) ||
	    !read_name(p, &field->name, "a property's name"))
		return false;
	if (is_next(p, '('))
		return skip_statement(p);
	if (!read_dimension(p, field))
		return false;
	*list = field;
	if (is_next(p, '='))
		return skip_statement(p);
	return expect(p, ';', "to end a property");
}

static bool read_class(struct mof_parser *p, struct mof_qualifier *qualifiers,
		       struct mof_class **list)
{
	struct mof_class *class = ALLOC(p, struct mof_class);
	struct mof_field **last;

	if (!class)
		return false;
	class->qualifiers = qualifiers;
	class->place = p->token.place;
	if (!next(p) || !read_name(p, &class->name, "a class's name"))
		return false;
	if (is_next(p, ':') &&
	    (!next(p) || !read_name(p, &class->base_name, "a class's name")))
		return false;
	*list = class;
	/* A class may be declared without a body */
	if (is_next(p, ';'))
		return next(p);
	if (!expect(p, '{', "to begin a class"))
		return false;
	last = &class->fields;
	while (!is_next(p, '}')) {
		if (!read_field(p, last))
			return false;
		if (*last)
			last = &(*last)->next;
	}
	return next(p) && expect(p, ';', "to end a class");
}

static bool read_declaration(struct mof_parser *p, struct mof_class **list)
{
	struct mof_qualifier *qualifiers = NULL;

	if (!read_qualifiers(p, &qualifiers))
		return false;
	if (is_word(p, "class"))
		return read_class(p, qualifiers, list);
	if (is_word(p, "instance") || is_word(p, "qualifier"))
		return skip_statement(p);
	return mof_refuse(p->mof, &p->token.place, "this is neither a class nor"
			  " an instance");
}

/*
 * Limit, above the number of all Windows' events, because classes are searched
 * linearly
 */
#define MAX_CLASSES	8192

bool mof_classes(struct mof *mof)
{
	struct mof_class **last = &mof->manifest->classes;
	struct mof_parser p = { .mof = mof };
	unsigned int count = 0;

	if (!next(&p))
		return false;
	while (!is_next(&p, MOF_END)) {
		if (!read_declaration(&p, last))
			return false;
		if (!*last)
			continue;
		last = &(*last)->next;
		if (++count > MAX_CLASSES)
			return mof_refuse(mof, &mof->at, "these are more than"
					  " %d classes", MAX_CLASSES);
	}
	return true;
}
