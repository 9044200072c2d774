/* SPDX-License-Identifier: MIT */
/* The tree of activities, and the user's selection of what to show */
#ifndef EVNT_ACTIVITY_TREE_H
#define EVNT_ACTIVITY_TREE_H

#include <json-c/json.h>

#include "tools/activities/activity.h"
#include "tools/common/number.h"
#include "tools/common/strbuf.h"
#include "tools/session/provider_spec.h"

/**
 * struct activity_event - an event to show
 * @next: next event of the activity
 * @time: time of the event, as a FILETIME
 * @pid: process that wrote it
 * @tid: thread that wrote it
 * @name: title of the event
 * @fields: its fields as JSON, or NULL
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
 * struct activity_detail - details to show with an activity
 * @fields: fields of its start as JSON, or NULL
 * @result: result reported by its stop as JSON, or NULL
 * @events: events to show, by time
 * @last_event: tail of @events
 */
struct activity_detail {
	char *fields;
	char *result;
	struct activity_event *events;
	struct activity_event *last_event;
};

/**
 * struct activity_filter - selection by the user
 * @pids: processes to select; empty: all
 * @provider: provider to select, if @has_provider
 * @has_provider: --provider was given
 * @id: activity to select with its descendants, if @has_id
 * @has_id: --activity was given
 * @min_duration: minimum duration, in ticks of FILETIME
 * @by_duration: sort by duration, longest first; otherwise by time
 * @limit: maximum number of top-level activities; 0: unlimited
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
 * struct activity_tree - the activities shown
 * @all: all activities of the log
 * @details: details of each activity
 * @detail_room: number of details that memory is allocated for
 * @end: time of the last event of the log
 * @flags: flags of each activity while the tree is built
 * @first: first child of each activity, or ACTIVITY_NONE; the entry behind the
 *   last activity is the first at the top
 * @next: next sibling of each activity, or ACTIVITY_NONE
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

/* Return an activity's details; valid until the next call */
struct activity_detail *activity_tree_detail(struct activity_tree *tree,
					     uint32_t number);

/* Return the ticks between two times: 0 if negative, limited if too long */
int64_t activity_ticks(int64_t from, int64_t to);

/* Return an activity's duration; if unfinished, up to the end of the log */
int64_t activity_tree_duration(const struct activity_tree *tree,
			       const struct activity *activity);

/* Build the tree once all events have been added */
void activity_tree_make(struct activity_tree *tree,
			const struct activity_filter *filter);

/*
 * Call @show for each activity, parents before children, until it returns false
 */
void activity_tree_walk(const struct activity_tree *tree,
			bool (*show)(const struct activity_tree *tree,
				     uint32_t number, unsigned int depth));

void activity_tree_free(struct activity_tree *tree);

/*
 * Return an event's fields as a JSON object for the caller to free, or NULL if
 * it has none
 */
char *activity_fields(const struct view *view);
/* Append such fields as " NAME=VALUE", up to a maximum length */
void activity_put_fields(struct out *out, const char *json);

/* Print an activity as a line of text, or as a JSON object */
bool activity_print_text(const struct activity_tree *tree, uint32_t number,
			 unsigned int depth);
bool activity_print_json(const struct activity_tree *tree, uint32_t number,
			 unsigned int depth);

#endif /* EVNT_ACTIVITY_TREE_H */
