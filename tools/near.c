// SPDX-License-Identifier: MIT
/* What somebody may have meant who wrote a name that there is not. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "evnt.h"
#include "near.h"

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters are to be put in, left out or changed to make @a @b */
static size_t distance(const char *a, const char *b)
{
	size_t columns = strlen(b) + 1, result;
	size_t *row = must_have(calloc(columns, sizeof(*row)));

	for (size_t i = 0; i < columns; i++)
		row[i] = i;
	for (; *a; a++) {
		size_t diagonal = row[0]++;

		for (size_t i = 1; i < columns; i++) {
			bool differ = tolower((unsigned char)*a) !=
				      tolower((unsigned char)b[i - 1]);
			size_t changed = diagonal + differ;

			diagonal = row[i];
			row[i] = least(changed,
				       least(row[i], row[i - 1]) + 1);
		}
	}
	result = row[columns - 1];
	free(row);
	return result;
}

/* What somebody who wrote @wrote may have meant */
static bool is_near(const char *name, const char *wrote)
{
	return strcasestr(name, wrote) || strcasestr(wrote, name) ||
	       distance(wrote, name) <= 1 + strlen(name) / 4;
}

void near_begin(struct near *near, const char *wrote)
{
	*near = (struct near) { .wrote = wrote };
	near->to = must_have(open_memstream(&near->text, &near->size));
}

static bool is_told(struct near *near, const char *name)
{
	char quoted[strlen(name) + 3];

	fflush(near->to);
	sprintf(quoted, "'%s'", name);
	return strstr(near->text, quoted);
}

void near_look_at(struct near *near, const char *name)
{
	if (is_near(name, near->wrote) && !is_told(near, name))
		fprintf(near->to, "%s'%s'", near->found++ ? " or " : "", name);
}

void near_end(struct near *near)
{
	fclose(near->to);
}
