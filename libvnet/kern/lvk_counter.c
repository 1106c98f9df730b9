/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; the checks of machine/counter.h.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <seam_counter.h>

#include "lvk_heap.h"
#include "lvk_sched.h"

#ifdef INVARIANTS

__thread int lvk_counter_depth;

void
lvk_counter_outside(const char *what, const char *file, int line)
{
	lvk_finding("counter", NULL, -1, file, line, 0, "%s() outside of "
	    "counter_enter() and counter_exit(), at %s:%d: a machine that "
	    "needs a critical section there would lose counts", what, file,
	    line);
}

void
lvk_counter_sleeps(const char *what)
{
	lvk_finding("counter", NULL, -1, NULL, 0, LVK_PC, "%s: may sleep, "
	    "between counter_enter() and counter_exit(), which is a critical "
	    "section on other machines", what);
}

/* ---- gauges */

#define GAUGES_MAX 64

static struct gauge {
	uint64_t *g_counter;
	char g_name[32];
} gauges[GAUGES_MAX];
volatile u_int lvk_gauges;
static struct lvk_spin gauges_lock;

static int64_t
sum(uint64_t *c)
{
	uint64_t n = 0;
	u_int cpu;

	CPU_FOREACH(cpu)
		n += atomic_load_64(zpcpu_get_cpu(c, cpu));
	return ((int64_t)n);
}

/* With the lock held. */
static struct gauge *
find(const uint64_t *c)
{
	for (int i = 0; i < GAUGES_MAX; i++)
		if (gauges[i].g_counter == c)
			return (&gauges[i]);
	return (NULL);
}

/* While others add, a sum is that of no moment: then nothing can be said. */
void
lvk_gauge_check(uint64_t *c)
{
	char name[sizeof(gauges[0].g_name)] = "";
	const struct gauge *g;
	int64_t n;

	if (lvk_carrier == VNH_HOST)
		return;
	lvk_spin_lock(&gauges_lock);
	g = find(c);
	if (g != NULL)
		strlcpy(name, g->g_name, sizeof(name));
	lvk_spin_unlock(&gauges_lock);
	if (g == NULL || (n = sum(c)) >= 0)
		return;
	lvk_finding("gauge", name, -1, NULL, 0, LVK_PC, "gauge \"%s\" went "
	    "below zero: it is %jd", name, (intmax_t)n);
}

void
lvk_gauge_gone(const void *item)
{
	struct gauge *g;

	lvk_spin_lock(&gauges_lock);
	g = find(item);
	if (g != NULL) {
		g->g_counter = NULL;
		atomic_subtract_int(&lvk_gauges, 1);
	}
	lvk_spin_unlock(&gauges_lock);
}

int
vnk_gauge_add(void *counter, const char *name)
{
	struct gauge *g;

	lvk_spin_lock(&gauges_lock);
	g = find(counter);
	if (g == NULL) {
		g = find(NULL);
		if (g != NULL)
			atomic_add_int(&lvk_gauges, 1);
	}
	if (g != NULL) {
		g->g_counter = counter;
		strlcpy(g->g_name, name, sizeof(g->g_name));
	}
	lvk_spin_unlock(&gauges_lock);
	return (g != NULL ? 0 : -1);
}

int
vnk_gauge_remove(void *counter)
{
	bool was;

	lvk_spin_lock(&gauges_lock);
	was = find(counter) != NULL;
	lvk_spin_unlock(&gauges_lock);
	lvk_gauge_gone(counter);
	return (was ? 0 : -1);
}

#else

int vnk_gauge_add(void *counter __unused, const char *name __unused)
{ return (0); }
int vnk_gauge_remove(void *counter __unused) { return (0); }

#endif

/* ---- for host world */

#define STRING_(form) #form
#define STRING(form) STRING_(form)

const char *
vnk_counter_form(void)
{
	return (STRING(LIBVNET_COUNTER));
}
