/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One schedule, from a world put back to the verdict; and the search.
 *
 * What ends a schedule early (a panic, a failed assertion) comes back here on
 * the test's own stack by a longjmp; the threads are left where they were,
 * and the world is put back before anybody else runs.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../api/api.h"
#include "coroutine.h"
#include "finding.h"
#include "xp.h"

struct xp x;		/* here: it brings this file into the program */
static struct vnk_explorer_thread jobs[VNX_THREADS];
static char names[LIBVNET_EXPLORE_THREADS][20];
static struct libvnet_snapshot *before, *world;
static bool dirty;		/* setup() is not enough to put it back */
static bool busy;

/* ---- what ends a schedule */

static void
leave(void *arg)
{
	(void)arg;
	xp_on = 0;
	longjmp(x.out, 1);
}

static void
panicked(const char *message)
{
	xp_stop(XP_PANIC, "panic: %s", message);
	leave(NULL);
}

static void
found(const struct vnh_finding *f)
{
	xp_stop(XP_FINDING, "%s: %s", f->kind, f->message);
}

static void
assertion(const char *file, int line)
{
	xp_stop(XP_ASSERT, "assertion failed at %s:%d", file, line);
	host_home_call(leave, NULL);
	abort();
}

static const struct host_probe probe = { found, assertion };

/* ---- a schedule */

static void
threads_and_check(void)
{
	const struct libvnet_explore *o = x.o;

	if (o->setup != NULL)
		o->setup(o->arg);
	if (x.verdict != XP_RUNNING)
		return;
	vnk_explorer_begin(jobs, x.ntest);
	xp_on = 1;
	vnk_explorer_go();
	xp_on = 0;
	if (x.verdict != XP_OK)
		return;
	x.verdict = XP_RUNNING;
	x.cur = XP_NONE;
	if (!o->check(o->arg))
		xp_stop(XP_CHECK, "the check failed");
	if (x.verdict == XP_RUNNING)
		x.verdict = XP_OK;
}

static void
world_restore(void)
{
	if (x.o->setup_restores && !dirty)
		return;
	if (world != NULL)
		(void)api_snapshot_restore(world);
	dirty = false;
}

enum xp_verdict
xp_run(void)
{
	host_panic_fn *catcher;

	world_restore();
	xp_schedule_reset();
	xp_race_reset();
	xp_trace_reset();
	catcher = host_panic_catch(panicked);
	host_probe_set(&probe);
	if (setjmp(x.out) == 0)
		threads_and_check();
	xp_on = 0;
	if (x.verdict == XP_OK && x.o->setup_restores && setjmp(x.out) == 0)
		vnk_explorer_end();
	host_probe_set(NULL);
	(void)host_panic_catch(catcher);
	if (x.verdict != XP_OK)
		dirty = true;
	x.sched.hash = x.hash;
	if (x.step > x.steps_max)
		x.steps_max = x.step;
	return (x.verdict);
}

void
xp_schedule_copy(struct xp_schedule *to, const struct xp_schedule *from)
{
	if (to->room < from->n) {
		to->room = from->n;
		to->dev = realloc(to->dev, to->room * sizeof(*to->dev));
		if (to->dev == NULL)
			abort();
	}
	if (from->n != 0)
		memcpy(to->dev, from->dev, from->n * sizeof(*to->dev));
	to->n = from->n;
	to->hash = from->hash;
}

enum xp_verdict
xp_replay_run(const struct xp_schedule *s)
{
	x.strategy = &xp_replay;
	xp_replay_set(s);
	(void)xp_replay.begin();
	(void)xp_run();
	if (x.verdict == XP_RACE || x.verdict == XP_PERCPU)
		xp_race_describe(x.message, sizeof(x.message));
	return (x.verdict);
}

/* ---- the search */

/* Once more: is every step as before? */
static bool
same_twice(void)
{
	static struct xp_schedule first;
	const struct xp_strategy *strategy = x.strategy;
	uint64_t random = x.random;
	bool same;

	xp_schedule_copy(&first, &x.sched);
	xp_twice_second();
	(void)xp_replay_run(&first);
	same = xp_twice_same();
	x.strategy = strategy;
	x.random = random;
	if (!same)
		xp_twice_describe(x.message, sizeof(x.message));
	return (same);
}

