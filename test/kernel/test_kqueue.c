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

/* A jar of coins: readable while there are as many as NOTE_LOWAT wants. */
struct jar {
	struct mtx lock;
	struct knlist notes;
	int coins;
	int asked;
	bool broken;
};

static void
jar_detach(struct knote *kn)
{
	struct jar *j = kn->kn_hook;

	knlist_remove(&j->notes, kn, 0);
}

static int
jar_event(struct knote *kn, long hint)
{
	struct jar *j = kn->kn_hook;

	mtx_assert(&j->lock, MA_OWNED);
	j->asked++;
	kn->kn_data = j->coins;
	if (hint != 0)
		kn->kn_fflags |= (u_int)hint;
	if (j->broken) {
		kn->kn_flags |= EV_EOF;
		return (1);
	}
	if ((kn->kn_sfflags & NOTE_LOWAT) != 0)
		return (kn->kn_data >= kn->kn_sdata);
	return (kn->kn_data > 0);
}

static const struct filterops jar_filtops = {
	.f_isfd = 1,
	.f_detach = jar_detach,
	.f_event = jar_event
};

static int
jar_kqfilter(struct file *fp, struct knote *kn)
{
	struct jar *j = fp->f_data;

	if (kn->kn_filter != EVFILT_READ)
		return (EINVAL);
	kn->kn_fop = &jar_filtops;
	kn->kn_hook = j;
	knlist_add(&j->notes, kn, 0);
	return (0);
}

static int
jar_close(struct file *fp, struct thread *td)
{
	struct jar *j = fp->f_data;

	knlist_delete(&j->notes, td, 0);
	knlist_destroy(&j->notes);
	mtx_destroy(&j->lock);
	return (0);
}

static const struct fileops jar_ops = {
	.fo_kqfilter = jar_kqfilter,
	.fo_close = jar_close
};

static struct jar jar;
static int kq, jar_fd;
static struct kevent got[16];

/* ---- kevent(2), as a process calls it */

struct lists {
	const struct kevent *changes;
	struct kevent *events;
};

static int
events_out(void *arg, struct kevent *kevs, int n)
{
	struct lists *l = arg;

	memcpy(l->events, kevs, (size_t)n * sizeof(*kevs));
	l->events += n;
	return (0);
}

static int
changes_in(void *arg, struct kevent *kevs, int n)
{
	struct lists *l = arg;

	memcpy(kevs, l->changes, (size_t)n * sizeof(*kevs));
	l->changes += n;
	return (0);
}

/* Events, or minus the error; ms -1: wait for ever. */
static int
event(int fd, const struct kevent *changes, int n, struct kevent *events,
    int room, int ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };
	struct lists l = { changes, events };
	struct kevent_copyops ops = {
		.arg = &l, .k_copyout = events_out, .k_copyin = changes_in,
		.kevent_size = sizeof(struct kevent)
	};
	int error;

	error = kern_kevent(curthread, fd, n, room, &ops,
	    ms < 0 ? NULL : &ts);
	return (error != 0 ? -error : (int)curthread->td_retval[0]);
}

static int
change(uintptr_t ident, int filter, u_int flags, u_int fflags, int64_t data)
{
	struct kevent kev;

	EV_SET(&kev, ident, (short)filter, (u_short)flags, fflags, data,
	    &jar);
	return (event(kq, &kev, 1, NULL, 0, 0));
}

static int
events(int ms)
{
	memset(got, 0, sizeof(got));
	return (event(kq, NULL, 0, got, nitems(got), ms));
}

static int
new_kqueue(void)
{
	assert_int_equal(kern_kqueue(curthread, 0, NULL), 0);
	return ((int)curthread->td_retval[0]);
}

static void
setup(void)
{
	struct file *fp;

	kq = new_kqueue();
	mtx_init(&jar.lock, "jar", NULL, MTX_DEF);
	knlist_init_mtx(&jar.notes, &jar.lock);
	assert_int_equal(falloc(curthread, &fp, &jar_fd, 0), 0);
	finit(fp, FREAD, DTYPE_PIPE, &jar, &jar_ops);
	fdrop(fp, curthread);
}

static void
cleanup(void)
{
	kern_close(curthread, jar_fd);
	kern_close(curthread, kq);
}

static void
put(int coins, long hint)
{
	mtx_lock(&jar.lock);
	jar.coins += coins;
	KNOTE_LOCKED(&jar.notes, hint);
	mtx_unlock(&jar.lock);
}

static int
now_ms(void)
{
	return ((int)((libvnet_clock_ns() + 500000) / 1000000));
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
