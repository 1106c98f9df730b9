/* SPDX-License-Identifier: BSD-2-Clause */
/* A module with one of everything that the API reaches by name. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/libkern.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/sysctl.h>
#include <sys/syslog.h>
#include <net/vnet.h>

struct modstat {
	uint64_t first, second;
};
VNET_PCPUSTAT_DEFINE_STATIC(struct modstat, modstat);
VNET_PCPUSTAT_SYSINIT(modstat);
VNET_PCPUSTAT_SYSUNINIT(modstat);

VNET_DEFINE_STATIC(int, mod_int) = -3;
VNET_DEFINE_STATIC(u_int, mod_uint) = 4000000000U;
VNET_DEFINE_STATIC(uint8_t, mod_byte) = 200;
VNET_DEFINE_STATIC(int64_t, mod_wide) = -5000000000LL;
VNET_DEFINE_STATIC(char, mod_text[16]) = "text";
VNET_DEFINE_STATIC(counter_u64_t, mod_unallocated);
VNET_DEFINE_STATIC(struct callout, mod_tick);
VNET_DEFINE_STATIC(int, mod_ticks);
#define V_mod_tick VNET(mod_tick)
#define V_mod_ticks VNET(mod_ticks)

SYSCTL_NODE(_net_inet, OID_AUTO, mod, CTLFLAG_RW, 0, "test module");
#define MOD(kind, name, flags, var) \
	SYSCTL_##kind(_net_inet_mod, OID_AUTO, name, CTLFLAG_VNET | (flags), \
	    &VNET_NAME(var), 0, "test")
MOD(INT, int, CTLFLAG_RW, mod_int);
MOD(UINT, uint, CTLFLAG_RW, mod_uint);
MOD(U8, byte, CTLFLAG_RW, mod_byte);
MOD(S64, wide, CTLFLAG_RW, mod_wide);
MOD(INT, ticks, CTLFLAG_RD, mod_ticks);
SYSCTL_STRING(_net_inet_mod, OID_AUTO, text, CTLFLAG_VNET | CTLFLAG_RW,
    &VNET_NAME(mod_text), sizeof(VNET_NAME(mod_text)), "test");

/* Reading gives a random number, writing counts and logs the value. */
static int
sysctl_random(SYSCTL_HANDLER_ARGS)
{
	u_int value = arc4random();
	int error;

	error = sysctl_handle_int(oidp, &value, 0, req);
	if (error == 0 && req->newptr != NULL) {
		if (value == 0)
			return (EDOM);
		VNET_PCPUSTAT_ADD(struct modstat, modstat, second, value);
		log(LOG_NOTICE, "mod: value %u\nmod: done\n", value);
	}
	return (error);
}
SYSCTL_PROC(_net_inet_mod, OID_AUTO, random,
    CTLFLAG_VNET | CTLTYPE_UINT | CTLFLAG_RW, NULL, 0, sysctl_random, "IU",
    "test");

static void
mod_tock(void *arg)
{
	CURVNET_SET((struct vnet *)arg);
	V_mod_ticks++;
	callout_schedule(&V_mod_tick, hz);
	CURVNET_RESTORE();
}

static void
mod_init(void *unused __unused)
{
	callout_init(&V_mod_tick, 1);
	callout_reset(&V_mod_tick, hz, mod_tock, curvnet);
}
VNET_SYSINIT(mod_init, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, mod_init, NULL);

static void
mod_uninit(void *unused __unused)
{
	callout_drain(&V_mod_tick);
}
VNET_SYSUNINIT(mod_uninit, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, mod_uninit,
    NULL);

void	mod_lock(void);

/* For a thread that is not attached. */
static struct mtx mod_mtx;
MTX_SYSINIT(mod_mtx, &mod_mtx, "mod", MTX_DEF);

void
mod_lock(void)
{
	mtx_lock(&mod_mtx);
	mtx_unlock(&mod_mtx);
}
