/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames that are not as they should be, into a vnet that has much to do with
 * them: nothing is read or written that may not be, nothing is left over, and
 * the vnet still answers afterwards.  What looks is the sanitizers, the red
 * zones and the kernel's own assertions.
 *
 * LIBVNET_CAPTURES names a folder of captures to play; without it only frames
 * of our own are sent, with octets turned and ends cut.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/socket.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip_fw.h>

#include <libvnet/test.h>
#include <libvnet/packet.h>

#include "captures.h"
#include "ipfw_rules.h"
#include "target.h"

#define SECOND 1000000000LL
#define ROUNDS 400		/* of each frame */
#define LONGEST 400

/* ---- frames of our own */

struct seed {
	const char *what;
	uint16_t length;
	uint8_t ip[LONGEST];		/* from the IP header, or ARP's, on */
	uint16_t type;
};

#define IP4(length, protocol) 0x45, 0, 0, length, 0, 1, 0, 0, 64, protocol, \
	0, 0, 10, 0, 0, 2, 10, 0, 0, 1
#define IP6(length, next) 0x60, 0, 0, 0, 0, length, next, 255,		\
	0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,		\
	0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
#define SYN 0x12, 0x34, 0, 179, 0, 0, 0, 1, 0, 0, 0, 0, 0xa0, 2, 0xff, 0xff, \
	0, 0, 0, 0, 2, 4, 5, 0xb4, 4, 2, 8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 3, 7

