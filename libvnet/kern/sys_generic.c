/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: read(2), write(2), ioctl(2), poll(2), FreeBSD's
 * kern/sys_generic.c.
 * Fidelity: exact
 * Differs: select(2) is left out; so are signal masks.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/fcntl.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/filio.h>
#include <sys/ioccom.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/poll.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <sys/syscallsubr.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <lvk.h>
#include "kern_descrip.h"
#include "sys_generic.h"

#define IOCTL_SMALL 128			/* an argument that fits on the stack */

MALLOC_DEFINE(M_IOV, "iov", "large iov's");
static MALLOC_DEFINE(M_IOCTLOPS, "ioctlops", "ioctl data buffer");

/* A positive answer of a system call is an error that is no exception. */
int
kern_posix_error(struct thread *td, int error)
{
	if (error <= 0)
		return (error);
	td->td_retval[0] = error;
	return (0);
}

/* ---- read and write */

static int
rdwr(struct thread *td, int fd, struct uio *uio, enum uio_rw rw)
{
	ssize_t all = uio->uio_resid;
	struct file *fp;
	int error;

	error = lvk_fget(td, fd, &fp);
	if (error != 0)
		return (error);
	if ((fp->f_flag & (rw == UIO_READ ? FREAD : FWRITE)) == 0) {
		fdrop(fp, td);
		return (EBADF);
	}
	uio->uio_rw = rw;
	uio->uio_td = td;
	uio->uio_offset = -1;
	error = rw == UIO_READ ? fo_read(fp, uio, td->td_ucred, 0, td) :
	    fo_write(fp, uio, td->td_ucred, 0, td);
	/* What was interrupted has moved something all the same. */
	if (uio->uio_resid != all && (error == ERESTART || error == EINTR ||
	    error == EWOULDBLOCK))
		error = 0;
	td->td_retval[0] = all - uio->uio_resid;
	fdrop(fp, td);
	return (error);
}

int
kern_readv(struct thread *td, int fd, struct uio *uio)
{
	return (rdwr(td, fd, uio, UIO_READ));
}

int
kern_writev(struct thread *td, int fd, struct uio *uio)
{
	return (rdwr(td, fd, uio, UIO_WRITE));
}

/* ---- ioctl */

static void
set_exclose(struct thread *td, int fd, bool on)
{
	struct filedesc *fdp = lvk_fdp(td);

	FILEDESC_XLOCK(fdp);
	if (fd < fdp->fd_nfiles) {
		if (on)
			fdp->fd_ofiles[fd].fde_flags |= UF_EXCLOSE;
		else
			fdp->fd_ofiles[fd].fde_flags &= ~UF_EXCLOSE;
	}
	FILEDESC_XUNLOCK(fdp);
}

static void
set_flag(struct file *fp, u_int flag, bool on)
{
	if (on)
		atomic_set_int(&fp->f_flag, flag);
	else
		atomic_clear_int(&fp->f_flag, flag);
}

/* The argument is in the kernel's memory. */
int
kern_ioctl(struct thread *td, int fd, u_long cmd, caddr_t data)
{
	struct file *fp;
	int error, on;

	error = lvk_fget(td, fd, &fp);
	if (error != 0)
		return (error);
	if ((fp->f_flag & (FREAD | FWRITE)) == 0) {
		fdrop(fp, td);
		return (EBADF);
	}
	switch (cmd) {
	case FIOCLEX:
	case FIONCLEX:
		set_exclose(td, fd, cmd == FIOCLEX);
		break;
	case FIONBIO:
	case FIOASYNC:
		on = *(int *)(void *)data != 0;
		set_flag(fp, cmd == FIONBIO ? FNONBLOCK : FASYNC, on != 0);
		error = fo_ioctl(fp, cmd, &on, td->td_ucred, td);
		break;
	default:
		error = fo_ioctl(fp, cmd, data, td->td_ucred, td);
		break;
	}
	fdrop(fp, td);
	return (error);
}

static bool
cmd_valid(u_long cmd, size_t size)
{
	if (size > IOCPARM_MAX || (cmd & IOC_DIRMASK) == 0)
		return (false);
	if ((cmd & IOC_VOID) != 0)
		return (size == 0 || size == sizeof(int));
	return (size != 0);
}

