/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rundown of a log file: events about what exists, for this file alone.
 *
 * The first file of a session begins with a rundown, and the last one ends with
 * one, which the session's buffers contain as other events.  Other files, and
 * snapshots, get their own one.  It is composed in memory that only the file
 * gets: in the session's buffers, it would take the place of events.
 */
#ifndef EVNT_RUNDOWN_H
#define EVNT_RUNDOWN_H

#include "module/session/session.h"

/* Maximum length of a rundown in bytes */
#define EVNT_RUNDOWN_MAX	(64u * 1024 * 1024)

/**
 * struct evnt_rundown - rundown of a log file
 * @session: session of the file
 * @buffers: buffers with its records, whose times are not set yet
 * @count: number of buffers
 * @room: maximum number of buffers
 */
struct evnt_rundown {
	const struct evnt_session *session;
	u8 **buffers;
	u32 count;
	u32 room;
};

void evnt_rundown_take(struct evnt_rundown *d, struct evnt_session *s, u64 room,
		       bool is_end);
u8 *evnt_rundown_reserve(struct evnt_rundown *d, u32 size);
const u8 *evnt_rundown_finish(struct evnt_rundown *d, u32 index, s64 time,
			      s64 sequence);
void evnt_rundown_free(struct evnt_rundown *d);

#endif /* EVNT_RUNDOWN_H */
