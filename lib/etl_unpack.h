/* SPDX-License-Identifier: MIT */
/*
 * What packed buffers of log files are packed with.
 */
#ifndef EVNT_ETL_UNPACK_H
#define EVNT_ETL_UNPACK_H

#include "port.h"

bool etl_unpack(u8 *to, u32 room, const u8 *from, u32 len);

#endif /* EVNT_ETL_UNPACK_H */
