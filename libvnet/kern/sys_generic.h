/* SPDX-License-Identifier: BSD-2-Clause */
/* select(2) and poll(2) below the surface; see sys_generic_select.c. */
#ifndef LVK_SYS_GENERIC_H
#define LVK_SYS_GENERIC_H

#include <sys/param.h>
#include <sys/selinfo.h>

struct thread;

/* One wait of a thread.  Before each file is asked: it may record twice. */
void	lvk_sel_begin(struct thread *);
void	lvk_sel_file(struct thread *);
/* Until something happens, or the clock reaches `deadline' (SBT_MAX: never). */
int	lvk_sel_wait(struct thread *, sbintime_t deadline);
void	lvk_sel_again(struct thread *);
void	lvk_sel_end(struct thread *);

/* ioctl(2): the argument is the caller's, copied as the command says. */
int	lvk_ioctl(struct thread *, int fd, u_long cmd, void *data);

#endif /* LVK_SYS_GENERIC_H */
