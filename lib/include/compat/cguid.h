/* SPDX-License-Identifier: MIT */
/* GUID_NULL; in a header of its own, as some programs define it themselves. */
#ifndef EVNT_CGUID_H
#define EVNT_CGUID_H

#include "guiddef.h"

static const GUID GUID_NULL __attribute__((__unused__)) = { 0, 0, 0, { 0 } };

#endif /* EVNT_CGUID_H */
