/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What it costs to count, in loops; see bench_counter.c.  The packet's work is
 * a hash of its addresses and a sum over its bytes, about what a rule takes.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/hash.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <machine/atomic.h>

#include "ops.h"

#define AGAIN(n) for (; (n) > 0; (n)--, forget())

static counter_u64_t packets, bytes;
static struct {
	uint64_t packets __aligned(CACHE_LINE_SIZE);
	uint64_t bytes;
} locked;

static __always_inline void
forget(void)
{
	__asm__ volatile("" ::: "memory");
}

static void
setup(void *unused __unused)
{
	packets = counter_u64_alloc(M_WAITOK);
	bytes = counter_u64_alloc(M_WAITOK);
}
SYSINIT(bench_counter_setup, SI_SUB_INIT_IF, SI_ORDER_ANY, setup, NULL);

static void
op_counter(unsigned long n)
{
	AGAIN(n)
		counter_u64_add(packets, 1);
}

static void
op_locked(unsigned long n)
{
	AGAIN(n)
		atomic_add_64(&locked.packets, 1);
}

static __always_inline uint32_t
work(const uint32_t *packet, u_int words)
{
	uint32_t h = jenkins_hash32(packet, 4, 0);

	for (u_int i = 0; i < words; i++)
		h += packet[i];
	return (h);
}

static void
op_packet(unsigned long n)
{
	uint32_t packet[16] = { 0 };

	AGAIN(n)
		packet[0] = work(packet, nitems(packet));
}

static void
op_packet_counter(unsigned long n)
{
	uint32_t packet[16] = { 0 };

	AGAIN(n) {
		packet[0] = work(packet, nitems(packet));
		counter_u64_add(packets, 1);
		counter_u64_add(bytes, (int64_t)sizeof(packet));
	}
}

static void
op_packet_locked(unsigned long n)
{
	uint32_t packet[16] = { 0 };

	AGAIN(n) {
		packet[0] = work(packet, nitems(packet));
		atomic_add_64(&locked.packets, 1);
		atomic_add_64(&locked.bytes, sizeof(packet));
	}
}

const struct op ops[] = {
	{ "counter", op_counter }, { "locked", op_locked },
	{ "packet", op_packet }, { "packet_counter", op_packet_counter },
	{ "packet_locked", op_packet_locked },
	{ NULL, NULL }
};
