/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The filter machine: programs over a packet in memory and over a chain of
 * mbufs, and which programs it refuses.
 *
 * Under test: net/bpf_filter.c
 */
#include "packets.h"
#include <net/bpf.h>

#include <libvnet/test.h>

/* UDP to port 53: its length, else nothing. */
static const struct bpf_insn dns[] = {
	BPF_STMT(BPF_LD + BPF_B + BPF_ABS, 9),
	BPF_JUMP(BPF_JMP + BPF_JEQ + BPF_K, IPPROTO_UDP, 0, 5),
	BPF_STMT(BPF_LDX + BPF_B + BPF_MSH, 0),
	BPF_STMT(BPF_LD + BPF_H + BPF_IND, 2),
	BPF_JUMP(BPF_JMP + BPF_JEQ + BPF_K, 53, 0, 2),
	BPF_STMT(BPF_LD + BPF_W + BPF_LEN, 0),
	BPF_STMT(BPF_RET + BPF_A, 0),
	BPF_STMT(BPF_RET + BPF_K, 0)
};

static int
datagram(uint8_t *p, int proto, int port)
{
	struct udphdr uh = {
		.uh_sport = htons(1024), .uh_dport = htons((uint16_t)port),
		.uh_ulen = htons(sizeof(uh))
	};

	ip_header((struct ip *)p, proto, sizeof(uh), 0x0a000001, 0x0a000002);
	memcpy(p + sizeof(struct ip), &uh, sizeof(uh));
	return (sizeof(struct ip) + sizeof(uh));
}

LIBVNET_TEST(a_filter_tells_packets_apart)
{
	uint8_t p[64] __aligned(4);
	int n;

	n = datagram(p, IPPROTO_UDP, 53);
	assert_int_equal(bpf_filter(dns, p, (u_int)n, (u_int)n), n);
	n = datagram(p, IPPROTO_UDP, 54);
	assert_int_equal(bpf_filter(dns, p, (u_int)n, (u_int)n), 0);
	n = datagram(p, IPPROTO_TCP, 53);
	assert_int_equal(bpf_filter(dns, p, (u_int)n, (u_int)n), 0);
	/* Cut off before the port: no match, and no read behind. */
	n = datagram(p, IPPROTO_UDP, 53);
	assert_int_equal(bpf_filter(dns, p, (u_int)n, 21), 0);
}

LIBVNET_TEST(a_chain_of_mbufs_is_filtered_across_its_joints)
{
	uint8_t p[64] __aligned(4);
	int n = datagram(p, IPPROTO_UDP, 53);

	for (int cut = 1; cut < n; cut++) {
		struct mbuf *m = packet_of(p, cut), *rest;

		rest = packet_of(p + cut, n - cut);
		m->m_next = rest;
		/* A length of 0 says that this is a chain. */
		assert_int_equal(bpf_filter(dns, (u_char *)m, (u_int)n, 0), n);
		m_freem(m);
	}
}

LIBVNET_TEST(programs_without_end_or_with_bad_jumps_are_refused)
{
	struct bpf_insn endless[] = { BPF_STMT(BPF_LD + BPF_IMM, 1) };
	struct bpf_insn far[] = {
		BPF_JUMP(BPF_JMP + BPF_JA, 7, 0, 0),
		BPF_STMT(BPF_RET + BPF_K, 0)
	};
	struct bpf_insn zero[] = {
		BPF_STMT(BPF_ALU + BPF_DIV + BPF_K, 0),
		BPF_STMT(BPF_RET + BPF_A, 0)
	};
	struct bpf_insn memory[] = {
		BPF_STMT(BPF_ST, BPF_MEMWORDS),
		BPF_STMT(BPF_RET + BPF_A, 0)
	};

	assert_true(bpf_validate(dns, nitems(dns)));
	assert_false(bpf_validate(endless, nitems(endless)));
	assert_false(bpf_validate(far, nitems(far)));
	assert_false(bpf_validate(zero, nitems(zero)));
	assert_false(bpf_validate(memory, nitems(memory)));
	assert_true(bpf_validate(dns, 0));	/* which lets all pass */
}
