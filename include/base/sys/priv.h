/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_PRIV_H_
#define _SYS_PRIV_H_

struct thread;
struct ucred;

#define PRIV_NET_BRIDGE 390
#define PRIV_NETINET_IPFW 491

int	priv_check(struct thread *, int);
int	priv_check_cred(struct ucred *, int);

#endif
