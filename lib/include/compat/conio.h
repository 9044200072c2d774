/* SPDX-License-Identifier: MIT */
/* Console input: _getch() waits for a key. */
#include "evntcxx.h"
#include "evntcrt.h"
