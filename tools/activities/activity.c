// SPDX-License-Identifier: MIT
/* Finds the activities of a log */
#include <stdio.h>
#include <stdlib.h>

#include "tools/activities/activity.h"
#include "tools/evnt.h"
#include "decode/format.h"

#define CHUNK		4096

/* Bound the search for a stop's open activity, as a log may be malformed */
#define OPEN_LIMIT	1000

#define OPCODE_START	1
#define OPCODE_STOP	2

struct activity *activity_at(const struct activities *all, uint32_t number)
{
	return &all->chunks[number / CHUNK][number % CHUNK];
}

const struct activity_kind *activity_kind(const struct activities *all,
					  const struct activity *activity)
{
	return activity->kind == ACTIVITY_NONE ? NULL :
	       &all->kinds[activity->kind];
}

enum activity_status activity_status(const struct activity *activity)
{
	if (activity->started)
		return activity->stopped ? ACTIVITY_DONE : ACTIVITY_UNFINISHED;
	if (activity->stopped)
		return ACTIVITY_NO_START;
	return activity->events ? ACTIVITY_NO_START_STOP : ACTIVITY_LOST;
}

/* Properties shared by the start and the stop events of the same work */
struct kind_key {
	const struct activities *all;
	const GUID *provider;
	USHORT task;
	const char *event;
};

static bool is_kind(const void *context, uint32_t number)
{
	const struct kind_key *key = context;
	const struct activity_kind *kind = &key->all->kinds[number];

	return kind->task == key->task && !strcmp(kind->event, key->event) &&
	       !memcmp(&kind->provider, key->provider, sizeof(GUID));
}

static char *task_name(const struct view *view, const struct schema *schema)
{
	const EVENT_DESCRIPTOR *d = &view->record->EventHeader.EventDescriptor;
	const char *name = event_name(view->kind, schema);
	char *text;
	int len;

	if (!view->kind->name[0] && d->Task && schema && schema->task)
		name = schema->task;
	if (name && *name)
		return must_have(format_utf8_copy(name));
	len = d->Task ? asprintf(&text, "task %u", d->Task) :
			asprintf(&text, "event %u", d->Id);
	return must_have(len < 0 ? NULL : text);
}

static uint32_t work_of(struct activities *all, const struct view *view)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	struct kind_key key = { all, &h->ProviderId, h->EventDescriptor.Task,
				view->kind->name };
	uint64_t hash = hash_bytes(HASH_BEGIN, key.provider, sizeof(GUID));
	const struct schema *schema;
	const char *provider;
	uint32_t kind;

	hash = hash_bytes(hash, &key.task, sizeof(key.task));
	hash = hash_bytes(hash, key.event, strlen(key.event));
	kind = hash_find(&all->kind_table, hash, is_kind, &key);
	if (kind != HASH_NONE)
		return kind;
	schema = fields_schema(view->kind, view->record);
	provider = provider_name(view->kind, schema);
	/* One kind per distinct event, so growing by one is cheap enough */
	all->kinds = must_have(realloc(all->kinds, (all->kind_count + 1) *
				       sizeof(*all->kinds)));
	kind = all->kind_count++;
	all->kinds[kind] = (struct activity_kind) {
		.provider = *key.provider,
		.task = key.task,
		.event = must_have(strdup(key.event)),
		.name = task_name(view, schema),
		.provider_name = must_have(strdup(provider ? provider : "")),
	};
	hash_add(&all->kind_table, hash, kind);
	return kind;
}

struct holder_key {
	const struct activities *all;
	struct activity_holder holder;
};

static bool is_holder(const void *context, uint32_t number)
{
	const struct holder_key *key = context;
	const struct activity_holder *holder = &key->all->holders[number];

	return holder->pid == key->holder.pid &&
	       holder->tid == key->holder.tid &&
	       !memcmp(&holder->id, &key->holder.id, sizeof(GUID));
}

/*
 * Find the holder of an id or, if the id is zero, of a thread. Create a missing
 * one if @create is set, otherwise return NULL.
 */
static struct activity_holder *find_holder(struct activities *all,
					   const GUID *id,
					   const EVENT_HEADER *thread,
					   bool create)
{
	struct holder_key key = { all, {
		.id = *id,
		.open = ACTIVITY_NONE,
		.last = ACTIVITY_NONE,
	} };
	const struct activity_holder *holder = &key.holder;
	uint32_t number;
	uint64_t hash;

	if (guid_is_zero(id)) {
		key.holder.pid = thread->ProcessId;
		key.holder.tid = thread->ThreadId;
	}
	hash = hash_bytes(HASH_BEGIN, &holder->id, sizeof(GUID));
	hash = hash_bytes(hash, &holder->pid, sizeof(holder->pid));
	hash = hash_bytes(hash, &holder->tid, sizeof(holder->tid));
	number = hash_find(&all->holder_table, hash, is_holder, &key);
	if (number != HASH_NONE)
		return &all->holders[number];
	if (!create)
		return NULL;
	if (all->holder_count == all->holder_room) {
		all->holder_room = all->holder_room ? 2 * all->holder_room :
						      CHUNK;
		all->holders = must_have(realloc(all->holders,
						 (size_t)all->holder_room *
						 sizeof(*all->holders)));
	}
	number = all->holder_count++;
	all->holders[number] = *holder;
	hash_add(&all->holder_table, hash, number);
	return &all->holders[number];
}

