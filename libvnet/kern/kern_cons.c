/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the console, FreeBSD's kern/kern_cons.c.
 * Fidelity: modelled
 * Differs: there is one, which cannot be typed on; libvnet_log.h reads it.
 * Nobody takes it over (TIOCCONS).
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/cons.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/msgbuf.h>

#include <lvk.h>

struct msgbuf consmsgbuf;
struct tty *constty;
int log_open;			/* nobody reads /dev/klog */

#ifndef LIBVNET_BASE		/* whose printf(9) writes at once */
struct mtx msgbuf_lock;
MTX_SYSINIT(msgbuf_lock, &msgbuf_lock, "msgbuf lock", MTX_DEF);
#endif

void
cnputsn(const char *s, size_t n)
{
	vnh_console(-1, s, n);
}

void
cnputs(const char *s)
{
	cnputsn(s, strlen(s));
}

void
cnputc(int c)
{
	char ch = (char)c;

	if (ch != '\0')
		cnputsn(&ch, 1);
}

int
cncheckc(void)
{
	return (-1);
}

int
cngetc(void)
{
	return (-1);
}

int
cnunavailable(void)
{
	return (0);
}

void
cngrab(void)
{
}

void
cnungrab(void)
{
}

#if __FreeBSD_version >= 1400000
int
constty_clear(struct tty *tp)
{
	if (tp == NULL || constty != tp)
		return (ENXIO);
	constty = NULL;
	return (0);
}
#else
void
constty_clear(void)
{
	constty = NULL;
}
#endif
