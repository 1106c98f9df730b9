/* SPDX-License-Identifier: BSD-2-Clause */
/* knlist(9), kqueue(2), kevent(2). */
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

/* ---- kevent(2), as a process calls it */

static void
put(int coins, long hint)
{
	mtx_lock(&jar.lock);
	jar.coins += coins;
	KNOTE_LOCKED(&jar.notes, hint);
	mtx_unlock(&jar.lock);
}

/* ---- files */

LIBVNET_TEST(an_event_stays_while_it_holds)
{
	setup();
	assert_int_equal(change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0),
	    0);
	assert_int_equal(events(0), 0);
	put(3, 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(events(0), 1);
		assert_int_equal(got[0].ident, jar_fd);
		assert_int_equal(got[0].filter, EVFILT_READ);
		assert_int_equal(got[0].data, 3);
		assert_ptr_equal(got[0].udata, &jar);
	}
	put(-3, 0);
	assert_int_equal(events(0), 0);
	cleanup();
}

LIBVNET_TEST(what_holds_when_it_is_added_is_reported)
{
	setup();
	put(1, 0);
	assert_int_equal(change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0),
	    0);
	assert_int_equal(events(0), 1);
	cleanup();
}

LIBVNET_TEST(EV_CLEAR_reports_once_each_time)
{
	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD | EV_CLEAR, 0, 0);
	put(1, 4);
	assert_int_equal(events(0), 1);
	assert_int_equal(got[0].fflags, 4);
	assert_int_equal(events(0), 0);
	put(1, 8);
	assert_int_equal(events(0), 1);
	assert_int_equal(got[0].data, 2);
	assert_int_equal(got[0].fflags, 8);
	cleanup();
}

LIBVNET_TEST(EV_ONESHOT_is_gone_after_one)
{
	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD | EV_ONESHOT, 0, 0);
	put(1, 0);
	assert_int_equal(events(0), 1);
	assert_int_equal(events(0), 0);
	assert_true(KNLIST_EMPTY(&jar.notes));
	assert_int_equal(change((uintptr_t)jar_fd, EVFILT_READ, EV_DELETE, 0,
	    0), -ENOENT);
	cleanup();
}

LIBVNET_TEST(EV_DISPATCH_is_disabled_after_one)
{
	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD | EV_DISPATCH, 0, 0);
	put(1, 0);
	assert_int_equal(events(0), 1);
	put(1, 0);
	assert_int_equal(events(0), 0);
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ENABLE | EV_DISPATCH, 0, 0);
	assert_int_equal(events(0), 1);
	assert_int_equal(got[0].data, 2);
	cleanup();
}

LIBVNET_TEST(a_disabled_event_waits_to_be_enabled)
{
	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD | EV_DISABLE, 0, 0);
	put(1, 0);
	assert_int_equal(events(0), 0);
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ENABLE, 0, 0);
	assert_int_equal(events(0), 1);
	change((uintptr_t)jar_fd, EVFILT_READ, EV_DISABLE, 0, 0);
	assert_int_equal(events(0), 0);
	cleanup();
}

LIBVNET_TEST(an_event_is_changed_by_adding_it_again)
{
	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, NOTE_LOWAT, 10);
	put(5, 0);
	assert_int_equal(events(0), 0);
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, NOTE_LOWAT, 5);
	assert_int_equal(events(0), 1);
	change((uintptr_t)jar_fd, EVFILT_READ, EV_DELETE, 0, 0);
	assert_int_equal(events(0), 0);
	cleanup();
}

