/* SPDX-License-Identifier: MIT */
#ifndef TDH_SHA256_H
#define TDH_SHA256_H

#include "tdh/common.h"

void sha256(const void *data, size_t len, u8 digest[32]);

#endif /* TDH_SHA256_H */
