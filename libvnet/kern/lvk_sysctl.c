/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; sysctl(9) for host world.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sysctl.h>

#include <lvk.h>

int
vnk_sysctl(const char *name, void *old, vnh_size_t *oldlen, const void *newval,
    vnh_size_t newlen)
{
	size_t got = 0;
	int error;

	error = kernel_sysctlbyname(curthread, __DECONST(char *, name), old,
	    oldlen, __DECONST(void *, newval), newlen, &got, 0);
	if (oldlen != NULL && (error == 0 || error == ENOMEM))
		*oldlen = got;
	return (error);
}

/* CTLTYPE_* of the name, 0 where there is none. */
#ifdef LIBVNET_BASE
int	lvk_sysctl_kind(const char *);
#else
static int
lvk_sysctl_kind(const char *name)
{
	int oid[CTL_MAXNAME + 2], query[2] = { 0, 3 };
	size_t len = CTL_MAXNAME * sizeof(int), got = 0;
	struct {
		u_int kind;
		char fmt[128];
	} answer;

	if (kernel_sysctl(curthread, query, 2, oid + 2, &len,
	    __DECONST(char *, name), strlen(name), &got, 0) != 0)
		return (0);
	oid[0] = 0;
	oid[1] = 4;
	len = sizeof(answer);
	if (kernel_sysctl(curthread, oid, 2 + (u_int)(got / sizeof(int)),
	    &answer, &len, NULL, 0, &got, 0) != 0)
		return (0);
	return ((int)(answer.kind & CTLTYPE));
}
#endif

int
vnk_sysctl_kind(const char *name)
{
	switch (lvk_sysctl_kind(name)) {
	case 0:
		return (0);
	case CTLTYPE_NODE:
		return ('n');
	case CTLTYPE_INT:
	case CTLTYPE_S32:
		return ('i');
	case CTLTYPE_UINT:
	case CTLTYPE_U32:
		return ('u');
	case CTLTYPE_LONG:
		return ('l');
	case CTLTYPE_ULONG:
		return ('L');
	case CTLTYPE_S64:
		return ('q');
	case CTLTYPE_U64:
		return ('Q');
	case CTLTYPE_S8:
	case CTLTYPE_U8:
	case CTLTYPE_S16:
	case CTLTYPE_U16:
		return ('c');	/* 8 or 16 bits: the old length says which */
	case CTLTYPE_STRING:
		return ('s');
	default:
		return ('x');
	}
}
