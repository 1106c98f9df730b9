/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _NETINET_IN_H_
#define _NETINET_IN_H_

#include <sys/types.h>
#include <sys/socket.h>

#define IPPROTO_IP 0
#define IPPROTO_ICMP 1
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_IPV6 41
#define IPPROTO_ICMPV6 58

struct in_addr {
	in_addr_t s_addr;
};
struct sockaddr_in {
	uint8_t sin_len;
	sa_family_t sin_family;
	in_port_t sin_port;
	struct in_addr sin_addr;
	char sin_zero[8];
};
#define INADDR_ANY ((in_addr_t)0x00000000)
#define INADDR_LOOPBACK ((in_addr_t)0x7f000001)
#define INADDR_BROADCAST ((in_addr_t)0xffffffff)
#define INADDR_NONE ((in_addr_t)0xffffffff)
#define IN_MULTICAST(i) (((in_addr_t)(i) & 0xf0000000) == 0xe0000000)
#define in_nullhost(x) ((x).s_addr == INADDR_ANY)
#define in_hosteq(s, t) ((s).s_addr == (t).s_addr)
#define INET_ADDRSTRLEN 16

#define __KAME_NETINET_IN_H_INCLUDED_
#include <netinet6/in6.h>

char	*inet_ntoa_r(struct in_addr, char *);
char	*inet_ntop(int, const void *, char *, socklen_t);
int	inet_pton(int, const char *, void *);

#endif
