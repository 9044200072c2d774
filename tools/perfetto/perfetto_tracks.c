// SPDX-License-Identifier: MIT
/* Finds and describes tracks */
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/perfetto/perfetto_tracks.h"

/* Id that Windows uses in place of a missing process or thread */
#define NOBODY		UINT32_MAX

struct track_key {
	const struct tracks *tracks;
	enum track_kind kind;
	uint32_t pid;
	uint32_t tid;
	const char *name;
};

static bool is_track(const void *context, uint32_t number)
{
	const struct track_key *key = context;
	const struct track *track = &key->tracks->tracks[number];

	if (track->kind != key->kind || track->pid != key->pid ||
	    track->tid != key->tid)
		return false;
	return track->kind != TRACK_LANE || !strcmp(track->name, key->name);
}

static uint32_t track_of(struct tracks *tracks, const struct track_key *key)
{
	uint32_t number;
	uint64_t hash;

	hash = hash_bytes(HASH_BEGIN, &key->kind, sizeof(key->kind));
	hash = hash_bytes(hash, &key->pid, sizeof(key->pid));
	hash = hash_bytes(hash, &key->tid, sizeof(key->tid));
	if (key->kind == TRACK_LANE)
		hash = hash_bytes(hash, key->name, strlen(key->name));
	number = hash_find(&tracks->table, hash, is_track, key);
	if (number != HASH_NONE)
		return number;
	if (tracks->count == tracks->room) {
		tracks->room = tracks->room ? 2 * tracks->room : 64;
		tracks->tracks = must_have(realloc(tracks->tracks,
						   tracks->room *
						   sizeof(*tracks->tracks)));
	}
	number = tracks->count++;
	tracks->tracks[number] = (struct track) {
		.kind = key->kind,
		.pid = key->pid,
		.tid = key->tid,
		/* Uuid 0 is the trace itself */
		.uuid = hash ? hash : 1,
		.name = key->name ? must_have(strdup(key->name)) : NULL,
		.free = TRACK_NONE,
		.next_free = TRACK_NONE,
		.first = TRACK_NONE,
	};
	hash_add(&tracks->table, hash, number);
	return number;
}

/* Return the track of a process; the pointer is valid until a track is added */
static struct track *track_of_process(struct tracks *tracks, uint32_t pid)
{
	uint32_t number = track_of(tracks, &(struct track_key) {
		tracks, TRACK_PROCESS, pid, 0, NULL
	});

	return &tracks->tracks[number];
}

void track_name_process(struct tracks *tracks, uint32_t pid, const char *name)
{
	struct track *track = track_of_process(tracks, pid);

	free(track->name);
	track->name = must_have(strdup(name));
}

/* Create a packet with a track descriptor; the caller writes it */
static Perfetto__TrackDescriptor *describe(struct packets *packets,
					   struct track *track, int64_t time,
					   Perfetto__TracePacket **packet)
{
	Perfetto__TrackDescriptor *d;

	*packet = packet_new(packets, time);
	d = pool_take(&packets->pool, sizeof(*d));
	perfetto__track_descriptor__init(d);
	d->has_uuid = true;
	d->uuid = track->uuid;
	(*packet)->track_descriptor = d;
	track->is_described = true;
	return d;
}

/* Describe a process once; return its track's uuid */
static uint64_t describe_process(struct tracks *tracks,
				 struct packets *packets, uint32_t pid,
				 int64_t time)
{
	struct track *track = track_of_process(tracks, pid);
	Perfetto__ProcessDescriptor *process;
	Perfetto__TracePacket *packet;
	Perfetto__TrackDescriptor *d;

	if (track->is_described)
		return track->uuid;
	d = describe(packets, track, time, &packet);
	process = pool_take(&packets->pool, sizeof(*process));
	perfetto__process_descriptor__init(process);
	process->has_pid = true;
	process->pid = pid;
	if (track->name)
		process->process_name = packet_text(packets, track->name);
	d->process = process;
	packet_write(packets, packet);
	return track->uuid;
}

static void describe_thread(struct packets *packets, struct track *track,
			    int64_t time)
{
	Perfetto__TracePacket *packet;
	Perfetto__TrackDescriptor *d = describe(packets, track, time, &packet);
	Perfetto__ThreadDescriptor *thread;

	if (track->pid == NOBODY || track->tid == NOBODY) {
		d->name = packet_text(packets, "no thread");
	} else {
		thread = pool_take(&packets->pool, sizeof(*thread));
		perfetto__thread_descriptor__init(thread);
		thread->has_pid = true;
		thread->pid = track->pid;
		thread->has_tid = true;
		thread->tid = track->tid;
		d->thread = thread;
	}
	packet_write(packets, packet);
}

uint32_t track_of_thread(struct tracks *tracks, struct packets *packets,
			 uint32_t pid, uint32_t tid, int64_t time)
{
	uint32_t number = track_of(tracks, &(struct track_key) {
		tracks, TRACK_THREAD, pid, tid, NULL
	});

	if (tracks->tracks[number].is_described)
		return number;
	if (pid != NOBODY)
		describe_process(tracks, packets, pid, time);
	describe_thread(packets, &tracks->tracks[number], time);
	return number;
}

static void describe_lane(struct tracks *tracks, struct packets *packets,
			  uint32_t lane, int64_t time)
{
	struct track *track = &tracks->tracks[lane];
	Perfetto__TracePacket *packet;
	Perfetto__TrackDescriptor *d;
	uint64_t process = 0;

	if (track->is_described)
		return;
	if (track->pid != NOBODY) {
		process = describe_process(tracks, packets, track->pid, time);
		track = &tracks->tracks[lane];
	}
	d = describe(packets, track, time, &packet);
	d->name = packet_text(packets, track->name);
	d->has_parent_uuid = process != 0;
	d->parent_uuid = process;
	packet_write(packets, packet);
}

uint32_t track_take_lane(struct tracks *tracks, struct packets *packets,
			 uint32_t pid, const char *name, int64_t time)
{
	struct track_key key = { tracks, TRACK_LANE, pid, 0, name };
	uint32_t first = track_of(tracks, &key), lane = first;
	struct track *track = &tracks->tracks[first];

	if (!track->lanes) {
		track->lanes = 1;
	} else if (track->free != TRACK_NONE) {
		lane = track->free;
		track->free = tracks->tracks[lane].next_free;
	} else {
		key.tid = track->lanes++;
		lane = track_of(tracks, &key);
	}
	tracks->tracks[lane].first = first;
	describe_lane(tracks, packets, lane, time);
	return lane;
}

void track_put_lane(struct tracks *tracks, uint32_t lane)
{
	struct track *first = &tracks->tracks[tracks->tracks[lane].first];

	tracks->tracks[lane].next_free = first->free;
	first->free = lane;
}

uint32_t track_of_losses(struct tracks *tracks, struct packets *packets,
			 int64_t time)
{
	uint32_t number = track_of(tracks, &(struct track_key) {
		tracks, TRACK_LOSSES, 0, 0, NULL
	});
	Perfetto__TracePacket *packet;
	Perfetto__TrackDescriptor *d;

	if (tracks->tracks[number].is_described)
		return number;
	d = describe(packets, &tracks->tracks[number], time, &packet);
	d->name = packet_text(packets, "losses");
	d->description = packet_text(packets, "Losses of the recording");
	packet_write(packets, packet);
	return number;
}

void tracks_free(struct tracks *tracks)
{
	for (uint32_t i = 0; i < tracks->count; i++)
		free(tracks->tracks[i].name);
	free(tracks->tracks);
	hash_free(&tracks->table);
}
