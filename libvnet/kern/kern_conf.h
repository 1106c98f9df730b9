/* SPDX-License-Identifier: BSD-2-Clause */
/* What the device files of libvnet/kern share; see kern_conf.c. */
#ifndef LVK_KERN_CONF_H
#define LVK_KERN_CONF_H

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/conf.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/queue.h>

struct file;
struct thread;

/* What an open file of a device keeps for its driver. */
struct cdev_privdata {
	struct file *cdpd_fp;
	void *cdpd_data;
	d_priv_dtor_t *cdpd_dtr;
	LIST_ENTRY(cdev_privdata) cdpd_list;	/* (p) of the device */
};

/* The lock of a field: (d) devmtx, (p) cdevpriv_mtx. */
struct lvk_cdev {
	struct cdev lc_dev;			/* first */
	u_int lc_flags;				/* (d) */
	TAILQ_ENTRY(lvk_cdev) lc_named;		/* (d) */
	TAILQ_ENTRY(lvk_cdev) lc_sched;		/* (d) */
	void (*lc_cb)(void *);			/* (d) destroy_dev_sched_cb() */
	void *lc_cbarg;
	LIST_HEAD(, cdev_privdata) lc_privs;	/* (p) */
};
#define LVK_CDEV(dev) __containerof((dev), struct lvk_cdev, lc_dev)

/* lc_flags */
#define LC_LISTED 0x1		/* its name can be found */
#define LC_SCHED 0x2		/* destroy_dev_sched(): no new threads */
#define LC_DELISTED 0x4		/* delist_dev(): destroy_dev() must come */

extern struct mtx devmtx;
extern struct mtx cdevpriv_mtx;

/* ---- kern_conf.c */
struct cdev *lvk_dev_alloc(int makedev_flags);
void	lvk_dev_free(struct cdev *);
/* Gives up devmtx and frees what could not be freed under it. */
void	lvk_dev_unlock_and_free(void);
void	lvk_dev_free_later(struct cdev *);	/* with devmtx held */
void	lvk_dev_notify(struct cdev *, const char *event);
/* With devmtx held: makes and checks si_name; lists it, or not any more. */
int	lvk_dev_name(struct cdev *, const char *fmt, __va_list);
void	lvk_dev_list(struct cdev *);
void	lvk_dev_delist(struct cdev *);
/* A reference, or NULL; aliases lead to their device. */
struct cdev *lvk_dev_find(const char *name);

/* ---- kern_conf_make.c */
/* The cdev of make_dev(9) and clone_create(9); with devmtx held. */
struct cdev *lvk_dev_new(const struct make_dev_args *, struct cdev *);

/* ---- kern_conf_destroy.c */
/* With devmtx held, which is dropped and taken again. */
void	lvk_dev_destroy(struct cdev *);

/* ---- kern_conf_sw.c */
int	lvk_cdevsw_prepare(struct cdevsw *, int makedev_flags);
void	lvk_cdevsw_fini(struct cdevsw *);
void	lvk_cdevsw_free(struct cdevsw *);	/* once devmtx is free */
void	lvk_cdevsw_reap(void);			/* with devmtx free */

/* ---- devfs_vnops.c */
/* A reference to what is there or is made on demand, clone(9), or NULL. */
struct cdev *lvk_dev_get(struct thread *, const char *name);
/* On success a file with one reference, in no table.  Takes the device's. */
int	lvk_dev_open(struct thread *, struct cdev *, int fflag,
	    struct file **);
/* Ends the private data of every file of the device. */
void	lvk_dev_privs_end(struct cdev *);

#endif /* LVK_KERN_CONF_H */
