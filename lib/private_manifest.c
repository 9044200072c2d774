// SPDX-License-Identifier: MIT
/*
 * Files that have the manifests of providers in them, told to private sessions: the
 * same events that the module writes, in the same places: before the first event of
 * a provider, when it is asked for its state, and again where another log begins, or
 * what was told is to give way in a circular one.
 *
 * Under evnt_lib_lock; no event waits for it.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "file_text.h"
#include "maps.h"
#include "private.h"

/**
 * struct evnt_private_told - what a session was told of
 * @next: something else
 * @id: the provider
 * @manifest: where its manifest is in memory
 */
struct evnt_private_told {
	struct evnt_private_told *next;
	GUID id;
	const void *manifest;
};

/* What is needed for a while */
struct scratch {
	struct evnt_maps maps;
	struct evnt_elf_scratch file;
	struct evntprov_manifest fixed;
	char text[EVNT_FILE_TEXT_MAX];
};

_Static_assert(offsetof(struct scratch, text) ==
	       offsetof(struct scratch, fixed) +
	       sizeof(struct evntprov_manifest),
	       "what is told is in one piece");

/* The file that is mapped at an address; gone with the next use of @maps */
static bool find_file(struct evnt_maps *maps, const void *address,
		      struct evnt_map *map)
{
	bool found = false;

	if (!evnt_maps_open(maps))
		return false;
	while (!found && evnt_maps_next(maps, map))
		found = (uintptr_t)address - map->base < map->size;
	evnt_maps_close(maps);
	return found && map->inode;
}

/* Returns whether it need not be told another time */
static bool write_one(struct evnt_private *s, const struct evnt_registration *r,
		      struct scratch *scratch)
{
	struct evnt_event e;
	struct evnt_map map;
	u32 len;
	int err;

	if (!find_file(&scratch->maps, r->manifest, &map))
		return true;
	memcpy(&scratch->fixed.provider, &r->id, sizeof(r->id));
	len = evnt_file_describe(&scratch->file, map.path, map.inode,
				 scratch->text);
	evnt_own_describe(&e, &evnt_manifest_event,
			  sizeof(scratch->fixed) + len);
	e.process_id = evnt_private_pid();
	err = evnt_private_own_write(s, &evnt_manifest_event, &e,
				     &scratch->fixed);
	if (err)
		evnt_private_own_lost(s, err);
	return err != -ENOBUFS;
}

static bool is_told(const struct evnt_private *s,
		    const struct evnt_registration *r)
{
	const struct evnt_private_told *t;

	for (t = s->told; t; t = t->next) {
		if (t->manifest == r->manifest &&
		    !memcmp(&t->id, &r->id, sizeof(r->id)))
			return true;
	}
	return false;
}

static void tell(struct evnt_private *s, const struct evnt_registration *r)
{
	struct evnt_private_told *t;
	struct scratch *scratch;

	if (!r->manifest || is_told(s, r))
		return;
	t = malloc(sizeof(*t));
	scratch = malloc(sizeof(*scratch));
	if (t && scratch && write_one(s, r, scratch)) {
		t->id = r->id;
		t->manifest = r->manifest;
		t->next = s->told;
		s->told = t;
		t = NULL;
	}
	free(scratch);
	free(t);
}

/* A session is about to have enabled a provider, or has */
void evnt_private_manifests_tell(struct evnt_private *s, const GUID *provider)
{
	const struct evnt_registration *r;
	unsigned int slot;

	for (slot = 0; slot < EVNTPROV_MAX_SLOTS; slot++) {
		r = evnt_registrations[slot];
		if (r && !memcmp(&r->id, provider, sizeof(*provider)))
			tell(s, r);
	}
}

/* A registration is about to be seen by sessions */
void evnt_private_manifest_registered(const struct evnt_registration *r)
{
	struct evnt_private *s;
	u32 i;

	for (i = 0; r->manifest && i < EVNT_PRIVATE_MAX; i++) {
		s = evnt_privates[i];
		if (s && !s->stopping && *evnt_private_place_of(s, &r->id))
			tell(s, r);
	}
}

/* What was told of a provider, or of all, if it is NULL, is to be told again */
void evnt_private_manifests_forget(struct evnt_private *s, const GUID *provider)
{
	struct evnt_private_told **at = &s->told, *t;

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
 * evnt_private_manifests_renew() - tell a session again of all
 * @s: the session, whose thread calls it, without the lock
 */
void evnt_private_manifests_renew(struct evnt_private *s)
{
	const struct evnt_private_enablement *e;

	pthread_mutex_lock(&evnt_lib_lock);
	evnt_private_manifests_forget(s, NULL);
	for (e = s->stopping ? NULL : s->enabled; e; e = e->next)
		evnt_private_manifests_tell(s, &e->id);
	pthread_mutex_unlock(&evnt_lib_lock);
}
