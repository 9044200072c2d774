/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's harness, with time enough for a kernel that checks itself on a
 * machine that is emulated and busy.
 */
#ifndef EVNT_HARNESS_H
#define EVNT_HARNESS_H

#include "kselftest_harness.h"

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	150

#endif /* EVNT_HARNESS_H */
