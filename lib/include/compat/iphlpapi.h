/* SPDX-License-Identifier: MIT */
/* Headers of networks, of which providers use addresses. */
#include "winsock2.h"
