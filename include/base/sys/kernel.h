/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SYSINIT(9).  Each use adds a struct sysinit to the linker set; init_main.c
 * runs a sorted copy of the set.  Only the order of the SI_SUB_* values
 * matters, and code must never rely on the numbers: they differ between
 * FreeBSD versions.
 */
#ifndef _SYS_KERNEL_H_
#define _SYS_KERNEL_H_

#include <sys/param.h>
#include <sys/linker_set.h>
#include <sys/queue.h>
#include <sys/systm.h>

extern int tick;		/* microseconds a tick */
extern int hz;			/* ticks a second */
extern volatile int ticks;
extern int stathz;		/* 0: as hz */
extern int profhz;
extern int psratio;

enum sysinit_sub_id {
	SI_SUB_DUMMY = 0x0000000,
	SI_SUB_DONE = 0x0000001,
	SI_SUB_TUNABLES = 0x0700000,
	SI_SUB_COPYRIGHT = 0x0800001,
	SI_SUB_VM = 0x1000000,
	SI_SUB_COUNTER = 0x1100000,
	SI_SUB_KMEM = 0x1800000,
	SI_SUB_WITNESS = 0x1A80000,
	SI_SUB_MTX_POOL_DYNAMIC = 0x1AC0000,
	SI_SUB_LOCK = 0x1B00000,
	SI_SUB_EVENTHANDLER = 0x1C00000,
	SI_SUB_VNET_PRELINK = 0x1E00000,
	SI_SUB_KLD = 0x2000000,
	SI_SUB_CPU = 0x2100000,
	SI_SUB_RANDOM = 0x2160000,
	SI_SUB_MAC = 0x2180000,
	SI_SUB_VNET = 0x21E0000,
	SI_SUB_INTRINSIC = 0x2200000,
	SI_SUB_VM_CONF = 0x2300000,
	SI_SUB_RUN_QUEUE = 0x2400000,
	SI_SUB_AUDIT = 0x24C0000,
	SI_SUB_CREATE_INIT = 0x2500000,
	SI_SUB_SCHED_IDLE = 0x2600000,
	SI_SUB_MBUF = 0x2700000,
	SI_SUB_INTR = 0x2800000,
	SI_SUB_TASKQ = 0x2880000,
	SI_SUB_EPOCH = 0x2888000,
	SI_SUB_SOFTINTR = 0x2A00000,
	SI_SUB_DEVFS = 0x2F00000,
	SI_SUB_INIT_IF = 0x3000000,
	SI_SUB_NETGRAPH = 0x3010000,
	SI_SUB_DTRACE = 0x3020000,
	SI_SUB_DRIVERS = 0x3100000,
	SI_SUB_CONFIGURE = 0x3800000,
	SI_SUB_VFS = 0x4000000,
	SI_SUB_CLOCKS = 0x4800000,
	SI_SUB_PSEUDO = 0x7000000,
	SI_SUB_EXEC = 0x7400000,
	SI_SUB_PROTO_BEGIN = 0x8000000,
	SI_SUB_PROTO_PFIL = 0x8100000,
	SI_SUB_PROTO_IF = 0x8400000,
	SI_SUB_PROTO_DOMAININIT = 0x8600000,
	SI_SUB_PROTO_MC = 0x8700000,
	SI_SUB_PROTO_DOMAIN = 0x8800000,
	SI_SUB_PROTO_FIREWALL = 0x8806000,
	SI_SUB_PROTO_IFATTACHDOMAIN = 0x8808000,
	SI_SUB_PROTO_END = 0x8ffffff,
	SI_SUB_KICK_SCHEDULER = 0xa000000,
	SI_SUB_INT_CONFIG_HOOKS = 0xa800000,
	SI_SUB_ROOT_CONF = 0xb000000,
	SI_SUB_SYSCALLS = 0xd800000,
	SI_SUB_VNET_DONE = 0xdc00000,
	SI_SUB_KTHREAD_INIT = 0xe000000,
	SI_SUB_SMP = 0xf000000,
	SI_SUB_LAST = 0xfffffff
};

