/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: critical_enter(9), spinlock_enter.
 * Fidelity: modelled
 * Differs: nothing preempts, so only the nesting is kept; it is what forbids
 * sleeping.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include <lvk.h>

#undef critical_enter
#undef critical_exit

void critical_enter_KBI(void);
void critical_exit_KBI(void);

void
critical_enter_KBI(void)
{
	curthread->td_critnest++;
}

void
critical_exit_KBI(void)
{
	KASSERT(curthread->td_critnest > 0,
	    ("critical_exit: not in a critical section"));
	curthread->td_critnest--;
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
	critical_enter_KBI();
}

void
spinlock_exit(void)
{
	critical_exit_KBI();
}
