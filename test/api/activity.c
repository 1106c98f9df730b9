/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/libkern.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include "activity.h"

#define KEPT 64

static MALLOC_DEFINE(M_ACTIVITY, "activity", "test");
static void *kept[KEPT];
static char **filled;
static int nfilled;
static u_long fill_size;
static uma_zone_t zone;
static struct callout later;
static struct mtx lock;
static struct sx sleepable;
static counter_u64_t counter;
static int count, ticks_seen;
MTX_SYSINIT(activity_lock, &lock, "activity", MTX_DEF | MTX_RECURSE);
SX_SYSINIT_FLAGS(activity_sx, &sleepable, "activity sx", SX_RECURSE);

VNET_DEFINE_STATIC(int, activity_last) = 1;
#define V_activity_last VNET(activity_last)

static void
activity_init(void *arg __unused)
{
	zone = uma_zcreate("activity", 100, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0);
	counter = counter_u64_alloc(M_WAITOK);
	callout_init(&later, 1);
}
SYSINIT(activity, SI_SUB_PSEUDO, SI_ORDER_ANY, activity_init, NULL);

static void
activity_done(void *arg __unused)
{
	callout_drain(&later);
	counter_u64_free(counter);
	uma_zdestroy(zone);
}
SYSUNINIT(activity, SI_SUB_PSEUDO, SI_ORDER_ANY, activity_done, NULL);

static void
tock(void *arg __unused)
{
	ticks_seen++;
	callout_schedule(&later, 3);
}

static void
memory(u_int r)
{
	u_int i = r % KEPT;

	free(kept[i], M_ACTIVITY);
	kept[i] = malloc(1 + r % 5000, M_ACTIVITY, M_WAITOK);
	memset(kept[i], (int)r, 1 + r % 5000);
	for (i = 0; i < 5; i++) {
		void *p = uma_zalloc(zone, M_WAITOK | M_ZERO);

		if (i % 2 == 0)
			uma_zfree(zone, p);
	}
}

static void
vnets(u_int r __unused)
{
#ifdef VIMAGE
	struct vnet *v = vnet_alloc();

	CURVNET_SET(v);
	V_activity_last = (int)r;
	CURVNET_RESTORE();
	if (r % 2 == 0)
		vnet_destroy(v);
#else
	V_activity_last++;
#endif
}

void
activity(unsigned seed)
{
	u_int r = seed * 2654435761U + arc4random();

	/* Nobody sleeps with it; it is held again in the end. */
	while (mtx_owned(&lock))
		mtx_unlock(&lock);
	for (int i = 0; i < 20; i++, r = r * 1664525 + 1013904223)
		memory(r >> 8);
	vnets(r >> 8);
	callout_reset(&later, 1 + (int)(r % 50), tock, NULL);
	counter_u64_add(counter, r);
	sx_xlock(&sleepable);
	mtx_lock(&lock);
	count++;
	printf("activity %u\n", r);
}

int
activity_count(void)
{
	return (count);
}

void
activity_fill(int n, unsigned long size)
{
	filled = malloc((size_t)n * sizeof(*filled), M_ACTIVITY, M_WAITOK);
	nfilled = n;
	fill_size = size;
	for (int i = 0; i < n; i++) {
		filled[i] = malloc(size, M_ACTIVITY, M_WAITOK);
		memset(filled[i], i, size);
	}
}

unsigned long
activity_sum(void)
{
	u_long sum = 0;

	for (int i = 0; i < nfilled; i++)
		for (u_long k = 0; k < fill_size; k++)
			sum += (unsigned char)filled[i][k];
	return (sum);
}

void
activity_touch(int pages, unsigned seed)
{
	for (int i = 0; i < pages; i++) {
		seed = seed * 1664525 + 1013904223;
		filled[(seed >> 8) % (u_int)nfilled][fill_size / 2]++;
	}
}
