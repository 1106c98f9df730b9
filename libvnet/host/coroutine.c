/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Flows of control as kernel world asks for them (seam_thread.h), and the one
 * way back to the test's own stack.
 */
#include <stdlib.h>

#include "coroutine.h"

enum vnh_carrier host_co_carrier;
static struct vnh_co *home;
static __thread struct vnh_co *current;

/* What somebody wants done on the test's stack. */
static void (*call_fn)(void *);
static void *call_arg;
static struct vnh_co *call_from;	/* who goes on afterwards */
static int call_wanted;			/* VNH_HOST: by another thread */

struct vnh_co *
host_co_current(void)
{
	return (current);
}

bool
host_home_here(void)
{
	return (home == NULL || current == home);
}

bool
host_home_foreign(void)
{
	return (home != NULL && current == NULL);
}

void
vnh_co_adopt(struct vnh_co *co, enum vnh_carrier carrier)
{
	host_co_carrier = carrier;
	home = current = co;
	co->co_stack = NULL;
	call_fn = NULL;
	call_wanted = 0;
	host_san_create(co);
	host_stack_watch();
}

/* ---- from one to the other */

static void
transfer(struct vnh_co *from, struct vnh_co *to)
{
	if (host_co_carrier == VNH_COROUTINE) {
		current = to;
		host_san_leave(from, to, false);
		host_co_swap(&from->co_sp, to->co_sp);
		host_san_arrive(from, false);
	} else {
		host_thread_unpark(to);
		host_thread_park(from);
	}
}

/* Home was called for a job, not because it is its turn. */
static void
serve(void)
{
	void (*fn)(void *) = call_fn;

	while (fn != NULL && current == home) {
		call_fn = NULL;
		fn(call_arg);
		transfer(home, call_from);
		fn = call_fn;
	}
}

void
vnh_co_switch(struct vnh_co *from, struct vnh_co *to)
{
	transfer(from, to);
	if (__builtin_expect(call_fn != NULL, 0))
		serve();
}

static void
begin(void)
{
	struct vnh_co *self = current;

	host_san_arrive(self, true);
	self->co_fn(self->co_arg);
	abort();
}

static void
begin_thread(struct vnh_co *self)
{
	current = self;
	host_thread_park(self);
	self->co_fn(self->co_arg);
	abort();
}

void
vnh_co_create(struct vnh_co *co, void (*fn)(void *), void *arg)
{
	co->co_fn = fn;
	co->co_arg = arg;
	co->co_fake = NULL;
	co->co_handle = 0;
	if (host_co_carrier == VNH_COROUTINE) {
		host_san_create(co);
		host_stack_clear(co->co_stack, co->co_size);
		co->co_sp = host_co_prepare(co->co_stack, co->co_size, begin);
	} else
		host_thread_create(co, begin_thread);
}

void
vnh_co_exit(struct vnh_co *from, struct vnh_co *to)
{
	void *nowhere;

	if (host_co_carrier != VNH_COROUTINE) {
		if (to != NULL)
			host_thread_unpark(to);
		host_thread_exit();
	}
	current = to;
	host_san_leave(from, to, true);
	host_co_swap(&nowhere, to->co_sp);
	abort();
}

void
vnh_co_destroy(struct vnh_co *co)
{
	if (host_co_carrier == VNH_COROUTINE)
		host_san_destroy(co);
	else
		host_thread_destroy(co);
}

void
vnh_co_park(struct vnh_co *co)
{
	host_thread_park(co);
	host_home_poll();
}

void
vnh_co_unpark(struct vnh_co *co)
{
	host_thread_unpark(co);
}

/* ---- home */

/* With VNH_HOST: all others stand still while home is busy with this. */
static void
call_from_thread(void (*fn)(void *), void *arg)
{
	int none = 0;

	if (__atomic_compare_exchange_n(&call_wanted, &none, 1, 0,
	    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
		call_arg = arg;
		call_fn = fn;
		__atomic_store_n(&call_wanted, 2, __ATOMIC_RELEASE);
		host_thread_unpark(home);
	}
	for (;;)
		host_threads_stop_point();
}

void
host_home_poll(void)
{
	if (__atomic_load_n(&call_wanted, __ATOMIC_RELAXED) == 0)
		return;
	if (!host_home_here()) {
		if (current != NULL)
			host_threads_stop_point();
		return;
	}
	while (__atomic_load_n(&call_wanted, __ATOMIC_ACQUIRE) != 2)
		;
	host_threads_stop();
	__atomic_store_n(&call_wanted, 0, __ATOMIC_RELAXED);
	call_fn(call_arg);
	abort();
}

void
host_home_call(void (*fn)(void *), void *arg)
{
	struct vnh_co *self = current;

	if (self == NULL || self == home) {
		fn(arg);
		return;
	}
	if (host_co_carrier == VNH_HOST)
		call_from_thread(fn, arg);
	call_fn = fn;
	call_arg = arg;
	call_from = self;
	transfer(self, home);
}

void
host_co_restored(void)
{
	current = home;
	call_fn = NULL;
	host_san_restored();
}

void
host_co_abandon(void)
{
	if (home == NULL)
		return;
	current = home;
	if (host_co_carrier == VNH_COROUTINE)
		host_san_abandon();
	else
		host_threads_abandon();
	home = current = NULL;
	call_fn = NULL;
	call_wanted = 0;
}
