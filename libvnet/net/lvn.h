/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of libvnet/net share: talking to a tree's stack as a program
 * does, through sockets.  Kernel world; compiled with a tree's stack only.
 */
#ifndef LVN_H
#define LVN_H

#include <sys/param.h>
#include <seam_stack.h>

struct sockaddr;
struct sockaddr_in;
struct sockaddr_in6;
struct socket;
struct ucred;

/* An address of either family, and the list of them behind a message. */
union lvn_addr {
	char buf[128];			/* as large as sockaddr_storage */
	uint64_t align;
};
/* Fills in `sa'; EAFNOSUPPORT where the family is not compiled in. */
int	lvn_addr(union lvn_addr *, const struct vnk_ip *);
int	lvn_mask(union lvn_addr *, const struct vnk_ip *);
/* An interface's, as AF_LINK; and `ll' into it. */
int	lvn_link(union lvn_addr *, const char *ifname);
void	lvn_link_lladdr(union lvn_addr *, const struct vnk_lladdr *ll);
/* AF_* of 4 and 6; EAFNOSUPPORT as above. */
int	lvn_family(int family, int *af);
/* The name of the interface of that index, or "". */
void	lvn_ifname(u_int index, char name[VNK_IFNAME]);
/* Back; `mask' may be NULL. */
void	lvn_ip(struct vnk_ip *, const struct sockaddr *,
	    const struct sockaddr *mask);
void	lvn_lladdr(struct vnk_lladdr *, const struct sockaddr *);

/* ioctl(2) on a socket of that family made for it; AF_UNSPEC any. */
int	lvn_ioctl(int family, u_long cmd, void *data);
/* The socket is the current credential's, the request another's. */
int	lvn_ioctl_as(int family, u_long cmd, void *data, struct ucred *);

/*
 * The messages of sysctl net.route.0.FAMILY.OP.ARG, to be freed with
 * lvn_dump_free().
 */
int	lvn_dump(int family, int op, int arg, char **buf, size_t *len);
void	lvn_dump_free(char *);

/* A sysctl's value by name; to be freed with lvn_dump_free() too. */
int	lvn_sysctl(const char *name, char **buf, size_t *len);

/* The addresses behind a message's header by their number (RTAX_*). */
struct lvn_addrs {
	const struct sockaddr *a[16];
};
void	lvn_addrs(struct lvn_addrs *, const char *p, const char *end,
	    int present);

#endif /* LVN_H */
