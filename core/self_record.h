/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Layout of the events of EVNTPROV_IMAGES_PROVIDER, which describe files, and of
 * EVNTPROV_LOSSES_PROVIDER.  The module writes them into its sessions, and the
 * library into private sessions.
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

/* Length in units of the name of a session in an event about lost events */
#define EVNT_LOSS_NAME	127u
/* Space for its two strings */
#define EVNT_LOSS_TEXT	(2 * (EVNT_LOSS_NAME + 1) + sizeof("unreadable"))

/**
 * struct evnt_self_provider - provider of such events
 * @id: its id
 * @traits: its traits
 * @len: length of @traits in bytes
 */
struct evnt_self_provider {
	struct evntprov_guid id;
	const u8 *traits;
	u16 len;
};

/**
 * struct evnt_self_event - kind of event
 * @provider: its provider
 * @descriptor: event descriptor
 * @text: TraceLogging metadata behind its length: a zero byte of tags, the
 *	event's name, its fields
 * @len: length of @text in bytes, without the nul of the C string
 */
struct evnt_self_event {
	const struct evnt_self_provider *provider;
	struct etl_descriptor descriptor;
	const char *text;
	u16 len;
};

/* Events whose data begins with a struct evntprov_image or evntprov_manifest */
extern const struct evnt_self_event evnt_image_event;
extern const struct evnt_self_event evnt_manifest_event;

/**
 * struct evnt_loss_data - data of an event about lost events
 * @fixed: its beginning
 * @text: its two strings
 */
struct evnt_loss_data {
	struct evntprov_loss fixed;
	u8 text[EVNT_LOSS_TEXT];
};

extern const struct evnt_self_event evnt_loss_event;
u32 evnt_loss_fill(struct evnt_loss_data *d, u32 cpu, enum evnt_loss kind,
		   const struct evnt_gap *gap, const u16 *name, u32 len);

u32 evnt_process_record_size(const char *name, u32 package_len);
void evnt_process_record_put(u8 *record, const char *name, const void *package,
			     u32 package_len, u32 process_id, s64 time);

void evnt_self_describe(struct evnt_event *e, const struct evnt_self_event *own,
			u32 len);
void evnt_self_put(u8 *record, u32 size, const struct evnt_self_event *own,
		   const struct evnt_event *e, s64 time, const void *data);

#endif /* EVNT_SELF_RECORD_H */
