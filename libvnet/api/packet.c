/* SPDX-License-Identifier: BSD-2-Clause */
/* From a frame to the IP packet in it. */
#include <string.h>

#include <libvnet/packet.h>

#define ETHERTYPE_IP 0x0800
#define ETHERTYPE_IPV6 0x86dd
#define ETHERTYPE_VLAN 0x8100
#define ETHERTYPE_QINQ 0x88a8
#define ETHERTYPE_9100 0x9100	/* QinQ before there was a standard */

/* What is left of a frame: at p, `have' octets of `wire'. */
struct rest {
	const uint8_t *p;
	uint32_t have, wire;
};

static const char *const names[] = {
	[LIBVNET_DROP_NONE] = "none",
	[LIBVNET_DROP_RECORD] = "record",
	[LIBVNET_DROP_SHORT] = "short",
	[LIBVNET_DROP_NOTIP] = "notip",
	[LIBVNET_DROP_VLAN] = "vlan",
	[LIBVNET_DROP_VERSION] = "version",
	[LIBVNET_DROP_HEADER] = "header",
	[LIBVNET_DROP_LENGTH] = "length"
};

const char *
libvnet_drop_name(enum libvnet_drop reason)
{
	if ((unsigned)reason >= LIBVNET_DROP_REASONS)
		return ("unknown");
	return (names[reason]);
}

static uint32_t
be16(const uint8_t *p)
{
	return ((uint32_t)p[0] << 8 | p[1]);
}

/* Go past n octets; they were captured: captured is never above wire. */
static bool
skip(struct rest *r, uint32_t n)
{
	if (r->have < n)
		return (false);
	r->p += n;
	r->have -= n;
	r->wire -= n;
	return (true);
}

/* ---- layer 3 */

/* Extension headers, as far as they go and were captured. */
static void
extensions(struct rest r, struct libvnet_packet *packet)
{
	uint32_t size;

	for (int i = 0; i < LIBVNET_EXTENSION_MAX; i++) {
		if (r.have < 8)
			return;
		switch (packet->protocol) {
		case 0:		/* hop by hop */
		case 43:	/* routing */
		case 60:	/* destination */
		case 135:	/* mobility */
		case 139:	/* host identity */
		case 140:	/* shim6 */
			size = (r.p[1] + 1U) * 8;
			break;
		case 51:	/* authentication */
			size = (r.p[1] + 2U) * 4;
			break;
		case 44:	/* fragment */
			size = 8;
			packet->fragment = (be16(r.p + 2) & ~7U) != 0;
			break;
		default:
			return;
		}
		packet->protocol = r.p[0];
		if (packet->fragment || !skip(&r, size))
			return;
	}
}

static enum libvnet_drop
ipv6(struct rest r, struct libvnet_packet *packet)
{
	const uint8_t *p = r.p;

	if (r.have < 40)
		return (LIBVNET_DROP_SHORT);
	packet->version = 6;
	packet->length = 40 + be16(p + 4);
	packet->protocol = p[6];
	/* The length of a jumbogram stands in its hop by hop header. */
	if (packet->length > r.wire ||
	    (packet->length == 40 && packet->protocol == 0))
		return (LIBVNET_DROP_LENGTH);
	memcpy(packet->src, p + 8, 16);
	memcpy(packet->dst, p + 24, 16);
	(void)skip(&r, 40);
	extensions(r, packet);
	return (LIBVNET_DROP_NONE);
}

static enum libvnet_drop
ipv4(struct rest r, struct libvnet_packet *packet)
{
	const uint8_t *p = r.p;
	uint32_t header;

	if (r.have < 20)
		return (LIBVNET_DROP_SHORT);
	header = (p[0] & 15U) * 4;
	if (header < 20)
		return (LIBVNET_DROP_HEADER);
	packet->version = 4;
	packet->length = be16(p + 2);
	packet->protocol = p[9];
	packet->fragment = (be16(p + 6) & 0x1fff) != 0;
	if (packet->length < header || packet->length > r.wire)
		return (LIBVNET_DROP_LENGTH);
	memcpy(packet->src, p + 12, 4);
	memcpy(packet->dst, p + 16, 4);
	return (LIBVNET_DROP_NONE);
}

