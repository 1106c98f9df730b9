/* SPDX-License-Identifier: BSD-2-Clause */
/* One fault of each kind that a sanitizer must see, with a twin that is right. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include "faults.h"

VNET_DEFINE_STATIC(char, before[4]) = "abc";
VNET_DEFINE_STATIC(char, array[13]);
VNET_DEFINE_STATIC(int, behind) = 3;
VNET_DEFINE_STATIC(int, shared);
#define V_before VNET(before)
#define V_array VNET(array)
#define V_behind VNET(behind)
#define V_shared VNET(shared)

static volatile int sink;
static int shared_global;
static struct mtx lock;
MTX_SYSINIT(fault_lock, &lock, "fault lock", MTX_DEF);

static void
malloc_overflow(int twin)
{
	volatile char *p = malloc(13, M_TEMP, M_WAITOK);

	p[13 - twin] = 1;
	free(__DEVOLATILE(char *, p), M_TEMP);
}

static void
malloc_underflow(int twin)
{
	volatile char *p = malloc(13, M_TEMP, M_WAITOK);

	p[-1 + twin] = 1;
	free(__DEVOLATILE(char *, p), M_TEMP);
}

static void
malloc_large_overflow(int twin)
{
	volatile char *p = malloc(70000, M_TEMP, M_WAITOK);

	p[70000 - twin] = 1;
	free(__DEVOLATILE(char *, p), M_TEMP);
}

/* Large items that end within a granule of AddressSanitizer's. */
static void
malloc_odd_overflow(size_t size, int twin)
{
	volatile char *p = malloc(size, M_TEMP, M_WAITOK);

	p[size - (size_t)twin] = 1;
	free(__DEVOLATILE(char *, p), M_TEMP);
}

static void
malloc_large_odd1(int twin)
{
	malloc_odd_overflow(65537, twin);
}

static void
malloc_large_odd5(int twin)
{
	malloc_odd_overflow(100005, twin);
}

static void
malloc_large_use_after_free(int twin)
{
	volatile char *p = malloc(70000, M_TEMP, M_WAITOK | M_ZERO);

	if (twin)
		sink = p[69999];
	free(__DEVOLATILE(char *, p), M_TEMP);
	if (!twin)
		sink = p[69999];
}

static void
malloc_use_after_free(int twin)
{
	volatile char *p = malloc(13, M_TEMP, M_WAITOK | M_ZERO);

	if (twin)
		sink = p[0];
	free(__DEVOLATILE(char *, p), M_TEMP);
	if (!twin)
		sink = p[0];
}

static uma_zone_t
zone(void)
{
	return (uma_zcreate("faultzone", 24, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0));
}

static void
uma_overflow(int twin)
{
	uma_zone_t z = zone();
	volatile char *p = uma_zalloc(z, M_WAITOK);

	p[24 - twin] = 1;
	uma_zfree(z, __DEVOLATILE(char *, p));
	uma_zdestroy(z);
}

static void
uma_underflow(int twin)
{
	uma_zone_t z = zone();
	volatile char *p = uma_zalloc(z, M_WAITOK);

	p[-1 + twin] = 1;
	uma_zfree(z, __DEVOLATILE(char *, p));
	uma_zdestroy(z);
}

static void
uma_use_after_free(int twin)
{
	uma_zone_t z = zone();
	volatile char *p = uma_zalloc(z, M_WAITOK | M_ZERO);

	if (twin)
		sink = p[0];
	uma_zfree(z, __DEVOLATILE(char *, p));
	if (!twin)
		sink = p[0];
	uma_zdestroy(z);
}

static void
pcpu_use_after_free(int twin)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	if (twin)
		counter_u64_add(c, 1);
	counter_u64_free(c);
	if (!twin)
		counter_u64_add(c, 1);
}

static void
pcpu_overflow(int twin)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	((volatile char *)zpcpu_get(c))[8 - twin] = 1;
	counter_u64_free(c);
}

static void
vnet_overrun(int twin)
{
	((volatile char *)V_array)[sizeof(V_array) - (size_t)twin] = 1;
}

static void
vnet_underrun(int twin)
{
	volatile char *p = (volatile char *)&V_behind;

	sink = V_before[0];
	p[-1 + twin] = 1;
}

static void
vnet_use_after_destroy(int twin)
{
	struct vnet *v = vnet_alloc();
	volatile int *p = &VNET_VNET(v, behind);

	if (twin)
		*p = 1;
	vnet_destroy(v);
	if (!twin)
		*p = 1;
}

