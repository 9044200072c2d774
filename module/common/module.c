// SPDX-License-Identifier: GPL-2.0
/*
 * The global lock, and the counters reported by EVNTRACE_IOC_STATUS.
 */
#include "module/common/module.h"

/* Rules and lock order: see module.h */
DEFINE_MUTEX(evnt_lock);

struct evnt_counts evnt_counts;
