/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: counter(9), FreeBSD's kern/subr_counter.c.
 * Fidelity: exact
 * Differs: a NULL counter panics with what to do.
 *
 * Adding is inline (machine/counter.h).  A sum is taken while other CPUs add,
 * so it is some value the counter had or passed by, and reading two counters
 * says nothing about one moment.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sysctl.h>
#include <vm/uma.h>

#define IN_SUBR_COUNTER_C
#include <sys/counter.h>

#undef malloc

#define CHECK(c, what) \
	KASSERT((c) != NULL, ("%s: counter is NULL; allocate it with " \
	    "counter_u64_alloc() before use", what))

counter_u64_t
counter_u64_alloc(int flags)
{
	return (uma_zalloc_pcpu(pcpu_zone_8, flags | M_ZERO));
}

void
counter_u64_free(counter_u64_t c)
{
	uma_zfree_pcpu(pcpu_zone_8, c);
}

void
counter_u64_zero(counter_u64_t c)
{
	CHECK(c, __func__);
	counter_u64_zero_inline(c);
}

uint64_t
counter_u64_fetch(counter_u64_t c)
{
	CHECK(c, __func__);
	return (counter_u64_fetch_inline(c));
}

void
counter_u64_sysinit(void *arg)
{
	counter_u64_t *cp = arg;

	*cp = counter_u64_alloc(M_WAITOK);
}

void
counter_u64_sysuninit(void *arg)
{
	counter_u64_t *cp = arg;

	counter_u64_free(*cp);
}

/* ---- sysctl: any write zeroes */

int
sysctl_handle_counter_u64(SYSCTL_HANDLER_ARGS)
{
	counter_u64_t *cp = arg1;
	uint64_t sum = counter_u64_fetch(*cp);
	int error;

	error = SYSCTL_OUT(req, &sum, sizeof(sum));
	if (error == 0 && req->newptr != NULL)
		counter_u64_zero(*cp);
	return (error);
}

int
sysctl_handle_counter_u64_array(SYSCTL_HANDLER_ARGS)
{
	counter_u64_t *array = arg1;
	size_t n = (size_t)arg2;
	uint64_t *sums;
	int error;

	sums = malloc(n * sizeof(*sums), M_TEMP, M_WAITOK);
	COUNTER_ARRAY_COPY(array, sums, n);
	error = SYSCTL_OUT(req, sums, n * sizeof(*sums));
	free(sums, M_TEMP);
	if (error == 0 && req->newptr != NULL)
		COUNTER_ARRAY_ZERO(array, n);
	return (error);
}

/* ---- rate limits */

/*
 * A new second begins, for the one that gets the lock.  True where another
 * has it: it may be zeroing the counter just now, so the caller keeps off.
 */
static bool
new_second(struct counter_rate *cr, int64_t limit, int now, int64_t *events)
{
	if (cr->cr_lock != 0 || !atomic_cmpset_acq_int(
	    (volatile u_int *)&cr->cr_lock, 0, 1))
		return (true);
	if ((u_int)(now - cr->cr_ticks) >= (u_int)hz) {
		*events = (int64_t)counter_u64_fetch(cr->cr_rate);
		counter_u64_zero(cr->cr_rate);
		cr->cr_over = 0;
		cr->cr_ticks = now;
		if (*events <= limit)
			*events = 0;
	}
	atomic_store_rel_int((volatile u_int *)&cr->cr_lock, 0);
	return (false);
}

/*
 * May one more event of this second pass?  0 yes, -1 no, positive yes and it
 * is the first after a second that saw that many, more than the limit.
 */
int64_t
counter_ratecheck(struct counter_rate *cr, int64_t limit)
{
	int64_t val = cr->cr_over;
	int now = ticks;

	if ((u_int)(now - cr->cr_ticks) >= (u_int)hz &&
	    new_second(cr, limit, now, &val))
		return (val);
	counter_u64_add(cr->cr_rate, 1);
	if (cr->cr_over != 0)
		return (-1);
	if ((int64_t)counter_u64_fetch(cr->cr_rate) > limit)
		val = cr->cr_over = -1;
	return (val);
}
