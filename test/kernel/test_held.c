/* SPDX-License-Identifier: BSD-2-Clause */
/* Sleeps with locks held: which locks forbid it, and which sleeps. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/sx.h>

#include <libvnet/test.h>

#ifdef INVARIANTS

static struct mtx m, m2;
MTX_SYSINIT(held_m, &m, "held m", MTX_DEF | MTX_RECURSE);
MTX_SYSINIT(held_m2, &m2, "held m2", MTX_DEF);
static struct rwlock rw;
RW_SYSINIT(held_rw, &rw, "held rw");
static struct rmlock rm;
RM_SYSINIT(held_rm, &rm, "held rm");
static struct sx sx;
SX_SYSINIT(held_sx, &sx, "held sx");

static void
may_sleep(void)
{
	free(malloc(16, M_TEMP, M_WAITOK), M_TEMP);
}

static void
may_not_sleep(void)
{
	void *p = malloc(16, M_TEMP, M_NOWAIT);

	free(p, M_TEMP);
}

LIBVNET_TEST(allocation_that_may_sleep_under_a_mutex_is_found)
{
	libvnet_expect("sleep", "malloc\\(M_WAITOK\\) may sleep while sleep "
	    "mutex \"held m\" is held, which forbids it, at .*test_held.c:");
	mtx_lock(&m);
	may_sleep();
	mtx_unlock(&m);
}
LIBVNET_TEST(allocation_that_may_not_sleep_under_a_mutex_is_fine)
{
	mtx_lock(&m);
	may_not_sleep();
	mtx_unlock(&m);
	may_sleep();
}

LIBVNET_TEST(rwlock_forbids_both_held_for_reading_and_for_writing)
{
	libvnet_expect("sleep", "while rwlock \"held rw\" is held");
	libvnet_expect("sleep", "while rwlock \"held rw\" is held");
	rw_rlock(&rw);
	may_sleep();
	rw_runlock(&rw);
	rw_wlock(&rw);
	may_sleep();
	rw_wunlock(&rw);
	may_sleep();
}

LIBVNET_TEST(rmlock_forbids_both_held_for_reading_and_for_writing)
{
	struct rm_priotracker tracker;

	libvnet_expect("sleep", "while rm \"held rm\" is held");
	libvnet_expect("sleep", "while sleep mutex \"held rm\" is held");
	rm_rlock(&rm, &tracker);
	may_sleep();
	rm_runlock(&rm, &tracker);
	rm_wlock(&rm);
	may_sleep();
	rm_wunlock(&rm);
	may_sleep();
}

LIBVNET_TEST(sx_and_giant_forbid_nothing)
{
	sx_xlock(&sx);
	may_sleep();
	sx_xunlock(&sx);
	mtx_lock(&Giant);
	sx_slock(&sx);
	may_sleep();
	sx_sunlock(&sx);
	mtx_unlock(&Giant);
}

LIBVNET_TEST(sx_taken_under_a_mutex_is_found)
{
	libvnet_expect("sleep", "sx_xlock may sleep while sleep mutex "
	    "\"held m\"");
	mtx_lock(&m);
	sx_xlock(&sx);
	mtx_unlock(&m);
	sx_xunlock(&sx);
}

LIBVNET_TEST(sleep_gives_up_its_own_lock_and_no_other)
{
	libvnet_expect("sleep", "sleep on \"two\" may sleep while sleep mutex "
	    "\"held m2\"");
	mtx_lock(&m);
	assert_int_equal(msleep(&m, &m, 0, "one", 1), EWOULDBLOCK);
	mtx_lock(&m2);
	assert_int_equal(msleep(&m, &m, 0, "two", 1), EWOULDBLOCK);
	mtx_unlock(&m2);
	mtx_unlock(&m);
}

LIBVNET_TEST(copy_from_user_land_under_a_mutex_is_found)
{
	int user = 1, kernel;

	libvnet_expect("sleep", "copyin may sleep while sleep mutex "
	    "\"held m\"");
	mtx_lock(&m);
	(void)copyin(&user, &kernel, sizeof(user));
	mtx_unlock(&m);
}
LIBVNET_TEST(copy_under_a_mutex_with_page_faults_off_is_fine)
{
	int user = 1, kernel;

	mtx_lock(&m);
	(void)copyin_nofault(&user, &kernel, sizeof(user));
	mtx_unlock(&m);
}

LIBVNET_TEST(locks_given_up_in_another_order_are_not_held)
{
	mtx_lock(&m);
	mtx_lock(&m2);
	mtx_lock(&m);
	mtx_unlock(&m);
	mtx_unlock(&m);
	mtx_unlock(&m2);
	may_sleep();
}

LIBVNET_TEST(more_locks_than_are_known_are_let_go)
{
	struct mtx many[20];

	for (u_int i = 0; i < nitems(many); i++) {
		mtx_init(&many[i], "many", NULL, MTX_DEF | MTX_NEW);
		mtx_lock(&many[i]);
	}
	for (u_int i = 0; i < nitems(many); i++) {
		mtx_unlock(&many[i]);
		mtx_destroy(&many[i]);
	}
	may_sleep();
}

LIBVNET_TEST(mutex_destroyed_while_held_is_not_held)
{
	struct mtx gone;

	mtx_init(&gone, "gone", NULL, MTX_DEF | MTX_NEW);
	mtx_lock(&gone);
	mtx_destroy(&gone);
	may_sleep();
}

#else

LIBVNET_TEST(without_checks_nobody_looks)
{
	libvnet_skip("built without INVARIANTS");
}

#endif /* INVARIANTS */
