/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: kqueue(2) and kevent(2) as a program calls them.
 * Fidelity: exact
 * Differs: changes and events are in the caller's memory, not a user's.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/capsicum.h>
#include <sys/event.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/syscallsubr.h>

#include <seam_socket.h>

CTASSERT(sizeof(struct vnk_kevent) == sizeof(struct kevent));
CTASSERT(offsetof(struct vnk_kevent, data) == offsetof(struct kevent, data));
CTASSERT(offsetof(struct vnk_kevent, ext) == offsetof(struct kevent, ext));

struct lists {
	const struct vnk_kevent *changes;
	struct vnk_kevent *events;
};

static int
take(void *arg, struct kevent *kev, int count)
{
	struct lists *l = arg;

	memcpy(kev, l->changes, count * sizeof(*kev));
	l->changes += count;
	return (0);
}

static int
give(void *arg, struct kevent *kev, int count)
{
	struct lists *l = arg;

	memcpy(l->events, kev, count * sizeof(*kev));
	l->events += count;
	return (0);
}

int
vnk_kqueue(int *fd)
{
	int error = kern_kqueue(curthread, 0, NULL);

	if (error == 0)
		*fd = (int)curthread->td_retval[0];
	return (error);
}

int
vnk_kqueue_close(int fd)
{
	struct file *fp;
	int error = fget(curthread, fd, &cap_no_rights, &fp);

	if (error != 0)
		return (error);
	error = fp->f_type == DTYPE_KQUEUE ? 0 : EBADF;
	fdrop(fp, curthread);
	return (error != 0 ? error : kern_close(curthread, fd));
}

int
vnk_kevent(int kq, const struct vnk_kevent *changes, unsigned nchanges,
    struct vnk_kevent *events, unsigned nevents, vnh_i64 timeout_ns, int *n)
{
	struct lists l = { changes, events };
	struct kevent_copyops ops = {
		.arg = &l,
		.k_copyout = give,
		.k_copyin = take,
		.kevent_size = sizeof(struct kevent)
	};
	struct timespec ts = { .tv_sec = timeout_ns / 1000000000,
	    .tv_nsec = timeout_ns % 1000000000 };
	int error = kern_kevent(curthread, kq, (int)nchanges, (int)nevents,
	    &ops, timeout_ns < 0 ? NULL : &ts);

	if (error == 0)
		*n = (int)curthread->td_retval[0];
	return (error);
}
