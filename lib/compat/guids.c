// SPDX-License-Identifier: MIT
/*
 * The ids that evntrace.h declares, for programs that do not define INITGUID: on
 * Windows they come from a library, too.
 */
#define INITGUID
#include <evntrace.h>
