/* SPDX-License-Identifier: MIT */
/*
 * Manifests that providers write into the log themselves, as EventSource of
 * .NET does, in events reserved for that
 */
#ifndef EVNT_EMBEDDED_H
#define EVNT_EMBEDDED_H

#include <stdbool.h>

#include <evntcons.h>

struct pending;

/**
 * struct embedded - incomplete manifests; must be zeroed initially
 * @pending: incomplete manifest of each provider, @pending_count of them
 * @loaded: number of manifests loaded
 */
struct embedded {
	struct pending *pending;
	unsigned int pending_count;
	unsigned int loaded;
};

/*
 * Take @record's piece of a manifest, if it has one; return whether a manifest
 * was loaded
 */
bool embedded_take(struct embedded *e, const EVENT_RECORD *record);
void embedded_free(struct embedded *e);

#endif /* EVNT_EMBEDDED_H */
