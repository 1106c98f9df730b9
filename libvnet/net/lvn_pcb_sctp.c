/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what netstat -an asks of SCTP: sysctl net.inet.sctp.assoclist.
 * Fidelity: exact
 * Differs: of an endpoint's addresses, and of a peer's, the first is told.
 */
#include "opt_inet.h"
#include "opt_inet6.h"
#include "opt_sctp.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <net/if.h>
#include <net/if_var.h>
#include <net/vnet.h>
#include <netinet/in.h>

#include <seam_show.h>
#include "lvn.h"
#include "lvn_pcb.h"

#ifdef SCTP
#include <netinet/sctp.h>
#include <netinet/sctp_uio.h>

/*
 * Endpoints; behind each its addresses, then its associations, and behind
 * each of those its own addresses and the peer's.  Of each kind the last one
 * says that it is, and is none.
 */
struct walk {
	const char *p, *end;
	void (*fn)(void *, const struct vnk_socket *);
	void *arg;
	struct vnk_socket s;
};

/* They lie there unaligned. */
static bool
next(struct walk *w, void *out, size_t size)
{
	if ((size_t)(w->end - w->p) < size) {
		w->p = w->end;		/* cut off */
		return (false);
	}
	memcpy(out, w->p, size);
	w->p += size;
	return (true);
}

/* The first of a list, into `e' unless that is NULL. */
static void
addresses(struct walk *w, struct vnk_endpoint *e)
{
	struct xsctp_laddr a;

	for (; next(w, &a, sizeof(a)) && a.last == 0; e = NULL)
		if (e != NULL)
			lvn_ip(&e->ip, &a.address.sa, NULL);
}

static const char *
state_name(uint32_t state)
{
	switch (state) {
	case SCTP_CLOSED:
		return ("CLOSED");
	case SCTP_BOUND:
		return ("BOUND");
	case SCTP_LISTEN:
		return ("LISTEN");
	case SCTP_COOKIE_WAIT:
		return ("COOKIE_WAIT");
	case SCTP_COOKIE_ECHOED:
		return ("COOKIE_ECHOED");
	case SCTP_ESTABLISHED:
		return ("ESTABLISHED");
	case SCTP_SHUTDOWN_SENT:
		return ("SHUTDOWN_SENT");
	case SCTP_SHUTDOWN_RECEIVED:
		return ("SHUTDOWN_RECEIVED");
	case SCTP_SHUTDOWN_ACK_SENT:
		return ("SHUTDOWN_ACK_SENT");
	case SCTP_SHUTDOWN_PENDING:
		return ("SHUTDOWN_PENDING");
	default:
		return ("");
	}
}

static void
families(struct vnk_socket *s, const struct xsctp_inpcb *x)
{
	s->six = (x->flags & SCTP_PCB_FLAGS_BOUND_V6) != 0;
	s->four = !s->six;
}

static void
association(struct walk *w, const struct xsctp_tcb *t)
{
	struct xsctp_raddr r;
	struct vnk_socket s = w->s;

	memset(&s.local, 0, sizeof(s.local));
	s.local.port = t->local_port;
	addresses(w, &s.local);
	lvn_ip(&s.foreign.ip, &t->primary_addr.sa, NULL);
	s.foreign.port = t->remote_port;
	s.six = s.foreign.ip.family == 6;
	s.four = !s.six;
	s.state = state_name(t->state);
	while (next(w, &r, sizeof(r)) && r.last == 0)
		;
	w->fn(w->arg, &s);
}

static void
endpoint(struct walk *w, const struct xsctp_inpcb *x)
{
	bool any = (x->flags & SCTP_PCB_FLAGS_BOUNDALL) != 0;
	struct xsctp_tcb t;

	memset(&w->s, 0, sizeof(w->s));
	w->s.protocol = "sctp";
	w->s.local.port = x->local_port;
	families(&w->s, x);
	addresses(w, any ? NULL : &w->s.local);
	w->s.state = x->maxqlen > 0 ? "LISTEN" : "CLOSED";
	w->fn(w->arg, &w->s);
	while (next(w, &t, sizeof(t)) && t.last == 0)
		association(w, &t);
}

/*
 * A fault of the tree's: of an endpoint that is just being freed it keeps the
 * lock, which is a finding where one is caught so.
 */
int
lvn_pcb_sctp(void (*fn)(void *, const struct vnk_socket *), void *arg)
{
	struct xsctp_inpcb x;
	struct walk w = { .fn = fn, .arg = arg };
	char *buf;
	size_t len;
	int error;

	error = lvn_sysctl("net.inet.sctp.assoclist", &buf, &len);
	if (error == ENOENT)		/* the part is not linked */
		return (0);
	if (error != 0)
		return (error);
	w.p = buf;
	w.end = buf + len;
	while (next(&w, &x, sizeof(x)) && x.last == 0)
		endpoint(&w, &x);
	lvn_dump_free(buf);
	return (0);
}
#else
int
lvn_pcb_sctp(void (*fn)(void *, const struct vnk_socket *) __unused,
    void *arg __unused)
{
	return (0);
}
#endif
