/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What the events of EVNTPROV_IMAGES_PROVIDER look like: those that the module
 * writes, or the library into private sessions, to tell of files.
 *
 * They are of TraceLogging, with their fields described.
 */
#ifndef EVNT_OWN_RECORD_H
#define EVNT_OWN_RECORD_H

#include <linux/evntprov.h>

#include "record.h"

/**
 * struct evnt_own_event - a kind of them
 * @descriptor: which it is
 * @text: a byte of tags, which is 0, its name, its fields: what TraceLogging's
 *	metadata has behind its length
 * @len: how long that is in bytes, without the nul that C puts behind it
 */
struct evnt_own_event {
	struct etl_descriptor descriptor;
	const char *text;
	u16 len;
};

/* Of a struct evntprov_image and a struct evntprov_manifest */
extern const struct evnt_own_event evnt_image_event;
extern const struct evnt_own_event evnt_manifest_event;

void evnt_own_describe(struct evnt_event *e, const struct evnt_own_event *own,
		       u32 len);
void evnt_own_put(u8 *record, u32 size, const struct evnt_own_event *own,
		  const struct evnt_event *e, s64 time, const void *data);

#endif /* EVNT_OWN_RECORD_H */
