/* SPDX-License-Identifier: BSD-2-Clause */
/* The explorer itself is in programs of a build with LIBVNET_EXPLORE only. */
#include <stdlib.h>

#include "api.h"
#include "coroutine.h"

int	xp_explore(const struct libvnet_explore *,
	    struct libvnet_explore_result *) __attribute__((weak));

static int
threads_check(const struct libvnet_explore *w)
{
	int n = 0, any = 0;

	while (n < LIBVNET_EXPLORE_THREADS && w->threads[n].fn != NULL)
		n++;
	for (int i = 0; i < LIBVNET_EXPLORE_THREADS; i++)
		any |= w->threads[i].fn != NULL;
	if (!any)
		return (api_fail(LIBVNET_EINVAL, "libvnet_explore: there are "
		    "no threads; give threads[0].fn"));
	for (int i = n; i < LIBVNET_EXPLORE_THREADS; i++)
		if (w->threads[i].fn != NULL)
			return (api_fail(LIBVNET_EINVAL, "libvnet_explore: "
			    "threads[%d] has no fn, but threads[%d] has; leave "
			    "no gap", n, i));
	for (int i = 0; i < n; i++)
		if (w->threads[i].cpu < 0 ||
		    w->threads[i].cpu >= LIBVNET_EXPLORE_CPUS)
			return (api_fail(LIBVNET_EINVAL, "libvnet_explore: "
			    "threads[%d] is for CPU %d; give 0 to %d", i,
			    w->threads[i].cpu, LIBVNET_EXPLORE_CPUS - 1));
	return (0);
}

static int
range(const char *what, long value, long least, long most)
{
	if (value >= least && value <= most)
		return (0);
	return (api_fail(LIBVNET_EINVAL, "libvnet_explore: %s is %ld; give %ld "
	    "to %ld", what, value, least, most));
}

static int
check(const struct libvnet_explore *w)
{
	int error = threads_check(w);

	if (error != 0)
		return (error);
	if (w->check == NULL)
		return (api_fail(LIBVNET_EINVAL, "libvnet_explore: check is "
		    "NULL; give a function that says whether a schedule ended "
		    "well"));
	if (w->setup_restores && w->setup == NULL)
		return (api_fail(LIBVNET_EINVAL, "libvnet_explore: "
		    "setup_restores, but there is no setup"));
	if ((error = range("strategy", (long)w->strategy, LIBVNET_RANDOM,
	    LIBVNET_ROUND_ROBIN)) != 0 ||
	    (error = range("races", (long)w->races, LIBVNET_RACES_FAIL,
	    LIBVNET_RACES_OFF)) != 0 ||
	    (error = range("depth", w->depth, 0, 32)) != 0 ||
	    (error = range("preemptions", w->preemptions, -1, 1000)) != 0 ||
	    (error = range("events", w->events, -1, 1000000)) != 0 ||
	    (error = range("steps", (long)w->steps, 0, 1000000000)) != 0 ||
	    (error = range("quantum", (long)w->quantum, 0, 1000000000)) != 0)
		return (error);
	return (0);
}

static void
defaults(struct libvnet_explore *w)
{
	if (w->schedules == 0)
		w->schedules = 10000;
	if (w->depth == 0)
		w->depth = 3;
	if (w->preemptions == 0)
		w->preemptions = 2;
	if (w->quantum == 0)
		w->quantum = 10;
	if (w->steps == 0)
		w->steps = 100000;
	w->events = w->events == 0 ? 4 : w->events < 0 ? 0 : w->events;
	if (w->seed == 0)
		w->seed = host_random_seed_get();
	if (w->token == NULL && getenv("LIBVNET_SCHEDULE") != NULL &&
	    *getenv("LIBVNET_SCHEDULE") != '\0')
		w->token = getenv("LIBVNET_SCHEDULE");
}

int
libvnet_explore(const struct libvnet_explore *what,
    struct libvnet_explore_result *result)
{
	struct libvnet_explore_result mine, *r = result ? result : &mine;
	struct libvnet_explore w;
	int error = api_ready("libvnet_explore");

	if (error == 0 && what == NULL)
		error = api_fail(LIBVNET_EINVAL, "libvnet_explore: say what, "
		    "not NULL");
	if (error == 0)
		error = check(what);
	if (error != 0)
		return (error);
	if (xp_explore == NULL)
		return (api_fail(LIBVNET_ENOTSUP, "libvnet_explore: this "
		    "program sees no accesses; build it with "
		    "-DLIBVNET_EXPLORE=tsan (preset explore) or =coverage"));
	if (host_co_carrier != VNH_COROUTINE)
		return (api_fail(LIBVNET_ENOTSUP, "libvnet_explore: kernel "
		    "threads are host threads; boot with "
		    "LIBVNET_THREADS_COROUTINE"));
	if (!host_home_here() || !vnk_thread_main())
		return (api_fail(LIBVNET_EBUSY, "libvnet_explore: called from "
		    "a kernel thread or an interrupt; call it from the test's "
		    "own flow"));
	w = *what;
	defaults(&w);
	return (xp_explore(&w, r));
}
