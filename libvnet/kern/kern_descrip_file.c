/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: open files: their making, finit(), the last fdrop(), fget() and its
 * kin, badfileops.  FreeBSD's kern/kern_descrip.c.
 * Fidelity: exact
 * Differs: rights of descriptors are kept and not looked at, as in a kernel
 * without option CAPABILITIES.  An offset has no lock: only files that need
 * none are here.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/fcntl.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/refcount.h>
#include <sys/stat.h>
#include <sys/sx.h>
#include <sys/ucred.h>
#include <sys/uio.h>
#include <vm/uma.h>

#include <lvk.h>
#include "kern_descrip.h"

int	file_kcmp_generic(struct file *, struct file *, struct thread *);

static uma_zone_t file_zone;

/* Not trashed when free: a count of 0 tells a file that has gone. */
static void
files_init(void *arg __unused)
{
	file_zone = uma_zcreate("Files", sizeof(struct file), NULL, NULL,
	    NULL, NULL, UMA_ALIGN_PTR, UMA_ZONE_NOFREE);
}
SYSINIT(lvk_files, SI_SUB_LOCK, SI_ORDER_ANY, files_init, NULL);

int
_falloc_noinstall(struct thread *td, struct file **fpp, u_int n)
{
	struct file *fp;

	fp = uma_zalloc(file_zone, M_WAITOK);
	memset(fp, 0, sizeof(*fp));
	refcount_init(&fp->f_count, n);
	fp->f_cred = crhold(td->td_ucred);
	fp->f_ops = &badfileops;
	*fpp = fp;
	return (0);
}

/* Whatever its count. */
void
falloc_abort(struct thread *td, struct file *fp)
{
	refcount_init(&fp->f_count, 0);
	(void)_fdrop(fp, td);
}

void
finit(struct file *fp, u_int flag, short type, void *data, LVK_FILEOPS *ops)
{
	fp->f_data = data;
	fp->f_flag = flag;
	fp->f_type = type;
	fp->f_ops = ops;
}

int
_fdrop(struct file *fp, struct thread *td)
{
	int error;

	KASSERT(refcount_load(&fp->f_count) == 0, ("fdrop: fp %p count %d",
	    fp, refcount_load(&fp->f_count)));
	error = fo_close(fp, td);
	crfree(fp->f_cred);
	uma_zfree(file_zone, fp);
	return (error);
}

/* kcmp(2): which of two; 3 when they are not of one kind. */
int
file_kcmp_generic(struct file *fp1, struct file *fp2, struct thread *td)
{
	uintptr_t a = (uintptr_t)fp1->f_data, b = (uintptr_t)fp2->f_data;

	if (fp1->f_type != fp2->f_type)
		return (3);
	td->td_retval[0] = a == b ? 0 : a < b ? 1 : 2;
	return (0);
}

/* ---- looking up */

static int
lookup(struct filedesc *fdp, int fd, struct file **fpp, bool hold)
{
	struct file *fp = NULL;

	*fpp = NULL;
	if (fd >= 0 && fd < fdp->fd_nfiles)
		fp = fdp->fd_ofiles[fd].fde_file;
	if (fp == NULL || fp->f_ops == &badfileops)
		return (EBADF);
	if (hold && !fhold(fp))
		return (EBADF);
	*fpp = fp;
	return (0);
}

static int
lookup_locking(struct filedesc *fdp, int fd, struct file **fpp)
{
	int error;

	FILEDESC_SLOCK(fdp);
	error = lookup(fdp, fd, fpp, true);
	FILEDESC_SUNLOCK(fdp);
	return (error);
}

int
lvk_fget(struct thread *td, int fd, struct file **fpp)
{
	return (lookup_locking(lvk_fdp(td), fd, fpp));
}

int
fget(struct thread *td, int fd, cap_rights_t *rights __unused,
    struct file **fpp)
{
	return (lvk_fget(td, fd, fpp));
}

static int
fget_for(struct thread *td, int fd, u_int flag, struct file **fpp)
{
	int error;

	error = lvk_fget(td, fd, fpp);
	if (error == 0 && ((*fpp)->f_flag & flag) == 0) {
		fdrop(*fpp, td);
		*fpp = NULL;
		error = EBADF;
	}
	return (error);
}

int
fget_read(struct thread *td, int fd, cap_rights_t *rights __unused,
    struct file **fpp)
{
	return (fget_for(td, fd, FREAD, fpp));
}

int
fget_write(struct thread *td, int fd, cap_rights_t *rights __unused,
    struct file **fpp)
{
	return (fget_for(td, fd, FWRITE, fpp));
}

int
fget_fcntl(struct thread *td, int fd, cap_rights_t *rights __unused,
    int needfcntl __unused, struct file **fpp)
{
	return (lvk_fget(td, fd, fpp));
}

int
fget_cap(struct thread *td, int fd, cap_rights_t *rights __unused,
    struct file **fpp, struct filecaps *fcaps)
{
	struct filedesc *fdp = lvk_fdp(td);
	int error;

	FILEDESC_SLOCK(fdp);
	error = lookup(fdp, fd, fpp, true);
	if (error == 0 && fcaps != NULL &&
	    !filecaps_copy(&fdp->fd_ofiles[fd].fde_caps, fcaps, false))
		error = ENOMEM;
	FILEDESC_SUNLOCK(fdp);
	return (error);
}

