/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TCP's high precision timer: it runs on the virtual clock, which passes from
 * one event to the next, so that a slot's time can be told to the microsecond.
 *
 * Under test: netinet/tcp_hpts.c
 * Option: TCPHPTS
 */
#include "packets.h"
#include <sys/bus.h>
#include <sys/callout.h>
#include <sys/interrupt.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/protosw.h>
#include <sys/queue.h>
#include <sys/socketvar.h>
#include <sys/sysctl.h>
#include <netinet/in_pcb.h>
#include <netinet/tcp_var.h>
#include <netinet/tcp_hpts.h>

#include <libvnet/test.h>

#if __FreeBSD_version >= 1400000
LIBVNET_TEST(hpts)
{
	libvnet_skip("written for 13, where a struct inpcb has the timer");
}
#else

LIBVNET_STUB_RETURN(in_pcbref, 0);
LIBVNET_STUB_RETURN(in_pcbrele_wlocked, 0);

/* What of a connection the timer sees. */
static struct tcp_function_block stack;
static struct tcpcb tp[3];
static struct inpcb inp[3];
static struct inpcbinfo info;
static int64_t when_us[3];
static int calls[3];
static struct vnet *seen;

static int64_t
now_us(void)
{
	struct timeval tv;

	microuptime(&tv);
	return ((int64_t)tv.tv_sec * 1000000 + tv.tv_usec);
}

static int
output(struct tcpcb *t)
{
	int i = (int)(t - tp);

	INP_WLOCK_ASSERT(t->t_inpcb);
	when_us[i] = now_us();
	calls[i]++;
	seen = curvnet;
	return (0);
}

static void
begin(struct vnet *v)
{
	info.ipi_vnet = v;
	stack.tfb_tcp_output = output;
	for (int i = 0; i < 3; i++) {
		INP_LOCK_INIT(&inp[i], "inp", "inp");
		inp[i].inp_pcbinfo = &info;
		inp[i].inp_ppcb = &tp[i];
		inp[i].inp_hpts_cpu_set = 1;
		tp[i].t_inpcb = &inp[i];
		tp[i].t_fb = &stack;
	}
	libvnet_clock_advance_ns(1000000);
}

static void
in(int i, int us)
{
	INP_WLOCK(&inp[i]);
	tcp_hpts_insert(&inp[i], HPTS_USEC_TO_SLOTS(us));
	INP_WUNLOCK(&inp[i]);
}

/* A slot has 10 us, and the timer's period is 250. */
static void
came(int i, int64_t began_us, int us)
{
	assert_int_equal(calls[i], 1);
	assert_in_range(when_us[i] - began_us, us - 10, us + 260);
}

LIBVNET_TEST_VNET(output_runs_when_its_slot_comes, v)
{
	int64_t began;

	begin(v);
	began = now_us();
	in(0, 5000);
	libvnet_clock_advance_ns(4900 * 1000);
	assert_int_equal(calls[0], 0);
	libvnet_clock_advance_ns(500 * 1000);
	came(0, began, 5000);
	assert_ptr_equal(seen, v);
	libvnet_clock_advance_ns(3000000000);
	assert_int_equal(calls[0], 1);
}

LIBVNET_TEST_VNET(slots_are_served_in_order_of_time, v)
{
	int64_t began;

	begin(v);
	began = now_us();
	in(0, 9000);
	in(1, 2000);
	in(2, 40000);
	libvnet_clock_advance_ns(60000000);
	came(1, began, 2000);
	came(0, began, 9000);
	came(2, began, 40000);
}

LIBVNET_TEST_VNET(what_is_removed_does_not_run, v)
{
	begin(v);
	in(0, 3000);
	in(1, 3000);
	INP_WLOCK(&inp[0]);
	tcp_hpts_remove(&inp[0], HPTS_REMOVE_OUTPUT);
	INP_WUNLOCK(&inp[0]);
	libvnet_clock_advance_ns(10000000);
	assert_int_equal(calls[0], 0);
	assert_int_equal(calls[1], 1);
}

LIBVNET_TEST_VNET(a_slot_beyond_the_wheel_runs_in_time, v)
{
	int64_t began;

	begin(v);
	began = now_us();
	in(0, 2500000);		/* the wheel has 1,024,000 us */
	libvnet_clock_advance_ns(2400000000);
	assert_int_equal(calls[0], 0);
	libvnet_clock_advance_ns(200000000);
	assert_int_equal(calls[0], 1);
	assert_in_range(when_us[0] - began, 2500000, 2501000);
}
#endif
