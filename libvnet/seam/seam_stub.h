/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam's part about stubs: functions that a program calls and nobody
 * supplies.  stubs.sh generates a file which includes this; each of its
 * functions has a struct vnh_stub in the linker set libvnet_stubs and does
 * nothing but call lvk_stub_called().
 */
#ifndef LIBVNET_SEAM_STUB_H
#define LIBVNET_SEAM_STUB_H

#include "seam.h"

#define VNH_STUB_ARGS 6		/* those that come in registers */

/* What a call does; GIVEN is what the test file said, and where it said
   nothing, fail the test. */
enum vnh_stub_how { VNH_STUB_GIVEN, VNH_STUB_RETURN, VNH_STUB_FREE_MBUF,
    VNH_STUB_FAIL };
struct vnh_stub {
	const char *name;
	long	(*given)(const long *args);	/* LIBVNET_STUB_*, or NULL */
	void	(*freem)(void *);	/* m_freem(), NULL where there is none */
	int	 how;
	int	 whole;		/* of a whole stack: panic is enough */
	int	 argno;		/* of the mbuf, from 1 */
	long	 value;
	unsigned long calls;
};

/* Called by a stub, whose caller is `pc'; args are VNH_STUB_ARGS. */
long	 lvk_stub_called(struct vnh_stub *s, const long *args, vnh_uptr pc);

/* NULL where there is none of that name, or no such. */
struct vnh_stub *vnk_stub_find(const char *name);
struct vnh_stub *vnk_stub_nth(unsigned long n);

#endif /* LIBVNET_SEAM_STUB_H */
