/* SPDX-License-Identifier: MIT */
#ifndef TDH_WALK_H
#define TDH_WALK_H

#include "internal.h"

/* Of the process that wrote an event: 4 or 8 */
u8 pointer_size_of(const EVENT_RECORD *event);

#endif /* TDH_WALK_H */
