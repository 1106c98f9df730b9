/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: time arithmetic and rate limits: timevaladd(9), ratecheck(9), of
 * FreeBSD's kern/kern_time.c.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/time.h>

static void
timevalfix(struct timeval *t)
{
	if (t->tv_usec < 0) {
		t->tv_sec--;
		t->tv_usec += 1000000;
	}
	if (t->tv_usec >= 1000000) {
		t->tv_sec++;
		t->tv_usec -= 1000000;
	}
}

void
timevaladd(struct timeval *t, const struct timeval *u)
{
	t->tv_sec += u->tv_sec;
	t->tv_usec += u->tv_usec;
	timevalfix(t);
}

void
timevalsub(struct timeval *t, const struct timeval *u)
{
	t->tv_sec -= u->tv_sec;
	t->tv_usec -= u->tv_usec;
	timevalfix(t);
}

/* The first event passes, however long the interval is. */
int
ratecheck(struct timeval *last, const struct timeval *min_interval)
{
	struct timeval now, since;

	getmicrouptime(&now);
	since = now;
	timevalsub(&since, last);
	if (timevalisset(last) && timevalcmp(&since, min_interval, <))
		return (0);
	*last = now;
	return (1);
}

/*
 * tv_sec holds ticks, for speed.  `max' below 0 means no limit, 0 that nothing
 * passes.
 */
int
eventratecheck(struct timeval *last, int *count, int max)
{
	int now = ticks;

	if (last->tv_sec == 0 ||
	    (u_int)(now - (int)last->tv_sec) >= (u_int)hz) {
		last->tv_sec = now;
		*count = 1;
		return (max != 0);
	}
	(*count)++;
	return (max < 0 || *count <= max);
}
