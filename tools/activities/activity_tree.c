// SPDX-License-Identifier: MIT
/*
 * Builds the tree of activities. Activities may be very many and deeply nested:
 * nothing here recurses, and each activity is visited a few times only.
 */
#include <stdlib.h>
#include <strings.h>

#include "tools/activities/activity_tree.h"
#include "tools/evnt.h"

#define FIRST_ROOM	1024

/* Flags of an activity while the tree is built */
enum {
	IS_SHOWN = 0x1,
	IS_INSIDE = 0x2,	/* selected by --activity */
	IS_OUTSIDE = 0x4,
};

struct activity_detail *activity_tree_detail(struct activity_tree *tree,
					     uint32_t number)
{
	uint32_t room = tree->detail_room;

	if (number >= room) {
		while (number >= room)
			room = room ? 2 * room : FIRST_ROOM;
		tree->details = must_have(realloc(tree->details, (size_t)room *
						  sizeof(*tree->details)));
		memset(tree->details + tree->detail_room, 0,
		       (room - tree->detail_room) * sizeof(*tree->details));
		tree->detail_room = room;
	}
	return &tree->details[number];
}

/*
 * Compute a duration in ticks. A damaged log may contain any times, so the
 * result is limited to values that also fit as nanoseconds.
 */
int64_t activity_ticks(int64_t from, int64_t to)
{
	uint64_t ticks = (uint64_t)to - from;

	if (to <= from)
		return 0;
	return ticks > INT64_MAX / 100 ? INT64_MAX / 100 : (int64_t)ticks;
}

int64_t activity_tree_duration(const struct activity_tree *tree,
			       const struct activity *activity)
{
	int64_t stop = activity->stop;

	if (activity_status(activity) == ACTIVITY_UNFINISHED)
		stop = tree->end;
	return activity_ticks(activity->start, stop);
}

static bool is_provider(const struct activity_kind *kind,
			const struct spec *provider)
{
	if (!kind)
		return false;
	return (!provider->lookup &&
		!memcmp(&kind->provider, &provider->id, sizeof(GUID))) ||
	       (provider->name[0] &&
		!strcasecmp(kind->provider_name, provider->name));
}

static bool is_wanted(const struct activity_tree *tree,
		      const struct activity_filter *filter,
		      const struct activity *activity)
{
	if (filter->pids.count && !ranges_have(&filter->pids, activity->pid))
		return false;
	if (filter->has_provider &&
	    !is_provider(activity_kind(&tree->all, activity),
			 &filter->provider))
		return false;
	return activity_tree_duration(tree, activity) >= filter->min_duration;
}

/*
 * Mark an activity and its unmarked ancestors as inside or outside the activity
 * @id. The walk stops at the first marked ancestor, whose mark applies.
 */
static void find_inside(struct activity_tree *tree, const GUID *id,
			uint32_t number)
{
	unsigned char found = IS_OUTSIDE;
	uint32_t at;

	for (at = number; at != ACTIVITY_NONE;
	     at = activity_at(&tree->all, at)->parent) {
		found = tree->flags[at] & (IS_INSIDE | IS_OUTSIDE);
		if (!found &&
		    !memcmp(&activity_at(&tree->all, at)->id, id, sizeof(*id)))
			found = IS_INSIDE;
		if (found)
			break;
		found = IS_OUTSIDE;
	}
	/* The activity @id is inside itself; its ancestors are not */
	if (at != ACTIVITY_NONE)
		tree->flags[at] |= found;
	for (; number != at; number = activity_at(&tree->all, number)->parent)
		tree->flags[number] |= found;
}

static void select_shown(struct activity_tree *tree,
			 const struct activity_filter *filter)
{
	uint32_t i, at;

	for (i = 0; filter->has_id && i < tree->all.count; i++)
		find_inside(tree, &filter->id, i);
	for (i = 0; i < tree->all.count; i++) {
		if (!is_wanted(tree, filter, activity_at(&tree->all, i)))
			continue;
		/*
		 * Ancestors are shown, too, since they give an activity its
		 * place
		 */
		for (at = i; at != ACTIVITY_NONE &&
		     !(tree->flags[at] & (IS_SHOWN | IS_OUTSIDE));
		     at = activity_at(&tree->all, at)->parent)
			tree->flags[at] |= IS_SHOWN;
	}
}

