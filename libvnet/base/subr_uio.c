/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: uio(9), and fetches that cannot tell -1 from a fault: FreeBSD's
 * kern/subr_uio.c.
 * Fidelity: exact
 * Differs: only what a network stack calls.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/uio.h>
#include <vm/vm_extern.h>

int
copyin_nofault(const void *u, void *k, size_t len)
{
	int save = vm_fault_disable_pagefaults();
	int error = copyin(u, k, len);

	vm_fault_enable_pagefaults(save);
	return (error);
}

int
copyout_nofault(const void *k, void *u, size_t len)
{
	int save = vm_fault_disable_pagefaults();
	int error = copyout(k, u, len);

	vm_fault_enable_pagefaults(save);
	return (error);
}

static int
move(char *kva, struct uio *uio, void *base, size_t n)
{
	bool in = uio->uio_rw == UIO_WRITE;

	switch (uio->uio_segflg) {
	case UIO_USERSPACE:
		return (in ? copyin(base, kva, n) : copyout(kva, base, n));
	case UIO_SYSSPACE:
		if (in)
			memmove(kva, base, n);
		else
			memmove(base, kva, n);
		return (0);
	default:
		return (0);
	}
}

int
uiomove(void *kva, int n, struct uio *uio)
{
	struct iovec *iov;
	size_t cnt;
	int error;

	KASSERT(uio->uio_resid >= 0, ("uiomove: uio_resid %jd is negative",
	    (intmax_t)uio->uio_resid));
	while (n > 0 && uio->uio_resid > 0) {
		iov = uio->uio_iov;
		cnt = MIN(iov->iov_len, (size_t)n);
		if (cnt == 0) {
			uio->uio_iov++;
			uio->uio_iovcnt--;
			continue;
		}
		error = move(kva, uio, iov->iov_base, cnt);
		if (error != 0)
			return (error);
		iov->iov_base = (char *)iov->iov_base + cnt;
		iov->iov_len -= cnt;
		uio->uio_resid -= (ssize_t)cnt;
		uio->uio_offset += (off_t)cnt;
		kva = (char *)kva + cnt;
		n -= (int)cnt;
	}
	return (0);
}

int
uiomove_nofault(void *kva, int n, struct uio *uio)
{
	int save = vm_fault_disable_pagefaults();
	int error = uiomove(kva, n, uio);

	vm_fault_enable_pagefaults(save);
	return (error);
}

int32_t
fuword32(const volatile void *u)
{
	int32_t v;

	return (fueword32(u, &v) != 0 ? -1 : v);
}

int64_t
fuword64(const volatile void *u)
{
	int64_t v;

	return (fueword64(u, &v) != 0 ? -1 : v);
}

long
fuword(const volatile void *u)
{
	long v;

	return (fueword(u, &v) != 0 ? -1 : v);
}

uint32_t
casuword32(volatile uint32_t *u, uint32_t old, uint32_t new)
{
	uint32_t was;

	return (casueword32(u, old, &was, new) == -1 ? (uint32_t)-1 : was);
}

u_long
casuword(volatile u_long *u, u_long old, u_long new)
{
	u_long was;

	return (casueword(u, old, &was, new) == -1 ? (u_long)-1 : was);
}
