// SPDX-License-Identifier: MIT
/* Reads conditions on fields given by the user, and reports errors */
#include <stdio.h>

#include "tools/filter/where.h"

/* Return the number of characters in @len bytes */
static int characters(const char *text, int len)
{
	int count = 0;

	for (int i = 0; i < len; i++)
		count += (text[i] & 0xc0) != 0x80;
	return count;
}

int where_column(const char *text, const struct where_problem *problem)
{
	return characters(text, problem->column) + 1;
}

void where_point_at(const char *text, const struct where_problem *problem)
{
	fprintf(stderr, "  %s\n  %*s^\n", text,
		characters(text, problem->column), "");
}

int where_read(const struct verb *verb, struct where *where, const char *text)
{
	struct where_problem problem;

	if (where_parse(where, text, &problem))
		return EVNT_DONE;
	usage_error(verb, "in --where, column %d: %s",
		    where_column(text, &problem), problem.why);
	where_point_at(text, &problem);
	return EVNT_USAGE;
}
