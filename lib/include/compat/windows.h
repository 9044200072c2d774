/* SPDX-License-Identifier: MIT */
/*
 * The parts of Windows' own headers that are used by programs that write,
 * control or read events.
 *
 * A program must request these headers by the flags of evntprov-compat.pc.
 * Types that the ETW headers need as well are in evntbase.h; functions of more
 * than a line are in libevntcompat.a.  See evntprov-compat(7).
 */
#ifndef EVNT_WINDOWS_H
#define EVNT_WINDOWS_H

/* Guards of its parts, which headers of programs test; no part is for graphics */
#define _WINBASE_
#define _HEAPAPI_H_
#ifndef NOGDI
#define NOGDI
#endif

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
 * Accept void main(), as Microsoft's compiler does in C++, too: the macro
 * makes void the return type of an unused function, and main() return int.
 */
#if defined(__cplusplus) && !defined(main)
#define main(...)	evnt_not_main(); int main(__VA_ARGS__)
#endif

#ifndef WIN32_LEAN_AND_MEAN
#include "shellapi.h"
#endif

#endif /* EVNT_WINDOWS_H */
