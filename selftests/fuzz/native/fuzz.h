/* SPDX-License-Identifier: MIT */
/*
 * What the fuzzers share.
 */
#ifndef EVNT_NATIVE_FUZZ_H
#define EVNT_NATIVE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each fuzzer's own: what it does with an input */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What does not hold is an error, as a sanitizer's is */
static inline void check(bool holds)
{
	if (!holds)
		__builtin_trap();
}

#endif /* EVNT_NATIVE_FUZZ_H */
