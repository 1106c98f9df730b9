/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits of a process, and what each user consumes. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/resourcevar.h>

#include <libvnet/test.h>

LIBVNET_TEST(limits_are_infinite_until_set)
{
	struct rlimit rl;

	for (int i = 0; i < RLIM_NLIMITS; i++)
		assert_true(lim_cur(curthread, i) == RLIM_INFINITY);
	proc0.p_limit->pl_rlimit[RLIMIT_SBSIZE].rlim_cur = 4096;
	assert_int_equal(lim_cur(curthread, RLIMIT_SBSIZE), 4096);
	assert_true(lim_max(curthread, RLIMIT_SBSIZE) == RLIM_INFINITY);
	PROC_LOCK(&proc0);
	assert_int_equal(lim_cur_proc(&proc0, RLIMIT_SBSIZE), 4096);
	PROC_UNLOCK(&proc0);
	lim_rlimit(curthread, RLIMIT_SBSIZE, &rl);
	assert_int_equal(rl.rlim_cur, 4096);
}

#ifdef INVARIANTS
LIBVNET_TEST(limit_that_does_not_exist_panics)
{
	libvnet_expect_panic("request for invalid resource limit 15");
	(void)lim_cur(curthread, RLIM_NLIMITS);
}
LIBVNET_TEST(limit_of_a_process_that_is_not_locked_panics)
{
	libvnet_expect_panic("mutex process lock not owned");
	(void)lim_cur_proc(&proc0, RLIMIT_SBSIZE);
}
#endif

LIBVNET_TEST(usage_is_the_systems_and_grows_with_time)
{
	struct timeval user, before, system;
	struct rusage ru;

	PROC_LOCK(&proc0);
	calcru(&proc0, &user, &before);
	PROC_UNLOCK(&proc0);
	libvnet_clock_advance_ns(2000000000);
	PROC_LOCK(&proc0);
	rufetchcalc(&proc0, &ru, &user, &system);
	PROC_UNLOCK(&proc0);
	assert_int_equal(user.tv_sec, 0);
	assert_int_equal(system.tv_sec - before.tv_sec, 2);
}

/* ---- users */

LIBVNET_TEST(user_is_one_object_however_often_found)
{
	struct uidinfo *a = uifind(1001), *b = uifind(1001);

	assert_ptr_equal(a, b);
	assert_int_equal(a->ui_ref, 2);
	uihold(a);
	uifree(a);
	uifree(a);
	uifree(a);
	a = uifind(1001);
	assert_int_equal(a->ui_ref, 1);
	uifree(a);
}

LIBVNET_TEST(socket_buffers_are_charged_and_the_new_size_is_stored)
{
	struct uidinfo *ui = uifind(7);
	u_int a = 0, b = 0;

	assert_int_equal(chgsbsize(ui, &a, 1000, 1500), 1);
	assert_int_equal(a, 1000);
	assert_int_equal(chgsbsize(ui, &b, 1000, 1500), 0);
	assert_int_equal(b, 0);
	assert_int_equal(ui->ui_sbsize, 1000);
	assert_int_equal(chgsbsize(ui, &a, 400, 1500), 1);
	assert_int_equal(chgsbsize(ui, &b, 1000, 1500), 1);
	assert_int_equal(ui->ui_sbsize, 1400);
	assert_int_equal(chgsbsize(ui, &a, 500, 0), 0);
	assert_int_equal(chgsbsize(ui, &a, 0, 0), 1);
	assert_int_equal(chgsbsize(ui, &b, 0, 0), 1);
	assert_int_equal(ui->ui_sbsize, 0);
	uifree(ui);
}

LIBVNET_TEST(user_that_still_has_buffers_is_named_when_it_goes)
{
	struct uidinfo *ui = uifind(7);
	u_int hiwat = 0;

	(void)chgsbsize(ui, &hiwat, 100, RLIM_INFINITY);
	uifree(ui);
	assert_int_equal(libvnet_log_count("freeing uidinfo: uid = 7, "
	    "sbsize = 100"), 1);
}

#ifdef INVARIANTS
static void
uncharge(bool twice)
{
	struct uidinfo *ui = uifind(7);
	u_int hiwat = 0, same;

	(void)chgsbsize(ui, &hiwat, 100, RLIM_INFINITY);
	same = hiwat;
	(void)chgsbsize(ui, &hiwat, 0, RLIM_INFINITY);
	if (twice)
		(void)chgsbsize(ui, &same, 0, RLIM_INFINITY);
	uifree(ui);
}
LIBVNET_TEST(buffer_given_back_twice_panics)
{
	libvnet_expect_panic("negative sbsize for uid = 7");
	uncharge(true);
}
LIBVNET_TEST(buffer_given_back_once_is_fine)
{
	uncharge(false);
}
#endif
