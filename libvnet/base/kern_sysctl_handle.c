/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the handlers of sysctl(9) that ship with it.
 * Fidelity: exact
 * Differs: --
 *
 * For the numeric ones arg1 is the variable, or NULL for a constant, which is
 * arg2.  Reading takes one copy of the variable and hands that out.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/sx.h>
#include <sys/sysctl.h>

#include "kern_sysctl.h"

static int
handle_number(void *var, const void *constant, size_t size,
    struct sysctl_req *req)
{
	uint64_t copy = 0;
	int error;

	memcpy(&copy, var != NULL ? var : constant, size);
	error = SYSCTL_OUT(req, &copy, size);
	if (error != 0 || req->newptr == NULL)
		return (error);
	if (var == NULL)
		return (EPERM);
	return (SYSCTL_IN(req, var, size));
}

#define HANDLE_NUMBER(name, type)					\
int									\
sysctl_handle_##name(SYSCTL_HANDLER_ARGS)				\
{									\
	type constant = (type)arg2;					\
									\
	return (handle_number(arg1, &constant, sizeof(constant), req));	\
}
HANDLE_NUMBER(8, int8_t)
HANDLE_NUMBER(16, int16_t)
HANDLE_NUMBER(32, int32_t)
HANDLE_NUMBER(64, int64_t)
HANDLE_NUMBER(int, int)
HANDLE_NUMBER(long, long)

/* Whatever is not 0 is true, and is read back as 1. */
int
sysctl_handle_bool(SYSCTL_HANDLER_ARGS)
{
	uint8_t v = (arg1 != NULL ? *(bool *)arg1 : arg2 != 0) ? 1 : 0;
	int error;

	error = SYSCTL_OUT(req, &v, sizeof(v));
	if (error != 0 || req->newptr == NULL)
		return (error);
	if (arg1 == NULL)
		return (EPERM);
	error = SYSCTL_IN(req, &v, sizeof(v));
	if (error == 0)
		*(bool *)arg1 = v != 0;
	return (error);
}

/*
 * arg2 is the size of the variable; 0 for a constant string, as which a
 * variable that nobody may write is read too.
 */
int
sysctl_handle_string(SYSCTL_HANDLER_ARGS)
{
	size_t room = (size_t)arg2, len;
	char *s = arg1;
	int error;

	if ((oidp->oid_kind & (CTLFLAG_WR | CTLFLAG_TUN)) == 0)
		room = 0;
	sx_slock(&lvk_sysctl_string_lock);
	error = SYSCTL_OUT(req, s, strlen(s) + 1);
	sx_sunlock(&lvk_sysctl_string_lock);
	if (error != 0 || req->newptr == NULL)
		return (error);
	len = req->newlen - req->newidx;
	if (len >= room)
		return (EINVAL);
	sx_xlock(&lvk_sysctl_string_lock);
	error = SYSCTL_IN(req, s, len);
	if (error == 0)
		s[len] = '\0';
	sx_xunlock(&lvk_sysctl_string_lock);
	return (error);
}

int
sysctl_handle_opaque(SYSCTL_HANDLER_ARGS)
{
	int error;

	error = SYSCTL_OUT(req, arg1, (size_t)arg2);
	if (error != 0)
		return (error);
	return (SYSCTL_IN(req, arg1, (size_t)arg2));
}

int
sysctl_msec_to_ticks(SYSCTL_HANDLER_ARGS)
{
	int *var = arg1, ms, t, error;

	ms = (int)((int64_t)*var * 1000 / hz);
	error = sysctl_handle_int(oidp, &ms, 0, req);
	if (error != 0 || req->newptr == NULL)
		return (error);
	t = (int)((int64_t)ms * hz / 1000);
	if (t < 1)
		return (EINVAL);
	*var = t;
	return (0);
}
