/* SPDX-License-Identifier: BSD-2-Clause */
/* A process's table of open files. */
#ifndef _SYS_FILEDESC_H_
#define _SYS_FILEDESC_H_

#include <sys/caprights.h>
#include <sys/event.h>
#include <sys/file.h>
#include <sys/queue.h>
#include <sys/sx.h>

struct filecaps {
	cap_rights_t fc_rights;
	u_long *fc_ioctls;
	int16_t fc_nioctls;
	uint32_t fc_fcntls;
};

struct filedescent {
	struct file *fde_file;
	struct filecaps fde_caps;
	uint8_t fde_flags;
};

struct fdescenttbl {
	int fdt_nfiles;
	struct filedescent fdt_ofiles[];
};

#define NDSLOTTYPE u_long

struct filedesc {
	struct fdescenttbl *fd_files;
	NDSLOTTYPE *fd_map;		/* a bit for each one in use */
	int fd_freefile;		/* none is free below */
	int fd_refcnt;
	int fd_holdcnt;
	struct sx fd_sx;
	struct kqlist fd_kqlist;
};
#define fd_nfiles fd_files->fdt_nfiles
#define fd_ofiles fd_files->fdt_ofiles

#define UF_EXCLOSE 0x01

#ifdef _KERNEL

#define FILEDESC_LOCK_INIT(fdp) sx_init(&(fdp)->fd_sx, "filedesc structure")
#define FILEDESC_LOCK_DESTROY(fdp) sx_destroy(&(fdp)->fd_sx)
#define FILEDESC_LOCK(fdp) (&(fdp)->fd_sx)
#define FILEDESC_XLOCK(fdp) sx_xlock(&(fdp)->fd_sx)
#define FILEDESC_XUNLOCK(fdp) sx_xunlock(&(fdp)->fd_sx)
#define FILEDESC_SLOCK(fdp) sx_slock(&(fdp)->fd_sx)
#define FILEDESC_SUNLOCK(fdp) sx_sunlock(&(fdp)->fd_sx)
#define FILEDESC_LOCK_ASSERT(fdp) sx_assert(&(fdp)->fd_sx, SX_LOCKED)
#define FILEDESC_XLOCK_ASSERT(fdp) sx_assert(&(fdp)->fd_sx, SX_XLOCKED)
#define FILEDESC_UNLOCK_ASSERT(fdp) sx_assert(&(fdp)->fd_sx, SX_UNLOCKED)

#define falloc(td, resultfp, resultfd, flags) \
	falloc_caps((td), (resultfp), (resultfd), (flags), NULL)
#define falloc_noinstall(td, resultfp) _falloc_noinstall((td), (resultfp), 1)

int	closef(struct file *, struct thread *);
void	closef_nothread(struct file *);
int	falloc_caps(struct thread *, struct file **, int *, int flags,
	    struct filecaps *);
void	falloc_abort(struct thread *, struct file *);
int	_falloc_noinstall(struct thread *, struct file **, u_int);
void	_finstall(struct filedesc *, struct file *, int fd, int flags,
	    struct filecaps *);
int	finstall(struct thread *, struct file *, int *, int flags,
	    struct filecaps *);
int	finstall_refed(struct thread *, struct file *, int *, int flags,
	    struct filecaps *);
int	fdalloc(struct thread *, int minfd, int *);
void	fdclose(struct thread *, struct file *, int fd);
void	fdescfree(struct thread *);
struct filedesc *fdinit(void);
bool	filecaps_copy(const struct filecaps *, struct filecaps *, bool);
void	filecaps_free(struct filecaps *);
void	filecaps_move(struct filecaps *, struct filecaps *);

int	fget_cap(struct thread *, int fd, cap_rights_t *, struct file **,
	    struct filecaps *);
int	fget_cap_noref(struct filedesc *, int fd, cap_rights_t *,
	    struct file **, struct filecaps *);
int	fget_unlocked(struct thread *, int fd, cap_rights_t *, struct file **);
int	fget_only_user(struct filedesc *, int fd, cap_rights_t *,
	    struct file **);

static __inline void
filecaps_init(struct filecaps *fc)
{
	memset(fc, 0, sizeof(*fc));
	fc->fc_nioctls = -1;
}

/* With the table's lock, and without a reference. */
static __inline struct file *
fget_noref(struct filedesc *fdp, int fd)
{
	FILEDESC_LOCK_ASSERT(fdp);
	if ((u_int)fd >= (u_int)fdp->fd_nfiles)
		return (NULL);
	return (fdp->fd_ofiles[fd].fde_file);
}

#endif /* _KERNEL */
#endif /* _SYS_FILEDESC_H_ */
