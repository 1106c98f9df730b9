/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: tables of open files: falloc(9), fdclose(), close(2), FreeBSD's
 * kern/kern_descrip.c.
 * Fidelity: exact
 * Differs: every process gets a table when it first asks for one.  Lookups
 * take the table's lock.  There is no fork and no exec.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/capsicum.h>
#include <sys/event.h>
#include <sys/fcntl.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/refcount.h>
#include <sys/sx.h>
#include <sys/syscallsubr.h>

#include <lvk.h>
#include "kern_descrip.h"

#define FD_FIRST 64			/* descriptors of a new table */
#define SLOT_BITS (sizeof(NDSLOTTYPE) * NBBY)
#define SLOT(fd) ((size_t)(fd) / SLOT_BITS)
#define SLOT_BIT(fd) ((NDSLOTTYPE)1 << ((size_t)(fd) % SLOT_BITS))

static MALLOC_DEFINE(M_FILEDESC, "filedesc", "Open file descriptor table");
static MALLOC_DEFINE(M_FILECAPS, "filecaps", "descriptor capabilities");

/* ---- tables, which are the machine's and no vnet's */

static size_t
table_size(int n)
{
	return (sizeof(struct fdescenttbl) +
	    (size_t)n * sizeof(struct filedescent));
}

static struct filedesc *
fdp_new(void)
{
	struct filedesc *fdp;

	lvk_owner_none_enter();
	fdp = malloc(sizeof(*fdp), M_FILEDESC, M_WAITOK | M_ZERO);
	fdp->fd_files = malloc(table_size(FD_FIRST), M_FILEDESC,
	    M_WAITOK | M_ZERO);
	fdp->fd_map = malloc(FD_FIRST / NBBY, M_FILEDESC, M_WAITOK | M_ZERO);
	lvk_owner_none_exit();
	fdp->fd_nfiles = FD_FIRST;
	fdp->fd_refcnt = fdp->fd_holdcnt = 1;
	FILEDESC_LOCK_INIT(fdp);
	TAILQ_INIT(&fdp->fd_kqlist);
	return (fdp);
}

#if __FreeBSD_version >= 1400000
struct filedesc *
fdinit(void)
{
	return (fdp_new());
}
#else
struct filedesc *
fdinit(struct filedesc *parent __unused, bool prepare __unused,
    int *last __unused)
{
	return (fdp_new());
}
#endif

struct filedesc *
lvk_fdp(struct thread *td)
{
	struct proc *p = td->td_proc;

	if (p->p_fd == NULL)
		p->p_fd = fdp_new();
	return (p->p_fd);
}

static void
proc0_table(void *arg __unused)
{
	(void)lvk_fdp(&thread0);
}
SYSINIT(lvk_proc0_table, SI_SUB_INTRINSIC, SI_ORDER_ANY, proc0_table, NULL);

static void
grow(struct filedesc *fdp, int want)
{
	int old = fdp->fd_nfiles, n = old;
	struct fdescenttbl *files;
	NDSLOTTYPE *map;

	while (n < want)
		n *= 2;
	if (n == old)
		return;
	lvk_owner_none_enter();
	files = malloc(table_size(n), M_FILEDESC, M_WAITOK | M_ZERO);
	map = malloc((size_t)n / NBBY, M_FILEDESC, M_WAITOK | M_ZERO);
	lvk_owner_none_exit();
	memcpy(files, fdp->fd_files, table_size(old));
	memcpy(map, fdp->fd_map, (size_t)old / NBBY);
	files->fdt_nfiles = n;
	free(fdp->fd_files, M_FILEDESC);
	free(fdp->fd_map, M_FILEDESC);
	fdp->fd_files = files;
	fdp->fd_map = map;
}

/* ---- descriptors */

static bool
used(const struct filedesc *fdp, int fd)
{
	return ((fdp->fd_map[SLOT(fd)] & SLOT_BIT(fd)) != 0);
}

/* With the table's lock. */
int
fdalloc(struct thread *td, int minfd, int *result)
{
	struct filedesc *fdp = lvk_fdp(td);
	int fd = MAX(minfd, fdp->fd_freefile);

	FILEDESC_XLOCK_ASSERT(fdp);
	while (fd < fdp->fd_nfiles && used(fdp, fd))
		fd++;
	if (fd >= maxfilesperproc)
		return (EMFILE);
	grow(fdp, fd + 1);
	fdp->fd_map[SLOT(fd)] |= SLOT_BIT(fd);
	if (fd == fdp->fd_freefile)
		fdp->fd_freefile = fd + 1;
	*result = fd;
	return (0);
}

static void
fdfree(struct filedesc *fdp, int fd)
{
	FILEDESC_XLOCK_ASSERT(fdp);
	filecaps_free(&fdp->fd_ofiles[fd].fde_caps);
	memset(&fdp->fd_ofiles[fd], 0, sizeof(fdp->fd_ofiles[fd]));
	fdp->fd_map[SLOT(fd)] &= ~SLOT_BIT(fd);
	if (fd < fdp->fd_freefile)
		fdp->fd_freefile = fd;
}