int
lvk_ioctl(struct thread *td, int fd, u_long cmd, void *user)
{
	size_t size = IOCPARM_LEN(cmd);
	char small[IOCTL_SMALL] __aligned(16);
	char *data = small;
	int error = 0, number;

	if (!cmd_valid(cmd, size))
		return (ENOTTY);
	if ((cmd & IOC_VOID) != 0) {
		number = (int)(intptr_t)user;
		return (kern_ioctl(td, fd, cmd,
		    size != 0 ? (caddr_t)&number : (caddr_t)&user));
	}
	if (size > sizeof(small))
		data = malloc(size, M_IOCTLOPS, M_WAITOK);
	if ((cmd & IOC_IN) != 0)
		error = copyin(user, data, size);
	else
		memset(data, 0, size);
	if (error == 0)
		error = kern_ioctl(td, fd, cmd, data);
	if (error == 0 && (cmd & IOC_OUT) != 0)
		error = copyout(data, user, size);
	if (data != small)
		free(data, M_IOCTLOPS);
	return (error);
}

/* ---- poll */

int
poll_no_poll(int events)
{
	if ((events & ~POLLSTANDARD) != 0)
		return (POLLNVAL);
	return (events & (POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM));
}

/* Asks each file, which records the thread as one that waits. */
static int
scan(struct thread *td, struct pollfd *fds, u_int n)
{
	struct file *fp;
	int ready = 0;

	for (u_int i = 0; i < n; i++) {
		fds[i].revents = 0;
		if (fds[i].fd < 0)
			continue;
		if (lvk_fget(td, fds[i].fd, &fp) != 0)
			fds[i].revents = POLLNVAL;
		else {
			lvk_sel_file(td);
			fds[i].revents = (short)fo_poll(fp, fds[i].events,
			    td->td_ucred, td);
			fdrop(fp, td);
			/* POLLHUP and POLLOUT exclude each other. */
			if ((fds[i].revents & POLLHUP) != 0)
				fds[i].revents &= ~POLLOUT;
		}
		if (fds[i].revents != 0)
			ready++;
	}
	return (ready);
}

static int
poll_loop(struct thread *td, struct pollfd *fds, u_int n, sbintime_t deadline)
{
	int error = 0, ready;

	lvk_sel_begin(td);
	while ((ready = scan(td, fds, n)) == 0) {
		error = lvk_sel_wait(td, deadline);
		if (error != 0)
			break;
		lvk_sel_again(td);
	}
	lvk_sel_end(td);
	td->td_retval[0] = ready;
	return (error == EWOULDBLOCK ? 0 : error);
}

static int
poll_deadline(const struct timespec *tsp, sbintime_t *deadline)
{
	sbintime_t now = lvk_clock(), sbt;

	*deadline = SBT_MAX;
	if (tsp == NULL)
		return (0);
	if (tsp->tv_sec < 0 || tsp->tv_nsec < 0 || tsp->tv_nsec >= 1000000000)
		return (EINVAL);
	if (tsp->tv_sec > INT32_MAX / 2)
		return (0);
	sbt = (sbintime_t)tsp->tv_sec * SBT_1S + nstosbt(tsp->tv_nsec);
	*deadline = now + sbt;
	return (0);
}

int
kern_poll(struct thread *td, struct pollfd *user, u_int n,
    struct timespec *tsp, sigset_t *set __unused)
{
	struct pollfd small[8], *fds = small;
	sbintime_t deadline;
	int error;

	error = poll_deadline(tsp, &deadline);
	if (error != 0)
		return (error);
	if (n > (u_int)maxfilesperproc)
		return (EINVAL);
	if (n > nitems(small))
		fds = mallocarray(n, sizeof(*fds), M_TEMP, M_WAITOK);
	error = copyin(user, fds, n * sizeof(*fds));
	if (error == 0)
		error = poll_loop(td, fds, n, deadline);
	if (error == 0)
		error = copyout(fds, user, n * sizeof(*fds));
	if (fds != small)
		free(fds, M_TEMP);
	return (error);
}
