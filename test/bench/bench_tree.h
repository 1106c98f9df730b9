/* SPDX-License-Identifier: BSD-2-Clause */
/* Between bench_tree.c (host) and bench_tree_kernel.c. */
#ifndef BENCH_TREE_H
#define BENCH_TREE_H

struct vnet;

#ifdef _KERNEL
#include "../tree/transfer.h"
#endif

/* `n' echoes to that address from the current vnet; kerr. */
int	bench_ping(unsigned to, int n);
/* NULL, or what went wrong. */
const char *bench_stream(struct vnet *from, struct vnet *to, int family,
	    __SIZE_TYPE__ bytes);

#endif /* BENCH_TREE_H */
