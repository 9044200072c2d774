/* SPDX-License-Identifier: MIT */
/* Shared by the fuzzers. */
#ifndef EVNT_NATIVE_FUZZ_H
#define EVNT_NATIVE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Process an input; each fuzzer defines its own */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Report a failed check as an error, like a sanitizer */
static inline void check(bool holds)
{
	if (!holds)
		__builtin_trap();
}

#endif /* EVNT_NATIVE_FUZZ_H */
