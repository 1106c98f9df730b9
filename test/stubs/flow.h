/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stack of which only flow_input.c is there: one of each that its other
 * files would define.
 */
#ifndef FLOW_H
#define FLOW_H

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/sx.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

struct mbuf;
struct flow {
	int f_id;
};
struct flowstat {
	uint64_t fs_in, fs_out, fs_lost;
};
struct flow_table {
	char ft_name[21];
	int ft_size;
} __aligned(64);

int	flow_output(struct flow *, struct mbuf *, int);
int	flow_send(struct flow *, struct mbuf *);
struct flow *flow_lookup(int);
int	flow_check(int, const char *);
int	flow_admit(struct flow *);
int	flow_log(int, const char *, ...);
#define flow_admit(f) ((flow_admit)(f) & 0xff)

extern int flow_limit;
extern char flow_name[24];
extern struct flow_table flow_table;
extern void (*flow_hook)(struct flow *);
extern const struct flow_opaque flow_opaque;	/* nowhere complete */
extern struct mtx flow_mtx;
extern struct rwlock flow_rwlock;
extern struct sx flow_sx;
extern struct rmlock flow_rmlock;
extern epoch_t flow_epoch;
MALLOC_DECLARE(M_FLOW);
SYSCTL_DECL(_net_flow_table);
DPCPU_DECLARE(int, flow_runs);

VNET_DECLARE(int, flow_count);
VNET_DECLARE(struct flow_table, flow_own);
VNET_PCPUSTAT_DECLARE(struct flowstat, flowstat);
#define V_flow_count VNET(flow_count)
#define V_flow_own VNET(flow_own)
#define FLOWSTAT_INC(f) VNET_PCPUSTAT_ADD(struct flowstat, flowstat, f, 1)

/* flow_input.c */
int	flow_input(int, struct mbuf *);
int	flow_reject(int, struct mbuf *);
struct flow *flow_new(int);
int	flow_locked(int);
const void *flow_secret(void);

#endif /* FLOW_H */