static void
signed_shift(int twin)
{
	volatile int bits = twin ? 3 : 35;

	sink = 1 << bits;
}

static void
malloc_uninitialised(int twin)
{
	volatile int *p = malloc(16, M_TEMP, M_WAITOK | (twin ? M_ZERO : 0));

	if (p[1] == 7)
		sink = 1;
	free(__DEVOLATILE(int *, p), M_TEMP);
}

static void
uma_read(uma_zone_t z, int zero)
{
	volatile int *p = uma_zalloc(z, M_WAITOK | (zero ? M_ZERO : 0));

	if (p[1] == 7)
		sink = 1;
	uma_zfree(z, __DEVOLATILE(int *, p));
}

static void
uma_uninitialised(int twin)
{
	uma_zone_t z = zone();

	uma_read(z, twin);
	uma_zdestroy(z);
}

/* The item was initialised in its life before; that counts no more. */
static void
uma_recycled(int twin)
{
	uma_zone_t z = zone();

	uma_zfree(z, uma_zalloc(z, M_WAITOK | M_ZERO));
	uma_read(z, twin);
	uma_zdestroy(z);
}

static void
pcpu_recycled(int twin)
{
	uint64_t *p = uma_zalloc_pcpu(pcpu_zone_8, M_WAITOK | M_ZERO);

	uma_zfree_pcpu(pcpu_zone_8, p);
	p = uma_zalloc_pcpu(pcpu_zone_8, M_WAITOK | (twin ? M_ZERO : 0));
	if (*(volatile uint64_t *)p == 7)
		sink = 1;
	uma_zfree_pcpu(pcpu_zone_8, p);
}

/* ---- an item of which a reader knows, removed by a thread on another CPU */

struct shown {
	struct epoch_context s_ctx;
	int s_value;
};
static struct shown *shown;

static void
shown_free(epoch_context_t ctx)
{
	free(__containerof(ctx, struct shown, s_ctx), M_TEMP);
}

static void
remover(void *arg __unused)
{
	struct shown *s = shown;

	shown = NULL;
	epoch_call(global_epoch_preempt, shown_free, &s->s_ctx);
	kthread_exit();
}

/* Reads after its section, the twin inside. */
static void
epoch_use_after_period(int twin)
{
	struct epoch_tracker et;
	struct shown *s;

	shown = malloc(sizeof(*shown), M_TEMP, M_WAITOK | M_ZERO);
	epoch_enter_preempt(global_epoch_preempt, &et);
	s = shown;
	kthread_add(remover, NULL, NULL, NULL, 0, 0, "remover");
	if (twin)
		sink = s->s_value;
	epoch_exit_preempt(global_epoch_preempt, &et);
	while (shown != NULL)
		kern_yield(PRI_UNCHANGED);
	epoch_drain_callbacks(global_epoch_preempt);
	if (!twin)
		sink = s->s_value;
}

void
fault_vnet_write(int twin)
{
	for (int i = 0; i < 1000; i++) {
		if (twin)
			mtx_lock(&lock);
		V_shared++;
		if (twin)
			mtx_unlock(&lock);
	}
}

void
fault_global_write(int twin)
{
	for (int i = 0; i < 1000; i++) {
		if (twin)
			mtx_lock(&lock);
		shared_global++;
		if (twin)
			mtx_unlock(&lock);
	}
}

int
fault_run(const char *name, int twin)
{
#define FAULT(f) { #f, f }
	static const struct {
		const char *name;
		void (*fn)(int);
	} faults[] = {
		FAULT(malloc_overflow), FAULT(malloc_underflow),
		FAULT(malloc_large_overflow),
		FAULT(malloc_large_odd1), FAULT(malloc_large_odd5),
		FAULT(malloc_large_use_after_free),
		FAULT(malloc_use_after_free), FAULT(uma_overflow),
		FAULT(uma_underflow),
		FAULT(uma_use_after_free), FAULT(pcpu_use_after_free),
		FAULT(pcpu_overflow),
		FAULT(vnet_overrun), FAULT(vnet_underrun),
		FAULT(vnet_use_after_destroy), FAULT(signed_shift),
		FAULT(malloc_uninitialised), FAULT(uma_uninitialised),
		FAULT(uma_recycled), FAULT(pcpu_recycled),
		FAULT(epoch_use_after_period)
	};

	for (size_t i = 0; i < nitems(faults); i++)
		if (strcmp(faults[i].name, name) == 0) {
			faults[i].fn(twin);
			return (0);
		}
	return (-1);
}
