/* SPDX-License-Identifier: MIT */
/* Make DEFINE_GUID() define GUIDs from here on. */
#ifndef INITGUID
#define INITGUID
#endif
#include "guiddef.h"
