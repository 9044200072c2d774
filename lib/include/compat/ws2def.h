/* SPDX-License-Identifier: MIT */
/* Socket addresses are those of the system. */
#include "winsock2.h"