static bool
search(struct libvnet_explore_result *r)
{
	enum xp_verdict v;

	while (x.strategy->begin()) {
		if (x.o->twice)
			xp_twice_first();
		v = xp_run();
		x.twice = XP_ONCE;
		x.strategy->end();
		x.schedules++;
		if (v != XP_OK)
			return (true);
		if (x.o->twice && !same_twice()) {
			r->end = LIBVNET_SCHEDULE_NONDETERMINISM;
			return (true);
		}
	}
	/* Depth first moves no thread to another CPU. */
	r->complete = x.strategy == &xp_dfs && xp_dfs_complete() &&
	    !x.o->migrate;
	return (false);
}

#define FEWER_TRIES 3000
#define FEWER_STEPS 5000000	/* of all of them */

void
xp_search_fewer(struct xp_schedule *s, enum xp_verdict v, unsigned preemptions,
    unsigned switches)
{
	const struct libvnet_explore *o = x.o;
	struct libvnet_explore fewer = *o;
	unsigned long schedules = x.schedules, steps = 0;

	(void)switches;
	x.trace = false;
	for (unsigned k = 0; k < preemptions && k < 3; k++) {
		fewer.preemptions = (int)k;
		fewer.schedules = FEWER_TRIES;
		x.o = &fewer;
		x.strategy = &xp_dfs;
		x.schedules = 0;
		xp_dfs_reset();
		while (steps < FEWER_STEPS && xp_dfs.begin()) {
			x.schedules++;
			steps += x.step;
			if (xp_run() != v)
				continue;
			xp_schedule_copy(s, &x.sched);
			k = preemptions;
			break;
		}
	}
	x.o = o;
	x.schedules = schedules;
}

static enum libvnet_schedule_end
end_of(enum xp_verdict v)
{
	switch (v) {
	case XP_OK: return (LIBVNET_SCHEDULE_OK);
	case XP_ASSERT: return (LIBVNET_SCHEDULE_ASSERT);
	case XP_PANIC: return (LIBVNET_SCHEDULE_PANIC);
	case XP_FINDING: return (LIBVNET_SCHEDULE_FINDING);
	case XP_DEADLOCK: return (LIBVNET_SCHEDULE_DEADLOCK);
	case XP_LIVELOCK: return (LIBVNET_SCHEDULE_LIVELOCK);
	case XP_RACE: return (LIBVNET_SCHEDULE_RACE);
	case XP_PERCPU: return (LIBVNET_SCHEDULE_PERCPU);
	case XP_FREED: return (LIBVNET_SCHEDULE_FREED);
	default: return (LIBVNET_SCHEDULE_CHECK);
	}
}

/* What the last run was, for the caller. */
static void
result_fill(struct libvnet_explore_result *r, const struct xp_schedule *s)
{
	if (r->end != LIBVNET_SCHEDULE_NONDETERMINISM)
		r->end = end_of(x.verdict);
	r->preemptions = x.preemptions;
	r->switches = x.switches;
	r->hash = x.full;
	snprintf(r->message, sizeof(r->message), "%s", x.message);
	xp_token(s, r->token, sizeof(r->token));
}

static void
tell(struct libvnet_explore_result *r)
{
	const char *kind = r->end == LIBVNET_SCHEDULE_RACE ? "race" :
	    r->end == LIBVNET_SCHEDULE_PERCPU ? "percpu" : "schedule";
	char *text;

	if (x.o->quiet || asprintf(&text, "%s\nLIBVNET_SCHEDULE=%s (schedule "
	    "%lu, %u preemptions, %u switches)\n%s", r->message, r->token,
	    r->schedules, r->preemptions, r->switches,
	    r->report != NULL ? r->report : "") < 0)
		return;
	vnh_finding(&(struct vnh_finding){ .kind = kind, .message = text,
	    .vnet = -1, .cpu = -1 });
	free(text);
}

/* The schedule that failed, shrunk and told. */
static void
failed(struct libvnet_explore_result *r)
{
	static struct xp_schedule s;
	enum xp_verdict v = x.verdict;
	static char *report;

	xp_schedule_copy(&s, &x.sched);
	if (r->end != LIBVNET_SCHEDULE_NONDETERMINISM) {
		xp_shrink(&s, v);
		x.trace = true;
		(void)xp_replay_run(&s);
		x.trace = false;
		s.hash = x.sched.hash;
		free(report);
		r->report = report = xp_report(&s);
	}
	result_fill(r, &s);
	tell(r);
}

