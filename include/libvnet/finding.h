/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Findings: broken kernel rules.  Kinds so far:
 *
 *	novnet		a V_ variable used with no vnet set (then panics)
 *	deadvnet	a V_ variable used in a destroyed vnet (then panics)
 *	leak		memory of a vnet still allocated when it was destroyed
 *	overrun		bytes between V_ variables were written
 *	zone		a UMA zone destroyed with live items
 *	lock		a lock held at the end of a test
 *	section		a critical or epoch section open at the end of a test
 *	curvnet		a vnet left current at the end of a test
 *	reference	a vnet destroyed while its credential is held
 *
 * Under the test runner a finding fails the test, unless it was expected.
 * Elsewhere it is printed on stderr and counted.
 */
#ifndef LIBVNET_FINDING_H
#define LIBVNET_FINDING_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/* How many there were since boot (in a test: since it began). */
unsigned long libvnet_finding_count(void);

/*
 * The n-th, from 0: its kind and text; either pointer may be NULL.  Valid
 * until libvnet_findings_clear().  LIBVNET_ENOENT: there is none.
 */
int	libvnet_finding_get(unsigned long n, const char **kind,
	    const char **text);
void	libvnet_findings_clear(void);

LIBVNET_END

#endif /* LIBVNET_FINDING_H */
