/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel worlds in which tests begin: booted with no vnet, one or two.
 * Each is made when a test first wants it, from the one with a vnet less, and
 * saved; every later test has it put back.
 *
 * A world whose making broke a rule is not kept: each test makes it again and
 * is told again.  Nor is one kept whose heap cannot be saved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define WORLDS 3

static struct libvnet_options options;
static struct libvnet_snapshot *worlds[WORLDS];
static struct vnet *made[WORLDS - 1];
static bool restores = true;

void
test_world_configure(const struct test_args *args)
{
	const char *env = getenv("LIBVNET_NO_RESTORE");

	options.seed = args->seed;
	options.verbose = args->verbose;
	options.threads = args->threads;
	options.ncpus = args->cpus;
	options.kenv = test_kenv();
	restores = !args->no_restore &&
	    (env == NULL || *env == '\0' || strcmp(env, "0") == 0);
}

static void
give_up(void)
{
	cmocka_say(libvnet_error());
	cmocka_fail(__FILE__, __LINE__);
}

void
test_world_drop(void)
{
	if (libvnet_booted())
		(void)libvnet_abandon();
	memset(worlds, 0, sizeof(worlds));
}

/* The largest saved world with at most n vnets is there now; which. */
static int
begin_at(int n)
{
	while (n >= 0 && worlds[n] == NULL)
		n--;
	if (n >= 0 && api_snapshot_restore(worlds[n]) == 0)
		return (n);
	test_world_drop();
	if (libvnet_boot(&options) != 0)
		give_up();
	return (0);
}

static void
save(int n)
{
	if (!restores || worlds[n] != NULL || host_finding_count() != 0 ||
	    !api_snapshot_possible())
		return;
	if (libvnet_snapshot_take(&worlds[n]) != 0)
		give_up();
}

/*
 * Without restore the world stays as the test before left it; what a test
 * reads of log and findings begins anew all the same.
 */
static void
begin(int n, int *have)
{
	if (restores || !libvnet_booted())
		*have = begin_at(n);
	host_findings_reset();
	if (!restores)
		host_console_reset();
}

void
test_world_enter(int n, struct vnet **vnets)
{
	int have = 0;

	begin(n, &have);
	save(have);
	for (; have < n; have++) {
		if (libvnet_create(&made[have]) != 0)
			give_up();
		save(have + 1);
	}
	for (int i = 0; i < n; i++)
		vnets[i] = made[i];
}

void
test_world_leave(void)
{
	if (!restores)
		return;
	if (vnh_threads() == 1)
		vnk_shutdown();
}

void
test_world_clean(bool passed)
{
	if (!libvnet_booted())
		return;
	if (restores ? worlds[0] == NULL : !passed)
		test_world_drop();
	else if (restores)
		api_snapshot_free_others(worlds, WORLDS);
}

bool
test_world_end(void)
{
	bool clean = true;

	if (!restores && libvnet_booted()) {
		host_findings_reset();
		vnk_shutdown();
		clean = host_finding_count() == 0;
		if (!clean)
			fprintf(stderr, "libvnet: the tests together left the "
			    "above behind\n");
	}
	test_world_drop();
	return (clean);
}
