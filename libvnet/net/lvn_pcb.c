/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what netstat -an asks of the kernel: the pcblist sysctls.
 * Fidelity: exact
 * Differs: of local sockets nothing is told.
 */
#include "opt_inet.h"
#include "opt_inet6.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <net/if.h>
#include <net/if_var.h>
#include <net/vnet.h>
#include <netinet/in.h>
#include <netinet/in_systm.h>
#include <netinet/ip.h>
#include <netinet/in_pcb.h>
#include <netinet/tcp_fsm.h>
#include <netinet/tcp_var.h>

#include <seam_show.h>
#include "lvn.h"
#include "lvn_pcb.h"

static const char *
state_name(int state)
{
	static const char *const names[TCP_NSTATES] = {
		[TCPS_CLOSED] = "CLOSED", [TCPS_LISTEN] = "LISTEN",
		[TCPS_SYN_SENT] = "SYN_SENT",
		[TCPS_SYN_RECEIVED] = "SYN_RCVD",
		[TCPS_ESTABLISHED] = "ESTABLISHED",
		[TCPS_CLOSE_WAIT] = "CLOSE_WAIT",
		[TCPS_FIN_WAIT_1] = "FIN_WAIT_1", [TCPS_CLOSING] = "CLOSING",
		[TCPS_LAST_ACK] = "LAST_ACK",
		[TCPS_FIN_WAIT_2] = "FIN_WAIT_2",
		[TCPS_TIME_WAIT] = "TIME_WAIT",
	};

	return (state < 0 || state >= TCP_NSTATES ? "" : names[state]);
}

static void
endpoint(struct vnk_endpoint *e, bool six, const void *address, u_short port)
{
	static const struct in6_addr any;
	union lvn_addr u;

	memset(e, 0, sizeof(*e));
	e->port = ntohs(port);
	if (memcmp(address, &any, six ? sizeof(any) : 4) == 0)
		return;
	memset(&u, 0, sizeof(u));
	if (six) {
		struct sockaddr_in6 *sin6 = (struct sockaddr_in6 *)&u;

		sin6->sin6_len = sizeof(*sin6);
		sin6->sin6_family = AF_INET6;
		memcpy(&sin6->sin6_addr, address, sizeof(sin6->sin6_addr));
	} else {
		struct sockaddr_in *sin = (struct sockaddr_in *)&u;

		sin->sin_len = sizeof(*sin);
		sin->sin_family = AF_INET;
		memcpy(&sin->sin_addr, address, sizeof(sin->sin_addr));
	}
	lvn_ip(&e->ip, (const struct sockaddr *)&u, NULL);
}

static void
socket_of(struct vnk_socket *s, const struct xinpcb *x)
{
	const struct in_conninfo *inc = &x->inp_inc;
	bool six = (x->inp_vflag & INP_IPV6) != 0;

	s->four = (x->inp_vflag & INP_IPV4) != 0;
	s->six = six;
	endpoint(&s->local, six, six ? (const void *)&inc->inc6_laddr :
	    &inc->inc_laddr, inc->inc_lport);
	endpoint(&s->foreign, six, six ? (const void *)&inc->inc6_faddr :
	    &inc->inc_faddr, inc->inc_fport);
	s->received = x->xi_socket.so_rcv.sb_cc;
	s->unsent = x->xi_socket.so_snd.sb_cc;
	s->state = "";
}

/* Between two struct xinpgen there is one of these for each; all have a length. */
static int
each(const char *protocol, const char *sysctl,
    void (*fn)(void *, const struct vnk_socket *), void *arg)
{
	bool tcp = strcmp(protocol, "tcp") == 0;
	struct vnk_socket s = { .protocol = protocol };
	size_t len, size;
	char *buf, *p;
	int error;

	error = lvn_sysctl(sysctl, &buf, &len);
	if (error == ENOENT)		/* not compiled in */
		return (0);
	if (error != 0)
		return (error);
	for (p = buf; p + sizeof(ksize_t) <= buf + len; p += size) {
		size = (size_t)*(const ksize_t *)p;
		if (size == 0)
			break;
		if (size == sizeof(struct xinpgen))
			continue;
		if (tcp) {
			socket_of(&s, &((const struct xtcpcb *)p)->xt_inp);
			s.state = state_name(((const struct xtcpcb *)p)->t_state);
		} else
			socket_of(&s, (const struct xinpcb *)p);
		fn(arg, &s);
	}
	lvn_dump_free(buf);
	return (0);
}

int
vnk_socket_each(void (*fn)(void *, const struct vnk_socket *), void *arg)
{
	int error = each("tcp", "net.inet.tcp.pcblist", fn, arg);

	if (error == 0)
		error = each("udp", "net.inet.udp.pcblist", fn, arg);
	if (error == 0)
		error = each("raw", "net.inet.raw.pcblist", fn, arg);
	if (error == 0)
		error = lvn_pcb_sctp(fn, arg);
	return (error);
}
