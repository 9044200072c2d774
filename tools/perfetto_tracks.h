/* SPDX-License-Identifier: MIT */
/*
 * Tracks: of processes, of their threads, and of activities that do not lie in each
 * other.  A track is described before its first event.
 */
#ifndef EVNT_TOOLS_PERFETTO_TRACKS_H
#define EVNT_TOOLS_PERFETTO_TRACKS_H

#include "perfetto_write.h"

#define TRACK_NONE	UINT32_MAX

/* What a track is of */
enum track_kind {
	TRACK_PROCESS,
	TRACK_THREAD,
	TRACK_LANE,
	TRACK_LOSSES,
};

/**
 * struct track - one of them
 * @kind: what it is of
 * @pid: the process
 * @tid: the thread, or of lanes of one name, which one, counted from 0
 * @uuid: names it in the trace
 * @name: if it has one, or NULL
 * @free: of a process or the first lane of a name: the lane that is free, or
 *	NONE
 * @next_free: of a free lane: the next
 * @first: of a lane: the first of its name
 * @lanes: of the first: how many there are
 * @open: of a thread: how many slices have begun and not ended
 * @is_described: in the trace
 */
struct track {
	enum track_kind kind;
	uint32_t pid;
	uint32_t tid;
	uint64_t uuid;
	char *name;
	uint32_t free;
	uint32_t next_free;
	uint32_t first;
	uint32_t lanes;
	uint32_t open;
	bool is_described;
};

/**
 * struct tracks - all of them; zeroed in the beginning
 * @tracks: they
 * @count: how many
 * @room: for how many there is memory
 * @table: finds them
 */
struct tracks {
	struct track *tracks;
	uint32_t count;
	uint32_t room;
	struct hash table;
};

/* A process is called so, from now on */
void track_name_process(struct tracks *tracks, uint32_t pid, const char *name);

/* A thread's track, which is described at @time if it is new */
uint32_t track_of_thread(struct tracks *tracks, struct packets *packets,
			 uint32_t pid, uint32_t tid, int64_t time);

/* A track for an activity of a process, until it is given back */
uint32_t track_take_lane(struct tracks *tracks, struct packets *packets,
			 uint32_t pid, const char *name, int64_t time);
void track_put_lane(struct tracks *tracks, uint32_t lane);

/* The track that losses are told on */
uint32_t track_of_losses(struct tracks *tracks, struct packets *packets,
			 int64_t time);

void tracks_free(struct tracks *tracks);

#endif /* EVNT_TOOLS_PERFETTO_TRACKS_H */
