/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: sessions and terminals, as far as uprintf(9) asks, FreeBSD's
 * kern/tty.c and kern/kern_proc.c.
 * Fidelity: stub
 * Differs: no process has a session or a terminal, so nothing of this is ever
 * called; it panics where it is.
 */
#include <sys/param.h>
#include <sys/systm.h>
#ifndef LIBVNET_BASE
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/tty.h>

void
sess_hold(struct session *s __unused)
{
	panic("sess_hold: there are no sessions");
}

void
sess_release(struct session *s __unused)
{
	panic("sess_release: there are no sessions");
}

int
tty_checkoutq(struct tty *tp __unused)
{
	panic("tty_checkoutq: there are no terminals");
}

int
tty_putchar(struct tty *tp __unused, char c __unused)
{
	panic("tty_putchar: there are no terminals");
}
#endif
