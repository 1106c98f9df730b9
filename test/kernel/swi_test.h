/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of swi(9) share. */
#ifndef SWI_TEST_H
#define SWI_TEST_H

static struct mtx m;
static char order[64];
static int ran, channel;
static void *cookie[4];
static struct intr_event *event;

static void
note(char c)
{
	mtx_lock(&m);
	order[ran++] = c;
	mtx_unlock(&m);
}

static int
noted(void)
{
	int n;

	mtx_lock(&m);
	n = ran;
	mtx_unlock(&m);
	return (n);
}

static void
note_arg(void *arg)
{
	note(*(const char *)arg);
}

static void
make(int i, int pri, driver_intr_t *fn, const char *arg, int flags)
{
	if (i == 0)
		mtx_init(&m, "m", NULL, MTX_DEF);
	assert_int_equal(swi_add(NULL, "test", fn, __DECONST(char *, arg),
	    pri, INTR_MPSAFE | flags, &cookie[i]), 0);
}

static struct {
	struct vnet *vnet;
	struct thread *td;
	char name[MAXCOMLEN + 1];
	u_int cpu;
	int in_epoch, giant, ithread;
} seen;

static void
look(void *arg)
{
	seen.vnet = curthread->td_vnet;
	seen.td = curthread;
	strlcpy(seen.name, curthread->td_name, sizeof(seen.name));
	seen.cpu = curcpu;
	seen.in_epoch = in_epoch(net_epoch_preempt);
	seen.giant = mtx_owned(&Giant);
	seen.ithread = (curthread->td_pflags & TDP_ITHREAD) != 0;
	note('l');
}

static void
run_now(void)
{
	swi_sched(cookie[0], 0);
	libvnet_run_until_idle();
	assert_int_equal(noted(), 1);
}

static void
sleeps(void *arg)
{
	note('z');
	pause("zzz", 10);
	note('w');
}

static struct mtx kept;

#endif /* SWI_TEST_H */
