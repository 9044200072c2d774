// SPDX-License-Identifier: MIT
/*
 * Manifest announcements in private sessions: events that name the files
 * containing the manifests of providers; and the record that names the process.
 * As in the module, they are written before the first event of a provider, with
 * a capture state request, and again when a new log begins or a circular log is
 * about to overwrite them.
 *
 * Guarded by evnt_lib_lock; writers of events do not wait for it.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "core/reserve.h"
#include "evntlinux.h"
#include "lib/private/maps.h"
#include "lib/private/private.h"

/**
 * struct evnt_announced_manifests - manifest recorded in a session's current
 * log
 * @next: next manifest
 * @id: provider ID
 * @manifest: address of the manifest in memory
 */
struct evnt_announced_manifests {
	struct evnt_announced_manifests *next;
	GUID id;
	const void *manifest;
};

/* Temporary memory for writing an event */
struct manifest_scratch {
	struct evnt_maps maps;
	struct evnt_elf_scratch file;
	struct evntprov_manifest fixed;
	char text[EVNT_FILE_TEXT_MAX];
};

_Static_assert(offsetof(struct manifest_scratch, text) ==
	       offsetof(struct manifest_scratch, fixed) +
	       sizeof(struct evntprov_manifest),
	       "what is told is in one piece");

/* Write the event; return false to retry later, if no buffer was free */
static bool write_one(struct evnt_private *s, const struct evnt_registration *r,
		      struct manifest_scratch *scratch)
{
	const uintptr_t address = (uintptr_t)r->manifest;
	struct evnt_event e;
	struct evnt_map map;
	bool found = false;
	u32 len;
	int err;

	if (!evnt_maps_open(&scratch->maps))
		return true;
	while (!found && evnt_maps_next(&scratch->maps, &map))
		found = address - map.base < map.size;
	evnt_maps_close(&scratch->maps);
	if (!found || !map.inode)
		return true;
	memcpy(&scratch->fixed.provider, &r->id, sizeof(r->id));
	len = evnt_mapped_file_info(&scratch->file, map.path, map.inode,
				    scratch->text);
	evnt_self_describe(&e, &evnt_manifest_event,
			   sizeof(scratch->fixed) + len);
	e.process_id = evnt_private_pid();
	err = evnt_private_self_write(s, &evnt_manifest_event, &e,
				      &scratch->fixed);
	if (err)
		evnt_private_self_lost(s, err);
	return err != -ENOBUFS;
}

/* Header, file name, and package in UTF-16 */
#define MAX_NAME_RECORD	(256u + NAME_MAX + 2 * EVNT_PACKAGE_NAME)

/* Write the name of the process; without room, it is written later */
static void write_name(struct evnt_private *s)
{
	u8 copy[MAX_NAME_RECORD] __aligned(ETL_ALIGN);
	const char *name = s->subject.exe;
	struct evnt_buffers *b = &s->buffers;
	const u32 cpu = evnt_private_cpu(b);
	const u32 size = evnt_process_record_size(name,
						  s->subject.package_len);
	struct evnt_reservation at;
	u8 *record;
	s64 time;
	int err;

	err = evnt_reserve(b, cpu, size, &at, &time);
	if (err) {
		evnt_private_self_lost(s, err);
		return;
	}
	record = evnt_record(&at);
	evnt_private_begin(record, size);
	evnt_process_record_put(copy, name, s->subject.package,
				s->subject.package_len, evnt_private_pid(),
				time);
	/* The first word seals the record */
	memcpy(record + ETL_ALIGN, copy + ETL_ALIGN,
	       ALIGN(size, ETL_ALIGN) - ETL_ALIGN);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	WRITE_ONCE(*(u64 *)record, *(u64 *)copy);
	/* Complete the record, which is not counted as an event */
	evnt_buffer_unref(b, at.buffer);
	s->is_named = true;
}

/*
 * Record the name of the process if the enablement @e requests it, and a
 * registration's manifest, unless they are recorded already
 */
static void report(struct evnt_private *s,
		   const struct evnt_private_enablement *e,
		   const struct evnt_registration *r)
{
	struct evnt_announced_manifests *t;
	struct manifest_scratch *scratch;

	if (e->property & EVNT_ENABLE_PROPERTY_PROCESS_NAME && !s->is_named &&
	    s->subject.exe[0])
		write_name(s);
	if (!r->manifest)
		return;
	for (t = s->reported; t; t = t->next) {
		if (t->manifest == r->manifest &&
		    !memcmp(&t->id, &r->id, sizeof(r->id)))
			return;
	}
	t = malloc(sizeof(*t));
	scratch = malloc(sizeof(*scratch));
	if (t && scratch && write_one(s, r, scratch)) {
		t->id = r->id;
		t->manifest = r->manifest;
		t->next = s->reported;
		s->reported = t;
		t = NULL;
	}
	free(scratch);
	free(t);
}

/*
 * Record the name of the process and a provider's manifests, as far as they are
 * due.  The session must have enabled the provider.
 */
void evnt_private_manifests_write(struct evnt_private *s, const GUID *provider)
{
	const struct evnt_private_enablement *e =
		*evnt_private_place_of(s, provider);
	const struct evnt_registration *r;
	unsigned int slot;

	for (slot = 0; slot < evnt_slots_end; slot++) {
		r = evnt_registrations[slot];
		if (r && !memcmp(&r->id, provider, sizeof(*provider)))
			report(s, e, r);
	}
}

/*
 * Record the process and the manifest of a new registration, before sessions
 * see its events
 */
void evnt_private_manifest_registered(const struct evnt_registration *r)
{
	const struct evnt_private_enablement *e;
	struct evnt_private *s;
	u32 i;

	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		s = evnt_privates[i];
		e = s && !s->stopping ? *evnt_private_place_of(s, &r->id) : NULL;
		if (e)
			report(s, e, r);
	}
}

/*
 * Have the name of the process, and the manifests of a provider or of all if
 * NULL, recorded again
 */
void evnt_private_manifests_forget(struct evnt_private *s, const GUID *provider)
{
	struct evnt_announced_manifests **at = &s->reported, *t;

	s->is_named = false;
	while ((t = *at)) {
		if (provider &&
		    memcmp(&t->id, provider, sizeof(*provider)) != 0) {
			at = &t->next;
			continue;
		}
		*at = t->next;
		free(t);
	}
}

/**
 * evnt_private_manifests_renew() - record the process and all enabled
 * manifests again
 * @s: session
 *
 * Called by the session's thread, without evnt_lib_lock.
 */
void evnt_private_manifests_renew(struct evnt_private *s)
{
	const struct evnt_private_enablement *e;

	evnt_lib_relock();
	evnt_private_manifests_forget(s, NULL);
	for (e = s->stopping ? NULL : s->enabled; e; e = e->next)
		evnt_private_manifests_write(s, &e->id);
	pthread_mutex_unlock(&evnt_lib_lock);
}
