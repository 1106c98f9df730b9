/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_KTHREAD_H_
#define _SYS_KTHREAD_H_

#include <sys/cdefs.h>

struct proc;
struct thread;

/* What kproc_start() and kthread_start(), as SYSINITs, are given. */
struct kproc_desc {
	const char *arg0;		/* name */
	void (*func)(void);
	struct proc **global_procpp;	/* may be NULL */
};
struct kthread_desc {
	const char *arg0;
	void (*func)(void);
	struct thread **global_threadpp;
};

/* flags: 0 or RFSTOPPED of <sys/unistd.h>; pages: of stack, 0 the default. */
int	kproc_create(void (*)(void *), void *, struct proc **, int flags,
	    int pages, const char *, ...) __printflike(6, 7);
void	kproc_exit(int) __dead2;
void	kproc_start(const void *);
int	kproc_kthread_add(void (*)(void *), void *, struct proc **,
	    struct thread **, int flags, int pages, const char *procname,
	    const char *, ...) __printflike(8, 9);
int	kthread_add(void (*)(void *), void *, struct proc *, struct thread **,
	    int flags, int pages, const char *, ...) __printflike(7, 8);
void	kthread_exit(void) __dead2;
int	kthread_resume(struct thread *);
void	kthread_start(const void *);
int	kthread_suspend(struct thread *, int);
void	kthread_suspend_check(void);

#endif /* _SYS_KTHREAD_H_ */
