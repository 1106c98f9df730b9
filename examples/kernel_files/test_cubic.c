/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CUBIC by itself: a window that is cut by loss and comes back along a cubic
 * of the virtual time, which is flat at seven tenths after the first loss.
 *
 * Under test: netinet/cc/cc_cubic.c netinet/cc/cc_newreno.c
 */
#include "packets.h"
#include <sys/kernel.h>
#include <sys/sysctl.h>
#include <netinet/cc/cc.h>
#include <netinet/tcp_var.h>
#include <netinet/tcp_seq.h>
#include <netinet/tcp_timer.h>

#include <libvnet/test.h>

#if __FreeBSD_version >= 1400000
LIBVNET_TEST(cubic)
{
	libvnet_skip("written for 13, whose struct cc_var is another");
}
#else

#define MSS 1000
#define RTT_MS 100

extern struct cc_algo cubic_cc_algo;

/* Both are modules; they would register with cc.c. */
LIBVNET_STUB_RETURN(cc_modevent, 0);
LIBVNET_STUB_RETURN(tcp_maxseg, MSS);
LIBVNET_STUB_RETURN(tcp_compute_pipe, 50 * MSS);

static struct tcpcb tp;
static struct cc_var ccv;

static void
begin(u_int cwnd, u_int ssthresh)
{
	tp.ccv = &ccv;
	tp.t_maxseg = MSS;
	tp.snd_cwnd = cwnd;
	tp.snd_ssthresh = ssthresh;
	tp.snd_wnd = 1 << 30;
	tp.snd_scale = 14;
	tp.t_srtt = (RTT_MS * hz / 1000) << TCP_RTT_SHIFT;
	tp.t_rttupdated = 100;
	ccv.type = IPPROTO_TCP;
	ccv.ccvc.tcp = &tp;
	ccv.nsegs = 1;
	assert_int_equal(cubic_cc_algo.cb_init(&ccv), 0);
	cubic_cc_algo.conn_init(&ccv);
}

static void
end(void)
{
	cubic_cc_algo.cb_destroy(&ccv);
}

static u_int
acked(int bytes)
{
	ccv.bytes_this_ack = bytes;
	ccv.flags |= CCF_CWND_LIMITED;
	cubic_cc_algo.ack_received(&ccv, CC_ACK);
	return (tp.snd_cwnd);
}

LIBVNET_TEST_VNET(slow_start_adds_what_is_acknowledged, v)
{
	begin(4 * MSS, 100 * MSS);
	for (int i = 1; i <= 8; i++)
		assert_int_equal(acked(MSS), (4 + i) * MSS);
	end();
}

LIBVNET_TEST_VNET(loss_cuts_the_window_and_time_brings_it_back, v)
{
	u_int before = 200 * MSS, flat = before * 7 / 10, cut, last, slow, now;

	begin(before, 0);
	cubic_cc_algo.cong_signal(&ccv, CC_NDUPACK);
	cut = tp.snd_ssthresh;
	assert_in_range(cut, before * 45 / 100, before * 55 / 100);
	/* Recovery is over. */
	cubic_cc_algo.post_recovery(&ccv);
	tp.snd_cwnd = cut;
	tp.t_flags &= ~(TF_FASTRECOVERY | TF_CONGRECOVERY);
	last = tp.snd_cwnd;
	slow = UINT_MAX;
	for (int round = 0; round < 150; round++) {
		libvnet_clock_advance_ns(RTT_MS * 1000000ll);
		now = acked(MSS);
		assert_true(now >= last);
		/* It hardly grows where it is said to be flat. */
		if (now > flat * 97 / 100 && now < flat * 103 / 100)
			slow = MIN(slow, now - last);
		last = now;
	}
	assert_true(slow <= MSS);
	assert_true(last > before * 11 / 10);
	/* The first loss halves it, the others take three tenths. */
	cubic_cc_algo.cong_signal(&ccv, CC_NDUPACK);
	assert_in_range(tp.snd_ssthresh, last * 65 / 100, last * 75 / 100);
	end();
}

LIBVNET_TEST_VNET(no_window_grows_while_time_stands_still, v)
{
	u_int cwnd = 0;

	begin(200 * MSS, 0);
	cubic_cc_algo.cong_signal(&ccv, CC_NDUPACK);
	tp.snd_cwnd = tp.snd_ssthresh;
	tp.t_flags &= ~(TF_FASTRECOVERY | TF_CONGRECOVERY);
	for (int i = 0; i < 100; i++)
		cwnd = acked(MSS);	/* until its mean of the RTT is right */
	for (int i = 0; i < 1000; i++)
		assert_int_equal(acked(MSS), cwnd);
	end();
}
#endif
