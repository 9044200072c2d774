/* SPDX-License-Identifier: MIT */
/* A table for people: columns as wide as what stands in them. */
#ifndef EVNT_TABLE_H
#define EVNT_TABLE_H

#include <stddef.h>

#define TABLE_COLUMNS	8

struct table {
	char *(*rows)[TABLE_COLUMNS];
	size_t count;
	int columns;
};

/* Adds a row of one string for each column; the first row is the heading */
void table_add(struct table *table, const char *const *cells);
/* Prints the table, and frees it */
void table_print(struct table *table);

#endif /* EVNT_TABLE_H */
