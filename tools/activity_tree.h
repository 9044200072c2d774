/* SPDX-License-Identifier: MIT */
/* Activities as a tree, with what a user wants to see of it. */
#ifndef EVNT_TOOLS_ACTIVITY_TREE_H
#define EVNT_TOOLS_ACTIVITY_TREE_H

#include <json-c/json.h>

#include "activity.h"
#include "ranges.h"
#include "spec.h"

/**
 * struct activity_event - an event, as it is to be shown
 * @next: the next of the activity
 * @time: as a FILETIME
 * @pid: where it was written
 * @tid: likewise
 * @name: what it is
 * @fields: as JSON, or NULL
 */
struct activity_event {
	struct activity_event *next;
	int64_t time;
	uint32_t pid;
	uint32_t tid;
	char *name;
	char *fields;
};

/**
 * struct activity_detail - what is to be shown of an activity beside
 * @fields: those of its start, as JSON; or NULL
 * @result: what its stop says of how it went, as JSON; or NULL
 * @events: those there are to be shown, by time
 * @last_event: the last of them
 */
struct activity_detail {
	char *fields;
	char *result;
	struct activity_event *events;
	struct activity_event *last_event;
};

/**
 * struct activity_filter - what the user wants
 * @pids: of these processes; none: of any
 * @provider: of this provider, if @has_provider
 * @has_provider: see there
 * @id: this activity and what is below, if @has_id
 * @has_id: see there
 * @min_duration: that took so long, in ticks of FILETIME
 * @by_duration: the longest first, else by time
 * @limit: so many at the top; 0: all
 */
struct activity_filter {
	struct ranges pids;
	struct spec provider;
	bool has_provider;
	GUID id;
	bool has_id;
	int64_t min_duration;
	bool by_duration;
	uint32_t limit;
};

/**
 * struct activity_tree - those that are shown
 * @all: all there are
 * @details: of each
 * @detail_room: for how many there is memory
 * @end: time of the last event of the log
 * @flags: of each, while the tree is made
 * @first: of each, the first one below it, or NONE; of none, behind the last, the
 *	first at the top
 * @next: of each, the next one beside it, or NONE
 */
struct activity_tree {
	struct activities all;
	struct activity_detail *details;
	uint32_t detail_room;
	int64_t end;
	unsigned char *flags;
	uint32_t *first;
	uint32_t *next;
};

/* An activity's details, which stay there until the next are asked for */
struct activity_detail *activity_tree_detail(struct activity_tree *tree,
					     uint32_t number);

/* From one time to another; what is too long is cut, and what is negative is 0 */
int64_t activity_ticks(int64_t from, int64_t to);

/* How long it took; or has taken, as far as the log says */
int64_t activity_tree_duration(const struct activity_tree *tree,
			       const struct activity *activity);

/* When all events were taken */
void activity_tree_make(struct activity_tree *tree,
			const struct activity_filter *filter);

/* Calls @show for each, those below behind; until it returns false */
void activity_tree_walk(const struct activity_tree *tree,
			bool (*show)(const struct activity_tree *tree,
				     uint32_t number, unsigned int depth));

void activity_tree_free(struct activity_tree *tree);

/* How one is shown: as a line, or as an object of JSON */
bool activity_print_text(const struct activity_tree *tree, uint32_t number,
			 unsigned int depth);
bool activity_print_json(const struct activity_tree *tree, uint32_t number,
			 unsigned int depth);

#endif /* EVNT_TOOLS_ACTIVITY_TREE_H */
