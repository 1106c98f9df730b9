/* SPDX-License-Identifier: BSD-2-Clause */
/* kqueue(9): events, the notes that wait for them, and lists of notes. */
#ifndef _SYS_EVENT_H_
#define _SYS_EVENT_H_

#include <sys/types.h>
#include <sys/queue.h>

#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)
#define EVFILT_AIO (-3)
#define EVFILT_VNODE (-4)
#define EVFILT_PROC (-5)
#define EVFILT_SIGNAL (-6)
#define EVFILT_TIMER (-7)
#define EVFILT_PROCDESC (-8)
#define EVFILT_FS (-9)
#define EVFILT_LIO (-10)
#define EVFILT_USER (-11)
#define EVFILT_SENDFILE (-12)
#define EVFILT_EMPTY (-13)
#define EVFILT_SYSCOUNT 13

struct kevent {
	uintptr_t ident;
	short filter;
	u_short flags;
	u_int fflags;
	int64_t data;
	void *udata;
	uint64_t ext[4];
};

#define EV_SET(kevp, ident_, filter_, flags_, fflags_, data_, udata_)	\
	(*(kevp) = (struct kevent){					\
		.ident = (ident_), .filter = (filter_),			\
		.flags = (flags_), .fflags = (fflags_),			\
		.data = (data_), .udata = (udata_)			\
	})

/* What to do */
#define EV_ADD 0x0001
#define EV_DELETE 0x0002
#define EV_ENABLE 0x0004
#define EV_DISABLE 0x0008
#define EV_FORCEONESHOT 0x0100
#define EV_KEEPUDATA 0x0200

/* and how */
#define EV_ONESHOT 0x0010
#define EV_CLEAR 0x0020
#define EV_RECEIPT 0x0040
#define EV_DISPATCH 0x0080

#define EV_SYSFLAGS 0xf000
#define EV_DROP 0x1000
#define EV_FLAG1 0x2000
#define EV_FLAG2 0x4000

/* In answers */
#define EV_EOF 0x8000
#define EV_ERROR 0x4000

/* EVFILT_USER: the two top bits say what the others do to those kept. */
#define NOTE_FFNOP 0x00000000
#define NOTE_FFAND 0x40000000
#define NOTE_FFOR 0x80000000
#define NOTE_FFCOPY 0xc0000000
#define NOTE_FFCTRLMASK 0xc0000000
#define NOTE_FFLAGSMASK 0x00ffffff
#define NOTE_TRIGGER 0x01000000

/* EVFILT_READ, EVFILT_WRITE */
#define NOTE_LOWAT 0x0001
#define NOTE_FILE_POLL 0x0002

/* EVFILT_TIMER; milliseconds where no unit is given */
#define NOTE_SECONDS 0x00000001
#define NOTE_MSECONDS 0x00000002
#define NOTE_USECONDS 0x00000004
#define NOTE_NSECONDS 0x00000008
#define NOTE_ABSTIME 0x00000010

struct knote;
struct kqueue;
SLIST_HEAD(klist, knote);
TAILQ_HEAD(kqlist, kqueue);

/* Notes that wait for one thing, and the lock of that thing. */
struct knlist {
	struct klist kl_list;
	void (*kl_lock)(void *);
	void (*kl_unlock)(void *);
	void (*kl_assert_lock)(void *, int);	/* LA_LOCKED, LA_UNLOCKED */
	void *kl_lockarg;
	int kl_autodestroy;
};

#ifdef _KERNEL

#define KNF_LISTLOCKED 0x0001		/* the caller holds the list's lock */
#define KNF_NOKQLOCK 0x0002

#define KNOTE(list, hint, flags) knote((list), (hint), (flags))
#define KNOTE_LOCKED(list, hint) knote((list), (hint), KNF_LISTLOCKED)
#define KNOTE_UNLOCKED(list, hint) knote((list), (hint), 0)
#define KNLIST_EMPTY(list) SLIST_EMPTY(&(list)->kl_list)

#define NOTE_SIGNAL 0x08000000

/* f_touch */
#define EVENT_REGISTER 1
#define EVENT_PROCESS 2

struct filterops {
	int f_isfd;			/* ident is a file descriptor */
	int (*f_attach)(struct knote *);
	void (*f_detach)(struct knote *);
	int (*f_event)(struct knote *, long hint);
	void (*f_touch)(struct knote *, struct kevent *, u_long type);
};

struct knote {
	SLIST_ENTRY(knote) kn_link;	/* of the kqueue, by ident */
	SLIST_ENTRY(knote) kn_selnext;	/* of the knlist */
	struct knlist *kn_knlist;
	TAILQ_ENTRY(knote) kn_tqe;	/* of those that have happened */
	struct kqueue *kn_kq;
	struct kevent kn_kevent;
	void *kn_hook;
	int kn_hookid;
	int kn_status;
	int kn_influx;			/* who is at it, without the lock */
	int kn_sfflags;			/* as asked for */
	int64_t kn_sdata;
	union {
		struct file *p_fp;
		struct proc *p_proc;
		void *p_v;
	} kn_ptr;
	const struct filterops *kn_fop;
};
#define kn_id kn_kevent.ident
#define kn_filter kn_kevent.filter
#define kn_flags kn_kevent.flags
#define kn_fflags kn_kevent.fflags
#define kn_data kn_kevent.data
#define kn_fp kn_ptr.p_fp

/* kn_status */
#define KN_ACTIVE 0x01
#define KN_QUEUED 0x02
#define KN_DISABLED 0x04
#define KN_DETACHED 0x08
#define KN_MARKER 0x20
#define KN_KQUEUE 0x40
#define KN_SCAN 0x100

struct kevent_copyops {
	void *arg;
	int (*k_copyout)(void *arg, struct kevent *, int count);
	int (*k_copyin)(void *arg, struct kevent *, int count);
	size_t kevent_size;
};

struct mtx;
struct thread;

void	knote(struct knlist *, long hint, int flags);
struct knlist *knlist_alloc(struct mtx *);
void	knlist_detach(struct knlist *);
void	knlist_add(struct knlist *, struct knote *, int islocked);
void	knlist_remove(struct knlist *, struct knote *, int islocked);
int	knlist_empty(struct knlist *);
void	knlist_init(struct knlist *, void *lock, void (*)(void *),
	    void (*)(void *), void (*)(void *, int));
void	knlist_init_mtx(struct knlist *, struct mtx *);
void	knlist_destroy(struct knlist *);
void	knlist_cleardel(struct knlist *, struct thread *, int islocked,
	    int killkn);
#define knlist_clear(knl, islocked) \
	knlist_cleardel((knl), NULL, (islocked), 0)
#define knlist_delete(knl, td, islocked) \
	knlist_cleardel((knl), (td), (islocked), 1)
void	knote_fdclose(struct thread *, int fd);
int	kqfd_register(int fd, struct kevent *, struct thread *, int mflag);
int	kqueue_add_filteropts(int filt, const struct filterops *);
int	kqueue_del_filteropts(int filt);

#endif /* _KERNEL */
#endif /* _SYS_EVENT_H_ */
