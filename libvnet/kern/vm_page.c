/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: pages of memory that are their owner's alone, FreeBSD's
 * vm/vm_page.c, as unmapped mbufs use them.
 * Fidelity: modelled
 * Differs: a page's physical address is where it lies; pages belong to no
 * object, there are always more, and none is paged out.  Freeing one that is
 * wired or freed panics.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <vm/vm.h>
#include <vm/vm_param.h>
#include <vm/vm_page.h>
#include <vm/vm_pageout.h>

#include <lvk.h>

static LIST_HEAD(page_list, page) pages = LIST_HEAD_INITIALIZER(pages);
static struct lvk_spin pages_lock;

struct page {
	struct vm_page pg_page;
	LIST_ENTRY(page) pg_all;
};

#ifndef LIBVNET_BASE
vm_paddr_t dmaplimit = ~(vm_paddr_t)0;
#endif

vm_page_t
PHYS_TO_VM_PAGE(vm_paddr_t pa)
{
	struct page *pg;

	lvk_spin_lock(&pages_lock);
	LIST_FOREACH(pg, &pages, pg_all)
		if (pg->pg_page.phys_addr == trunc_page(pa))
			break;
	lvk_spin_unlock(&pages_lock);
	return (pg != NULL ? &pg->pg_page : NULL);
}

/* VM_ALLOC_WIRED: one reference, which is given back before it is freed. */
vm_page_t
vm_page_alloc(vm_object_t object, vm_pindex_t pindex __unused, int req)
{
	struct page *pg;
	void *mem;

	if (object != NULL || (req & VM_ALLOC_NOOBJ) == 0)
		panic("vm_page_alloc: libvnet has no objects of memory; ask "
		    "for VM_ALLOC_NOOBJ");
	pg = lvk_block_alloc(sizeof(*pg), 64);
	mem = lvk_block_alloc(PAGE_SIZE, PAGE_SIZE);
	memset(pg, 0, sizeof(*pg));
	if ((req & VM_ALLOC_ZERO) != 0)
		memset(mem, 0, PAGE_SIZE);
	pg->pg_page.phys_addr = (vm_paddr_t)(uintptr_t)mem;
	pg->pg_page.ref_count = (req & VM_ALLOC_WIRED) != 0;
	lvk_spin_lock(&pages_lock);
	LIST_INSERT_HEAD(&pages, pg, pg_all);
	lvk_spin_unlock(&pages_lock);
	return (&pg->pg_page);
}

vm_page_t
vm_page_alloc_noobj(int req)
{
	return (vm_page_alloc(NULL, 0, req | VM_ALLOC_NOOBJ));
}

void
vm_page_free(vm_page_t m)
{
	struct page *pg;

	lvk_spin_lock(&pages_lock);
	LIST_FOREACH(pg, &pages, pg_all)
		if (&pg->pg_page == m)
			break;
	if (pg != NULL && m->ref_count == 0)
		LIST_REMOVE(pg, pg_all);
	lvk_spin_unlock(&pages_lock);
	if (pg == NULL)
		panic("vm_page_free: %p is no page, or free", m);
	if (m->ref_count != 0)
		panic("vm_page_free: page %p is wired %u times", m,
		    m->ref_count);
	lvk_block_free((void *)(uintptr_t)m->phys_addr, PAGE_SIZE);
	lvk_block_free(pg, 64);
}

void
vm_page_wire(vm_page_t m)
{
	atomic_add_int(&m->ref_count, 1);
}

/* True where it was the last. */
bool
vm_page_unwire_noq(vm_page_t m)
{
	u_int was = atomic_fetchadd_int(&m->ref_count, -1);

	KASSERT(was > 0, ("vm_page_unwire: page %p is not wired", m));
	return (was == 1);
}

void
vm_page_unwire(vm_page_t m, uint8_t queue __unused)
{
	(void)vm_page_unwire_noq(m);
}

/* Allocations never fail, so nobody waits. */
void
vm_wait(vm_object_t object __unused)
{
	lvk_sleep_check("vm_wait");
}
