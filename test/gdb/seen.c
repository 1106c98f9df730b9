/* SPDX-License-Identifier: BSD-2-Clause */
/* What gdb is to see: variables of every shape, callouts, findings. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <net/vnet.h>

#include "seen.h"

struct pair {
	int left, right;
};

VNET_DEFINE_STATIC(int, seen_int) = 7;
VNET_DEFINE_STATIC(char, seen_text[8]) = "text";
VNET_DEFINE_STATIC(struct pair, seen_pair) = { 3, 4 };
VNET_DEFINE_STATIC(counter_u64_t, seen_hits);
#define V_seen_int VNET(seen_int)
#define V_seen_hits VNET(seen_hits)
#define V_seen_pair VNET(seen_pair)

static struct callout soon, later;
static struct thread *seen_sleeper __used;	/* gdb names it */

static void
tock(void *arg __unused)
{
}

static void
seen_init(void *unused __unused)
{
	V_seen_hits = counter_u64_alloc(M_WAITOK);
}
VNET_SYSINIT(seen_init, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, seen_init, NULL);

static void
seen_uninit(void *unused __unused)
{
	counter_u64_free(V_seen_hits);
}
VNET_SYSUNINIT(seen_uninit, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, seen_uninit,
    NULL);

static __attribute__((noinline)) void
forget(void)
{
	void *p __unused = malloc(24, M_TEMP, M_WAITOK);
}

/* In the current vnet. */
void
seen_work(int n)
{
	V_seen_int = n;
	V_seen_pair.right = 10 * n;
	counter_u64_add(V_seen_hits, n);
}

void
seen_forget(void)
{
	forget();
}

void
seen_arm(void)
{
	callout_init(&soon, 1);
	callout_init(&later, 1);
	callout_reset(&later, 3 * hz, tock, &later);
	callout_reset(&soon, hz / 2, tock, &soon);
}

static __attribute__((noinline)) void
nap(int *depth)
{
	if ((*depth)-- > 0)
		nap(depth);
	else
		tsleep(&soon, 0, "seenwt", 100 * hz);
}

static void
sleeper(void *arg __unused)
{
	int depth = 2;

	nap(&depth);
	kthread_exit();
}

void
seen_sleep(void)
{
	kthread_add(sleeper, NULL, NULL, &seen_sleeper, 0, 0, "sleeper");
}

void
seen_panic(void)
{
	panic("seen by gdb");
}
