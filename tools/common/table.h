/* SPDX-License-Identifier: MIT */
/* Prints a table; the width of each column fits its contents */
#ifndef EVNT_TABLE_H
#define EVNT_TABLE_H

#include <stddef.h>

#define TABLE_COLUMNS	8

/**
 * struct table - a table
 * @rows: cells of each row
 * @count: number of rows
 * @columns: number of columns
 * @text_columns: number of leading columns that are left-aligned, as texts are;
 *   the others contain numbers, and are right-aligned; 0: all are texts
 */
struct table {
	char *(*rows)[TABLE_COLUMNS];
	size_t count;
	int columns;
	int text_columns;
};

/* Add a row with a string for each column; the first row is the heading */
void table_add(struct table *table, const char *const *cells);
/* Print the table and free it */
void table_print(struct table *table);

#endif /* EVNT_TABLE_H */
