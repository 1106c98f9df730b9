/* SPDX-License-Identifier: BSD-2-Clause */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include <libvnet/error.h>
#include <libvnet/thread.h>

#include "threads.h"

static pthread_t thread;
static void (*thread_fn)(void *);

static void
must(int error, const char *what)
{
	if (error == 0)
		return;
	fprintf(stderr, "threads_host: %s: %d (%s)\n", what, error,
	    libvnet_error());
	abort();
}

static void *
body(void *arg)
{
	must(libvnet_thread_attach(), "attach");
	thread_fn(arg);
	must(libvnet_thread_detach(), "detach");
	return (NULL);
}

void
threads_start(void (*fn)(void *), void *arg)
{
	thread_fn = fn;
	must(pthread_create(&thread, NULL, body, arg), "pthread_create");
}

void
threads_join(void)
{
	must(pthread_join(thread, NULL), "pthread_join");
}

void
threads_yield(void)
{
	sched_yield();
}
