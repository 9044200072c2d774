/* SPDX-License-Identifier: MIT */
/*
 * Of Windows' own headers, what programs use that write, control or read events.
 *
 * A program has to ask for these, with the flags of evntprov-compat.pc.  Types
 * that the ETW headers need as well are in evntbase.h; functions that are more
 * than a line in libevntcompat.a.  See evntprov-compat(7).
 */
#ifndef EVNT_WINDOWS_H
#define EVNT_WINDOWS_H

#include "evntcxx.h"
#include "sdkddkver.h"
#include "sal.h"
#include "winapifamily.h"
#include "winerror.h"
#include "evntcrt.h"
#include "evntdecl.h"
#include "guiddef.h"
#include "evnttypes.h"
#include "evntfunc.h"
#include "sal1.h"

#endif /* EVNT_WINDOWS_H */
