/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; user memory that is fetched twice in one
 * request, and another thread that changes it in between.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <net/vnet.h>

#include "lvk_user.h"
#include <seam_user.h>

#define FETCH_MAX 256

static bool watching;
static struct fetch {
	uintptr_t f_start, f_end;
	vnh_uptr f_pc;
} fetches[FETCH_MAX];
static int nfetches;			/* the oldest give way */

static struct {
	char *at;			/* NULL: none pending */
	size_t n;
	char bytes[VNK_CHANGE_MAX];
} change;

/* The bytes of both, 0 where there are none. */
static size_t
overlap(const struct fetch *f, uintptr_t at, size_t len)
{
	uintptr_t start = MAX(f->f_start, at), end = MIN(f->f_end, at + len);

	return (start < end ? end - start : 0);
}

void
lvk_fetch_note(const char *what, uintptr_t at, size_t len, vnh_uptr pc)
{
	struct fetch *f;
	size_t n;

	if (!watching)
		return;
	for (int i = 0; i < MIN(nfetches, FETCH_MAX); i++) {
		n = overlap(&fetches[i], at, len);
		if (n == 0)
			continue;
		lvk_finding("doublefetch", what, vnk_vnet_number(curvnet),
		    NULL, 0, fetches[i].f_pc, "%s: %zu bytes of user memory "
		    "at %p are fetched again, and may have changed since the "
		    "first fetch", what, n,
		    (void *)MAX(fetches[i].f_start, at));
		return;
	}
	f = &fetches[nfetches++ % FETCH_MAX];
	f->f_start = at;
	f->f_end = at + len;
	f->f_pc = pc;
}

/* The kernel wrote there itself. */
void
lvk_fetch_forget(uintptr_t at, size_t len)
{
	for (int i = 0; watching && i < MIN(nfetches, FETCH_MAX); i++)
		if (overlap(&fetches[i], at, len) != 0)
			fetches[i].f_end = fetches[i].f_start;
}

void
lvk_user_fetched(const volatile void *base, size_t len)
{
	struct fetch f = { (uintptr_t)change.at,
	    (uintptr_t)change.at + change.n, 0 };

	if (change.at == NULL || overlap(&f, (uintptr_t)base, len) == 0)
		return;
	memcpy(change.at, change.bytes, change.n);
	change.at = NULL;
}

void
lvk_user_string(const void *base, size_t len, vnh_uptr pc)
{
	if (len > 0)
		lvk_fetch_note("copyinstr", (uintptr_t)base, len, pc);
	lvk_user_fetched(base, len);
}

/* ---- for the test */

void
vnk_user_watch(int on)
{
	watching = on != 0;
	nfetches = 0;
}

void
vnk_user_change(void *at, const void *bytes, vnh_size_t n)
{
	KASSERT(n <= VNK_CHANGE_MAX, ("vnk_user_change: too many bytes"));
	change.at = at;
	change.n = n;
	memcpy(change.bytes, bytes, n);
}
