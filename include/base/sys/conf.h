/* SPDX-License-Identifier: BSD-2-Clause */
/* Devices. */
#ifndef _SYS_CONF_H_
#define _SYS_CONF_H_

#include <sys/param.h>
#include <sys/eventhandler.h>
#include <sys/queue.h>
#include <sys/time.h>

#define SPECNAMELEN 255

struct cdevsw;
struct file;
struct knote;
struct module;
struct thread;
struct ucred;
struct uio;

struct cdev {
	u_int si_flags;
	struct timespec si_atime;
	struct timespec si_ctime;
	struct timespec si_mtime;
	uid_t si_uid;
	gid_t si_gid;
	mode_t si_mode;
	struct ucred *si_cred;
	int si_drv0;			/* the unit */
	int si_refcount;
	LIST_ENTRY(cdev) si_list;	/* of the cdevsw */
	LIST_ENTRY(cdev) si_clone;
	LIST_HEAD(, cdev) si_children;
	LIST_ENTRY(cdev) si_siblings;
	struct cdev *si_parent;
	void *si_drv1, *si_drv2;	/* the driver's */
	struct cdevsw *si_devsw;	/* NULL: it is gone */
	int si_iosize_max;
	u_long si_usecount;
	u_long si_threadcount;		/* threads in its methods */
	char si_name[SPECNAMELEN + 1];
};
#define SI_ETERNAL 0x0001
#define SI_ALIAS 0x0002
#define SI_NAMED 0x0004
#define SI_CHILD 0x0010
#define SI_CLONELIST 0x0200

#ifdef _KERNEL

typedef int d_open_t(struct cdev *, int oflags, int devtype, struct thread *);
typedef int d_fdopen_t(struct cdev *, int oflags, struct thread *,
    struct file *);
typedef int d_close_t(struct cdev *, int fflag, int devtype, struct thread *);
typedef int d_ioctl_t(struct cdev *, u_long cmd, caddr_t data, int fflag,
    struct thread *);
typedef int d_read_t(struct cdev *, struct uio *, int ioflag);
typedef int d_write_t(struct cdev *, struct uio *, int ioflag);
typedef int d_poll_t(struct cdev *, int events, struct thread *);
typedef int d_kqfilter_t(struct cdev *, struct knote *);
typedef void d_purge_t(struct cdev *);

#define UID_ROOT 0
#define GID_WHEEL 0
#define GID_OPERATOR 5

/* d_flags */
#define D_TYPEMASK 0xffff
#define D_TAPE 0x0001
#define D_DISK 0x0002
#define D_TTY 0x0004
#define D_MEM 0x0008
#define D_TRACKCLOSE 0x00080000		/* d_close for every close */
#define D_MMAP_ANON 0x00100000
#define D_GIANTOK 0x00200000
#define D_NEEDGIANT 0x00400000
#define D_NEEDMINOR 0x00800000		/* clone_create() is used */
#define D_INIT 0x80000000

#define D_VERSION_03 0x17122009
#define D_VERSION_04 0x5c48c353
#define D_VERSION D_VERSION_04

struct cdevsw {
	int d_version;
	u_int d_flags;
	const char *d_name;
	d_open_t *d_open;
	d_fdopen_t *d_fdopen;
	d_close_t *d_close;
	d_read_t *d_read;
	d_write_t *d_write;
	d_ioctl_t *d_ioctl;
	d_poll_t *d_poll;
	d_kqfilter_t *d_kqfilter;
	d_purge_t *d_purge;

	LIST_HEAD(, cdev) d_devs;	/* the kernel's, as the rest */
	union {
		struct cdevsw *gianttrick;
		SLIST_ENTRY(cdevsw) postfree_list;
	} __d_giant;
};
#define d_gianttrick __d_giant.gianttrick
#define d_postfree_list __d_giant.postfree_list

