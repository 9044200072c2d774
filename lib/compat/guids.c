// SPDX-License-Identifier: MIT
/*
 * GUIDs that evntrace.h, evntcons.h and relogger.h declare, for programs that do not
 * define INITGUID: on Windows a library also contains them.
 */
#define INITGUID
#define EVNT_DEFINE_UUIDS
#include <evntrace.h>
#include <relogger.h>
