/* SPDX-License-Identifier: BSD-2-Clause */
/* Open files. */
#ifndef _SYS_FILE_H_
#define _SYS_FILE_H_

#include <sys/caprights.h>
#include <sys/fcntl.h>
#include <sys/queue.h>
#include <sys/refcount.h>

#define DTYPE_NONE 0
#define DTYPE_VNODE 1
#define DTYPE_SOCKET 2
#define DTYPE_PIPE 3
#define DTYPE_FIFO 4
#define DTYPE_KQUEUE 5
#define DTYPE_DEV 11

struct filecaps;
struct filedesc;
struct kaiocb;
struct kinfo_file;
struct knote;
struct stat;
struct thread;
struct ucred;
struct uio;
struct vnode;

/* Flags of reads and writes */
#define FOF_OFFSET 0x01			/* at uio_offset, not at f_offset */
#define FOF_NOLOCK 0x02
#define FOF_NEXTOFF_R 0x04
#define FOF_NEXTOFF_W 0x08
#define FOF_NOUPDATE 0x10

struct file;
typedef int fo_rdwr_t(struct file *, struct uio *, struct ucred *, int flags,
    struct thread *);
typedef int fo_truncate_t(struct file *, off_t, struct ucred *,
    struct thread *);
typedef int fo_ioctl_t(struct file *, u_long cmd, void *data, struct ucred *,
    struct thread *);
typedef int fo_poll_t(struct file *, int events, struct ucred *,
    struct thread *);
typedef int fo_kqfilter_t(struct file *, struct knote *);
typedef int fo_stat_t(struct file *, struct stat *, struct ucred *);
typedef int fo_close_t(struct file *, struct thread *);
typedef int fo_chmod_t(struct file *, mode_t, struct ucred *, struct thread *);
typedef int fo_chown_t(struct file *, uid_t, gid_t, struct ucred *,
    struct thread *);
typedef int fo_sendfile_t(struct file *, int sockfd, struct uio *,
    struct uio *, off_t, size_t, off_t *, int, struct thread *);
typedef int fo_seek_t(struct file *, off_t, int whence, struct thread *);
typedef int fo_fill_kinfo_t(struct file *, struct kinfo_file *,
    struct filedesc *);
typedef int fo_aio_queue_t(struct file *, struct kaiocb *);
typedef int fo_flags_t;

struct fileops {
	fo_rdwr_t *fo_read;
	fo_rdwr_t *fo_write;
	fo_truncate_t *fo_truncate;
	fo_ioctl_t *fo_ioctl;
	fo_poll_t *fo_poll;
	fo_kqfilter_t *fo_kqfilter;
	fo_stat_t *fo_stat;
	fo_close_t *fo_close;
	fo_chmod_t *fo_chmod;
	fo_chown_t *fo_chown;
	fo_sendfile_t *fo_sendfile;
	fo_seek_t *fo_seek;
	fo_fill_kinfo_t *fo_fill_kinfo;
	fo_aio_queue_t *fo_aio_queue;
	fo_flags_t fo_flags;
};
#define DFLAG_PASSABLE 0x01
#define DFLAG_SEEKABLE 0x02

struct file {
	volatile u_int f_flag;		/* FREAD and its kin */
	volatile u_int f_count;
	void *f_data;
	const struct fileops *f_ops;
	struct vnode *f_vnode;
	struct ucred *f_cred;
	short f_type;
	struct cdev_privdata *f_cdevpriv;
	off_t f_offset;
};

#ifdef _KERNEL

extern const struct fileops badfileops;
extern const struct fileops socketops;
extern int maxfiles;
extern int maxfilesperproc;

int	fget(struct thread *, int fd, cap_rights_t *, struct file **);
int	fget_read(struct thread *, int fd, cap_rights_t *, struct file **);
int	fget_write(struct thread *, int fd, cap_rights_t *, struct file **);
int	fget_fcntl(struct thread *, int fd, cap_rights_t *, int needfcntl,
	    struct file **);
int	_fdrop(struct file *, struct thread *);
int	file_kcmp_generic(struct file *, struct file *, struct thread *);
void	finit(struct file *, u_int flag, short type, void *data,
	    const struct fileops *);

fo_rdwr_t invfo_rdwr;
fo_truncate_t invfo_truncate;
fo_ioctl_t invfo_ioctl;
fo_poll_t invfo_poll;
fo_kqfilter_t invfo_kqfilter;
fo_chmod_t invfo_chmod;
fo_chown_t invfo_chown;
fo_sendfile_t invfo_sendfile;

off_t	foffset_lock(struct file *, int flags);
void	foffset_unlock(struct file *, off_t, int flags);
void	foffset_lock_uio(struct file *, struct uio *, int flags);
void	foffset_unlock_uio(struct file *, struct uio *, int flags);

/* False: the count would not hold one more. */
static __inline __result_use_check bool
fhold(struct file *fp)
{
	return (refcount_acquire(&fp->f_count) < INT_MAX);
}

#define fdrop(fp, td) __extension__({					\
	struct file *_fp = (fp);					\
									\
	refcount_release(&_fp->f_count) ? _fdrop(_fp, (td)) : 0;	\
})

static __inline int
fo_read(struct file *fp, struct uio *uio, struct ucred *cr, int flags,
    struct thread *td)
{
	return ((*fp->f_ops->fo_read)(fp, uio, cr, flags, td));
}

static __inline int
fo_write(struct file *fp, struct uio *uio, struct ucred *cr, int flags,
    struct thread *td)
{
	return ((*fp->f_ops->fo_write)(fp, uio, cr, flags, td));
}

static __inline int
fo_ioctl(struct file *fp, u_long cmd, void *data, struct ucred *cr,
    struct thread *td)
{
	return ((*fp->f_ops->fo_ioctl)(fp, cmd, data, cr, td));
}

static __inline int
fo_poll(struct file *fp, int events, struct ucred *cr, struct thread *td)
{
	return ((*fp->f_ops->fo_poll)(fp, events, cr, td));
}

static __inline int
fo_kqfilter(struct file *fp, struct knote *kn)
{
	return ((*fp->f_ops->fo_kqfilter)(fp, kn));
}

static __inline int
fo_stat(struct file *fp, struct stat *sb, struct ucred *cr)
{
	return ((*fp->f_ops->fo_stat)(fp, sb, cr));
}

static __inline int
fo_close(struct file *fp, struct thread *td)
{
	return ((*fp->f_ops->fo_close)(fp, td));
}

#endif /* _KERNEL */
#endif /* _SYS_FILE_H_ */