enum sysinit_elem_order {
	SI_ORDER_FIRST = 0x0000000,
	SI_ORDER_SECOND = 0x0000001,
	SI_ORDER_THIRD = 0x0000002,
	SI_ORDER_FOURTH = 0x0000003,
	SI_ORDER_FIFTH = 0x0000004,
	SI_ORDER_SIXTH = 0x0000005,
	SI_ORDER_SEVENTH = 0x0000006,
	SI_ORDER_EIGHTH = 0x0000007,
	SI_ORDER_MIDDLE = 0x1000000,
	SI_ORDER_ANY = 0xfffffff
};

typedef void (*sysinit_nfunc_t)(void *);
typedef void (*sysinit_cfunc_t)(const void *);

struct sysinit {
	enum sysinit_sub_id subsystem;
	enum sysinit_elem_order order;
	sysinit_cfunc_t func;
	const void *udata;
};

#define __SYSINIT_MEMBER(set, name, subsys, ord, fn, arg)		\
	static struct sysinit name = {					\
		.subsystem = (subsys),					\
		.order = (ord),						\
		.func = (fn),						\
		.udata = (arg)						\
	};								\
	DATA_WSET(set, name)

#define C_SYSINIT(uniq, subsys, order, func, arg) \
	__SYSINIT_MEMBER(sysinit_set, uniq##_sys_init, subsys, order, func, arg)
#define C_SYSUNINIT(uniq, subsys, order, func, arg) \
	__SYSINIT_MEMBER(sysuninit_set, uniq##_sys_uninit, subsys, order, func, arg)
#define SYSINIT(uniq, subsys, order, func, arg)				\
	C_SYSINIT(uniq, subsys, order,					\
	    (sysinit_cfunc_t)(sysinit_nfunc_t)func, (void *)(arg))
#define SYSUNINIT(uniq, subsys, order, func, arg)			\
	C_SYSUNINIT(uniq, subsys, order,				\
	    (sysinit_cfunc_t)(sysinit_nfunc_t)func, (void *)(arg))

/* Tunables: fetched from the kernel environment at SI_SUB_TUNABLES. */
#define __TUNABLE(kind, type, path_, var_)				\
	static struct tunable_##kind					\
	    __CONCAT(__tunable_##kind##_, __LINE__) = {			\
		.path = (path_),					\
		.var = (var_)						\
	};								\
	SYSINIT(__CONCAT(__Tunable_init_, __LINE__), SI_SUB_TUNABLES,	\
	    SI_ORDER_MIDDLE, tunable_##kind##_init,			\
	    &__CONCAT(__tunable_##kind##_, __LINE__))
#define __TUNABLE_KIND(kind, type)					\
	struct tunable_##kind {						\
		const char *path;					\
		type *var;						\
	};								\
	void tunable_##kind##_init(void *)

__TUNABLE_KIND(int, int);
__TUNABLE_KIND(long, long);
__TUNABLE_KIND(ulong, unsigned long);
__TUNABLE_KIND(int64, int64_t);
__TUNABLE_KIND(uint64, uint64_t);
__TUNABLE_KIND(quad, quad_t);
__TUNABLE_KIND(bool, bool);

#define TUNABLE_INT(path, var) __TUNABLE(int, int, path, var)
#define TUNABLE_LONG(path, var) __TUNABLE(long, long, path, var)
#define TUNABLE_ULONG(path, var) __TUNABLE(ulong, u_long, path, var)
#define TUNABLE_INT64(path, var) __TUNABLE(int64, int64_t, path, var)
#define TUNABLE_UINT64(path, var) __TUNABLE(uint64, uint64_t, path, var)
#define TUNABLE_QUAD(path, var) __TUNABLE(quad, quad_t, path, var)
#define TUNABLE_BOOL(path, var) __TUNABLE(bool, bool, path, var)
#define TUNABLE_INT_FETCH(path, var) getenv_int((path), (var))
#define TUNABLE_LONG_FETCH(path, var) getenv_long((path), (var))
#define TUNABLE_ULONG_FETCH(path, var) getenv_ulong((path), (var))
#define TUNABLE_INT64_FETCH(path, var) getenv_int64((path), (var))
#define TUNABLE_UINT64_FETCH(path, var) getenv_uint64((path), (var))
#define TUNABLE_QUAD_FETCH(path, var) getenv_quad((path), (var))
#define TUNABLE_BOOL_FETCH(path, var) getenv_bool((path), (var))

#endif /* _SYS_KERNEL_H_ */
