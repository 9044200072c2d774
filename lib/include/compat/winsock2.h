/* SPDX-License-Identifier: MIT */
/*
 * Socket addresses, with the members of Windows and of the system.
 *
 * The types have the layout of the system's own.  Their names are macros from
 * here on, so programs use them by either spelling: struct in_addr and IN_ADDR
 * are the same type.
 */
#ifndef EVNT_WINSOCK2_H
#define EVNT_WINSOCK2_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "windows.h"

typedef struct in_addr evnt_system_in_addr;

struct evnt_in_addr {
	EVNT_ANONYMOUS union {
		union {
			struct {
				UCHAR s_b1, s_b2, s_b3, s_b4;
			} S_un_b;
			struct {
				USHORT s_w1, s_w2;
			} S_un_w;
			ULONG S_addr;
		} S_un;
		in_addr_t s_addr;
	};
};

/* The second member is what the macros s6_addr and s6_addr32 name */
struct evnt_in6_addr {
	EVNT_ANONYMOUS union {
		union {
			UCHAR Byte[16];
			USHORT Word[8];
		} u;
		union {
			uint8_t __u6_addr8[16];
			uint16_t __u6_addr16[8];
			uint32_t __u6_addr32[4];
		} __in6_u;
	};
};

struct evnt_sockaddr_in {
	sa_family_t sin_family;
	in_port_t sin_port;
	struct evnt_in_addr sin_addr;
	unsigned char sin_zero[8];
};

struct evnt_sockaddr_in6 {
	sa_family_t sin6_family;
	in_port_t sin6_port;
	uint32_t sin6_flowinfo;
	struct evnt_in6_addr sin6_addr;
	uint32_t sin6_scope_id;
};

static inline char *evnt_inet_ntoa(struct evnt_in_addr address)
{
	evnt_system_in_addr same;

	same.s_addr = address.s_addr;
	return inet_ntoa(same);
}

/* Room for a port, too, and for the scope of an address */
#undef INET_ADDRSTRLEN
#undef INET6_ADDRSTRLEN
#define INET_ADDRSTRLEN		22
#define INET6_ADDRSTRLEN	65

#define in_addr			evnt_in_addr
#define in6_addr		evnt_in6_addr
#define sockaddr_in		evnt_sockaddr_in
#define sockaddr_in6		evnt_sockaddr_in6
#define in6addr_any		(*(const struct in6_addr *)&in6addr_any)
#define in6addr_loopback	(*(const struct in6_addr *)&in6addr_loopback)
#define inet_ntoa(address)	evnt_inet_ntoa(address)

typedef struct in6_addr IN6_ADDR, *PIN6_ADDR, *LPIN6_ADDR;
typedef struct in_addr IN_ADDR, *PIN_ADDR, *LPIN_ADDR;
typedef struct sockaddr SOCKADDR, *PSOCKADDR, *LPSOCKADDR;
typedef struct sockaddr_in SOCKADDR_IN, *PSOCKADDR_IN;
typedef struct sockaddr_in6 SOCKADDR_IN6, *PSOCKADDR_IN6;
typedef struct sockaddr_storage SOCKADDR_STORAGE, *PSOCKADDR_STORAGE;
typedef USHORT ADDRESS_FAMILY;
typedef union _SOCKADDR_INET {
	SOCKADDR_IN Ipv4;
	SOCKADDR_IN6 Ipv6;
	ADDRESS_FAMILY si_family;
} SOCKADDR_INET, *PSOCKADDR_INET;

#endif /* EVNT_WINSOCK2_H */
