/* SPDX-License-Identifier: MIT */
/* Socket addresses of the system's own types. */
#include "winsock2.h"
