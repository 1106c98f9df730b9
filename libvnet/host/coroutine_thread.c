/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Flows of control that are host threads.  Each has a token: who parks waits
 * for it and takes it.
 *
 * To stop the world (VNH_HOST) is to ask every thread to wait at its next
 * call of the seam that can wait anyhow: park, yield.  A thread that computes
 * without such a call is waited for.
 *
 * Abandoned threads leave from wherever they wait by a longjmp to their first
 * frame: nothing above it is of interest to anybody.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "coroutine.h"

struct carrier {
	struct carrier *next;		/* all but home */
	pthread_t thread;
	pthread_cond_t cond;
	bool	 token;			/* under lock, as the rest */
	bool	 waits, exited;
	struct vnh_co *co;
	void	(*entry)(struct vnh_co *);
	jmp_buf	 out;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct carrier home = { .cond = PTHREAD_COND_INITIALIZER };
static struct carrier *carriers;
static int stop;			/* atomic: read without lock too */
static bool leave;
static __thread struct carrier *self;

static bool
stopping(void)
{
	return (__atomic_load_n(&stop, __ATOMIC_RELAXED) != 0);
}

static struct carrier *
carrier_of(const struct vnh_co *co)
{
	return (co->co_handle == 0 ? &home :
	    (struct carrier *)(uintptr_t)co->co_handle);
}

/* With lock held. */
static void
leave_if_told(void)
{
	if (!leave || self == NULL)
		return;
	self->waits = false;
	pthread_mutex_unlock(&lock);
	longjmp(self->out, 1);
}

static void *
body(void *arg)
{
	self = arg;
	if (setjmp(self->out) == 0)
		self->entry(self->co);
	pthread_mutex_lock(&lock);
	self->exited = true;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return (NULL);
}

void
host_thread_create(struct vnh_co *co, void (*entry)(struct vnh_co *))
{
	struct carrier *c = calloc(1, sizeof(*c));

	if (c == NULL)
		abort();
	pthread_cond_init(&c->cond, NULL);
	c->co = co;
	c->entry = entry;
	co->co_handle = (uintptr_t)c;
	pthread_mutex_lock(&lock);
	c->next = carriers;
	carriers = c;
	pthread_mutex_unlock(&lock);
	if (pthread_create(&c->thread, NULL, body, c) != 0) {
		fprintf(stderr, "libvnet: no more host threads for kernel "
		    "threads\n");
		abort();
	}
}

void
host_thread_exit(void)
{
	longjmp(self->out, 1);
}

static void
carrier_free(struct carrier *c)
{
	pthread_join(c->thread, NULL);
	pthread_cond_destroy(&c->cond);
	free(c);
}

/* One that never began waits for its first token. */
void
host_thread_destroy(struct vnh_co *co)
{
	struct carrier *c = carrier_of(co), **p;

	pthread_mutex_lock(&lock);
	for (p = &carriers; *p != NULL && *p != c; p = &(*p)->next)
		;
	if (*p != NULL)
		*p = c->next;
	pthread_mutex_unlock(&lock);
	co->co_handle = 0;
	carrier_free(c);
}

void
host_thread_unpark(struct vnh_co *co)
{
	struct carrier *c = carrier_of(co);

	pthread_mutex_lock(&lock);
	c->token = true;
	pthread_cond_signal(&c->cond);
	pthread_mutex_unlock(&lock);
}

void
host_thread_park(struct vnh_co *co)
{
	struct carrier *c = carrier_of(co);

	pthread_mutex_lock(&lock);
	c->waits = true;
	if (stopping())
		pthread_cond_signal(&changed);
	leave_if_told();
	while (!c->token || (stopping() && c != &home)) {
		pthread_cond_wait(&c->cond, &lock);
		leave_if_told();
	}
	c->token = false;
	c->waits = false;
	pthread_mutex_unlock(&lock);
}

/* ---- stopping all */

void
host_threads_poll(void)
{
	if (self != NULL && stopping())
		host_threads_stop_point();
}

void
host_threads_stop_point(void)
{
	struct carrier *c = self;

	if (c == NULL)
		return;
	pthread_mutex_lock(&lock);
	c->waits = true;
	pthread_cond_signal(&changed);
	for (;;) {
		leave_if_told();
		pthread_cond_wait(&c->cond, &lock);
	}
}

static bool
all_still(void)
{
	for (struct carrier *c = carriers; c != NULL; c = c->next)
		if (!c->waits && !c->exited)
			return (false);
	return (true);
}

void
host_threads_stop(void)
{
	pthread_mutex_lock(&lock);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	while (!all_still())
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

void
host_threads_abandon(void)
{
	struct carrier *c;

	pthread_mutex_lock(&lock);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	leave = true;
	for (c = carriers; c != NULL; c = c->next)
		pthread_cond_signal(&c->cond);
	pthread_mutex_unlock(&lock);
	while ((c = carriers) != NULL) {
		carriers = c->next;
		carrier_free(c);
	}
	leave = false;
	__atomic_store_n(&stop, 0, __ATOMIC_RELAXED);
	home.token = false;
}
