/* SPDX-License-Identifier: MIT */
/* Socket addresses of the system's own types, which have the same layout. */
#ifndef EVNT_WINSOCK2_H
#define EVNT_WINSOCK2_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "windows.h"

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
