/* SPDX-License-Identifier: MIT */
/*
 * Definitions shared by the files of libevnttdh.
 */
#ifndef TDH_COMMON_H
#define TDH_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tdh.h"

#define EVNT_PUBLIC	__attribute__((visibility("default")))
#define EVNT_ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* Read values of any alignment; payloads and the host are little-endian */
static inline u16 get_u16(const void *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline u32 get_u32(const void *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline u64 get_u64(const void *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline bool same_guid(const GUID *a, const GUID *b)
{
	return !memcmp(a, b, sizeof(*a));
}

#endif /* TDH_COMMON_H */
