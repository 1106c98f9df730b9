/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what tcp_hpts(9) has of the way back to user land: FreeBSD 14's
 * kern/subr_trap.c.
 * Fidelity: modelled
 * Differs: nobody goes back to user land here, so that paced connections are
 * looked at by hpts's own clocks and where the stack itself asks for it
 * (tcp_lro), not after every system call too.
 */
#include <sys/param.h>
#include <sys/systm.h>

/* The macro that calls it has the name of the pointer. */
#undef tcp_hpts_softclock
extern void (*tcp_hpts_softclock)(void);
extern volatile uint32_t hpts_that_need_softclock;

void (*tcp_hpts_softclock)(void);
volatile uint32_t hpts_that_need_softclock;
