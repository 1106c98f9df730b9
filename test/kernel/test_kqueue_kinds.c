/* SPDX-License-Identifier: BSD-2-Clause */
/* kevent(2): timers, EVFILT_USER, filters of modules; knlist(9) with other locks. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/capsicum.h>
#include <sys/errno.h>
#include <sys/event.h>
#include <sys/fcntl.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/malloc.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/poll.h>
#include <sys/proc.h>
#include <sys/selinfo.h>
#include <sys/sx.h>
#include <sys/syscallsubr.h>
#include <sys/time.h>

#include <libvnet/test.h>
#include "kqueue_test.h"

/* ---- timers */

LIBVNET_TEST(a_timer_counts_its_periods)
{
	int start = now_ms();

	setup();
	assert_int_equal(change(1, EVFILT_TIMER, EV_ADD, 0, 20), 0);
	assert_int_equal(events(-1), 1);
	assert_int_equal(now_ms() - start, 20);
	assert_int_equal(got[0].data, 1);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND / 10);
	assert_int_equal(events(0), 1);
	assert_int_equal(got[0].data, 5);
	assert_int_equal(events(0), 0);
	change(1, EVFILT_TIMER, EV_DELETE, 0, 0);
	assert_int_equal(events(100), 0);
	cleanup();
}

LIBVNET_TEST(a_timer_has_units_and_may_fire_once)
{
	int start = now_ms();

	setup();
	change(1, EVFILT_TIMER, EV_ADD | EV_ONESHOT, NOTE_SECONDS, 2);
	change(2, EVFILT_TIMER, EV_ADD | EV_ONESHOT, NOTE_USECONDS, 500000);
	change(3, EVFILT_TIMER, EV_ADD | EV_ONESHOT, NOTE_NSECONDS, 1000000);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(events(-1), 1);
		assert_int_equal(got[0].ident, 3 - i);
		assert_int_equal(now_ms() - start,
		    ((int[]){ 1, 500, 2000 })[i]);
	}
	assert_int_equal(events(5000), 0);
	assert_int_equal(change(1, EVFILT_TIMER, EV_ADD, 0, -1), -EINVAL);
	assert_int_equal(change(1, EVFILT_TIMER, EV_ADD, 0x80, 1), -EINVAL);
	cleanup();
}

LIBVNET_TEST(a_timer_may_wait_for_a_wall_time)
{
	struct timespec ts;
	int start = now_ms();

	setup();
	nanotime(&ts);
	change(1, EVFILT_TIMER, EV_ADD, NOTE_SECONDS | NOTE_ABSTIME,
	    ts.tv_sec + 3);
	change(2, EVFILT_TIMER, EV_ADD, NOTE_SECONDS | NOTE_ABSTIME, 1);
	assert_int_equal(events(10), 1);
	assert_int_equal(got[0].ident, 2);
	change(2, EVFILT_TIMER, EV_DELETE, 0, 0);
	assert_int_equal(events(-1), 1);
	assert_int_equal(now_ms() - start, 3000);
	cleanup();
}

LIBVNET_TEST(a_timer_added_again_starts_anew)
{
	setup();
	change(1, EVFILT_TIMER, EV_ADD, 0, 10);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND / 20);
	change(1, EVFILT_TIMER, EV_ADD, 0, 1000);
	assert_int_equal(events(500), 0);
	assert_int_equal(events(-1), 1);
	assert_int_equal(got[0].data, 1);
	cleanup();
}

/* ---- EVFILT_USER */

LIBVNET_TEST(a_user_event_is_triggered_by_kevent)
{
	setup();
	change(7, EVFILT_USER, EV_ADD | EV_CLEAR, NOTE_FFCOPY | 0x1, 5);
	assert_int_equal(events(0), 0);
	change(7, EVFILT_USER, 0, NOTE_FFOR | 0x6, 6);
	change(7, EVFILT_USER, 0, NOTE_FFAND | 0x3, 6);
	assert_int_equal(events(0), 0);
	change(7, EVFILT_USER, 0, NOTE_TRIGGER, 9);
	assert_int_equal(events(0), 1);
	assert_int_equal(got[0].fflags & 3, 3);
	assert_int_equal(got[0].data, 9);
	assert_int_equal(events(0), 0);
	change(7, EVFILT_USER, EV_DELETE, 0, 0);
	assert_int_equal(change(7, EVFILT_USER, 0, NOTE_TRIGGER, 0), -ENOENT);
	cleanup();
}

/* ---- a filter of a module, and registering from the kernel */

static int attached;

static int
count_attach(struct knote *kn)
{
	if (kn->kn_id == 13)
		return (EPERM);
	attached++;
	kn->kn_status &= ~KN_DETACHED;
	return (0);
}

