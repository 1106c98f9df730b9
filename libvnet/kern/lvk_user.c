/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: page faults on user memory, and vm_fault_disable_pagefaults(9).
 * Fidelity: modelled
 * Differs: all of the process is user memory but the lowest 64 KiB, what a
 * test declares bad, and accesses that it lets fail.  An access that may not
 * sleep panics, whether or not the page is there.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#ifndef LIBVNET_BASE
#include <vm/vm.h>
#include <vm/vm_extern.h>
#endif

#include "lvk_user.h"

#define LOWEST 0x10000ul
#define BAD_MAX 32

static struct bad {
	uintptr_t b_start, b_end;	/* equal: unused */
} bad[BAD_MAX];
static u_int fail_after;		/* accesses; 0 never */

/* From where on [at, end) is bad; end where it is not. */
static uintptr_t
first_bad(uintptr_t at, uintptr_t end)
{
	uintptr_t first = end;

	if (at < LOWEST)
		return (at);
	for (int i = 0; i < BAD_MAX; i++)
		if (bad[i].b_start < first && bad[i].b_end > at)
			first = MAX(bad[i].b_start, at);
	return (first);
}

size_t
lvk_user_reach(const char *what, const volatile void *base, size_t len,
    bool write __unused)
{
	uintptr_t at = (uintptr_t)base;

	if (len == 0)
		return (0);
	if ((curthread->td_pflags & TDP_NOFAULTING) == 0)
		lvk_sleep_check(what);
	if (fail_after != 0 && --fail_after == 0)
		return (0);
	if (at + len < at)
		return (0);
	return (first_bad(at, at + len) - at);
}

int
vm_fault_disable_pagefaults(void)
{
	int save = curthread->td_pflags & (TDP_NOFAULTING | TDP_RESETSPUR);

	curthread->td_pflags |= TDP_NOFAULTING | TDP_RESETSPUR;
	return (save);
}

void
vm_fault_enable_pagefaults(int save)
{
	curthread->td_pflags = (curthread->td_pflags &
	    ~(TDP_NOFAULTING | TDP_RESETSPUR)) | save;
}
