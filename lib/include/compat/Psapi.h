/* SPDX-License-Identifier: MIT */
/* Alias, since file names are not case-sensitive on Windows. */
#include "psapi.h"
