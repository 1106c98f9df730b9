/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what netstat -s asks of the kernel: the protocols' stats sysctls.
 * Fidelity: exact
 * Differs: --
 */
#include "opt_inet.h"
#include "opt_inet6.h"
#include "opt_sctp.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <sys/sysctl.h>
#include <net/if.h>
#include <net/if_var.h>
#include <net/vnet.h>
#include <netinet/in.h>
#include <netinet/in_systm.h>
#include <netinet/ip.h>
#include <netinet/in_pcb.h>
#include <netinet/ip_icmp.h>
#include <netinet/ip_var.h>
#include <netinet/igmp.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#ifdef SCTP
#include <netinet/sctp.h>
#endif
#ifdef INET6
#include <netinet/ip6.h>
#endif

#include <seam_show.h>
#include "lvn.h"

struct lvn_field {
	const char *name;
	u_int offset, size, elements;	/* 0 elements: no array */
};
struct lvn_protocol {
	const char *name, *sysctl;
	size_t size;
	const struct lvn_field *fields;
	u_int count;
};
#define LVN_FIELD(tag, field, name) { name,				\
	offsetof(struct tag, field),					\
	sizeof(((struct tag *)NULL)->field), 0 }
#define LVN_ARRAY(tag, field, name) { name,				\
	offsetof(struct tag, field),					\
	sizeof(((struct tag *)NULL)->field[0]),				\
	nitems(((struct tag *)NULL)->field) }

#include "lvn_statistics.h"		/* made by statistics.awk */

static vnh_u64
value(const char *p, u_int size)
{
	switch (size) {
	case 2:
		return (*(const uint16_t *)p);
	case 4:
		return (*(const uint32_t *)p);
	default:
		return (*(const uint64_t *)p);
	}
}

static void
each(const struct lvn_protocol *p, const char *stats,
    void (*fn)(void *, const struct vnk_counter *), void *arg)
{
	struct vnk_counter c = { .protocol = p->name };
	const struct lvn_field *f;

	for (f = p->fields; f < p->fields + p->count; f++) {
		c.name = f->name;
		for (u_int i = 0; i < MAX(f->elements, 1); i++) {
			c.index = f->elements != 0 ? (int)i : -1;
			c.value = value(stats + f->offset + i * f->size,
			    f->size);
			fn(arg, &c);
		}
	}
}

int
vnk_counter_each(void (*fn)(void *, const struct vnk_counter *), void *arg)
{
	const struct lvn_protocol *p;
	char *buf;
	size_t len;
	int error;

	for (p = lvn_protocols; p < lvn_protocols + nitems(lvn_protocols); p++) {
		error = lvn_sysctl(p->sysctl, &buf, &len);
		if (error == ENOENT)	/* not compiled in */
			continue;
		if (error != 0)
			return (error);
		if (len >= p->size)
			each(p, buf, fn, arg);
		lvn_dump_free(buf);
	}
	return (0);
}
