// SPDX-License-Identifier: MIT
/* Suggests known names close to a mistyped one */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/common/suggest.h"

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Return the number of insertions, deletions and substitutions that turn @a
 * into @b, ignoring case
 */
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

/* Return whether @name is close to @wrote */
static bool is_near(const char *name, const char *wrote)
{
	return strcasestr(name, wrote) || strcasestr(wrote, name) ||
	       distance(wrote, name) <= 1 + strlen(name) / 4;
}

void suggest_begin(struct suggest *suggest, const char *wrote)
{
	*suggest = (struct suggest) { .wrote = wrote };
	suggest->to = must_have(open_memstream(&suggest->text, &suggest->size));
}

static bool is_reported(struct suggest *suggest, const char *name)
{
	char quoted[strlen(name) + 3];

	fflush(suggest->to);
	sprintf(quoted, "'%s'", name);
	return strstr(suggest->text, quoted);
}

void suggest_look_at(struct suggest *suggest, const char *name)
{
	if (is_near(name, suggest->wrote) && !is_reported(suggest, name))
		fprintf(suggest->to, "%s'%s'", suggest->found++ ? " or " : "",
			name);
}

void suggest_end(struct suggest *suggest)
{
	fclose(suggest->to);
}