static const struct seed seeds[] = {
	{ "arp", 28, { 0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 2, 10, 0, 0, 2,
	    0, 0, 0, 0, 0, 0, 10, 0, 0, 1 }, 0x806 },
	{ "icmp echo", 36, { IP4(36, 1), 8, 0, 0, 0, 0, 7, 0, 1, 1, 2, 3, 4,
	    5, 6, 7, 8 }, 0x800 },
	{ "icmp unreachable", 56, { IP4(56, 1), 3, 4, 0, 0, 0, 0, 5, 0,
	    0x45, 0, 0, 60, 0, 2, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
	    0, 179, 0x12, 0x34, 0, 0, 0, 1 }, 0x800 },
	{ "options", 48, { 0x48, 0, 0, 48, 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 0,
	    2, 10, 0, 0, 1, 7, 7, 4, 0, 0, 0, 0, 131, 5, 4, 10, 0, 0, 1, 0, 0,
	    0, 53, 0, 53, 0, 8, 0, 0, 1, 2, 3, 4 }, 0x800 },
	{ "igmp", 32, { 0x46, 0xc0, 0, 32, 0, 1, 0, 0, 1, 2, 0, 0, 10, 0, 0, 2,
	    224, 0, 0, 9, 0x94, 4, 0, 0, 0x22, 0, 0, 0, 0, 0, 0, 1 }, 0x800 },
	{ "udp", 40, { IP4(40, 17), 0, 53, 0, 53, 0, 20, 0, 0, 1, 2, 3, 4, 5,
	    6, 7, 8, 9, 10, 11, 12 }, 0x800 },
	{ "fragment", 36, { 0x45, 0, 0, 36, 0, 1, 0x20, 2, 64, 17, 0, 0, 10, 0,
	    0, 2, 10, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
	    15, 16 }, 0x800 },
	{ "tcp", 60, { IP4(60, 6), SYN }, 0x800 },
	{ "sctp", 52, { IP4(52, 132), 0xb, 0x59, 0xb, 0x59, 0, 0, 0, 0, 0, 0,
	    0, 0, 1, 0, 0, 20, 0, 0, 0, 9, 0, 1, 0, 0, 0, 5, 0, 5, 0, 0, 0,
	    1 }, 0x800 },
	{ "udp6", 56, { IP6(16, 17), 0, 53, 0, 53, 0, 16, 0, 0, 1, 2, 3, 4, 5,
	    6, 7, 8 }, 0x86dd },
	{ "fragment6", 64, { IP6(24, 44), 17, 0, 0, 9, 0, 0, 0, 1, 1, 2, 3, 4,
	    5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }, 0x86dd },
	{ "hop by hop, destination, routing", 88, { IP6(48, 0), 60, 0, 5, 2, 0,
	    0, 1, 0, 43, 0, 1, 4, 0, 0, 0, 0, 17, 2, 0, 1, 0, 0, 0, 0, 0x20,
	    1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 53, 0, 53, 0,
	    8, 0, 0 }, 0x86dd },
	{ "neighbour solicitation", 72, { IP6(32, 58), 135, 0, 0, 0, 0, 0, 0,
	    0, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2,
	    0, 0, 0, 0, 2 }, 0x86dd },
	{ "router advertisement", 104, { 0x60, 0, 0, 0, 0, 64, 58, 255, 0xfe,
	    0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0xff, 2, 0, 0, 0, 0,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 134, 0, 0, 0, 64, 0, 7, 8, 0, 0, 0, 0,
	    0, 0, 0, 0, 1, 1, 2, 0, 0, 0, 0, 2, 5, 1, 0, 0, 0, 0, 5, 0xdc, 3, 4,
	    64, 0xc0, 0, 0, 14, 16, 0, 0, 14, 16, 0, 0, 0, 0, 0x20, 1, 0xd,
	    0xb8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, 0x86dd },
	{ "mld query", 76, { 0x60, 0, 0, 0, 0, 36, 0, 1, 0xfe, 0x80, 0, 0, 0,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0,
	    0, 0, 0, 0, 0, 1, 58, 0, 5, 2, 0, 0, 1, 0, 130, 0, 0, 0, 0, 10, 0,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0 },
	    0x86dd },
	{ "packet too big", 96, { IP6(56, 58), 2, 0, 0, 0, 0, 0, 5, 0, IP6(8,
	    17), 0, 53, 0, 53, 0, 8, 0, 0 }, 0x86dd },
	{ "tcp6", 80, { IP6(40, 6), SYN }, 0x86dd },
	{ "sctp6", 72, { IP6(32, 132), 0xb, 0x59, 0xb, 0x59, 0, 0, 0, 0, 0, 0,
	    0, 0, 1, 0, 0, 20, 0, 0, 0, 9, 0, 1, 0, 0, 0, 5, 0, 5, 0, 0, 0,
	    1 }, 0x86dd },
};

/* Checksums. */

static uint32_t
add(const uint8_t *p, uint32_t length, uint32_t s)
{
	for (uint32_t i = 0; i < length; i++)
		s += i % 2 == 0 ? (uint32_t)p[i] << 8 : p[i];
	return (s);
}

static void
put(uint8_t *at, uint32_t s)
{
	while (s >> 16 != 0)
		s = (s & 0xffff) + (s >> 16);
	at[0] = (uint8_t)(~s >> 8);
	at[1] = (uint8_t)~s;
}

/* Right ones, so that more than the checksum's check is reached. */
static void
seal(uint8_t *ip, uint32_t length)
{
	bool six = ip[0] >> 4 == 6;
	uint32_t head = six ? 40 : (uint32_t)(ip[0] & 15) * 4, at;
	uint8_t protocol = six ? ip[6] : ip[9], *upper;

	if (six && protocol == IPPROTO_HOPOPTS && length > 48) {
		protocol = ip[40];
		head = 40 + 8 * (1 + (uint32_t)ip[41]);
	}
	if (!six) {
		ip[10] = ip[11] = 0;
		put(ip + 10, add(ip, MIN(head, length), 0));
	}
	at = protocol == IPPROTO_TCP ? 16 : protocol == IPPROTO_UDP ? 6 :
	    protocol == IPPROTO_ICMP || protocol == IPPROTO_IGMP ||
	    protocol == IPPROTO_ICMPV6 ? 2 : ~0U;
	if (at == ~0U || length < head + at + 2)
		return;
	upper = ip + head;
	upper[at] = upper[at + 1] = 0;
	put(upper + at, add(upper, length - head, protocol == IPPROTO_ICMP ||
	    protocol == IPPROTO_IGMP ? 0 : add(six ? ip + 8 : ip + 12,
	    six ? 32 : 8, length - head + protocol)));
}

static uint32_t
frame_of(const struct target *t, const struct seed *s, uint8_t *frame)
{
	memcpy(frame, t->mac, 6);
	memcpy(frame + 6, "\2\0\0\0\0\2", 6);
	frame[12] = (uint8_t)(s->type >> 8);
	frame[13] = (uint8_t)s->type;
	memcpy(frame + 14, s->ip, s->length);
	return (14U + s->length);
}

/* One to four octets turned, often a length cut, checksums sometimes right. */
static uint32_t
spoil(uint8_t *frame, uint32_t length, bool ip)
{
	uint32_t n = 1 + arc4random() % 4;

	while (n-- > 0)
		frame[14 + arc4random() % (length - 14)] =
		    arc4random() % 3 == 0 ? (uint8_t)(arc4random() % 2 * 255) :
		    (uint8_t)arc4random();
	if (arc4random() % 4 == 0)
		length = 14 + arc4random() % (length - 13);
	if (ip && length > 34 && arc4random() % 4 != 0)
		seal(frame + 14, length - 14);
	return (length);
}

static void
rounds(struct target *t)
{
	uint8_t frame[14 + LONGEST];
	uint32_t length;

	for (u_int i = 0; i < nitems(seeds); i++) {
		for (u_int n = 0; n < ROUNDS; n++) {
			length = frame_of(t, &seeds[i], frame);
			if (n == 0 && seeds[i].type != 0x806)
				seal(frame + 14, length - 14);
			else if (n > 0)
				length = spoil(frame, length,
				    seeds[i].type != 0x806);
			target_send(t, frame, length);
		}
		assert_int_equal(libvnet_clock_advance_ns(SECOND), 0);
	}
}

LIBVNET_TEST_VNET(spoilt_frames_do_no_harm, v)
{
	struct target t;

	target_begin(&t, v);
	target_assert_alive(&t);
	rounds(&t);
	target_assert_alive(&t);
	target_end(&t);
}

LIBVNET_TEST_VNET(spoilt_frames_do_no_harm_behind_ipfw, v)
{
	static const struct ipfw_terms terms = {
		.number = 100, .action = O_ACCEPT, .keep_state = true
	};
	struct target t;

	target_begin(&t, v);
	assert_int_equal(ipfw_rules_add(v, &terms), 0);
	/* More rows would be made where they may not be; FINDINGS.md. */
	assert_int_equal(libvnet_sysctl_set(v, "net.inet.ip.fw.dyn_max", 200,
	    NULL), 0);
	rounds(&t);
	target_assert_alive(&t);
	target_end(&t);
}

/* ---- captures */

/* As it stands there, and as if it had been for us. */
static void
play_to_us(struct target *t, const char *path)
{
	static uint8_t frame[LIBVNET_FRAME_MOST];
	struct libvnet_capture *c;
	struct libvnet_packet p;

	if (libvnet_capture_open(path, &c) != 0)
		return;
	while (libvnet_capture_next(c, &p) == 1) {
		if (p.captured < 14 || p.captured > sizeof(frame))
			continue;
		memcpy(frame, p.frame, p.captured);
		if (target_redirect(t, frame, p.captured))
			target_send(t, frame, p.captured);
	}
	libvnet_capture_close(c);
	(void)libvnet_clock_advance_ns(SECOND);
}

LIBVNET_TEST_VNET(captures_do_no_harm, v)
{
	struct target t;
	char path[1024];
	int n;

	if (!captures_nth(0, path, sizeof(path)))
		libvnet_skip("LIBVNET_CAPTURES names no folder of captures");
	target_begin(&t, v);
	assert_int_equal(libvnet_if_promisc(v, t.name, true, NULL), 0);
	for (u_int i = 0; captures_nth(i, path, sizeof(path)); i++) {
		/* Not Ethernet, damaged, or longer than any frame. */
		n = libvnet_port_play(t.link, LIBVNET_LINK_B, path, false);
		if (n < 0 && n != LIBVNET_ETYPE && n != LIBVNET_EIO &&
		    n != LIBVNET_EKERNEL)
			fail_msg("%s: %s", path, libvnet_error());
		play_to_us(&t, path);
	}
	target_assert_alive(&t);
	target_end(&t);
}
