/* SPDX-License-Identifier: MIT */
/* WMI, which does not exist here. */
#include "objbase.h"
