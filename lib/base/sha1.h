/* SPDX-License-Identifier: MIT */
/* SHA-1 (RFC 3174), for deriving provider IDs from names, not for security */
#ifndef EVNT_SHA1_H
#define EVNT_SHA1_H

#include <stddef.h>
#include <stdint.h>

void evnt_sha1(const void *data, size_t len, uint8_t digest[20]);

#endif /* EVNT_SHA1_H */
