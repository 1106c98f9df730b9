/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packet captures: whose addresses and sizes they hold.
 *
 * Reads pcap and pcapng files through libpcap, finds the IP packet in each
 * frame and tells addresses, length, protocol and VLAN.  Nothing here needs a
 * booted kernel world, and any file may be given: what is damaged, foreign or
 * absurd ends in an error with a text, or is left out and counted under a
 * reason.  No octet outside the frame is read.
 *
 * For programs and tests that link libvnet::packet.  A capture is used by one
 * thread at a time; different captures are independent.
 */
#ifndef LIBVNET_PACKET_H
#define LIBVNET_PACKET_H

#include <libvnet/types.h>

LIBVNET_BEGIN

#define LIBVNET_FRAME_MAX 262144	/* octets of a frame; libpcap's limit */
#define LIBVNET_VLAN_MAX 4		/* 802.1Q tags of a frame */
#define LIBVNET_EXTENSION_MAX 16	/* extension headers that are followed */

/* Why a frame is left out. */
enum libvnet_drop {
	LIBVNET_DROP_NONE,	/* it is not */
	LIBVNET_DROP_RECORD,	/* empty, or more captured than there was */
	LIBVNET_DROP_SHORT,	/* ends before the IP header does */
	LIBVNET_DROP_NOTIP,	/* no IPv4 or IPv6: ARP, LLDP, 802.3 ... */
	LIBVNET_DROP_VLAN,	/* more than LIBVNET_VLAN_MAX tags */
	LIBVNET_DROP_VERSION,	/* IP version is not what the link announced */
	LIBVNET_DROP_HEADER,	/* IPv4 header length below 20 octets */
	LIBVNET_DROP_LENGTH,	/* IP length below its header's, or above the
				   frame's; IPv6 jumbograms */
	LIBVNET_DROP_REASONS	/* how many there are */
};

/*
 * One IP packet.  `frame' points into the capture and is valid until the next
 * call for it; only `captured' octets are there, also where `wire' is more.
 * IPv4 addresses are the first 4 octets of `src' and `dst', the rest is 0.
 */
struct libvnet_packet {
	uint64_t number;	/* of its frame in the file, from 1 */
	int64_t time_ns;	/* when, since 1970; 0 where the file is mute */
	const uint8_t *frame;
	uint32_t captured;	/* octets of the frame in the file */
	uint32_t wire;		/* octets of the frame on the wire */
	uint8_t version;	/* 4 or 6 */
	uint8_t protocol;	/* of layer 4; of the header where following
				   extension headers ended */
	bool fragment;		/* not the first one: no layer 4 header */
	uint8_t tags;		/* 802.1Q and 802.1ad tags */
	int vlan;		/* id of the outermost one, -1: untagged */
	int inner_vlan;		/* id of the innermost one, -1: untagged */
	uint32_t length;	/* octets of the IP packet, header included */
	uint8_t src[16];
	uint8_t dst[16];
};

struct libvnet_capture;

/*
 * Open a regular file.  On success *capture is the caller's to close, else
 * it is NULL.
 *
 * LIBVNET_EINVAL  `path' or `capture' is NULL
 * LIBVNET_ENOENT  no such file
 * LIBVNET_EIO     no regular file, cannot be read, or no capture
 * LIBVNET_ETYPE   a link type other than Ethernet, raw IP, BSD loopback and
 *                 Linux "cooked" (SLL, SLL2)
 */
int	libvnet_capture_open(const char *path,
	    struct libvnet_capture **capture);

/*
 * The next IP packet; frames without one are counted and passed over.
 * 1: *packet is filled in; 0: the file ends here, whole.
 *
 * LIBVNET_EINVAL  an argument is NULL
 * LIBVNET_EIO     the file is damaged or cut off here.  What came before is
 *                 good; further calls give the same answer.
 */
int	libvnet_capture_next(struct libvnet_capture *capture,
	    struct libvnet_packet *packet);

/* NULL is allowed. */
void	libvnet_capture_close(struct libvnet_capture *capture);

/* Frames read so far, and how many of them were left out for a reason. */
uint64_t libvnet_capture_frames(const struct libvnet_capture *capture);
uint64_t libvnet_capture_drops(const struct libvnet_capture *capture,
	    enum libvnet_drop reason);

/* One word, a constant string; never NULL.  Thread safe. */
const char *libvnet_drop_name(enum libvnet_drop reason);

/*
 * The decoder by itself: a frame of `wire' octets, `captured' of which are at
 * `frame', from a link of this LINKTYPE_ value (1: Ethernet, 101: raw IP).
 * On LIBVNET_DROP_NONE all of *packet but `number' and `time_ns' is set,
 * otherwise it is not to be used.  A link type that is not known is
 * LIBVNET_DROP_NOTIP.  Thread safe.
 */
enum libvnet_drop libvnet_packet_decode(int linktype, const void *frame,
	    uint32_t captured, uint32_t wire, struct libvnet_packet *packet);

LIBVNET_END

#endif /* LIBVNET_PACKET_H */
