/* SPDX-License-Identifier: BSD-2-Clause */
/* selrecord(9), selwakeup(9), seldrain(9), and poll(2) over many files. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/fcntl.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/poll.h>
#include <sys/proc.h>
#include <sys/selinfo.h>
#include <sys/syscallsubr.h>
#include <sys/time.h>

#include <libvnet/test.h>

/* A bell; whoever polls it waits for it to ring. */
struct bell {
	struct mtx lock;
	struct selinfo sel;
	int rings;
	int asked;
	int records;		/* times that it records each time, 1 */
};

static int
bell_poll(struct file *fp, int events, struct ucred *cr __unused,
    struct thread *td)
{
	struct bell *b = fp->f_data;
	int revents = 0;

	mtx_lock(&b->lock);
	b->asked++;
	if ((events & POLLIN) != 0) {
		if (b->rings > 0)
			revents = POLLIN;
		for (int i = 0; revents == 0 && i < b->records; i++)
			selrecord(td, &b->sel);
	}
	mtx_unlock(&b->lock);
	return (revents);
}

static int
bell_close(struct file *fp, struct thread *td __unused)
{
	struct bell *b = fp->f_data;

	seldrain(&b->sel);
	mtx_destroy(&b->lock);
	return (0);
}

static const struct fileops bell_ops = {
	.fo_poll = bell_poll,
	.fo_close = bell_close
};

static struct bell bells[3];
static int fds[3], polled, done_ms[4];

static void
hang(void)
{
	struct file *fp;

	for (u_int i = 0; i < nitems(bells); i++) {
		mtx_init(&bells[i].lock, "bell", NULL, MTX_DEF);
		bells[i].records = 1;
		assert_int_equal(falloc(curthread, &fp, &fds[i], 0), 0);
		finit(fp, FREAD, DTYPE_PIPE, &bells[i], &bell_ops);
		fdrop(fp, curthread);
	}
}

static void
take_down(void)
{
	for (u_int i = 0; i < nitems(bells); i++)
		kern_close(curthread, fds[i]);
}

static void
ring(struct bell *b, int n)
{
	mtx_lock(&b->lock);
	b->rings = n;
	selwakeuppri(&b->sel, PZERO);
	mtx_unlock(&b->lock);
}

static int
now_ms(void)
{
	return ((int)((libvnet_clock_ns() + 500000) / 1000000));
}

/* ms -1: for ever.  Returns how many are ready. */
static int
poll_all(struct pollfd *pfds, u_int n, int ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

	assert_int_equal(kern_poll(curthread, pfds, n, ms < 0 ? NULL : &ts,
	    NULL), 0);
	return ((int)curthread->td_retval[0]);
}

static void
rings_later(void *arg)
{
	struct bell *b = arg;

	pause("later", 100 * hz / 1000);
	ring(b, 1);
	kthread_exit();
}

LIBVNET_TEST(poll_answers_at_once_what_holds_now)
{
	struct pollfd p[3];
	int start;

	hang();
	ring(&bells[1], 1);
	for (int i = 0; i < 3; i++)
		p[i] = (struct pollfd){ fds[i], POLLIN, -1 };
	start = now_ms();
	assert_int_equal(poll_all(p, 3, -1), 1);
	assert_int_equal(p[0].revents, 0);
	assert_int_equal(p[1].revents, POLLIN);
	assert_int_equal(p[2].revents, 0);
	assert_int_equal(now_ms(), start);
	take_down();
}

LIBVNET_TEST(poll_sleeps_until_one_rings)
{
	struct pollfd p[3];
	int start = now_ms();

	hang();
	for (int i = 0; i < 3; i++)
		p[i] = (struct pollfd){ fds[i], POLLIN, 0 };
	kthread_add(rings_later, &bells[2], NULL, NULL, 0, 0, "rings");
	assert_int_equal(poll_all(p, 3, -1), 1);
	assert_int_equal(p[2].revents, POLLIN);
	assert_int_equal(now_ms() - start, 100);
	take_down();
}

LIBVNET_TEST(poll_ends_with_its_time)
{
	struct pollfd p = { .events = POLLIN };
	int start = now_ms();

	hang();
	p.fd = fds[0];
	assert_int_equal(poll_all(&p, 1, 250), 0);
	assert_int_equal(now_ms() - start, 250);
	assert_int_equal(poll_all(&p, 1, 0), 0);
	assert_int_equal(poll_all(NULL, 0, 50), 0);
	assert_int_equal(now_ms() - start, 300);
	take_down();
}

