/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _MACHINE_CONS_H_
#define _MACHINE_CONS_H_

#include <sys/types.h>

struct msgbuf;
struct tty;
extern struct msgbuf consmsgbuf;
extern struct tty *constty;

int	cncheckc(void);
int	cngetc(void);
void	cngrab(void);
void	cnputc(int);
void	cnputs(const char *);
void	cnputsn(const char *, size_t);
int	cnunavailable(void);
void	cnungrab(void);
int	constty_clear(struct tty *);

#endif
