/* SPDX-License-Identifier: MIT */
/*
 * The manifests that are loaded.
 *
 * Between store_lock() and store_unlock() none is unloaded: what was found stays.
 */
#ifndef TDH_STORE_H
#define TDH_STORE_H

#include "model.h"

void store_lock(void);
void store_unlock(void);

/**
 * struct found - a provider, and the manifest that it is in
 */
struct found {
	const struct manifest *manifest;
	const struct provider *provider;
};

/* The manifest loaded last counts; those of the system are loaded when needed */
bool store_provider(const GUID *guid, struct found *found);

/* Each manifest, the last one first, until @each returns false */
void store_each_manifest(bool (*each)(const struct manifest *m, void *context),
			 void *context);

/* Each provider once, until @each returns false */
void store_each(bool (*each)(const struct found *found, void *context),
		void *context);

/**
 * struct told - what an event tells of a manifest
 * @provider: that it describes
 * @path: the program that has it
 * @build: the program's build id, in hexadecimal, or ""
 */
struct told {
	GUID provider;
	const char *path;
	const char *build;
};

/* Load it, unless it is loaded.  It counts for its provider alone. */
ULONG store_load_told(const struct told *t);

#endif /* TDH_STORE_H */
