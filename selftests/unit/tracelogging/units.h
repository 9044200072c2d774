/* SPDX-License-Identifier: MIT */
/* A provider that several translation units, in C and C++, and a library share. */
#include <TraceLoggingProvider.h>

TRACELOGGING_DECLARE_PROVIDER(shared_provider);

/* An inline function with an event: in each unit, and one of them counts */
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
