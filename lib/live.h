/* SPDX-License-Identifier: MIT */
/*
 * A session in real time, as a source of buffers.
 */
#ifndef EVNT_LIVE_H
#define EVNT_LIVE_H

#include "trace_source.h"

ULONG live_open(struct trace_source **src, const WCHAR *name);

#endif /* EVNT_LIVE_H */
