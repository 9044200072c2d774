/* SPDX-License-Identifier: MIT */
/*
 * Manifests that providers write into the log themselves, as EventSource of .NET
 * does, in events of a kind of their own.
 */
#ifndef EVNT_EMBEDDED_H
#define EVNT_EMBEDDED_H

#include <stdbool.h>

#include <evntcons.h>

struct pending;

/**
 * struct embedded - manifests that have come in part; all zero at first
 * @pending: of each provider that began one, @pending_count of them
 * @loaded: those that were whole
 */
struct embedded {
	struct pending *pending;
	unsigned int pending_count;
	unsigned int loaded;
};

/* Takes @record's piece of a manifest, if it is one; whether one was loaded */
bool embedded_take(struct embedded *e, const EVENT_RECORD *record);
void embedded_free(struct embedded *e);

#endif /* EVNT_EMBEDDED_H */
