/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SIGNALVAR_H_
#define _SYS_SIGNALVAR_H_

#include <sys/signal.h>
#include <sys/sigio.h>

struct proc;
struct thread;

extern struct mtx sigio_lock;

#define _SIG_BIT(sig) ((uint32_t)1 << (((sig) - 1) & 31))
#define _SIG_WORD(sig) (((sig) - 1) >> 5)
#define SIGADDSET(set, sig) \
	((set).__bits[_SIG_WORD(sig)] |= _SIG_BIT(sig))
#define SIGDELSET(set, sig) \
	((set).__bits[_SIG_WORD(sig)] &= ~_SIG_BIT(sig))
#define SIGISMEMBER(set, sig) \
	(((set).__bits[_SIG_WORD(sig)] & _SIG_BIT(sig)) != 0)
#define SIGEMPTYSET(set) memset(&(set), 0, sizeof(set))
#define _SIG_VALID(sig) ((sig) > 0 && (sig) <= _SIG_MAXSIG)

void	kern_psignal(struct proc *, int sig);
void	pgsigio(struct sigio **, int sig, int checkctty);
void	tdsignal(struct thread *, int sig);

#endif
