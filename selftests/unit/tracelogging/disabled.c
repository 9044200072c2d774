// SPDX-License-Identifier: MIT
/* A function that writes one event, to inspect its code path while disabled. */
#include <TraceLoggingProvider.h>

TRACELOGGING_DEFINE_PROVIDER(provider, "MyCompany.MyComponent",
			     (0xce5fa4ea, 0xab00, 0x5402,
			      0x8b, 0x76, 0x9f, 0x76, 0xac, 0x85, 0x8f, 0xb5));

#ifdef __cplusplus
extern "C"
#endif
void write_event(int n);

void write_event(int n)
{
	TraceLoggingWrite(provider, "Disassembled", TraceLoggingLevel(4),
			  TraceLoggingKeyword(0x10), TraceLoggingInt32(n),
			  TraceLoggingString("text", "s"));
}

int main(void)
{
	TraceLoggingRegister(provider);
	write_event(1);
	TraceLoggingUnregister(provider);
	return 0;
}
