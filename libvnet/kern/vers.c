/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: vers.c, which the kernel build makes: what the kernel calls itself.
 * Fidelity: exact
 * Differs: the release follows from __FreeBSD_version; there is no build id.
 */
#include <sys/param.h>
#include <sys/systm.h>

#define MAJOR (__FreeBSD_version / 100000)
#define MINOR (__FreeBSD_version / 1000 % 100)
#define DIGITS(n) '0' + (n) / 10 % 10, '0' + (n) % 10
#define RELEASE DIGITS(MAJOR), '.', '0' + MINOR % 10, '-', 'L', 'I', 'B', \
	'V', 'N', 'E', 'T'

char ostype[] = "FreeBSD";
char osrelease[32] = { RELEASE, '\0' };
#if __FreeBSD_version < 1400000
#define VERSION_CONST
#else
#define VERSION_CONST const
#endif
VERSION_CONST char version[] = { 'F', 'r', 'e', 'e', 'B', 'S', 'D', ' ', RELEASE, '\n',
	'\0' };
char kern_ident[] = "LIBVNET";
VERSION_CONST char compiler_version[] = __VERSION__;
VERSION_CONST int osreldate = __FreeBSD_version;

/* sysctl kern.build_id looks at what lies between: nothing. */
char __build_id_start[1];
extern char __build_id_end[1] __attribute__((alias("__build_id_start")));
