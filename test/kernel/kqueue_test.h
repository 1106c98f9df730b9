/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of kqueue(2) share. */
#ifndef KQUEUE_TEST_H
#define KQUEUE_TEST_H

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

static int
now_ms(void)
{
	return ((int)((libvnet_clock_ns() + 500000) / 1000000));
}

#endif /* KQUEUE_TEST_H */
