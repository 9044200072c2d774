/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Layout of the events of EVNTPROV_IMAGES_PROVIDER, which describe files.  The
 * module writes them into its sessions, and the library into private sessions.
 *
 * They are TraceLogging events: each one contains the description of its
 * fields.  The records that name processes have the form of Windows' kernel.
 */
#ifndef EVNT_SELF_RECORD_H
#define EVNT_SELF_RECORD_H

#include <linux/evntprov.h>

#include "core/buffer.h"
#include "core/record.h"
#include "core/self_layout.h"

/**
 * struct evnt_self_event - kind of event
 * @descriptor: event descriptor
 * @text: TraceLogging metadata behind its length: a zero byte of tags, the
 *	event's name, its fields
 * @len: length of @text in bytes, without the nul of the C string
 */
struct evnt_self_event {
	struct etl_descriptor descriptor;
	const char *text;
	u16 len;
};

/* Events whose data begins with a struct evntprov_image or evntprov_manifest */
extern const struct evnt_self_event evnt_image_event;
extern const struct evnt_self_event evnt_manifest_event;

u32 evnt_process_record_size(const char *name);
void evnt_process_record_put(u8 *record, const char *name, u32 process_id,
			     s64 time);

void evnt_self_describe(struct evnt_event *e, const struct evnt_self_event *own,
			u32 len);
void evnt_self_put(u8 *record, u32 size, const struct evnt_self_event *own,
		   const struct evnt_event *e, s64 time, const void *data);

#endif /* EVNT_SELF_RECORD_H */
