/* SPDX-License-Identifier: MIT */
/* An IPv6 address is one of the system. */
#include "winsock2.h"
