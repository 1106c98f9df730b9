/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: critical_enter(9), spinlock_enter.
 * Fidelity: exact
 * Differs: what would preempt where a section ends does so where it could
 * have: see lvk_point.h.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include "lvk_explore.h"
#include "lvk_point.h"

#undef critical_enter
#undef critical_exit

void critical_enter_KBI(void);
void critical_exit_KBI(void);

void
critical_enter_KBI(void)
{
	if (curthread->td_critnest == 0)
		LVK_EVENT(VNH_EV_CRITICAL_ENTER, curthread);
	curthread->td_critnest++;
}

void
critical_exit_KBI(void)
{
	KASSERT(curthread->td_critnest > 0,
	    ("critical_exit: not in a critical section"));
	if (--curthread->td_critnest == 0) {
		LVK_EVENT(VNH_EV_CRITICAL_EXIT, curthread);
		lvk_point();
	}
}

#ifdef LIBVNET_BASE
void
critical_enter(void)
{
	critical_enter_KBI();
}

void
critical_exit(void)
{
	critical_exit_KBI();
}
#endif

void
spinlock_enter(void)
{
	curthread->td_md.md_spinlock_count++;
	critical_enter_KBI();
}

void
spinlock_exit(void)
{
	KASSERT(curthread->td_md.md_spinlock_count > 0,
	    ("spinlock_exit: without spinlock_enter"));
	curthread->td_md.md_spinlock_count--;
	critical_exit_KBI();
}
