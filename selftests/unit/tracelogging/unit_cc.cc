// SPDX-License-Identifier: MIT
/* Events in C++, of a provider defined in C. */
#include "units.h"

/* A program may include the header inside its own extern "C" */
extern "C" {
#include <TraceLoggingProvider.h>
}

namespace {
TRACELOGGING_DEFINE_PROVIDER(own_provider, "Own",
			     (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

void write_in_cplusplus(int n)
{
	TraceLoggingWrite(shared_provider, "C++", TraceLoggingValue(n));
	TraceLoggingWrite(own_provider, "Own");
	write_from_header(n);
	write_inline(n);
}
