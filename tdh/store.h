/* SPDX-License-Identifier: MIT */
/*
 * Store of loaded manifests.
 *
 * No manifest is unloaded between store_lock() and store_unlock(), so that
 * pointers to its objects stay valid.
 */
#ifndef TDH_STORE_H
#define TDH_STORE_H

#include "tdh/model.h"

void store_lock(void);
void store_unlock(void);

/**
 * struct found - a provider and the manifest that contains it
 */
struct found {
	const struct manifest *manifest;
	const struct provider *provider;
};

/*
 * Find the effective provider of a GUID, loading the system's manifests on
 * demand
 */
bool store_provider(const GUID *guid, struct found *found);

/*
 * Call @each for each manifest in the Managed Object Format, the last one first,
 * until it returns false.  Manifests of the system are only loaded if they
 * contain @guid.
 */
void store_each_mof(const GUID *guid,
		    bool (*each)(const struct manifest *m, void *context),
		    void *context);

/* Call @each for each effective provider until it returns false */
void store_each(bool (*each)(const struct found *found, void *context),
		void *context);

/**
 * struct reported - a manifest named by an event
 * @provider: provider that the manifest describes
 * @path: path of the program that contains the manifest
 * @build: build id of the program in hexadecimal, or ""
 */
struct reported {
	GUID provider;
	const char *path;
	const char *build;
};

/* Load the manifest, unless it is loaded; it is used only for @provider */
ULONG store_load_reported(const struct reported *t);

/*
 * Load a file as TdhLoadManifest(), unless this version of it has been loaded or
 * refused before.  Returns whether it was loaded now.
 */
bool store_load_once(const WCHAR *path);

#endif /* TDH_STORE_H */
