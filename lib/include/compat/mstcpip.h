/* SPDX-License-Identifier: MIT */
/*
 * Addresses as text; ports are in network order.
 *
 * *@size counts characters with the terminating zero.  If the text does not
 * fit, the functions set *@size to what it needs.
 */
#ifndef EVNT_MSTCPIP_H
#define EVNT_MSTCPIP_H

#include "winsock2.h"

EVNT_BEGIN_DECLS

LONG RtlIpv4AddressToStringExA(const struct in_addr *address, USHORT port,
			       PSTR to, PULONG size);
LONG RtlIpv6AddressToStringExA(const struct in6_addr *address, ULONG scope,
			       USHORT port, PSTR to, PULONG size);

/* Only declared: programs that call these do not link */
LONG RtlIpv4StringToAddressA(PCSTR text, BOOLEAN strict, PCSTR *end,
			     struct in_addr *to);
LONG RtlIpv6StringToAddressA(PCSTR text, PCSTR *end, struct in6_addr *to);
LONG RtlIpv4StringToAddressExA(PCSTR text, BOOLEAN strict, struct in_addr *to,
			       PUSHORT port);
LONG RtlIpv6StringToAddressExA(PCSTR text, struct in6_addr *to, PULONG scope,
			       PUSHORT port);

EVNT_END_DECLS

#endif /* EVNT_MSTCPIP_H */
