/* SPDX-License-Identifier: BSD-2-Clause */
/* Processes and threads are found, and come locked. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <sys/ucred.h>
#include <net/vnet.h>

#include <libvnet/test.h>

static volatile bool stop;

static void
idles(void *arg __unused)
{
	while (!stop)
		pause("idles", 1);
	kproc_exit(0);
}

LIBVNET_TEST(proc0_is_number_0_and_found)
{
	struct proc *p;

	assert_int_equal(proc0.p_pid, 0);
	p = pfind(0);
	assert_ptr_equal(p, &proc0);
	assert_true(PROC_LOCKED(p));
	PROC_UNLOCK(p);
	assert_null(pfind(4711));
}

LIBVNET_TEST(kproc_has_a_number_until_its_last_thread_ends)
{
	struct proc *p, *found;
	struct thread *td;
	pid_t pid;

	assert_int_equal(kproc_create(idles, NULL, &p, 0, 0, "idler"), 0);
	pid = p->p_pid;
	assert_true(pid > 1 && pid < PID_MAX);
	found = pfind(pid);
	assert_ptr_equal(found, p);
	td = FIRST_THREAD_IN_PROC(p);
	PROC_UNLOCK(p);
	assert_ptr_equal(tdfind(td->td_tid, -1), td);
	PROC_UNLOCK(p);
	assert_null(tdfind(td->td_tid, pid + 1));
	assert_int_equal(pget(td->td_tid, PGET_CANSEE, &found), 0);
	assert_ptr_equal(found, p);
	PROC_UNLOCK(p);
	assert_int_equal(pget(td->td_tid, PGET_NOTID, &found), ESRCH);
	assert_int_equal(pget(pid, PGET_ISCURRENT, &found), EPERM);
	assert_int_equal(pget(pid, PGET_HOLD, &found), 0);
	assert_false(PROC_LOCKED(p));
	stop = true;
	libvnet_clock_advance_ns(10000000);
	assert_null(pfind(pid));
}

LIBVNET_TEST(numbers_are_not_used_twice)
{
	struct proc *a, *b;

	stop = true;
	assert_int_equal(kproc_create(idles, NULL, &a, 0, 0, "a"), 0);
	assert_int_equal(kproc_create(idles, NULL, &b, 0, 0, "b"), 0);
	assert_int_not_equal(a->p_pid, b->p_pid);
	libvnet_run_until_idle();
}

#ifdef VIMAGE
LIBVNET_TEST_VNET(process_outside_the_prison_is_not_seen, v)
{
	struct proc *p;

	assert_int_equal(pget(0, PGET_CANSEE, &p), ESRCH);
	assert_int_equal(pget(0, 0, &p), 0);
	PROC_UNLOCK(p);
}
#endif