LIBVNET_TEST(EV_RECEIPT_and_errors_come_as_events)
{
	struct kevent c[3];

	setup();
	EV_SET(&c[0], (uintptr_t)jar_fd, EVFILT_READ, EV_ADD | EV_RECEIPT, 0,
	    0, NULL);
	EV_SET(&c[1], 99, EVFILT_READ, EV_ADD, 0, 0, NULL);
	EV_SET(&c[2], (uintptr_t)jar_fd, EVFILT_WRITE, EV_ADD, 0, 0, NULL);
	put(1, 0);
	assert_int_equal(event(kq, c, 3, got, 8, -1), 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(got[i].flags, EV_ERROR);
	assert_int_equal(got[0].data, 0);
	assert_int_equal(got[1].data, EBADF);
	assert_int_equal(got[2].data, EINVAL);
	assert_int_equal(event(kq, &c[1], 1, NULL, 0, 0), -EBADF);
	assert_int_equal(change(1, -99, EV_ADD, 0, 0), -EINVAL);
	assert_int_equal(change(1, EVFILT_AIO, EV_ADD, 0, 0), -EINVAL);
	assert_int_equal(events(0), 1);
	cleanup();
}

LIBVNET_TEST(closing_a_descriptor_takes_its_events)
{
	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0);
	put(1, 0);
	kern_close(curthread, jar_fd);
	assert_int_equal(events(0), 0);
	kern_close(curthread, kq);
}

LIBVNET_TEST(closing_a_kqueue_leaves_its_files)
{
	struct file *fp;

	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0);
	put(1, 0);
	kern_close(curthread, kq);
	assert_true(KNLIST_EMPTY(&jar.notes));
	assert_int_equal(fget(curthread, jar_fd, &cap_no_rights, &fp), 0);
	assert_int_equal(fp->f_count, 2);
	fdrop(fp, curthread);
	kern_close(curthread, jar_fd);
}

LIBVNET_TEST(knlist_clear_ends_events_with_EOF)
{
	setup();
	put(1, 0);
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0);
	knlist_clear(&jar.notes, 0);
	assert_int_equal(events(0), 1);
	assert_int_equal(got[0].flags & (EV_EOF | EV_ONESHOT),
	    EV_EOF | EV_ONESHOT);
	assert_int_equal(events(0), 0);
	cleanup();
}

LIBVNET_TEST(many_events_come_in_turn)
{
	struct kevent kev;

	setup();
	for (uintptr_t i = 0; i < 20; i++) {
		change(i, EVFILT_USER, EV_ADD, 0, 0);
		change(i, EVFILT_USER, 0, NOTE_TRIGGER, 0);
	}
	assert_int_equal(events(0), 16);
	for (uintptr_t i = 0; i < 16; i++)
		assert_int_equal(got[i].ident, i);
	assert_int_equal(event(kq, NULL, 0, &kev, 1, 0), 1);
	assert_int_equal(kev.ident, 16);
	cleanup();
}

/* ---- waiting */

static void
puts_later(void *arg __unused)
{
	pause("later", 100 * hz / 1000);
	put(1, 0);
	kthread_exit();
}

LIBVNET_TEST(kevent_sleeps_until_something_happens)
{
	int start;

	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0);
	kthread_add(puts_later, NULL, NULL, NULL, 0, 0, "puts");
	start = now_ms();
	assert_int_equal(events(-1), 1);
	assert_int_equal(now_ms() - start, 100);
	cleanup();
}

LIBVNET_TEST(kevent_ends_with_its_time)
{
	int start = now_ms();

	setup();
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0);
	assert_int_equal(events(70), 0);
	assert_int_equal(now_ms() - start, 70);
	cleanup();
}

LIBVNET_TEST(a_kqueue_can_be_polled_and_waited_for_in_another)
{
	struct pollfd p = { .events = POLLIN };
	int inner, outer;

	setup();
	inner = kq;
	change((uintptr_t)jar_fd, EVFILT_READ, EV_ADD, 0, 0);
	outer = kq = new_kqueue();
	assert_int_equal(change((uintptr_t)inner, EVFILT_READ, EV_ADD, 0, 0),
	    0);
	assert_int_equal(change((uintptr_t)outer, EVFILT_READ, EV_ADD, 0, 0),
	    -EINVAL);
	kthread_add(puts_later, NULL, NULL, NULL, 0, 0, "puts");
	p.fd = outer;
	assert_int_equal(kern_poll(curthread, &p, 1, NULL, NULL), 0);
	assert_int_equal(p.revents, POLLIN);
	assert_int_equal(events(-1), 1);
	assert_int_equal(got[0].ident, inner);
	assert_int_equal(got[0].data, 1);
	kern_close(curthread, inner);
	assert_int_equal(events(0), 0);
	cleanup();
}
