/* SPDX-License-Identifier: MIT */
/*
 * A provider shared by several translation units, in C and C++, and by a
 * library.
 */
#include <TraceLoggingProvider.h>

TRACELOGGING_DECLARE_PROVIDER(shared_provider);

/* An inline function with an event: present in each unit, but linked once */
static inline void write_from_header(int n)
{
	TraceLoggingWrite(shared_provider, "Header", TraceLoggingInt32(n));
}

#ifdef __cplusplus
inline void write_inline(int n)
{
	TraceLoggingWrite(shared_provider, "Inline", TraceLoggingValue(n));
}

extern "C" {
#endif
void write_in_c(int n);
void write_in_cplusplus(int n);
#ifdef __cplusplus
}
#endif