#define DEV_MODULE_ORDERED(name, evh, arg, ord)				\
	static moduledata_t name##_mod = { #name, evh, arg };		\
	DECLARE_MODULE(name, name##_mod, SI_SUB_DRIVERS, ord)
#define DEV_MODULE(name, evh, arg) \
	DEV_MODULE_ORDERED(name, evh, arg, SI_ORDER_MIDDLE)

struct clonedevs;
#define CLONE_UNITMASK 0xfffff
#define CLONE_FLAG0 (CLONE_UNITMASK + 1)
void	clone_setup(struct clonedevs **);
void	clone_cleanup(struct clonedevs **);
int	clone_create(struct clonedevs **, struct cdevsw *, int *unit,
	    struct cdev **, int extra);

#define MAKEDEV_REF 0x01
#define MAKEDEV_NOWAIT 0x04
#define MAKEDEV_WAITOK 0x08
#define MAKEDEV_ETERNAL 0x10
#define MAKEDEV_CHECKNAME 0x20

struct make_dev_args {
	size_t mda_size;
	int mda_flags;
	struct cdevsw *mda_devsw;
	struct ucred *mda_cr;
	uid_t mda_uid;
	gid_t mda_gid;
	int mda_mode;
	int mda_unit;
	void *mda_si_drv1;
	void *mda_si_drv2;
};
void	make_dev_args_init_impl(struct make_dev_args *, size_t);
#define make_dev_args_init(a) \
	make_dev_args_init_impl((a), sizeof(struct make_dev_args))

void	delist_dev(struct cdev *);
void	destroy_dev(struct cdev *);
int	destroy_dev_sched(struct cdev *);
int	destroy_dev_sched_cb(struct cdev *, void (*)(void *), void *);
void	destroy_dev_drain(struct cdevsw *);
struct cdevsw *dev_refthread(struct cdev *, int *ref);
void	dev_relthread(struct cdev *, int ref);
void	dev_depends(struct cdev *parent, struct cdev *child);
void	dev_ref(struct cdev *);
void	dev_refl(struct cdev *);
void	dev_rel(struct cdev *);
struct cdev *make_dev(struct cdevsw *, int unit, uid_t, gid_t, int perms,
	    const char *, ...) __printflike(6, 7);
struct cdev *make_dev_cred(struct cdevsw *, int unit, struct ucred *, uid_t,
	    gid_t, int perms, const char *, ...) __printflike(7, 8);
struct cdev *make_dev_credf(int flags, struct cdevsw *, int unit,
	    struct ucred *, uid_t, gid_t, int perms, const char *, ...)
	    __printflike(8, 9);
int	make_dev_p(int flags, struct cdev **, struct cdevsw *,
	    struct ucred *, uid_t, gid_t, int perms, const char *, ...)
	    __printflike(8, 9);
int	make_dev_s(struct make_dev_args *, struct cdev **, const char *, ...)
	    __printflike(3, 4);
struct cdev *make_dev_alias(struct cdev *, const char *, ...)
	    __printflike(2, 3);
int	make_dev_alias_p(int flags, struct cdev **, struct cdev *,
	    const char *, ...) __printflike(4, 5);
void	dev_lock(void);
void	dev_unlock(void);

#define dev2unit(d) ((d)->si_drv0)
#define MAKEDEV_ETERNAL_KLD 0

typedef void d_priv_dtor_t(void *);
int	devfs_get_cdevpriv(void **);
int	devfs_set_cdevpriv(void *, d_priv_dtor_t *);
void	devfs_clear_cdevpriv(void);
int	devfs_foreach_cdevpriv(struct cdev *, int (*)(void *, void *),
	    void *);

typedef void (*dev_clone_fn)(void *, struct ucred *, char *name, int namelen,
    struct cdev **);
int	dev_stdclone(char *name, char **rest, const char *stem, int *unit);
EVENTHANDLER_DECLARE(dev_clone, dev_clone_fn);

#endif /* _KERNEL */
#endif /* _SYS_CONF_H_ */