/* A wakeup that finds nothing is no end. */
static void
rings_in_vain(void *arg)
{
	struct bell *b = arg;

	for (int i = 0; i < 3; i++) {
		pause("later", 10 * hz / 1000);
		ring(b, 0);
	}
	pause("later", 10 * hz / 1000);
	ring(b, 1);
	kthread_exit();
}

LIBVNET_TEST(poll_asks_again_after_a_wakeup_for_nothing)
{
	struct pollfd p = { .events = POLLIN };
	int start = now_ms();

	hang();
	p.fd = fds[0];
	kthread_add(rings_in_vain, &bells[0], NULL, NULL, 0, 0, "rings");
	assert_int_equal(poll_all(&p, 1, 1000), 1);
	assert_int_equal(now_ms() - start, 40);
	assert_int_equal(bells[0].asked, 5);
	take_down();
}

static void
polls(void *arg)
{
	struct pollfd p = { .fd = fds[0], .events = POLLIN };
	int i = (int)(intptr_t)arg;

	polled += poll_all(&p, 1, -1);
	done_ms[i] = now_ms();
	kthread_exit();
}

LIBVNET_TEST(selwakeup_wakes_all_that_wait)
{
	int start = now_ms();

	hang();
	for (int i = 0; i < 4; i++)
		kthread_add(polls, (void *)(intptr_t)i, NULL, NULL, 0, 0,
		    "polls%d", i);
	libvnet_run_until_idle();
	assert_true(SEL_WAITING(&bells[0].sel));
	assert_int_equal(polled, 0);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
	ring(&bells[0], 1);
	assert_false(SEL_WAITING(&bells[0].sel));
	libvnet_run_until_idle();
	assert_int_equal(polled, 4);
	for (int i = 0; i < 4; i++)
		assert_int_equal(done_ms[i] - start, 1000);
	take_down();
}

LIBVNET_TEST(poll_leaves_no_record_behind)
{
	struct pollfd p = { .events = POLLIN };

	hang();
	p.fd = fds[0];
	for (int i = 0; i < 10; i++)
		assert_int_equal(poll_all(&p, 1, 1), 0);
	assert_false(SEL_WAITING(&bells[0].sel));
	take_down();
}

LIBVNET_TEST(poll_of_no_file_answers_POLLNVAL)
{
	struct pollfd p[2] = { { 17, POLLIN, 0 }, { -1, POLLIN, 9 } };

	assert_int_equal(poll_all(p, 2, -1), 1);
	assert_int_equal(p[0].revents, POLLNVAL);
	assert_int_equal(p[1].revents, 0);
}

LIBVNET_TEST(poll_refuses_a_time_that_is_none)
{
	struct timespec ts = { 0, 1000000000 };

	assert_int_equal(kern_poll(curthread, NULL, 0, &ts, NULL), EINVAL);
	ts = (struct timespec){ -1, 0 };
	assert_int_equal(kern_poll(curthread, NULL, 0, &ts, NULL), EINVAL);
}

LIBVNET_TEST(seldrain_before_any_poll_is_fine)
{
	struct selinfo si = { .si_mtx = NULL };

	seldrain(&si);
	selwakeup(&si);
}

LIBVNET_TEST(poll_for_ever_that_nothing_can_end_panics)
{
	struct pollfd p = { .events = POLLIN };

	libvnet_expect_panic("thread sleeps for ever on \"select\"");
	hang();
	p.fd = fds[0];
	poll_all(&p, 1, -1);
}

LIBVNET_TEST(selrecord_outside_of_poll_panics)
{
	struct selinfo si = { .si_mtx = NULL };

	libvnet_expect_panic("selrecord: thread \"kernel\" is not in select");
	selrecord(curthread, &si);
}

LIBVNET_TEST(selrecord_twice_by_a_file_is_fine)
{
	struct pollfd p = { .events = POLLIN };

	hang();
	bells[0].records = 2;
	p.fd = fds[0];
	assert_int_equal(poll_all(&p, 1, 1), 0);
	take_down();
}

LIBVNET_TEST(selrecord_thrice_by_a_file_panics)
{
	struct pollfd p = { .events = POLLIN };

	libvnet_expect_panic("selrecord: No free selfd on selq");
	hang();
	bells[0].records = 3;
	p.fd = fds[0];
	poll_all(&p, 1, 1);
}
