/* SPDX-License-Identifier: MIT */
/*
 * The classes of what Windows' kernel logs.
 */
#ifndef EVNT_ETL_CLASS_H
#define EVNT_ETL_CLASS_H

#include "evntbase.h"

const GUID *etl_class(USHORT hook);

#endif /* EVNT_ETL_CLASS_H */
