/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_LOCK_H_
#define _SYS_LOCK_H_

#include <sys/queue.h>
#include <sys/_lock.h>

struct thread;

/* lo_flags */
#define LO_CLASSFLAGS 0x0000ffff
#define LO_INITIALIZED 0x00010000
#define LO_WITNESS 0x00020000
#define LO_QUIET 0x00040000
#define LO_RECURSABLE 0x00080000
#define LO_SLEEPABLE 0x00100000
#define LO_UPGRADABLE 0x00200000
#define LO_DUPOK 0x00400000
#define LO_NEW 0x01000000
#define LO_CLASSMASK 0x0f000000
#define LO_NOPROFILE 0x10000000

#define LI_RECURSEMASK 0x0000ffff
#define LI_EXCLUSIVE 0x00010000
#define LI_NORELEASE 0x00020000

#define LOP_NEWORDER 0x00000001
#define LOP_QUIET 0x00000002
#define LOP_TRYLOCK 0x00000004
#define LOP_EXCLUSIVE 0x00000008
#define LOP_DUPOK 0x00000010
#define LOP_NOSLEEP 0x00000020

#define LA_MASKASSERT 0x000000ff
#define LA_UNLOCKED 0x00000000
#define LA_LOCKED 0x00000001
#define LA_SLOCKED 0x00000002
#define LA_XLOCKED 0x00000004
#define LA_RECURSED 0x00000008
#define LA_NOTRECURSED 0x00000010

#define lock_initialized(lo) ((lo)->lo_flags & LO_INITIALIZED)

/* WITNESS is an option this stand-in does not have. */
#define WITNESS_WARN(flags, lock, fmt, ...) (void)0
#define WARN_GIANTOK 0x01
#define WARN_PANIC 0x02
#define WARN_SLEEPOK 0x04

#endif
