// SPDX-License-Identifier: MIT
/* Prints a table with aligned columns */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "decode/format.h"
#include "tools/common/table.h"

/* Return the width of @text on the screen, in UTF-8 characters */
static int width(const char *text)
{
	int characters = 0;

	for (; *text; text++)
		characters += (*text & 0xc0) != 0x80;
	return characters;
}

void table_add(struct table *table, const char *const *cells)
{
	table->rows = must_have(realloc(table->rows, (table->count + 1) *
					sizeof(*table->rows)));
	for (int i = 0; i < table->columns; i++)
		table->rows[table->count][i] =
			make_printable(must_have(strdup(cells[i])));
	table->count++;
}

static int column_width(const struct table *table, int column)
{
	int widest = 0;

	for (size_t row = 0; row < table->count; row++) {
		int this = width(table->rows[row][column]);

		if (this > widest)
			widest = this;
	}
	return widest;
}

static void print_row(const struct table *table, char **cells,
		      const int *widths)
{
	const int last = table->columns - 1;
	int texts = table->text_columns ? table->text_columns : table->columns;

	for (int i = 0; i <= last; i++) {
		int room = widths[i] - width(cells[i]);

		if (i >= texts)
			printf("%*s%s", room, "", cells[i]);
		else
			printf("%s%*s", cells[i], i < last ? room : 0, "");
		fputs(i < last ? "  " : "\n", stdout);
	}
}

void table_print(struct table *table)
{
	int widths[TABLE_COLUMNS] = {};

	for (int i = 0; i < table->columns; i++)
		widths[i] = column_width(table, i);
	for (size_t row = 0; row < table->count; row++) {
		print_row(table, table->rows[row], widths);
		for (int i = 0; i < table->columns; i++)
			free(table->rows[row][i]);
	}
	free(table->rows);
}
