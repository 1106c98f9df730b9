/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: kqueue(2), FreeBSD's kern/kern_event.c.
 * Fidelity: stub
 * Differs: there are no kqueues yet, so no knlist has notes.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/event.h>
#include <sys/kernel.h>
#include <sys/malloc.h>

#include "kern_event.h"

MALLOC_DEFINE(M_KQUEUE, "kqueue", "memory for kqueue system");

void
lvk_knote_activate(struct knote *kn __unused)
{
}

void
lvk_knote_free(struct knote *kn __unused, struct thread *td __unused)
{
}

void
lvk_kq_flux_done(struct kqueue *kq __unused)
{
}

void
knote_fdclose(struct thread *td __unused, int fd __unused)
{
}
