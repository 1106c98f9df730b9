/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by lvn_link.c (the ends) and lvn_wire.c (what is between). */
#ifndef LVN_LINK_H
#define LVN_LINK_H

#include <sys/param.h>
#include <sys/queue.h>
#include <sys/callout.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <seam_link.h>

struct ifnet;
struct mbuf;

#define LVN_FRAME_MAX 65550	/* largest MTU and an Ethernet header */
#define LVN_PORT_QUEUE 4096	/* frames that wait for the test */

struct lvn_flight {
	TAILQ_ENTRY(lvn_flight) f_link;
	sbintime_t f_due;
	struct mbuf *f_frame;
};
TAILQ_HEAD(lvn_flights, lvn_flight);

struct lvn_tap {
	vnk_wire_tap *t_fn;
	void *t_arg;
};

/* One direction.  (l): the link's lock. */
struct lvn_wire {
	struct vnk_link *w_link;
	int w_from;			/* end */
	struct vnk_wire_options w_opt;	/* (l) */
	struct vnk_wire_stats w_stats;	/* (l) */
	struct lvn_flights w_flights;	/* (l) by time of arrival */
	sbintime_t w_free;		/* (l) the last bit has left */
	struct callout w_callout;
	struct lvn_tap w_watch, w_filter;
};

struct lvn_end {
	struct vnk_link *e_link;
	int e_number;
	struct ifnet *e_ifp;		/* NULL: the test's */
	bool e_gone;			/* (l) with its vnet */
	struct lvn_flights e_port;	/* (l) what waits for the test */
	u_int e_waiting;		/* (l) */
};

struct vnk_link {
	LIST_ENTRY(vnk_link) l_link;
	struct mtx l_lock;
	uint64_t l_random;		/* (l) */
	struct lvn_end l_end[2];
	struct lvn_wire l_wire[2];	/* from the end of that number */
	unsigned char *l_flat;		/* a frame in one piece, for taps */
};

void	lvn_wire_init(struct lvn_wire *, struct vnk_link *, int from);
void	lvn_wire_fini(struct lvn_wire *);
/* What is on the way is lost. */
void	lvn_wire_purge(struct lvn_wire *);
/*
 * A frame of its own, its IP header aligned as drivers have it; NULL where
 * there is no memory.
 */
struct mbuf *lvn_frame(const void *bytes, u_int len);
/* Takes the frame. */
void	lvn_wire_send(struct lvn_wire *, struct mbuf *);
void	lvn_flight_free(struct lvn_flight *);
/* A frame arrives; takes the flight. */
void	lvn_end_arrive(struct lvn_end *, struct lvn_flight *);

#endif /* LVN_LINK_H */
