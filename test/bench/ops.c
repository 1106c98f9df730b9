/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The operations that are compared, each in a loop of its own that keeps the
 * compiler from hoisting the access: the barrier makes it forget memory, as
 * a call between two accesses does in real code.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <vm/uma.h>
#include <net/vnet.h>
#include <machine/atomic.h>

#include "ops.h"

static __always_inline void
forget(void)
{
	__asm__ volatile("" ::: "memory");
}
#define AGAIN(n) for (; (n) > 0; (n)--, forget())

/*
 * Adds go round SLOTS places: one place alone would measure how fast this
 * machine forwards a store to the next load, which depends on how the address
 * is written, and not on what is compared.
 */
#define SLOTS 16
#define SLOT(n) ((n) & (SLOTS - 1))

static uint64_t plain[SLOTS], shared[SLOTS];
static volatile uint64_t sum;
VNET_DEFINE_STATIC(uint64_t, bench[SLOTS]);
#define V_bench VNET(bench)
static counter_u64_t counter[SLOTS];
static uma_zone_t zone;

static void
setup(void *unused __unused)
{
	COUNTER_ARRAY_ALLOC(counter, SLOTS, M_WAITOK);
	zone = uma_zcreate("bench", 64, NULL, NULL, NULL, NULL, UMA_ALIGN_PTR,
	    0);
}
SYSINIT(bench_setup, SI_SUB_INIT_IF, SI_ORDER_ANY, setup, NULL);

static void
op_empty(unsigned long n)
{
	AGAIN(n)
		;
}

static void
op_global_read(unsigned long n)
{
	uint64_t s = 0;

	AGAIN(n)
		s += plain[SLOT(n)];
	sum = s;
}

static void
op_vnet_read(unsigned long n)
{
	uint64_t s = 0;

	AGAIN(n)
		s += V_bench[SLOT(n)];
	sum = s;
}

static void
op_global(unsigned long n)
{
	AGAIN(n)
		plain[SLOT(n)]++;
}

static void
op_vnet(unsigned long n)
{
	AGAIN(n)
		V_bench[SLOT(n)]++;
}

static void
op_curvnet(unsigned long n)
{
	struct vnet *v = curvnet;

	AGAIN(n) {
		CURVNET_SET(v);
		forget();
		CURVNET_RESTORE();
	}
}

static void
op_counter(unsigned long n)
{
	AGAIN(n)
		counter_u64_add(counter[SLOT(n)], 1);
}

static void
op_atomic(unsigned long n)
{
	AGAIN(n)
		atomic_fetchadd_64(&shared[SLOT(n)], 1);
}

static void
op_uma(unsigned long n)
{
	AGAIN(n)
		uma_zfree(zone, uma_zalloc(zone, M_NOWAIT));
}

static void
op_malloc(unsigned long n)
{
	AGAIN(n)
		free(malloc(64, M_TEMP, M_NOWAIT), M_TEMP);
}

const struct op ops[] = {
	{ "empty", op_empty }, { "global_read", op_global_read },
	{ "vnet_read", op_vnet_read }, { "global", op_global },
	{ "vnet", op_vnet }, { "curvnet", op_curvnet },
	{ "counter", op_counter }, { "atomic", op_atomic },
	{ "uma", op_uma }, { "malloc", op_malloc },
	{ NULL, NULL }
};
