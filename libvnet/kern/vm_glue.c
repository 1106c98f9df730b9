/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: wiring and mapping a process's memory: vslock(9), and what
 * kern/subr_uio.c asks of the VM; uiomove_fromphys().
 * Fidelity: stub
 * Differs: memory of the process is always there, so wiring it only looks
 * whether a test declared it bad; mapping more is refused, which is said
 * once.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/uio.h>
#include <sys/vmmeter.h>
#include <vm/vm.h>
#include <vm/vm_param.h>
#include <vm/pmap.h>
#include <vm/vm_extern.h>
#include <vm/vm_map.h>
#include <vm/vm_page.h>

#include "lvk_user.h"

struct vmmeter vm_cnt;

static void
refused(bool *said, const char *what)
{
	if (!*said)
		printf("%s: libvnet cannot; the caller gets an error\n", what);
	*said = true;
}

int
vslock(void *addr, size_t len)
{
	return (lvk_user_reach("vslock", addr, len, LVK_WIRE, LVK_PC) == len ?
	    0 : EFAULT);
}

void
vsunlock(void *addr __unused, size_t len __unused)
{
}

int
vm_mmap_object(vm_map_t map __unused, vm_offset_t *addr __unused,
    vm_size_t size __unused, vm_prot_t prot __unused, vm_prot_t max __unused,
    int flags __unused, vm_object_t object __unused,
    vm_ooffset_t off __unused, boolean_t writecounted __unused,
    struct thread *td __unused)
{
	static bool said;

	refused(&said, "vm_mmap_object");
	return (ENOMEM);
}

int
vm_map_remove(vm_map_t map __unused, vm_offset_t start __unused,
    vm_offset_t end __unused)
{
	static bool said;

	refused(&said, "vm_map_remove");
	return (KERN_INVALID_ARGUMENT);
}

/* ---- pages into and out of a uio */

static int
page_move(char *kva, struct uio *uio, struct iovec *iov, size_t n)
{
	bool in = uio->uio_rw == UIO_WRITE;

	switch (uio->uio_segflg) {
	case UIO_USERSPACE:
		return (in ? copyin(iov->iov_base, kva, n) :
		    copyout(kva, iov->iov_base, n));
	case UIO_SYSSPACE:
		if (in)
			memmove(kva, iov->iov_base, n);
		else
			memmove(iov->iov_base, kva, n);
		return (0);
	default:
		return (0);
	}
}

int
uiomove_fromphys(vm_page_t ma[], vm_offset_t offset, int n, struct uio *uio)
{
	struct iovec *iov;
	size_t cnt;
	char *page;
	int error;

	while (n > 0 && uio->uio_resid > 0) {
		iov = uio->uio_iov;
		cnt = MIN(iov->iov_len, (size_t)n);
		if (cnt == 0) {
			uio->uio_iov++;
			uio->uio_iovcnt--;
			continue;
		}
		cnt = MIN(cnt, PAGE_SIZE - (offset & PAGE_MASK));
		page = (char *)(uintptr_t)ma[offset >> PAGE_SHIFT]->phys_addr;
		error = page_move(page + (offset & PAGE_MASK), uio, iov, cnt);
		if (error != 0)
			return (error);
		iov->iov_base = (char *)iov->iov_base + cnt;
		iov->iov_len -= cnt;
		uio->uio_resid -= (ssize_t)cnt;
		uio->uio_offset += (off_t)cnt;
		offset += cnt;
		n -= (int)cnt;
	}
	return (0);
}
