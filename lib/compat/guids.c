// SPDX-License-Identifier: MIT
/*
 * GUIDs that evntrace.h declares, for programs that do not define INITGUID: on
 * Windows a library also contains them.
 */
#define INITGUID
#include <evntrace.h>
