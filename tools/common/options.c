// SPDX-License-Identifier: MIT
/* Options of a verb and its help, from one table */
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/number.h"
#include "tools/common/options.h"

#define SCREEN_WIDTH	80
/* Maximum column of explanations; longer options move theirs to the right */
#define MAX_COLUMN	28
#define OPTION_TEXT	80
/* First value that getopt_long() returns for a long option */
#define FIRST_LONG	0x100

int take_help(const struct option_value *v)
{
	exit(print_help(v->verb));
}

int take_count(const struct option_value *v)
{
	const struct option_row *row = v->row;

	if (parse_count(v->text, row->least, row->most, v->field))
		return EVNT_DONE;
	return usage_error(v->verb, "--%s is %u to %u%s, not '%s'", row->name,
			   row->least, row->most, row->unit ? row->unit : "",
			   v->text);
}

int take_ranges(const struct option_value *v)
{
	if (ranges_parse(v->field, v->text, v->row->most))
		return EVNT_DONE;
	return usage_error(v->verb,
			   "--%s '%s' is not up to %d numbers to %u, or"
			   " ranges like 10-20, joined by commas",
			   v->row->name, v->text, MAX_RANGES, v->row->most);
}

static size_t add_rows(const struct option_row *row, size_t field,
		       struct listed_row list[MAX_ROWS], size_t count)
{
	for (; row->text || row->rows; row++) {
		if (row->rows) {
			count = add_rows(row->rows, field + row->field, list,
					 count);
			continue;
		}
		assert(count < MAX_ROWS);
		list[count++] = (struct listed_row) {
			row, field + row->field,
		};
	}
	return count;
}

size_t list_rows(const struct option_row *rows,
		 struct listed_row list[MAX_ROWS])
{
	return add_rows(rows, 0, list, 0);
}

static int argument_of(const struct option_row *row)
{
	if (!row->value)
		return no_argument;
	return *row->value == '[' ? optional_argument : required_argument;
}

static int take(const struct verb *verb, const struct listed_row *listed,
		void *context)
{
	const struct option_value v = {
		.verb = verb,
		.row = listed->row,
		.field = (char *)context + listed->field,
		.text = optarg,
	};

	if (v.row->take)
		return v.row->take(&v);
	if (v.row->value)
		*(const char **)v.field = optarg;
	else
		*(bool *)v.field = true;
	return EVNT_DONE;
}

int parse_options(const struct verb *verb, int argc, char **argv,
		  void *context)
{
	struct listed_row rows[MAX_ROWS];
	size_t count = list_rows(verb->options, rows);
	struct option known[MAX_ROWS + 1] = {}, *to = known;
	/* The + leaves options after the command to the command */
	char letters[2 * MAX_ROWS + 2] = "+", *letter = letters;
	int c, error = EVNT_DONE;

	letter += verb->runs_command;
	for (size_t i = 0; i < count; i++) {
		const struct option_row *row = rows[i].row;

		if (!row->name)
			continue;
		*to++ = (struct option) {
			row->name, argument_of(row), NULL, FIRST_LONG + i,
		};
		if (row->letter)
			letter += sprintf(letter, "%c%s", row->letter,
					  row->value ? ":" : "");
	}
	while (!error && (c = getopt_long(argc, argv, letters, known,
					  NULL)) != -1) {
		/* getopt_long() has printed the error */
		if (c == '?')
			return point_to_help(verb);
		for (size_t i = 0; i < count; i++) {
			if (c == rows[i].row->letter ||
			    c == FIRST_LONG + (int)i)
				error = take(verb, &rows[i], context);
		}
	}
	return error;
}

int parse_json_only(const struct verb *verb, int argc, char **argv,
		    bool *json)
{
	int error = parse_options(verb, argc, argv, json);

	if (error || optind == argc)
		return error;
	return usage_error(verb, "%s takes no argument '%s'", verb->name,
			   argv[optind]);
}

/* Format an option or argument; return its width */
static size_t option_text(const struct option_row *row, char text[OPTION_TEXT])
{
	const char *value = row->value ? row->value : "";
	const char *space = *value && *value != '[' ? " " : "";
	char letter[] = { '-', row->letter, ',', '\0' };

	if (!row->name)
		return snprintf(text, OPTION_TEXT, "  %s", value);
	return snprintf(text, OPTION_TEXT, "  %3s --%s%s%s",
			row->letter ? letter : "", row->name, space, value);
}

static bool is_text(const struct option_row *row)
{
	return !row->name && !row->value;
}

/* Return the column of the explanations from this row to the next text */
static size_t column_of(const struct listed_row *row,
			const struct listed_row *end)
{
	size_t column = 0, width;
	char text[OPTION_TEXT];

	for (; row < end && !is_text(row->row); row++) {
		width = option_text(row->row, text) + 2;
		if (width > column && width <= MAX_COLUMN)
			column = width;
	}
	return column;
}

void print_option(const char *option, const char *text, size_t column)
{
	size_t at = printf("%-*s", (int)column - 2, option), word;

	for (const char *space = "  "; *text; text += word) {
		word = strcspn(text, " ");
		if (at + strlen(space) + word > SCREEN_WIDTH) {
			printf("\n%*s", (int)column, "");
			at = column;
			space = "";
		}
		at += printf("%s%.*s", space, (int)word, text);
		space = text[word] && text[word + 1] == ' ' ? "  " : " ";
		word += strspn(text + word, " ");
	}
	putchar('\n');
}

static void print_synopsis(const struct verb *verb)
{
	const char *line = verb->synopsis;

	for (const char *head = "Usage:"; *line; head = "      ") {
		size_t len = strcspn(line, "\n");

		/* A line that begins with a blank continues the previous one */
		if (*line == ' ')
			printf("%s%.*s\n", head, (int)len, line);
		else
			printf("%s evnt %s %.*s\n", head, verb->name, (int)len,
			       line);
		line += len + (line[len] == '\n');
	}
}

int print_help(const struct verb *verb)
{
	struct listed_row rows[MAX_ROWS], *end;
	char text[OPTION_TEXT];
	size_t column = 0;

	print_synopsis(verb);
	printf("%s\n", verb->about);
	end = rows + list_rows(verb->options, rows);
	for (const struct listed_row *row = rows; row < end; row++) {
		if (is_text(row->row)) {
			fputs(row->row->text, stdout);
			column = 0;
			continue;
		}
		if (!column)
			column = column_of(row, end);
		option_text(row->row, text);
		print_option(text, row->row->text, column);
	}
	printf("\n%s", verb->notes);
	return end_output(EVNT_DONE);
}
