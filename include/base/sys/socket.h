/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SOCKET_H_
#define _SYS_SOCKET_H_

#include <sys/types.h>

#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL AF_UNIX
#define AF_INET 2
#define AF_LINK 18
#define AF_ROUTE 17
#define AF_INET6 28
#define AF_MAX 42
#define PF_INET AF_INET
#define PF_INET6 AF_INET6
#define PF_ROUTE AF_ROUTE
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3

struct sockaddr {
	unsigned char sa_len;
	sa_family_t sa_family;
	char sa_data[14];
};
struct sockaddr_storage {
	unsigned char ss_len;
	sa_family_t ss_family;
	char __ss_pad[126];
} __aligned(8);

#endif
