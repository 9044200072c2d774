/* SPDX-License-Identifier: MIT */
/*
 * Options of a verb: one table describes them to getopt_long(), to the help and
 * to the completion of shells
 */
#ifndef EVNT_OPTIONS_H
#define EVNT_OPTIONS_H

#include <stddef.h>

#include <evntbase.h>

#include "tools/evnt.h"

struct option_row;

/**
 * struct option_value - an option on the command line
 * @verb: verb, for messages
 * @row: row of the option
 * @field: field to set
 * @text: value, or NULL
 */
struct option_value {
	const struct verb *verb;
	const struct option_row *row;
	void *field;
	const char *text;
};

/**
 * struct option_row - a row of a verb's help: an option; or, without a @name,
 * an argument in @value, a text, or the rows of another table
 * @name: long name
 * @letter: short name, or 0
 * @value: name of the option's value, or NULL; optional if it begins with [
 * @text: explanation, to be wrapped; of a row without @value: printed as it is
 * @field: offset of the result in the struct given to parse_options()
 * @take: sets the field; returns an exit code after reporting errors. NULL: the
 *   field is a const char * for the value or, without one, a bool.
 * @complete: kind of the value or its possible words, see complete_value();
 *   NULL: @value is the kind
 * @least: minimum of a number
 * @most: maximum of a number
 * @unit: unit of a number, or NULL
 * @flag: mode that the option sets; or whether it selects, not excludes
 * @rows: table to include, whose fields are relative to @field; ends with an
 *   empty row
 */
struct option_row {
	const char *name;
	char letter;
	const char *value;
	const char *text;
	size_t field;
	int (*take)(const struct option_value *v);
	const char *complete;
	ULONG least;
	ULONG most;
	const char *unit;
	ULONG flag;
	const struct option_row *rows;
};

/* The designator spares the rest from -Wmissing-field-initializers */
#define OPTION_ROW(...)		{ .name = __VA_ARGS__ }
#define TEXT_ROW(words)		{ .text = (words) }
#define INCLUDE_ROWS(table, at)	{ .rows = (table), .field = (at) }
#define HELP_ROW \
	OPTION_ROW("help", 'h', NULL, "print this help", .take = take_help)

int take_help(const struct option_value *v) __attribute__((noreturn));
/* Take a ULONG from row->least to row->most */
int take_count(const struct option_value *v);
/* Take a struct ranges of numbers up to row->most */
int take_ranges(const struct option_value *v);

/* Maximum number of rows of a verb, including rows of the tables it includes */
#define MAX_ROWS	96

/**
 * struct listed_row - a row that does not include others
 * @row: the row
 * @field: offset of its field in the verb's struct
 */
struct listed_row {
	const struct option_row *row;
	size_t field;
};

/* List all rows; return their number */
size_t list_rows(const struct option_row *rows,
		 struct listed_row list[MAX_ROWS]);

/*
 * Parse the options of a verb into @context; other arguments begin at optind.
 * Return an exit code after reporting errors. --help does not return.
 */
int parse_options(const struct verb *verb, int argc, char **argv,
		  void *context);

/* Parse the options of a verb that has only --json and takes no arguments */
int parse_json_only(const struct verb *verb, int argc, char **argv,
		    bool *json);

/* Print a line of help, its explanation wrapped behind @column */
void print_option(const char *option, const char *text, size_t column);
int print_help(const struct verb *verb);

#endif /* EVNT_OPTIONS_H */
