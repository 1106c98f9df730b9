/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what a machine tells of itself: features, memory, time stamps.
 * Fidelity: modelled
 * Differs: it has no feature that code could choose another algorithm for,
 * so that runs do not depend on the host; BPF programs are not compiled; its
 * 4 GiB of memory are a number that limits are computed from.
 */
#include <sys/param.h>
#include <sys/systm.h>

#define MEMORY_BYTES (4ul << 30)
#define TSC_HZ 1000000000ull

long physmem = MEMORY_BYTES / PAGE_SIZE;
long realmem = MEMORY_BYTES / PAGE_SIZE;
long Maxmem = MEMORY_BYTES / PAGE_SIZE;
u_long vm_kmem_size = MEMORY_BYTES;

/* ---- processor */

u_int cpu_feature;
u_int cpu_feature2;
u_int cpu_stdext_feature;
u_int amd_feature;
u_int cpu_id;
char cpu_vendor[20] = "libvnet";
uint64_t tsc_freq = TSC_HZ;
int tsc_is_invariant;
int tsc_perf_stat;
int smp_tsc;

/* What the instruction computes, for who calls it unasked. */
uint32_t sse42_crc32c(uint32_t, const unsigned char *, unsigned);
uint32_t
sse42_crc32c(uint32_t crc, const unsigned char *p, unsigned len)
{
	while (len-- > 0) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = (crc >> 1) ^ (0x82f63b78u & (0u - (crc & 1)));
	}
	return (crc);
}

/* ---- none of these: NULL is "interpret it", -1 "as the file says" */

void	*bpf_jit_compile(void *, u_int, size_t *);
void *
bpf_jit_compile(void *prog __unused, u_int len __unused, size_t *size __unused)
{
	return (NULL);
}

int elf64_fallback_brand = -1;
