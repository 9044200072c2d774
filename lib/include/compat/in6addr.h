/* SPDX-License-Identifier: MIT */
/* IPv6 addresses of the system's own type. */
#include "winsock2.h"
