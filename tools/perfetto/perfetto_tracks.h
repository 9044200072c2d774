/* SPDX-License-Identifier: MIT */
/*
 * Tracks of processes, of their threads, and of activities that are not
 * properly nested. A track is described before its first event.
 */
#ifndef EVNT_PERFETTO_TRACKS_H
#define EVNT_PERFETTO_TRACKS_H

#include "tools/perfetto/perfetto_write.h"

#define TRACK_NONE	UINT32_MAX

/* Subject of a track */
enum track_kind {
	TRACK_PROCESS,
	TRACK_THREAD,
	TRACK_LANE,
	TRACK_LOSSES,
};

/**
 * struct track - a track
 * @kind: subject of the track
 * @pid: process
 * @tid: thread; for a lane, its index among the lanes of the same name
 * @uuid: identifier in the trace
 * @name: name, or NULL
 * @free: for a process or the first lane of a name: head of the list of free
 *   lanes, or TRACK_NONE
 * @next_free: for a free lane: next free lane, or TRACK_NONE
 * @first: for a lane: first lane of the same name
 * @lanes: for the first lane: number of lanes of its name
 * @open: for a thread: number of open slices
 * @is_described: the trace contains its descriptor
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
 * struct tracks - all tracks; must be zeroed initially
 * @tracks: tracks
 * @count: number of tracks
 * @room: number of tracks that memory is allocated for
 * @table: hash table of the tracks
 */
struct tracks {
	struct track *tracks;
	uint32_t count;
	uint32_t room;
	struct hash table;
};

/* Set the name of a process from now on */
void track_name_process(struct tracks *tracks, uint32_t pid, const char *name);

/* Return a thread's track; a new one is described at @time */
uint32_t track_of_thread(struct tracks *tracks, struct packets *packets,
			 uint32_t pid, uint32_t tid, int64_t time);

/* Return a track for an activity of a process; released by track_put_lane() */
uint32_t track_take_lane(struct tracks *tracks, struct packets *packets,
			 uint32_t pid, const char *name, int64_t time);
void track_put_lane(struct tracks *tracks, uint32_t lane);

/* Return the track of losses */
uint32_t track_of_losses(struct tracks *tracks, struct packets *packets,
			 int64_t time);

void tracks_free(struct tracks *tracks);

#endif /* EVNT_PERFETTO_TRACKS_H */
