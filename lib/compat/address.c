// SPDX-License-Identifier: MIT
/*
 * Socket addresses as text.
 */
#include <mstcpip.h>

#include "compat.h"

static LONG put_address(const char *text, PSTR to, PULONG size)
{
	ULONG room = *size;

	*size = (ULONG)strlen(text) + 1;
	if (room < *size)
		return (LONG)STATUS_INVALID_PARAMETER;
	memcpy(to, text, *size);
	return (LONG)STATUS_SUCCESS;
}

LONG RtlIpv4AddressToStringExA(const struct in_addr *address, USHORT port,
			       PSTR to, PULONG size)
{
	char text[INET_ADDRSTRLEN];
	size_t length;

	inet_ntop(AF_INET, address, text, sizeof(text));
	length = strlen(text);
	if (port)
		snprintf(text + length, sizeof(text) - length, ":%u",
			 ntohs(port));
	return put_address(text, to, size);
}

/* The address is in brackets if a port follows */
LONG RtlIpv6AddressToStringExA(const struct in6_addr *address, ULONG scope,
			       USHORT port, PSTR to, PULONG size)
{
	char text[INET6_ADDRSTRLEN] = "[", *start = text + 1;
	size_t length;

	inet_ntop(AF_INET6, address, start, sizeof(text) - 1);
	length = strlen(text);
	if (scope)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "%%%u", scope);
	if (port) {
		start = text;
		snprintf(text + length, sizeof(text) - length, "]:%u",
			 ntohs(port));
	}
	return put_address(start, to, size);
}
