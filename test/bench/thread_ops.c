/* SPDX-License-Identifier: BSD-2-Clause */
/* What kernel threads do, in loops; see bench_thread.c. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include "ops.h"

static struct mtx m;
MTX_SYSINIT(bench_thread, &m, "bench", MTX_DEF);

static unsigned long left;
static int turn, channel;

static void
yields(void *arg __unused)
{
	while (left > 0)
		kern_yield(PRI_UNCHANGED);
	kthread_exit();
}

/* A switch there and a switch back. */
static void
op_yield(unsigned long n)
{
	left = n;
	kthread_add(yields, NULL, NULL, NULL, 0, 0, "bench");
	for (; left > 0; left--)
		kern_yield(PRI_UNCHANGED);
	kern_yield(PRI_UNCHANGED);
}

static void
answers(void *arg __unused)
{
	mtx_lock(&m);
	for (;;) {
		while (turn == 0)
			msleep(&turn, &m, 0, "answer", 0);
		if (turn < 0)
			break;
		turn = 0;
		wakeup(&channel);
	}
	mtx_unlock(&m);
	kthread_exit();
}

/* Wake a thread, sleep until it answers. */
static void
op_wakeup(unsigned long n)
{
	turn = 0;
	kthread_add(answers, NULL, NULL, NULL, 0, 0, "bench");
	mtx_lock(&m);
	for (; n > 0; n--) {
		turn = 1;
		wakeup(&turn);
		while (turn != 0)
			msleep(&channel, &m, 0, "ask", 0);
	}
	turn = -1;
	wakeup(&turn);
	mtx_unlock(&m);
	kern_yield(PRI_UNCHANGED);
}

static void
ends(void *arg __unused)
{
	kthread_exit();
}

static void
op_create(unsigned long n)
{
	for (; n > 0; n--) {
		kthread_add(ends, NULL, NULL, NULL, 0, 0, "bench");
		kern_yield(PRI_UNCHANGED);
	}
}

static void
sleeps(void *arg __unused)
{
	mtx_lock(&m);
	msleep(&channel, &m, PDROP, "alive", 0);
	kthread_exit();
}

/* They stay. */
static void
op_alive(unsigned long n)
{
	for (; n > 0; n--)
		kthread_add(sleeps, NULL, NULL, NULL, 0, 0, "t%lu", n);
	kern_yield(PRI_UNCHANGED);
}

const struct op ops[] = {
	{ "yield", op_yield }, { "wakeup", op_wakeup },
	{ "create", op_create }, { "alive", op_alive },
	{ NULL, NULL }
};
