/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of the module's own provider that announce files, with the file's
 * build id and path at their ends.
 */
#ifndef EVNT_TEST_OWN_EVENT_H
#define EVNT_TEST_OWN_EVENT_H

#include <linux/evntrace.h>

#include "core/self_layout.h"
#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define SCHEMA_TL	11
#define PROV_TRAITS	12

/* Fields of a file, and the process it was announced for */
struct own_file {
	char id[128];
	char path[4096];
	__u32 pid;
	__s64 time;
};

static inline bool is_own_event(const struct etl_event *e)
{
	static const struct evntprov_guid provider = EVNTPROV_IMAGES_PROVIDER;

	return !memcmp(e->provider, &provider, sizeof(provider));
}

/* Number of errors in the head of one */
static inline unsigned int own_event_check(const struct etl_event *e,
					   uint8_t opcode, const char *schema,
					   size_t schema_len)
{
	unsigned int wrong = 0;
	const __u8 *item;
	uint16_t size;

	item = etl_ext(e, PROV_TRAITS, &size);
	wrong += !item || size != 18 || etl_u16(item) != 18 ||
		 memcmp(item + 2, "Evntprov-Images", 16);
	item = etl_ext(e, SCHEMA_TL, &size);
	wrong += !item || size != 2 + schema_len || etl_u16(item) != size ||
		 memcmp(item + 2, schema, schema_len);
	return wrong + (e->id || e->version || e->channel != 11 ||
			e->level != 4 || e->opcode != opcode);
}

/* Number of errors after the first @fixed bytes, which are stored in @file */
static inline unsigned int own_event_file(const struct etl_event *e,
					  size_t fixed, struct own_file *file)
{
	const char *text = (const char *)e->data + fixed;
	size_t rest = e->data_len - fixed;
	size_t len = strnlen(text, rest), path_len;

	file->pid = e->pid;
	file->time = e->time;
	if (len >= rest || len >= sizeof(file->id))
		return 1;
	strcpy(file->id, text);
	text += len + 1;
	rest -= len + 1;
	path_len = strnlen(text, rest);
	if (path_len + 1 != rest || path_len >= sizeof(file->path))
		return 1;
	strcpy(file->path, text);
	return 0;
}

/* Number of own events in a running session: all but @others */
static inline unsigned int own_events_reported(int trace, __u64 session,
					       unsigned int others)
{
	struct evntrace_session q;

	dev_control(trace, DEV_QUERY, session, &q);
	return q.events - others;
}

#endif /* EVNT_TEST_OWN_EVENT_H */
