/* SPDX-License-Identifier: MIT */
/* The keyboard: _getch() waits for a key. */
#include "evntcrt.h"
