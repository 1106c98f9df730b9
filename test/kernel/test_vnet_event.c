/* SPDX-License-Identifier: BSD-2-Clause */
/* VNET_GLOBAL_EVENTHANDLER_REGISTER: one registration, a call in each vnet. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/eventhandler.h>
#include <sys/kernel.h>
#include <net/vnet.h>

#include <libvnet/test.h>

typedef void (*ping_fn)(void *);
EVENTHANDLER_DECLARE(ping, ping_fn);
EVENTHANDLER_DECLARE(pong, ping_fn);

VNET_DEFINE_STATIC(int, pings);
#define V_pings VNET(pings)
static eventhandler_tag pong_tag;

static void
ping(void *arg)
{
	V_pings += *(int *)arg;
}
static int by = 3;

static void
register_handlers(void *unused __unused)
{
	VNET_GLOBAL_EVENTHANDLER_REGISTER(ping, ping, &by,
	    EVENTHANDLER_PRI_ANY);
	VNET_GLOBAL_EVENTHANDLER_REGISTER_TAG(pong_tag, pong, ping, &by,
	    EVENTHANDLER_PRI_ANY);
}
VNET_SYSINIT(register_handlers, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY,
    register_handlers, NULL);

LIBVNET_TEST_VNETS(event_reaches_every_vnet_once, a, b)
{
	EVENTHANDLER_INVOKE(ping);
	LIBVNET_IN(a)
		assert_int_equal(V_pings, 3);
	LIBVNET_IN(b)
		assert_int_equal(V_pings, 3);
	LIBVNET_IN(vnet0)
		assert_int_equal(V_pings, 3);
	assert_null(curvnet);
}

LIBVNET_TEST_VNETS(deregistered_handler_is_not_called, a, b)
{
	assert_non_null(pong_tag);
	EVENTHANDLER_DEREGISTER(pong, pong_tag);
	EVENTHANDLER_INVOKE(pong);
	LIBVNET_IN(a)
		assert_int_equal(V_pings, 0);
}
