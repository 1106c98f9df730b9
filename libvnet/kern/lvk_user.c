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
#include <vm/vm.h>
#include <vm/vm_extern.h>

#include "lvk_user.h"
#include <seam_user.h>

#define LOWEST 0x10000ul
#define BAD_MAX 32

static struct bad {
	uintptr_t b_start, b_end;	/* equal: unused */
} bad[BAD_MAX];
static bool bad_any;
static uint64_t accesses, fail_at;	/* 0: none */

/* From where on [at, end) is bad; end where it is not. */
static uintptr_t
first_bad(uintptr_t at, uintptr_t end)
{
	uintptr_t first = end;

	if (at < LOWEST)
		return (at);
	for (int i = 0; bad_any && i < BAD_MAX; i++)
		if (bad[i].b_start < first && bad[i].b_end > at)
			first = MAX(bad[i].b_start, at);
	return (first);
}

size_t
lvk_user_reach(const char *what, const volatile void *base, size_t len,
    enum lvk_access access, vnh_uptr pc)
{
	uintptr_t at = (uintptr_t)base;
	size_t n;

	if (len == 0)
		return (0);
	if ((curthread->td_pflags & TDP_NOFAULTING) == 0)
		lvk_sleep_check(what);	/* for the page */
	if (++accesses == fail_at || at + len < at)
		return (0);
	n = first_bad(at, at + len) - at;
	if (access == LVK_FETCH && n > 0)
		lvk_fetch_note(what, at, n, pc);
	else if (access == LVK_STORE)
		lvk_fetch_forget(at, n);
	return (n);
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

/* ---- for the test */

int
vnk_user_bad(const void *start, vnh_size_t bytes)
{
	for (int i = 0; i < BAD_MAX; i++) {
		if (bad[i].b_start != bad[i].b_end)
			continue;
		bad[i].b_start = (uintptr_t)start;
		bad[i].b_end = (uintptr_t)start + bytes;
		bad_any = true;
		return (1);
	}
	return (0);
}

void
vnk_user_good(const void *start, vnh_size_t bytes)
{
	uintptr_t at = (uintptr_t)start;

	for (int i = 0; i < BAD_MAX; i++)
		if (start == NULL || (bad[i].b_start < at + bytes &&
		    bad[i].b_end > at))
			bad[i].b_start = bad[i].b_end = 0;
}

void
vnk_user_fail(vnh_u64 nth)
{
	accesses = 0;
	fail_at = nth;
}

vnh_u64
vnk_user_count(void)
{
	return (accesses);
}
