// SPDX-License-Identifier: GPL-2.0
/*
 * Write to a provider that no session has enabled, between two calls of
 * getppid(); syscalls.sh checks the system calls from outside.
 */
#include <unistd.h>

#include "selftests/evntprov/common/lib.h"

int main(void)
{
	static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 1 };
	GUID id = provider_id(0xdd);
	EVENT_DATA_DESCRIPTOR data;
	unsigned int i, wrong = 0;
	REGHANDLE h;

	if (EventRegister(&id, NULL, NULL, &h))
		return 1;
	EventDataDescCreate(&data, "data", 4);
	getppid();
	for (i = 0; i < 250000; i++) {
		wrong += EventEnabled(h, &descriptor);
		wrong += EventProviderEnabled(h, 0, 0);
		wrong += EventWrite(h, &descriptor, 1, &data);
		wrong += EventWriteString(h, 0, 0, (const WCHAR *)u"x");
	}
	getppid();
	EventUnregister(h);
	return wrong != 0;
}
