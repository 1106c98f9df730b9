/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; the calls that host world makes.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/jail.h>
#include <sys/ucred.h>
#include <sys/counter.h>
#include <net/vnet.h>

#include <lvk.h>
#include "lvk_boot.h"

int
vnk_seam_version(void)
{
	return (VNH_SEAM_VERSION);
}

int
vnk_version(void)
{
	return (__FreeBSD_version);
}

/*
 * Boot code that keeps something for ever does so for the machine, not for
 * vnet0, though vnet0 is current: only its constructors own for it.
 */
void
vnk_boot(const struct vnk_boot *args)
{
	lvk_region_init();
	lvk_cpus_init(args->cpus != 0 ? args->cpus : 1, args->late_cpus);
	lvk_threads_init(args->carrier);
	lvk_uma_init();
	lvk_kenv_init(args->kenv);
	lvk_param_init(args->hz);
	lvk_clock_init();
	vnk_epoch_when(args->epoch_when, args->epoch_ticks);
	lvk_owner_none_enter();
	lvk_mi_startup();
	lvk_owner_none_exit();
	cold = 0;
	curthread->td_ucred = proc0.p_ucred;
}

void
vnk_shutdown(void)
{
#ifdef VIMAGE
	lvk_vnet_shutdown();
#else
	lvk_sysuninit();
	lvk_epoch_flush();
#endif
}

int
vnk_checks(void)
{
#ifdef INVARIANTS
	return (1);
#else
	return (0);
#endif
}

int
vnk_cpu(void)
{
	return (lvk_curpcpu != NULL ? (int)curcpu : -1);
}

vnh_u64
vnk_counter_fetch(void *counter)
{
	return (counter_u64_fetch(counter));
}

#ifdef VIMAGE

int
vnk_vimage(void)
{
	return (1);
}

struct vnet *
vnk_vnet_create(void)
{
	return (vnet_alloc());
}

void
vnk_vnet_destroy(struct vnet *v)
{
	lvk_prison_wait(v);
	vnet_destroy(v);
}

int
vnk_vnet_alive(const struct vnet *v)
{
	struct vnet *i;

	VNET_FOREACH(i)
		if (i == v)
			return (1);
	return (0);
}

int
vnk_vnet_number(const struct vnet *v)
{
	return (v == NULL ? -1 : v->vnet_number);
}

int
vnk_vnet_count(void)
{
	struct vnet *i;
	int n = 0;

	VNET_FOREACH(i)
		n++;
	return (n);
}

struct vnet *
vnk_vnet_default(void)
{
	return (vnet0);
}

struct vnet *
vnk_vnet_current(void)
{
	return (curthread != NULL ? curvnet : NULL);
}

struct vnet *
vnk_vnet_switch(struct vnet *v)
{
	struct vnet *old = curvnet;

	curvnet = v;
	curthread->td_ucred = v != NULL ? v->vnet_cred : proc0.p_ucred;
	return (old);
}

void *
vnk_vnet_variable(const struct vnet *v, vnh_uptr offset)
{
	return ((void *)(v->vnet_data_base + VNET_START + offset));
}

#else /* !VIMAGE */

int vnk_vimage(void) { return (0); }
struct vnet *vnk_vnet_create(void) { return (NULL); }
void vnk_vnet_destroy(struct vnet *v __unused) { }
int vnk_vnet_alive(const struct vnet *v __unused) { return (0); }
int vnk_vnet_number(const struct vnet *v __unused) { return (-1); }
int vnk_vnet_count(void) { return (0); }
struct vnet *vnk_vnet_default(void) { return (NULL); }
struct vnet *vnk_vnet_current(void) { return (NULL); }
struct vnet *vnk_vnet_switch(struct vnet *v __unused) { return (NULL); }

void *
vnk_vnet_variable(const struct vnet *v __unused, vnh_uptr off __unused)
{
	return (NULL);
}

#endif /* VIMAGE */
