/* SPDX-License-Identifier: BSD-2-Clause */
/* What the file layer of libvnet/kern shares; see kern_descrip.c. */
#ifndef LVK_KERN_DESCRIP_H
#define LVK_KERN_DESCRIP_H

#include <sys/param.h>
#include <sys/file.h>

struct filedesc;
struct thread;

/* const or not, as the headers in force have it. */
typedef __typeof(*((struct file *)0)->f_ops) LVK_FILEOPS;

/* Of the thread's process; made when it is first asked for. */
struct filedesc *lvk_fdp(struct thread *);
/* The file of a descriptor, with a reference, or EBADF. */
int	lvk_fget(struct thread *, int fd, struct file **);

#endif /* LVK_KERN_DESCRIP_H */