/* A token: that schedule, and whether it was the token's code. */
static void
again(const struct xp_schedule *s, struct libvnet_explore_result *r)
{
	static char *report;
	bool same;

	x.trace = true;
	(void)xp_replay_run(s);
	x.trace = false;
	x.schedules = 1;
	r->schedules = 1;
	same = x.lost == 0 && x.sched.hash == s->hash;
	if (!same) {
		char was[600];

		snprintf(was, sizeof(was), "%s", x.message);
		snprintf(x.message, sizeof(x.message), "the code is not the "
		    "token's: the schedule diverged %s%u%s%s",
		    x.lost != 0 ? "at step " : "somewhere before step ",
		    x.lost != 0 ? x.lost : x.step, *was != '\0' ? "; " : "",
		    was);
	}
	free(report);
	r->report = report = x.verdict != XP_OK ? xp_report(s) : NULL;
	result_fill(r, s);
	if (!same && x.verdict == XP_OK)
		r->end = LIBVNET_SCHEDULE_DIVERGED;
	if (r->end != LIBVNET_SCHEDULE_OK)
		tell(r);
}

/* ---- an exploration */

static void
begin(const struct libvnet_explore *o)
{
	const void *own;
	vnh_size_t size;

	x.o = o;
	x.strategy = xp_strategy_of(o->strategy);
	x.budget = (uint32_t)o->steps;
	x.random = o->seed * 0x9e3779b97f4a7c15u | 1;
	x.schedules = 0;
	x.steps_max = 0;
	x.stacks = false;
	x.races = o->races == LIBVNET_RACES_FAIL;
	x.freed = vnk_checks() != 0;
	vnk_explorer_own(&own, &size);
	x.own = (uintptr_t)own;
	x.own_size = size;
	vnk_explorer_pcpus(&own, &size);
	x.pcpus = (uintptr_t)own;
	x.pcpus_size = size;
	for (int i = 0; i < x.ntest; i++) {
		const struct libvnet_explore_thread *t = &o->threads[i];

		snprintf(names[i], sizeof(names[0]), "thread %d", i);
		jobs[i] = (struct vnk_explorer_thread){
		    t->name != NULL ? t->name : names[i], t->fn, t->arg,
		    t->cpu };
	}
	xp_dfs_reset();
}

static int
prepare(const struct libvnet_explore *o, struct xp_schedule *token)
{
	const char *why;
	int error;

	x.ncpus = vnk_explorer_cpus();
	for (x.ntest = 0; x.ntest < LIBVNET_EXPLORE_THREADS &&
	    o->threads[x.ntest].fn != NULL; x.ntest++)
		;
	for (int i = 0; i < x.ntest; i++)
		if (o->threads[i].cpu >= x.ncpus ||
		    vnk_explorer_cpu_absent(o->threads[i].cpu))
			return (api_fail(LIBVNET_EINVAL, "libvnet_explore: "
			    "threads[%d] is for CPU %d, which is not there; "
			    "boot with more CPUs", i, o->threads[i].cpu));
	if (o->token != NULL && (why = xp_token_parse(o->token, token)) != NULL)
		return (api_fail(LIBVNET_EINVAL, "libvnet_explore: the token "
		    "\"%.60s\" is none: %s", o->token, why));
	if ((why = xp_race_ignore(o->ignore)) != NULL)
		return (api_fail(LIBVNET_EINVAL, "libvnet_explore: ignore "
		    "\"%.60s\" is not a regular expression: %s", o->ignore,
		    why));
	error = libvnet_snapshot_take(&before);
	if (error != 0)
		return (error);
	/* Stacks that are there need no making in each schedule. */
	vnk_explorer_warm(x.ntest + 1);
	return (libvnet_snapshot_take(&world));
}

int	xp_explore(const struct libvnet_explore *,
	    struct libvnet_explore_result *);

int
xp_explore(const struct libvnet_explore *o, struct libvnet_explore_result *r)
{
	static struct xp_schedule token;
	int error;

	memset(r, 0, sizeof(*r));
	if (busy)
		return (api_fail(LIBVNET_EBUSY, "libvnet_explore: called from "
		    "setup or check of another"));
	error = prepare(o, &token);
	if (error != 0)
		return (error);
	busy = true;
	dirty = false;
	begin(o);
	if (o->token != NULL)
		again(&token, r);
	else if (search(r)) {
		r->schedules = x.schedules;
		failed(r);
	}
	r->schedules = x.schedules;
	r->steps = x.steps_max;
	(void)api_snapshot_restore(before);
	(void)libvnet_snapshot_free(world);
	(void)libvnet_snapshot_free(before);
	busy = false;
	return (0);
}