static uint32_t new_activity(struct activities *all, const GUID *id,
			     const EVENT_HEADER *h)
{
	size_t chunks = all->count / CHUNK, room;
	uint32_t number = all->count;

	/* Double the array of chunks when it is full */
	if (!(number % CHUNK) && !(chunks & (chunks - 1))) {
		room = chunks ? 2 * chunks : 1;
		all->chunks = must_have(realloc(all->chunks,
						room * sizeof(*all->chunks)));
	}
	if (!(number % CHUNK))
		all->chunks[chunks] = must_have(calloc(CHUNK,
						       sizeof(**all->chunks)));
	all->count++;
	*activity_at(all, number) = (struct activity) {
		.id = *id,
		.kind = ACTIVITY_NONE,
		.parent = ACTIVITY_NONE,
		.outer = ACTIVITY_NONE,
		.top = number,
		.pid = h->ProcessId,
		.tid = h->ThreadId,
		.start = h->TimeStamp.QuadPart,
		.stop = h->TimeStamp.QuadPart,
	};
	return number;
}

/* Return the root of an activity. Halve the path for the next search. */
static uint32_t top_of(const struct activities *all, uint32_t number)
{
	struct activity *activity = activity_at(all, number);

	while (activity->top != number) {
		activity->top = activity_at(all, activity->top)->top;
		number = activity->top;
		activity = activity_at(all, number);
	}
	return number;
}

/* Related ids may form a cycle: the link that would close it is dropped */
static void set_parent(struct activities *all, uint32_t number, uint32_t parent)
{
	struct activity *activity = activity_at(all, number);

	if (parent == ACTIVITY_NONE || activity->parent != ACTIVITY_NONE ||
	    top_of(all, parent) == number)
		return;
	activity->parent = parent;
	activity->top = parent;
}

/* Return the activity an event is related to; create one if it was not seen */
static uint32_t related_activity(struct activities *all,
				 const struct view *view)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	struct activity_holder *holder;
	GUID id = {};

	if (view->related)
		memcpy(&id, view->related, sizeof(id));
	if (guid_is_zero(&id) || !memcmp(&id, &h->ActivityId, sizeof(id)))
		return ACTIVITY_NONE;
	holder = find_holder(all, &id, h, true);
	if (holder->open != ACTIVITY_NONE)
		return holder->open;
	if (holder->last == ACTIVITY_NONE)
		holder->last = new_activity(all, &id, h);
	return holder->last;
}

/* An activity known only from its events, or as a parent, may start late */
static bool may_begin(const struct activities *all,
		      const struct activity_holder *holder)
{
	const struct activity *last;

	if (holder->last == ACTIVITY_NONE || holder->open != ACTIVITY_NONE)
		return false;
	last = activity_at(all, holder->last);
	return !last->started && !last->stopped;
}

static void set_place(struct activity *activity, const EVENT_HEADER *h,
		      uint32_t kind)
{
	activity->kind = kind;
	activity->pid = h->ProcessId;
	activity->tid = h->ThreadId;
	activity->start = h->TimeStamp.QuadPart;
}

static uint32_t start_activity(struct activities *all, const struct view *view)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	uint32_t number, parent = related_activity(all, view);
	struct activity_holder *holder = find_holder(all, &h->ActivityId, h,
						     true);
	struct activity *activity;

	number = may_begin(all, holder) ? holder->last :
		 new_activity(all, &h->ActivityId, h);
	set_parent(all, number, parent != ACTIVITY_NONE ? parent :
				holder->open);
	activity = activity_at(all, number);
	activity->started = true;
	activity->outer = holder->open;
	set_place(activity, h, work_of(all, view));
	holder->open = number;
	holder->last = number;
	return number;
}

/*
 * Check whether a stop may end an activity. With @loosely set, a stop without a
 * task matches any activity of its provider.
 */
static bool is_stop_of(const struct activities *all,
		       const struct activity *activity, uint32_t kind,
		       bool loosely)
{
	const struct activity_kind *stop = &all->kinds[kind];

	if (!loosely)
		return activity->kind == kind;
	return !stop->task &&
	       !memcmp(&stop->provider, &all->kinds[activity->kind].provider,
		       sizeof(GUID));
}

