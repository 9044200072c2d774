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

void table_print(struct table *table)
{
	int widths[TABLE_COLUMNS] = {}, i, last = table->columns - 1;
	char **cells;

	for (i = 0; i < table->columns; i++)
		widths[i] = column_width(table, i);
	for (size_t row = 0; row < table->count; row++) {
		cells = table->rows[row];
		for (i = 0; i < last; i++)
			printf("%s%*s", cells[i],
			       widths[i] - width(cells[i]) + 2, "");
		puts(cells[last]);
		for (i = 0; i < table->columns; i++)
			free(cells[i]);
	}
	free(table->rows);
}
