/* SPDX-License-Identifier: MIT */
/* The activity id of each thread. */
#ifndef EVNT_ACTIVITY_H
#define EVNT_ACTIVITY_H

#include "internal.h"

/* The calling thread's activity id */
extern __thread GUID evnt_thread_activity EVNT_HIDDEN;

#endif /* EVNT_ACTIVITY_H */