#if __FreeBSD_version >= 1400000
int
fget_cap_noref(struct filedesc *fdp, int fd, cap_rights_t *rights __unused,
    struct file **fpp, struct filecaps *fcaps)
#else
int
fget_cap_locked(struct filedesc *fdp, int fd, cap_rights_t *rights __unused,
    struct file **fpp, struct filecaps *fcaps)
#endif
{
	int error;

	FILEDESC_LOCK_ASSERT(fdp);
	error = lookup(fdp, fd, fpp, false);
	if (error == 0 && fcaps != NULL)
		(void)filecaps_copy(&fdp->fd_ofiles[fd].fde_caps, fcaps,
		    true);
	return (error);
}

/* The caller's process has one thread, so that nobody can close it. */
int
fget_only_user(struct filedesc *fdp, int fd, cap_rights_t *rights __unused,
    struct file **fpp)
{
	return (lookup(fdp, fd, fpp, false));
}

#if __FreeBSD_version >= 1400000
int
fget_unlocked(struct thread *td, int fd, cap_rights_t *rights __unused,
    struct file **fpp)
{
	return (lvk_fget(td, fd, fpp));
}
#else
int
fget_unlocked(struct filedesc *fdp, int fd, cap_rights_t *rights __unused,
    struct file **fpp)
{
	return (lookup_locking(fdp, fd, fpp));
}
#endif

/* ---- offsets */

off_t
foffset_lock(struct file *fp, int flags __unused)
{
	return (fp->f_offset);
}

void
foffset_unlock(struct file *fp, off_t off, int flags)
{
	if ((flags & FOF_NOUPDATE) == 0)
		fp->f_offset = off;
}

void
foffset_lock_uio(struct file *fp, struct uio *uio, int flags)
{
	if ((flags & FOF_OFFSET) == 0)
		uio->uio_offset = foffset_lock(fp, flags);
}

void
foffset_unlock_uio(struct file *fp, struct uio *uio, int flags)
{
	if ((flags & FOF_OFFSET) == 0)
		foffset_unlock(fp, uio->uio_offset, flags);
}

/* ---- what a file cannot do */

int
invfo_rdwr(struct file *fp __unused, struct uio *uio __unused,
    struct ucred *cr __unused, int flags __unused, struct thread *td __unused)
{
	return (EOPNOTSUPP);
}

int
invfo_truncate(struct file *fp __unused, off_t length __unused,
    struct ucred *cr __unused, struct thread *td __unused)
{
	return (EINVAL);
}

int
invfo_ioctl(struct file *fp __unused, u_long cmd __unused,
    void *data __unused, struct ucred *cr __unused,
    struct thread *td __unused)
{
	return (ENOTTY);
}

int
invfo_poll(struct file *fp __unused, int events, struct ucred *cr __unused,
    struct thread *td __unused)
{
	return (poll_no_poll(events));
}

int
invfo_kqfilter(struct file *fp __unused, struct knote *kn __unused)
{
	return (EINVAL);
}

int
invfo_chmod(struct file *fp __unused, mode_t mode __unused,
    struct ucred *cr __unused, struct thread *td __unused)
{
	return (EINVAL);
}

int
invfo_chown(struct file *fp __unused, uid_t uid __unused, gid_t gid __unused,
    struct ucred *cr __unused, struct thread *td __unused)
{
	return (EINVAL);
}

int
invfo_sendfile(struct file *fp __unused, int sockfd __unused,
    struct uio *hdr __unused, struct uio *trl __unused, off_t off __unused,
    size_t n __unused, off_t *sent __unused, int flags __unused,
    struct thread *td __unused)
{
	return (EINVAL);
}

/* ---- a file that is not there yet, or whose opening failed */

static int
badfo_rdwr(struct file *fp __unused, struct uio *uio __unused,
    struct ucred *cr __unused, int flags __unused, struct thread *td __unused)
{
	return (EBADF);
}

static int
badfo_truncate(struct file *fp __unused, off_t length __unused,
    struct ucred *cr __unused, struct thread *td __unused)
{
	return (EINVAL);
}

static int
badfo_ioctl(struct file *fp __unused, u_long cmd __unused,
    void *data __unused, struct ucred *cr __unused,
    struct thread *td __unused)
{
	return (EBADF);
}

static int
badfo_poll(struct file *fp __unused, int events __unused,
    struct ucred *cr __unused, struct thread *td __unused)
{
	return (0);
}

static int
badfo_kqfilter(struct file *fp __unused, struct knote *kn __unused)
{
	return (EBADF);
}

static int
badfo_stat(struct file *fp __unused, struct stat *sb __unused,
    struct ucred *cr __unused
#if __FreeBSD_version < 1400000
    , struct thread *td __unused
#endif
    )
{
	return (EBADF);
}

static int
badfo_close(struct file *fp __unused, struct thread *td __unused)
{
	return (0);
}

LVK_FILEOPS badfileops = {
	.fo_read = badfo_rdwr,
	.fo_write = badfo_rdwr,
	.fo_truncate = badfo_truncate,
	.fo_ioctl = badfo_ioctl,
	.fo_poll = badfo_poll,
	.fo_kqfilter = badfo_kqfilter,
	.fo_stat = badfo_stat,
	.fo_close = badfo_close,
	.fo_chmod = invfo_chmod,
	.fo_chown = invfo_chown,
	.fo_sendfile = invfo_sendfile
};
