// SPDX-License-Identifier: GPL-2.0
/*
 * Write events from functions whose names and lines evnt dump must resolve;
 * evnt_stacks.sh runs it.  Each function calls the next one on the marked line.
 */
#include <stdio.h>

#include <evntlinux.h>
#include <evntprov.h>

static const EVENT_DESCRIPTOR event = { .Id = 1, .Level = 4, .Keyword = 1 };

__attribute__((noinline)) ULONG stack_innermost(REGHANDLE provider)
{
	ULONG error = EventWrite(provider, &event, 0, NULL); /* innermost */

	__asm__ volatile("");
	return error;
}

__attribute__((noinline)) ULONG stack_middle(REGHANDLE provider)
{
	ULONG error = stack_innermost(provider);	/* middle */

	__asm__ volatile("");
	return error;
}

int main(void)
{
	REGHANDLE provider;
	GUID id;
	ULONG error;

	EvntProviderIdFromName("Evntprov-Stacks", &id);
	error = EventRegister(&id, NULL, NULL, &provider);
	if (!error)
		error = stack_middle(provider);		/* main */
	EventUnregister(provider);
	printf("%u\n", error);
	return !!error;
}
