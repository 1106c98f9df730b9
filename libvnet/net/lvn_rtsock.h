/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of a routing socket; behind <net/route.h> and lvn.h. */
#ifndef LVN_RTSOCK_H
#define LVN_RTSOCK_H

struct lvn_message {
	struct rt_msghdr hdr;		/* first */
	char addrs[6 * sizeof(union lvn_addr)];
};

void	lvn_message(struct lvn_message *, u_char type, int flags);
/* In the order of RTAX_*. */
void	lvn_append(struct lvn_message *, int number, const union lvn_addr *);
/* Where `answer' is not NULL the message is an RTM_GET, and it its answer. */
int	lvn_send(struct lvn_message *, struct vnk_route *answer);

/* What a message tells of a route. */
void	lvn_route_of(struct vnk_route *, const struct rt_msghdr *);

#endif /* LVN_RTSOCK_H */