/*
 * Find the open activity that a stop ends. *inner is set to the activity that
 * was started inside it, or ACTIVITY_NONE.
 */
static uint32_t find_open(const struct activities *all,
			  const struct activity_holder *holder, uint32_t kind,
			  bool loosely, uint32_t *inner)
{
	uint32_t number = holder->open;
	int limit = OPEN_LIMIT;

	*inner = ACTIVITY_NONE;
	while (number != ACTIVITY_NONE && limit--) {
		const struct activity *activity = activity_at(all, number);

		if (is_stop_of(all, activity, kind, loosely))
			return number;
		*inner = number;
		number = activity->outer;
	}
	return ACTIVITY_NONE;
}

/* Record a stop whose start is not in the log */
static uint32_t stop_unstarted(struct activities *all,
			       struct activity_holder *holder,
			       const struct view *view, uint32_t kind)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	bool known = may_begin(all, holder);
	uint32_t number = known ? holder->last :
			  new_activity(all, &h->ActivityId, h);
	struct activity *activity = activity_at(all, number);

	if (!activity->events)
		set_place(activity, h, kind);
	activity->kind = kind;
	set_parent(all, number, holder->open);
	if (holder->open == ACTIVITY_NONE && !guid_is_zero(&h->ActivityId))
		holder->last = number;
	return number;
}

/* Stop an activity. On a thread, activities nested in it are closed too. */
static uint32_t stop_activity(struct activities *all, const struct view *view)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	struct activity_holder *holder = find_holder(all, &h->ActivityId, h,
						     true);
	uint32_t kind = work_of(all, view), number, inner, outer;
	struct activity *activity;

	number = find_open(all, holder, kind, false, &inner);
	if (number == ACTIVITY_NONE)
		number = find_open(all, holder, kind, true, &inner);
	if (number == ACTIVITY_NONE) {
		number = stop_unstarted(all, holder, view, kind);
	} else {
		outer = activity_at(all, number)->outer;
		if (inner == ACTIVITY_NONE || guid_is_zero(&holder->id))
			holder->open = outer;
		else
			activity_at(all, inner)->outer = outer;
		if (guid_is_zero(&holder->id))
			holder->last = ACTIVITY_NONE;
	}
	activity = activity_at(all, number);
	activity->stopped = true;
	activity->stop = h->TimeStamp.QuadPart;
	activity->stop_pid = h->ProcessId;
	activity->stop_tid = h->ThreadId;
	return number;
}

/*
 * Add an event to its activity. An event creates a missing activity for its id,
 * but not for its thread.
 */
static uint32_t add_event(struct activities *all, const struct view *view)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	bool of_thread = guid_is_zero(&h->ActivityId);
	uint32_t number, parent = ACTIVITY_NONE;
	struct activity_holder *holder;
	struct activity *activity;

	if (!of_thread)
		parent = related_activity(all, view);
	holder = find_holder(all, &h->ActivityId, h, !of_thread);
	if (!holder)
		return ACTIVITY_NONE;
	number = holder->open != ACTIVITY_NONE ? holder->open : holder->last;
	if (number == ACTIVITY_NONE && !of_thread) {
		number = new_activity(all, &h->ActivityId, h);
		holder->last = number;
	}
	if (number == ACTIVITY_NONE)
		return number;
	activity = activity_at(all, number);
	if (!activity->started && !activity->stopped) {
		if (!activity->events)
			set_place(activity, h, work_of(all, view));
		set_parent(all, number, parent);
	}
	if (!activity->stopped)
		activity->stop = h->TimeStamp.QuadPart;
	return number;
}

uint32_t activities_take(struct activities *all, const struct view *view,
			 enum activity_role *role)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	bool classic = h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER;
	uint32_t number;

	if (!classic && h->EventDescriptor.Opcode == OPCODE_START) {
		*role = ACTIVITY_START;
		number = start_activity(all, view);
	} else if (!classic && h->EventDescriptor.Opcode == OPCODE_STOP) {
		*role = ACTIVITY_STOP;
		number = stop_activity(all, view);
	} else {
		*role = ACTIVITY_EVENT;
		number = add_event(all, view);
	}
	if (number == ACTIVITY_NONE)
		*role = ACTIVITY_NO_EVENT;
	else
		activity_at(all, number)->events++;
	return number;
}

void activities_free(struct activities *all)
{
	uint32_t i;

	for (i = 0; i < all->count; i += CHUNK)
		free(all->chunks[i / CHUNK]);
	for (i = 0; i < all->kind_count; i++) {
		free(all->kinds[i].event);
		free(all->kinds[i].name);
		free(all->kinds[i].provider_name);
	}
	free(all->chunks);
	free(all->kinds);
	free(all->holders);
	hash_free(&all->kind_table);
	hash_free(&all->holder_table);
	*all = (struct activities) {};
}
