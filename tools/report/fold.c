// SPDX-License-Identifier: MIT
/* Call stacks folded to a tree, and their text for flame graph tools */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decode/format.h"
#include "tools/evnt.h"
#include "tools/events/stack.h"
#include "tools/perfetto/export.h"
#include "tools/report/fold.h"

/**
 * struct fold_search - a frame to find
 * @folds: frames
 * @parent: frame that called it
 * @name: number of its name
 */
struct fold_search {
	const struct folds *folds;
	uint32_t parent;
	uint32_t name;
};

static bool is_fold(const void *context, uint32_t number)
{
	const struct fold_search *search = context;
	const struct fold *fold = &search->folds->list[number];

	return fold->parent == search->parent && fold->name == search->name;
}

/* Number a name */
static uint32_t number_name(struct folds *folds, const char *name)
{
	char *c, *text = make_printable(must_have(strdup(name)));
	uint32_t number;

	/* The separator of frames */
	for (c = text; (c = strchr(c, ';'));)
		*c = ',';
	number = text_number(&folds->names, text);
	free(text);
	return number;
}

uint32_t fold_below(struct folds *folds, uint32_t parent, const char *text)
{
	const uint32_t name = number_name(folds, text);
	struct fold_search search = { folds, parent, name };
	uint64_t hash = hash_bytes(HASH_BEGIN, &parent, sizeof(parent));
	uint32_t number;

	hash = hash_bytes(hash, &name, sizeof(name));
	number = hash_find(&folds->table, hash, is_fold, &search);
	if (number != HASH_NONE)
		return number;
	folds->list = list_room(folds->list, folds->count, &folds->room,
				sizeof(*folds->list));
	folds->list[folds->count] = (struct fold) { parent, name, 0 };
	hash_add(&folds->table, hash, folds->count);
	return folds->count++;
}

bool folds_add(struct folds *folds, const EVENT_RECORD *record)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *stack = stack_of(record);
	size_t depth = stack ? stack_depth(stack) : 0;
	uint32_t at = FOLD_NONE;
	struct frame frame;
	char *name;

	while (depth--) {
		stack_frame(record, stack, depth, &frame);
		name = frame_name(&frame);
		at = fold_below(folds, at, name);
		free(name);
	}
	if (at != FOLD_NONE)
		folds->list[at].count++;
	return at != FOLD_NONE;
}

void folds_free(struct folds *folds)
{
	texts_free(&folds->names);
	free(folds->list);
	hash_free(&folds->table);
}

/**
 * struct folded - state of writing folded stacks
 * @out: output stream
 * @folds: stacks
 */
struct folded {
	FILE *out;
	struct folds folds;
};

static void *begin(FILE *out, const struct logs *logs)
{
	struct folded *folded = must_have(calloc(1, sizeof(*folded)));

	(void)logs;
	folded->out = out;
	return folded;
}

static void event(void *writer, EVENT_RECORD *record)
{
	struct folded *folded = writer;

	folds_add(&folded->folds, record);
}

/* Write a line, outermost frame first; @path has room for all frames */
static void write_stack(const struct folds *folds, uint32_t number,
			uint32_t *path, FILE *out)
{
	const struct fold *fold;
	uint32_t at, depth = 0;

	for (at = number; at != FOLD_NONE; at = folds->list[at].parent)
		path[depth++] = at;
	while (depth--) {
		fold = &folds->list[path[depth]];
		fprintf(out, "%s%s", text_at(&folds->names, fold->name),
			depth ? ";" : "");
	}
	fprintf(out, " %" PRIu64 "\n", folds->list[number].count);
}

void folds_write(const struct folds *folds, FILE *out)
{
	uint32_t *path = must_have(calloc(folds->count + 1, sizeof(*path)));

	for (uint32_t i = 0; i < folds->count; i++) {
		if (folds->list[i].count)
			write_stack(folds, i, path, out);
	}
	free(path);
}

static void end(void *writer)
{
	const struct folded *folded = writer;

	folds_write(&folded->folds, folded->out);
	if (!folded->folds.count)
		note("none of these events has a call stack: 'evnt record"
		     " --stack' records them");
}

static void free_folded(void *writer)
{
	struct folded *folded = writer;

	folds_free(&folded->folds);
	free(folded);
}

const struct export_format folded_format = {
	.begin = begin,
	.event = event,
	.end = end,
	.free = free_folded,
	.is_text = true,
};