/* `version' is what the link announced, 0 where it announces nothing. */
static enum libvnet_drop
ip(struct rest r, int version, struct libvnet_packet *packet)
{
	int found;

	if (r.have == 0)
		return (LIBVNET_DROP_SHORT);
	found = r.p[0] >> 4;
	if ((found != 4 && found != 6) || (version != 0 && version != found))
		return (LIBVNET_DROP_VERSION);
	return (found == 4 ? ipv4(r, packet) : ipv6(r, packet));
}

/* ---- layer 2 */

static enum libvnet_drop
ethertype(struct rest r, uint32_t type, struct libvnet_packet *packet)
{
	while (type == ETHERTYPE_VLAN || type == ETHERTYPE_QINQ ||
	    type == ETHERTYPE_9100) {
		if (packet->tags == LIBVNET_VLAN_MAX)
			return (LIBVNET_DROP_VLAN);
		if (r.have < 4)
			return (LIBVNET_DROP_SHORT);
		packet->inner_vlan = (int)(be16(r.p) & 0xfff);
		if (packet->tags++ == 0)
			packet->vlan = packet->inner_vlan;
		type = be16(r.p + 2);
		(void)skip(&r, 4);
	}
	if (type == ETHERTYPE_IP)
		return (ip(r, 4, packet));
	if (type == ETHERTYPE_IPV6)
		return (ip(r, 6, packet));
	return (LIBVNET_DROP_NOTIP);
}

/* Ethernet, SLL, SLL2: the type is at `at' in a header of `size' octets. */
static enum libvnet_drop
typed(struct rest r, uint32_t at, uint32_t size, struct libvnet_packet *packet)
{
	uint32_t type;

	if (r.have < size)
		return (LIBVNET_DROP_SHORT);
	type = be16(r.p + at);
	(void)skip(&r, size);
	return (ethertype(r, type, packet));
}

/*
 * BSD loopback: the address family of the system that recorded, in its byte
 * order.  AF_INET is 2 everywhere, AF_INET6 differs.
 */
static enum libvnet_drop
loopback(struct rest r, struct libvnet_packet *packet)
{
	uint32_t family;

	if (r.have < 4)
		return (LIBVNET_DROP_SHORT);
	family = be16(r.p) << 16 | be16(r.p + 2);
	if (family > 0xffff)
		family = __builtin_bswap32(family);
	(void)skip(&r, 4);
	switch (family) {
	case 2:
		return (ip(r, 4, packet));
	case 10:	/* Linux */
	case 24:	/* NetBSD, OpenBSD */
	case 28:	/* FreeBSD */
	case 30:	/* macOS */
		return (ip(r, 6, packet));
	default:
		return (LIBVNET_DROP_NOTIP);
	}
}

enum libvnet_drop
libvnet_packet_decode(int linktype, const void *frame, uint32_t captured,
    uint32_t wire, struct libvnet_packet *packet)
{
	struct rest r = { frame, captured, wire };

	*packet = (struct libvnet_packet){ .frame = frame,
	    .captured = captured, .wire = wire, .vlan = -1, .inner_vlan = -1 };
	if (captured == 0 || captured > wire || captured > LIBVNET_FRAME_MAX)
		return (LIBVNET_DROP_RECORD);
	switch (linktype) {
	case 1:			/* Ethernet */
		return (typed(r, 12, 14, packet));
	case 113:		/* Linux SLL */
		return (typed(r, 14, 16, packet));
	case 276:		/* Linux SLL2 */
		return (typed(r, 0, 20, packet));
	case 0:			/* BSD loopback, and OpenBSD's */
	case 108:
		return (loopback(r, packet));
	case 12:		/* raw IP, as libpcap numbers it */
	case 14:
	case 101:		/* raw IP, as files number it */
		return (ip(r, 0, packet));
	case 228:
		return (ip(r, 4, packet));
	case 229:
		return (ip(r, 6, packet));
	default:
		return (LIBVNET_DROP_NOTIP);
	}
}
