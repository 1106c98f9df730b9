/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_UIO_H_
#define _SYS_UIO_H_

#include <sys/types.h>

enum uio_rw { UIO_READ, UIO_WRITE };
enum uio_seg { UIO_USERSPACE, UIO_SYSSPACE, UIO_NOCOPY };

struct iovec {
	void *iov_base;
	size_t iov_len;
};

struct thread;
struct vm_page;
struct uio {
	struct iovec *uio_iov;
	int uio_iovcnt;
	off_t uio_offset;
	ssize_t uio_resid;
	enum uio_seg uio_segflg;
	enum uio_rw uio_rw;
	struct thread *uio_td;
};

int	uiomove(void *, int, struct uio *);
int	uiomove_nofault(void *, int, struct uio *);
int	uiomove_fromphys(struct vm_page *[], vm_offset_t, int, struct uio *);

#endif
