// SPDX-License-Identifier: MIT
/* An event in C, of a provider defined elsewhere; contains main(). */
#include "units.h"

TRACELOGGING_DEFINE_PROVIDER(shared_provider, "Shared",
			     (0xce5fa4ea, 0xab00, 0x5402,
			      0x8b, 0x76, 0x9f, 0x76, 0xac, 0x85, 0x8f, 0xb5));

void write_in_c(int n)
{
	TraceLoggingWrite(shared_provider, "C", TraceLoggingInt32(n));
	write_from_header(n);
}

int main(void)
{
	TLG_STATUS status = TraceLoggingRegister(shared_provider);

	if (status != S_OK)
		return 1;
	write_in_c(1);
	write_in_cplusplus(2);
	TraceLoggingUnregister(shared_provider);
	return 0;
}