void
_finstall(struct filedesc *fdp, struct file *fp, int fd, int flags,
    struct filecaps *fcaps)
{
	struct filedescent *fde = &fdp->fd_ofiles[fd];

	KASSERT(fde->fde_file == NULL, ("finstall: descriptor %d is in use",
	    fd));
	fde->fde_file = fp;
	if ((flags & O_CLOEXEC) != 0)
		fde->fde_flags = UF_EXCLOSE;
	if (fcaps != NULL)
		filecaps_move(fcaps, &fde->fde_caps);
	else {
		filecaps_init(&fde->fde_caps);
		CAP_ALL(&fde->fde_caps.fc_rights);
		fde->fde_caps.fc_fcntls = ~0U;
	}
}

/* The caller's reference becomes the table's. */
int
finstall_refed(struct thread *td, struct file *fp, int *fd, int flags,
    struct filecaps *fcaps)
{
	struct filedesc *fdp = lvk_fdp(td);
	int error;

	FILEDESC_XLOCK(fdp);
	error = fdalloc(td, 0, fd);
	if (error == 0)
		_finstall(fdp, fp, *fd, flags, fcaps);
	FILEDESC_XUNLOCK(fdp);
	return (error);
}

int
finstall(struct thread *td, struct file *fp, int *fd, int flags,
    struct filecaps *fcaps)
{
	int error;

	if (!fhold(fp))
		return (EBADF);
	error = finstall_refed(td, fp, fd, flags, fcaps);
	if (error != 0)
		fdrop(fp, td);
	return (error);
}

/* Two references: the table's and the caller's. */
int
falloc_caps(struct thread *td, struct file **fpp, int *fd, int flags,
    struct filecaps *fcaps)
{
	struct file *fp;
	int error;

	error = _falloc_noinstall(td, &fp, 2);
	if (error != 0)
		return (error);
	error = finstall_refed(td, fp, fd, flags, fcaps);
	if (error != 0) {
		falloc_abort(td, fp);
		return (error);
	}
	*fpp = fp;
	return (0);
}

/* ---- closing */

int
closef(struct file *fp, struct thread *td)
{
	return (fdrop(fp, td));
}

void
closef_nothread(struct file *fp)
{
	fdrop(fp, NULL);
}

/* What falloc() put there, unless somebody has closed it meanwhile. */
void
fdclose(struct thread *td, struct file *fp, int fd)
{
	struct filedesc *fdp = lvk_fdp(td);

	FILEDESC_XLOCK(fdp);
	if (fd < fdp->fd_nfiles && fdp->fd_ofiles[fd].fde_file == fp) {
		fdfree(fdp, fd);
		FILEDESC_XUNLOCK(fdp);
		fdrop(fp, td);
	} else
		FILEDESC_XUNLOCK(fdp);
}

int
kern_close(struct thread *td, int fd)
{
	struct filedesc *fdp = lvk_fdp(td);
	struct file *fp = NULL;

	FILEDESC_XLOCK(fdp);
	if (fd >= 0 && fd < fdp->fd_nfiles)
		fp = fdp->fd_ofiles[fd].fde_file;
	if (fp == NULL) {
		FILEDESC_XUNLOCK(fdp);
		return (EBADF);
	}
	fdfree(fdp, fd);
	if (!TAILQ_EMPTY(&fdp->fd_kqlist))
		knote_fdclose(td, fd);
	FILEDESC_XUNLOCK(fdp);
	return (closef(fp, td));
}

/* The process ends. */
void
fdescfree(struct thread *td)
{
	struct filedesc *fdp = td->td_proc->p_fd;

	if (fdp == NULL)
		return;
	for (int fd = 0; fd < fdp->fd_nfiles; fd++)
		if (fdp->fd_ofiles[fd].fde_file != NULL)
			(void)kern_close(td, fd);
	td->td_proc->p_fd = NULL;
	FILEDESC_LOCK_DESTROY(fdp);
	free(fdp->fd_map, M_FILEDESC);
	free(fdp->fd_files, M_FILEDESC);
	free(fdp, M_FILEDESC);
}

/* ---- what capsicum(4) keeps with a descriptor */

bool
filecaps_copy(const struct filecaps *src, struct filecaps *dst,
    bool locked)
{
	size_t size;

	if (src->fc_ioctls != NULL && locked)
		return (false);
	*dst = *src;
	if (src->fc_ioctls == NULL)
		return (true);
	size = sizeof(u_long) * (size_t)src->fc_nioctls;
	dst->fc_ioctls = malloc(size, M_FILECAPS, M_WAITOK);
	memcpy(dst->fc_ioctls, src->fc_ioctls, size);
	return (true);
}

void
filecaps_move(struct filecaps *src, struct filecaps *dst)
{
	*dst = *src;
	memset(src, 0, sizeof(*src));
}

void
filecaps_free(struct filecaps *fcaps)
{
	free(fcaps->fc_ioctls, M_FILECAPS);
	memset(fcaps, 0, sizeof(*fcaps));
}
