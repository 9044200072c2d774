// SPDX-License-Identifier: GPL-2.0
/*
 * Write as many events as the argument, which go to a ring with
 * EVNTPROV_RINGS=force, and keep the ring until the input ends; evnt_rings.sh
 * runs it.
 */
#include <stdio.h>
#include <stdlib.h>

#include <evntlinux.h>
#include <evntprov.h>

static const EVENT_DESCRIPTOR event = { .Id = 1, .Level = 4, .Keyword = 1 };

int main(int argc, char **argv)
{
	int i, count = argc > 1 ? atoi(argv[1]) : 1;
	REGHANDLE provider;
	ULONG error;
	GUID id;

	EvntProviderIdFromName("Evntprov-Rings", &id);
	error = EventRegister(&id, NULL, NULL, &provider);
	for (i = 0; i < count && !error; i++)
		error = EventWrite(provider, &event, 0, NULL);
	printf("%u\n", error);
	fflush(stdout);
	while (getchar() != EOF)
		;
	EventUnregister(provider);
	return !!error;
}
