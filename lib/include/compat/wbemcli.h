/* SPDX-License-Identifier: MIT */
/* WMI: there is none. */
#include "objbase.h"