/* Context of qsort_r() */
struct order {
	const struct activity_tree *tree;
	bool by_duration;
};

static int compare(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int in_order(const void *a, const void *b, void *context)
{
	const struct order *order = context;
	uint32_t m = *(const uint32_t *)a, n = *(const uint32_t *)b;
	const struct activity *x = activity_at(&order->tree->all, m);
	const struct activity *y = activity_at(&order->tree->all, n);
	int result = 0;

	if (order->by_duration)
		result = compare(activity_tree_duration(order->tree, y),
				 activity_tree_duration(order->tree, x));
	if (!result)
		result = compare(x->start, y->start);
	return result ? result : compare(m, n);
}

/*
 * Link the activities to lists of siblings. Go from the last to the first, as
 * each one is inserted at the head of its list.
 */
static void link_sorted(struct activity_tree *tree, const uint32_t *sorted,
			uint32_t count)
{
	uint32_t parent, top = tree->all.count;

	memset(tree->first, 0xff, ((size_t)top + 1) * sizeof(*tree->first));
	while (count--) {
		parent = activity_at(&tree->all, sorted[count])->parent;
		if (parent == ACTIVITY_NONE ||
		    !(tree->flags[parent] & IS_SHOWN))
			parent = top;
		tree->next[sorted[count]] = tree->first[parent];
		tree->first[parent] = sorted[count];
	}
}

void activity_tree_make(struct activity_tree *tree,
			const struct activity_filter *filter)
{
	size_t room = (size_t)tree->all.count + 1;
	struct order order = { tree, filter->by_duration };
	uint32_t *sorted = must_have(calloc(room, sizeof(*sorted)));
	uint32_t count = 0, limit = filter->limit, last;

	/* Allocate the details of every activity */
	activity_tree_detail(tree, tree->all.count);
	tree->flags = must_have(calloc(room, 1));
	tree->first = must_have(calloc(room, sizeof(*tree->first)));
	tree->next = must_have(calloc(room, sizeof(*tree->next)));
	select_shown(tree, filter);
	for (uint32_t i = 0; i < tree->all.count; i++) {
		if (tree->flags[i] & IS_SHOWN)
			sorted[count++] = i;
	}
	qsort_r(sorted, count, sizeof(*sorted), in_order, &order);
	link_sorted(tree, sorted, count);
	/* Remove the activities at the top after the first @limit ones */
	if (limit) {
		last = tree->first[tree->all.count];
		while (last != ACTIVITY_NONE && --limit)
			last = tree->next[last];
		if (last != ACTIVITY_NONE)
			tree->next[last] = ACTIVITY_NONE;
	}
	free(sorted);
}

void activity_tree_walk(const struct activity_tree *tree,
			bool (*show)(const struct activity_tree *tree,
				     uint32_t number, unsigned int depth))
{
	uint32_t number = tree->first[tree->all.count];
	unsigned int depth = 0;

	while (number != ACTIVITY_NONE && show(tree, number, depth)) {
		if (tree->first[number] != ACTIVITY_NONE) {
			number = tree->first[number];
			depth++;
			continue;
		}
		while (tree->next[number] == ACTIVITY_NONE && depth) {
			number = activity_at(&tree->all, number)->parent;
			depth--;
		}
		number = tree->next[number];
	}
}

void activity_tree_free(struct activity_tree *tree)
{
	struct activity_detail *detail;
	struct activity_event *event;

	for (uint32_t i = 0; i < tree->detail_room; i++) {
		detail = &tree->details[i];
		while ((event = detail->events)) {
			detail->events = event->next;
			free(event->name);
			free(event->fields);
			free(event);
		}
		free(detail->fields);
		free(detail->result);
	}
	free(tree->details);
	free(tree->flags);
	free(tree->first);
	free(tree->next);
	activities_free(&tree->all);
}
