/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_KDB_H_
#define _SYS_KDB_H_

#include <sys/types.h>

struct thread;
struct trapframe;

extern u_char kdb_active;
extern int debugger_on_panic;
extern int debugger_on_trap;

void	kdb_backtrace(void);
void	kdb_backtrace_thread(struct thread *);
void	kdb_enter(const char *, const char *);
void	kdb_reenter(void);
int	kdb_trap(int, int, struct trapframe *);

#define KDB_WHY_UNSET ((const char *)0)
#define KDB_WHY_PANIC "panic"
#define KDB_WHY_SYSCTL "sysctl"
#define KDB_WHY_BREAK "break"

#endif
