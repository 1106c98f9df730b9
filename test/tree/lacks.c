/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <net/vnet.h>
#include <netinet/in.h>
#if __FreeBSD_version >= 1400000
#include <netinet/ip6.h>
#include <netinet6/ip6_var.h>
#endif

#include <libvnet/sysctl.h>

#include "lacks.h"

bool
lacks_stack(struct vnet *v, const char *name)
{
	static char there[1024];
	size_t size = sizeof(there) - 1;

	if (libvnet_sysctl_read(v, "net.inet.tcp.functions_available", there,
	    &size, NULL) != 0)
		return (true);
	there[size] = '\0';
	return (strstr(there, name) == NULL);
}

bool
lacks_sctp6(void)
{
#if __FreeBSD_version >= 1400000
	if (ip6proto_register(IPPROTO_SCTP, rip6_input, NULL) == 0) {
		(void)ip6proto_unregister(IPPROTO_SCTP);
		return (true);
	}
#endif
	return (false);
}
