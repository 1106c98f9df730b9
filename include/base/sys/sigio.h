/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SIGIO_H_
#define _SYS_SIGIO_H_

#include <sys/types.h>
#include <sys/queue.h>

struct pgrp;
struct proc;
struct ucred;

/* Who gets SIGIO, for one owner of a struct sigio pointer. */
struct sigio {
	union {
		struct proc *siu_proc;
		struct pgrp *siu_pgrp;
	} sio_u;
	SLIST_ENTRY(sigio) sio_pgsigio;
	struct sigio **sio_myref;	/* the owner's pointer to this */
	struct ucred *sio_ucred;
	pid_t sio_pgid;
};
#define sio_proc sio_u.siu_proc
#define sio_pgrp sio_u.siu_pgrp

SLIST_HEAD(sigiolst, sigio);

pid_t	fgetown(struct sigio **);
int	fsetown(pid_t, struct sigio **);
void	funsetown(struct sigio **);
void	funsetownlst(struct sigiolst *);

#endif /* _SYS_SIGIO_H_ */
