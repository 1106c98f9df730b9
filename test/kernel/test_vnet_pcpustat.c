/* SPDX-License-Identifier: BSD-2-Clause */
/* VNET_PCPUSTAT_*: counters laid over a struct, per vnet, and their sysctl. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#include <libvnet/test.h>

struct pstat {
	uint64_t in, out, drops;
};

VNET_PCPUSTAT_DECLARE(struct pstat, pstat);
VNET_PCPUSTAT_DEFINE(struct pstat, pstat);
VNET_PCPUSTAT_SYSINIT(pstat);
VNET_PCPUSTAT_SYSUNINIT(pstat);
SYSCTL_VNET_PCPUSTAT(_net_inet, OID_AUTO, pstat, struct pstat, pstat,
    "test statistics");
#define PSTAT_ADD(f, v) VNET_PCPUSTAT_ADD(struct pstat, pstat, f, (v))
#define PSTAT_FETCH(f) VNET_PCPUSTAT_FETCH(struct pstat, pstat, f)

LIBVNET_TEST_VNET(field_counts_by_itself, v)
{
	PSTAT_ADD(out, 5);
	PSTAT_ADD(out, -2);
	PSTAT_ADD(drops, 1);
	assert_int_equal(PSTAT_FETCH(in), 0);
	assert_int_equal(PSTAT_FETCH(out), 3);
	assert_int_equal(PSTAT_FETCH(drops), 1);
}

LIBVNET_TEST_VNET(sysctl_reads_the_struct_and_zeroes_it, v)
{
	struct pstat s;
	size_t size = sizeof(s);

	PSTAT_ADD(in, 9);
	assert_int_equal(libvnet_sysctl_read(v, "net.inet.pstat", &s, &size,
	    NULL), 0);
	assert_int_equal(size, sizeof(s));
	assert_int_equal(s.in, 9);
	memset(&s, 0, sizeof(s));
	assert_int_equal(libvnet_sysctl_write(v, "net.inet.pstat", &s,
	    sizeof(s), NULL), 0);
	assert_int_equal(PSTAT_FETCH(in), 0);
}

#ifdef VIMAGE
LIBVNET_TEST_VNETS(counters_are_separate_in_each_vnet, a, b)
{
	uint64_t n;

	LIBVNET_IN(a)
		PSTAT_ADD(in, 4);
	LIBVNET_IN(b)
		assert_int_equal(PSTAT_FETCH(in), 0);
	assert_int_equal(libvnet_counter_get(a, "pstat", 0, &n), 0);
	assert_int_equal(n, 4);
	assert_int_equal(libvnet_counter_get(b, "pstat", 0, &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(libvnet_counter_get(a, "pstat", 3, &n),
	    LIBVNET_ETYPE);
}
#endif
