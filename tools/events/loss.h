/* SPDX-License-Identifier: MIT */
/* Events about lost events */
#ifndef EVNT_LOSS_H
#define EVNT_LOSS_H

#include <evntcons.h>

#include "tools/print/print.h"

/*
 * Append a line about the loss of an event that is_loss() has accepted: the
 * number of events, the time, the processor and the cause
 */
void loss_put(struct out *out, const EVENT_RECORD *record);

#endif /* EVNT_LOSS_H */
