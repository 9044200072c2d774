/* SPDX-License-Identifier: MIT */
/*
 * Call stacks folded to a tree: stacks with the same outer frames share these
 */
#ifndef EVNT_FOLD_H
#define EVNT_FOLD_H

#include <stdio.h>

#include <evntcons.h>

#include "tools/report/texts.h"

#define FOLD_NONE	UINT32_MAX

/**
 * struct fold - a frame of the tree; its parent precedes it in the list
 * @parent: frame that called it, or FOLD_NONE
 * @name: number of its name
 * @count: number of stacks that end in it
 */
struct fold {
	uint32_t parent;
	uint32_t name;
	uint64_t count;
};

/**
 * struct folds - a tree of frames; must be zeroed initially
 * @names: names of the frames, without ';' and control characters
 * @list: frames
 * @count: number of frames
 * @room: number of frames that memory is allocated for
 * @table: hash table of the frames
 */
struct folds {
	struct texts names;
	struct fold *list;
	uint32_t count;
	uint32_t room;
	struct hash table;
};

/*
 * Return the number of the frame of this name, without ';' and control characters
 * afterwards, that another one has called, or FOLD_NONE
 */
uint32_t fold_below(struct folds *folds, uint32_t parent, const char *name);

/* Write a line for each stack: "outer;inner COUNT" */
void folds_write(const struct folds *folds, FILE *out);

/* Add an event's call stack; return whether it has one */
bool folds_add(struct folds *folds, const EVENT_RECORD *record);

void folds_free(struct folds *folds);

#endif /* EVNT_FOLD_H */
