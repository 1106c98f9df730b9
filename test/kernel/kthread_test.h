/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of kthread(9) share. */
#ifndef KTHREAD_TEST_H
#define KTHREAD_TEST_H

static struct mtx m;
static int ran, channel;
static char order[64];

static void
make(void)
{
	mtx_init(&m, "m", NULL, MTX_DEF);
}

static void
sleeps_first(void *arg)
{
	const char *name = arg;

	mtx_lock(&m);
	order[ran++] = name[0];
	msleep(&channel, &m, 0, "test", 0);
	order[ran++] = name[1];
	mtx_unlock(&m);
	kthread_exit();
}

/* Each in turn, so that the carrier does not matter. */
static void
start_in_order(void (*fn)(void *), const char *const *names)
{
	for (; *names != NULL; names++) {
		kthread_add(fn, __DECONST(char *, *names), NULL, NULL, 0, 0,
		    "%c", **names);
		libvnet_run_until_idle();
	}
}

static const char *const three[] = { "aA", "bB", "cC", NULL };

static struct sx sx;

#endif /* KTHREAD_TEST_H */
