/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _NETINET6_IN6_H_
#define _NETINET6_IN6_H_

#include <sys/types.h>
#include <sys/socket.h>

struct in6_addr {
	union {
		uint8_t __u6_addr8[16];
		uint16_t __u6_addr16[8];
		uint32_t __u6_addr32[4];
	} __u6_addr;
};
#define s6_addr __u6_addr.__u6_addr8
#define s6_addr8 __u6_addr.__u6_addr8
#define s6_addr16 __u6_addr.__u6_addr16
#define s6_addr32 __u6_addr.__u6_addr32
#define INET6_ADDRSTRLEN 46

struct sockaddr_in6 {
	uint8_t sin6_len;
	sa_family_t sin6_family;
	in_port_t sin6_port;
	uint32_t sin6_flowinfo;
	struct in6_addr sin6_addr;
	uint32_t sin6_scope_id;
};

extern const struct in6_addr in6addr_any;
extern const struct in6_addr in6addr_loopback;

#define IN6_ARE_ADDR_EQUAL(a, b) \
	(memcmp((a), (b), sizeof(struct in6_addr)) == 0)
#define IN6_IS_ADDR_UNSPECIFIED(a)					\
	((a)->s6_addr32[0] == 0 && (a)->s6_addr32[1] == 0 &&		\
	    (a)->s6_addr32[2] == 0 && (a)->s6_addr32[3] == 0)
#define IN6_IS_ADDR_MULTICAST(a) ((a)->s6_addr[0] == 0xff)
#define IN6_IS_ADDR_LINKLOCAL(a) \
	((a)->s6_addr[0] == 0xfe && ((a)->s6_addr[1] & 0xc0) == 0x80)

#endif
