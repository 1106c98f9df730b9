/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Links that the test owns: a cable between two vnets, or between a vnet and
 * the test itself, with delay, rate, queue, loss, reordering, duplication,
 * corruption and capture.
 *
 * On an epair every packet arrives at the instant it was sent, and TCP is not
 * itself at a round-trip time of zero.  A link takes virtual time; what it
 * does is drawn from its own seed, so that a run repeats to the byte.
 *
 * For programs that link a tree's stack (STACK); elsewhere each call answers
 * LIBVNET_ENOTSUP.  An end is LIBVNET_LINK_A or LIBVNET_LINK_B; a direction is
 * named by the end that it comes from.  Ends are Ethernet interfaces without
 * any offload, called link0, link1 ..., up when libvnet_link_create() returns.
 * An end that the test holds is a port: frames are sent into and taken from it
 * with libvnet_port_send() and libvnet_port_receive().
 *
 * A link is the caller's until libvnet_link_destroy().  When the vnet of an
 * end is destroyed first, that end, and what is on the way, is gone.
 *
 * LIBVNET_EINVAL  an argument is NULL, no end, no link, or out of range
 */
#ifndef LIBVNET_LINK_H
#define LIBVNET_LINK_H

#include <libvnet/interface.h>

LIBVNET_BEGIN

#define LIBVNET_FRAME_MOST 65550	/* octets, Ethernet header included */
#define LIBVNET_PORT_QUEUE 4096		/* frames that wait at a port; more
					 * are dropped and counted */
#define LIBVNET_LINK_DELAY_MAX 1000000000000	/* ns, of each time below */

enum libvnet_link_end {
	LIBVNET_LINK_A,
	LIBVNET_LINK_B
};

struct libvnet_link;

/*
 * What a direction does to a frame.  Zero asks for nothing of the kind; an
 * all-zero struct is a perfect wire.  Chances are in millionths, independent
 * of each other and of the frame.
 *
 * A frame leaves when those before it have (rate_bps), and is dropped where
 * more than queue_bytes wait to leave.  It arrives delay_ns plus 0 to
 * jitter_ns later; with jitter frames overtake each other.  A reordered one
 * comes reorder_ns later still.  A corrupted one has one bit turned.
 */
struct libvnet_wire {
	uint64_t delay_ns;
	uint64_t jitter_ns;
	uint64_t rate_bps;		/* bits a second; 0: infinitely fast */
	uint64_t queue_bytes;		/* with a rate; 0: no limit */
	uint32_t loss_ppm;
	uint32_t duplicate_ppm;
	uint32_t reorder_ppm;
	uint64_t reorder_ns;
	uint32_t corrupt_ppm;
};

/*
 * `a' and `b' are the vnets of the ends; NULL makes that end a port.  At most
 * one may be.  `wire' is for both directions, NULL a perfect one.  `seed' is
 * of the link's chances; 0 takes one from the world's stream.  a_name and
 * b_name (NULL: not wanted) receive the interfaces' names, "" a port's.
 *
 * LIBVNET_ENOVNET  an end is not a vnet
 * LIBVNET_EKERNEL  the kernel refused; *kerr says why
 */
int	libvnet_link_create(struct vnet *a, struct vnet *b,
	    const struct libvnet_wire *wire, uint64_t seed,
	    struct libvnet_link **link, char a_name[LIBVNET_IFNAME],
	    char b_name[LIBVNET_IFNAME], int *kerr);
/* What is on the way is lost.  NULL is allowed. */
int	libvnet_link_destroy(struct libvnet_link *link);

/* From now on; frames on the way keep their time. */
int	libvnet_link_set(struct libvnet_link *link, enum libvnet_link_end from,
	    const struct libvnet_wire *wire);

struct libvnet_wire_stats {
	uint64_t sent, bytes;		/* handed to the wire */
	uint64_t delivered;		/* came out, doubles included */
	uint64_t lost, overflowed;	/* by chance; no room in the queue */
	uint64_t filtered;		/* by the test's filter */
	uint64_t duplicated, reordered, corrupted;
};
int	libvnet_link_stats(struct libvnet_link *link,
	    enum libvnet_link_end from, struct libvnet_wire_stats *stats);

/*
 * Asked about each frame from that end before anything else happens to it;
 * true drops it.  `frame' is valid during the call, which must not call the
 * kernel.  NULL ends it.
 */
typedef bool libvnet_link_filter_fn(void *arg, const uint8_t *frame,
	    uint32_t length);
int	libvnet_link_filter(struct libvnet_link *link,
	    enum libvnet_link_end from, libvnet_link_filter_fn *fn, void *arg);

/* ---- ports */

/* LIBVNET_EKERNEL: EDOOFUS the end is an interface, EMSGSIZE the length */
int	libvnet_port_send(struct libvnet_link *link, enum libvnet_link_end end,
	    const void *frame, uint32_t length, int *kerr);
/*
 * The frame that has waited longest: its length, of which at most `size'
 * octets are copied; LIBVNET_ENOENT when none waits.  `when_ns' (or NULL) is
 * the uptime at which it arrived.
 */
int	libvnet_port_receive(struct libvnet_link *link,
	    enum libvnet_link_end end, void *buf, uint32_t size,
	    int64_t *when_ns);

/* ---- captures, for programs that link libvnet::packet */

enum libvnet_link_tap {
	LIBVNET_TAP_SENT,	/* before the wire does anything */
	LIBVNET_TAP_ARRIVED	/* what came out, when it did */
};
/*
 * Both directions into one pcap file of Ethernet frames with nanoseconds of
 * uptime, until libvnet_link_capture_end(), which says whether all was
 * written, or the link's end.  A link has one at a time.
 *
 * LIBVNET_EIO     the file cannot be written
 * LIBVNET_EBUSY   there is one already
 */
int	libvnet_link_capture(struct libvnet_link *link, const char *path,
	    enum libvnet_link_tap which);
int	libvnet_link_capture_end(struct libvnet_link *link);
/*
 * Sends the Ethernet frames of a capture into a port, each as long after the
 * first as in the file (`timed', by advancing the clock) or one after the
 * other, letting the machine run until idle in between.  Returns how many.
 *
 * LIBVNET_ENOENT, LIBVNET_EIO, LIBVNET_ETYPE  as libvnet_capture_open(); a
 *                 file that is damaged further on: what came before was sent
 */
int	libvnet_port_play(struct libvnet_link *link, enum libvnet_link_end end,
	    const char *path, bool timed);

LIBVNET_END

#endif /* LIBVNET_LINK_H */
