/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what files are asked about aio(4), FreeBSD's kern/vfs_aio.c.
 * Fidelity: stub
 * Differs: there is no aio(4): nobody queues a job, so nothing of this is ever
 * called; it panics where it is.
 */
#include <sys/param.h>
#include <sys/systm.h>
#ifndef LIBVNET_BASE
#include <sys/aio.h>
#include <sys/proc.h>
#include <vm/vm.h>
#include <vm/vm_extern.h>

static void __dead2
none(const char *what)
{
	panic("%s: there is no aio(4)", what);
}

bool
aio_cancel_cleared(struct kaiocb *job __unused)
{
	none("aio_cancel_cleared");
}

void
aio_cancel(struct kaiocb *job __unused)
{
	none("aio_cancel");
}

bool
aio_clear_cancel_function(struct kaiocb *job __unused)
{
	none("aio_clear_cancel_function");
}

void
aio_complete(struct kaiocb *job __unused, long status __unused,
    int error __unused)
{
	none("aio_complete");
}

void
aio_schedule(struct kaiocb *job __unused, aio_handle_fn_t *func __unused)
{
	none("aio_schedule");
}

bool
aio_set_cancel_function(struct kaiocb *job __unused,
    aio_cancel_fn_t *func __unused)
{
	none("aio_set_cancel_function");
}

void
aio_switch_vmspace(struct kaiocb *job __unused)
{
	none("aio_switch_vmspace");
}

/* The threads that would serve sockets are there, and idle. */
struct vmspace *
vmspace_acquire_ref(struct proc *p)
{
	return (p->p_vmspace);
}

void
vmspace_switch_aio(struct vmspace *vm __unused)
{
	none("vmspace_switch_aio");
}
#endif
