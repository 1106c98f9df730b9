/* SPDX-License-Identifier: BSD-2-Clause */
/* usage: sanitize_program FAULT [twin] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libvnet/libvnet.h>

#include "faults.h"

static struct vnet *v;
static int twin;
static pthread_barrier_t both;

static void
check(int error)
{
	if (error == 0)
		return;
	fprintf(stderr, "%s\n", libvnet_error());
	exit(2);
}

static void *
writer(void *arg)
{
	void (*fn)(int) = *(void (**)(int))arg;

	check(libvnet_thread_attach());
	check(libvnet_enter(v));
	pthread_barrier_wait(&both);
	fn(twin);
	check(libvnet_leave());
	check(libvnet_thread_detach());
	return (NULL);
}

static void
race(void (*fn)(int))
{
	pthread_t t[2];

	pthread_barrier_init(&both, NULL, 2);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, writer, &fn) != 0)
			exit(2);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	pthread_barrier_destroy(&both);
}

int
main(int argc, char **argv)
{
	if (argc < 2)
		return (2);
	twin = argc > 2;
	check(libvnet_boot(NULL));
	check(libvnet_create(&v));
	if (strcmp(argv[1], "vnet_race") == 0)
		race(fault_vnet_write);
	else if (strcmp(argv[1], "global_race") == 0)
		race(fault_global_write);
	else {
		check(libvnet_enter(v));
		if (fault_run(argv[1], twin) != 0) {
			fprintf(stderr, "no fault %s\n", argv[1]);
			return (2);
		}
		check(libvnet_leave());
	}
	check(libvnet_destroy(v));
	check(libvnet_shutdown());
	return (libvnet_finding_count() != 0);
}
