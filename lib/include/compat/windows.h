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
#include "evntwio.h"
#include "sal1.h"

/*
 * Windows' compiler lets main() be void in C++, too.  What stands before it declares
 * a function that nobody calls, and main() is an int.
 */
#if defined(__cplusplus) && !defined(main)
#define main(...)	evnt_not_main(); int main(__VA_ARGS__)
#endif

#endif /* EVNT_WINDOWS_H */