static void
count_detach(struct knote *kn)
{
	attached--;
	kn->kn_status |= KN_DETACHED;
}

static int
count_event(struct knote *kn, long hint __unused)
{
	return (kn->kn_id == 1);
}

LIBVNET_TEST(a_module_may_add_a_filter)
{
	static const struct filterops count_filtops = {
		.f_attach = count_attach, .f_detach = count_detach,
		.f_event = count_event
	};
	struct kevent kev;

	setup();
	assert_int_equal(kqueue_add_filteropts(EVFILT_LIO, &count_filtops),
	    0);
	assert_int_equal(kqueue_add_filteropts(EVFILT_LIO, &count_filtops),
	    EEXIST);
	EV_SET(&kev, 1, EVFILT_LIO, EV_ADD, 0, 0, NULL);
	assert_int_equal(kqfd_register(kq, &kev, curthread, M_WAITOK), 0);
	assert_int_equal(change(13, EVFILT_LIO, EV_ADD, 0, 0), -EPERM);
	assert_int_equal(events(0), 1);
	kern_close(curthread, kq);
	assert_int_equal(attached, 0);
	assert_int_equal(kqueue_del_filteropts(EVFILT_LIO), 0);
	assert_int_equal(kqueue_del_filteropts(EVFILT_LIO), EINVAL);
	kern_close(curthread, jar_fd);
}

/* ---- lists with locks of other kinds */

static struct sx sx;

static void
sx_take(void *arg)
{
	sx_xlock((struct sx *)arg);
}

static void
sx_give(void *arg)
{
	sx_xunlock((struct sx *)arg);
}

static void
sx_check(void *arg, int what)
{
	sx_assert((struct sx *)arg, what == LA_LOCKED ? SX_XLOCKED :
	    SX_UNLOCKED);
}

LIBVNET_TEST(knlist_uses_the_functions_it_is_given)
{
	struct knlist knl;

	sx_init(&sx, "list");
	knlist_init(&knl, &sx, sx_take, sx_give, sx_check);
	KNOTE_UNLOCKED(&knl, 0);
	sx_xlock(&sx);
	KNOTE_LOCKED(&knl, 0);
	assert_true(knlist_empty(&knl) != 0);
	sx_xunlock(&sx);
	knlist_destroy(&knl);
	knlist_init(&knl, NULL, NULL, NULL, NULL);
	KNOTE_UNLOCKED(&knl, 0);
	knlist_destroy(&knl);
}

LIBVNET_TEST(a_detached_list_frees_itself)
{
	static struct mtx lock;
	struct knlist *knl;

	mtx_init(&lock, "lock", NULL, MTX_DEF);
	knl = knlist_alloc(&lock);
	mtx_lock(&lock);
	knlist_detach(knl);
	mtx_unlock(&lock);
	mtx_destroy(&lock);
}

/* ---- rules */

LIBVNET_TEST(knote_of_a_list_that_was_not_initialised_panics)
{
	static struct knlist knl;

	libvnet_expect_panic("was not initialised; call knlist_init");
	KNOTE_UNLOCKED(&knl, 0);
}

#ifdef INVARIANTS
LIBVNET_TEST(knlist_destroyed_with_notes_panics)
{
	libvnet_expect_panic("destroying knlist .* with knotes on it");
	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0);
	knlist_destroy(&jar.notes);
}

LIBVNET_TEST(knote_without_the_lock_panics)
{
	libvnet_expect_panic("mutex jar not owned");
	setup();
	KNOTE_LOCKED(&jar.notes, 0);
}

LIBVNET_TEST(knote_with_the_lock_it_will_take_panics)
{
	libvnet_expect_panic("mutex jar owned");
	setup();
	mtx_lock(&jar.lock);
	KNOTE_UNLOCKED(&jar.notes, 0);
}

LIBVNET_TEST(knlist_empty_without_the_lock_panics)
{
	libvnet_expect_panic("mutex jar not owned");
	setup();
	(void)knlist_empty(&jar.notes);
}

LIBVNET_TEST(knlist_add_of_a_note_that_is_on_a_list_panics)
{
	libvnet_expect_panic("was not detached");
	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0);
	SLIST_FIRST(&jar.notes.kl_list)->kn_influx = 1;
	knlist_add(&jar.notes, SLIST_FIRST(&jar.notes.kl_list), 0);
}

LIBVNET_TEST(knlist_remove_of_a_note_not_in_flux_panics)
{
	libvnet_expect_panic("knote .* not in flux");
	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0);
	knlist_remove(&jar.notes, SLIST_FIRST(&jar.notes.kl_list), 0);
}
#endif
