/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: pages of memory that are their owner's alone, as unmapped mbufs use
 * them, and user pages that are held: FreeBSD's vm/vm_page.c and
 * vm_fault_quick_hold_pages().
 * Fidelity: modelled
 * Differs: a page's physical address is where it lies; pages belong to no
 * object, there are always more, and none is paged out.  Freeing one that is
 * wired or freed panics.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/queue.h>
#include <vm/vm.h>
#include <vm/vm_param.h>
#include <vm/vm_extern.h>
#include <vm/vm_page.h>
#include <vm/vm_pageout.h>

#include "lvk_heap.h"
#include "lvk_user.h"

#define BUCKETS 256

struct page {
	struct vm_page pg_page;			/* first */
	LIST_ENTRY(page) pg_link;
	bool pg_user;				/* the memory is not ours */
};

/* All pages, by address; under pages_lock. */
static LIST_HEAD(, page) pages[BUCKETS];
static struct lvk_spin pages_lock;

#ifndef LIBVNET_BASE
vm_paddr_t dmaplimit = ~(vm_paddr_t)0;
#endif

#define BUCKET(pa) (&pages[((pa) >> PAGE_SHIFT) % BUCKETS])

static struct page *
page_find(vm_paddr_t pa)
{
	struct page *pg;

	LIST_FOREACH(pg, BUCKET(pa), pg_link)
		if (pg->pg_page.phys_addr == trunc_page(pa))
			break;
	return (pg);
}

static struct page *
page_new(void *mem, bool user, u_int refs)
{
	struct page *pg = lvk_block_alloc(sizeof(*pg), 64);

	memset(pg, 0, sizeof(*pg));
	pg->pg_page.phys_addr = (vm_paddr_t)(uintptr_t)mem;
	pg->pg_page.ref_count = refs;
	pg->pg_user = user;
	lvk_spin_lock(&pages_lock);
	LIST_INSERT_HEAD(BUCKET(pg->pg_page.phys_addr), pg, pg_link);
	lvk_spin_unlock(&pages_lock);
	return (pg);
}

vm_page_t
PHYS_TO_VM_PAGE(vm_paddr_t pa)
{
	struct page *pg;

	lvk_spin_lock(&pages_lock);
	pg = page_find(pa);
	lvk_spin_unlock(&pages_lock);
	return (pg != NULL ? &pg->pg_page : NULL);
}

/* VM_ALLOC_WIRED: one reference, which is given back before it is freed. */
vm_page_t
vm_page_alloc(vm_object_t object, vm_pindex_t pindex __unused, int req)
{
	void *mem;

	if (object != NULL)
		panic("vm_page_alloc: libvnet has no memory objects; ask for "
		    "a page without one");
	if (lvk_fail("vm_page"))
		return (NULL);
	mem = lvk_block_alloc(PAGE_SIZE, PAGE_SIZE);
	if ((req & VM_ALLOC_ZERO) != 0)
		memset(mem, 0, PAGE_SIZE);
	return (&page_new(mem, false, (req & VM_ALLOC_WIRED) != 0)->pg_page);
}

vm_page_t	vm_page_alloc_noobj(int);
vm_page_t
vm_page_alloc_noobj(int req)
{
	return (vm_page_alloc(NULL, 0, req));
}

void
vm_page_free(vm_page_t m)
{
	struct page *pg;

	lvk_spin_lock(&pages_lock);
	LIST_FOREACH(pg, BUCKET(m->phys_addr), pg_link)
		if (&pg->pg_page == m)
			break;
	if (pg != NULL && m->ref_count == 0)
		LIST_REMOVE(pg, pg_link);
	lvk_spin_unlock(&pages_lock);
	if (pg == NULL)
		panic("vm_page_free: %p is no page, or a free one", m);
	if (m->ref_count != 0)
		panic("vm_page_free: page %p is wired %u times", m,
		    m->ref_count);
	if (!pg->pg_user)
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

	if (was == 0)
		panic("vm_page_unwire: page %p is not wired", m);
	return (was == 1);
}

void
vm_page_unwire(vm_page_t m, uint8_t queue __unused)
{
	if (vm_page_unwire_noq(m) && ((struct page *)m)->pg_user)
		vm_page_free(m);
}

/* Allocations fail only where a test wants them to, so nobody waits. */
void
vm_wait(vm_object_t object __unused)
{
	lvk_sleep_check("vm_wait");
}

/* ---- pages of user memory, wired; how many, or -1 */

int
vm_fault_quick_hold_pages(vm_map_t map __unused, vm_offset_t addr,
    vm_size_t len, vm_prot_t prot __unused, vm_page_t *ma, int max)
{
	vm_offset_t end = round_page(addr + len);
	vm_page_t m;
	int n = 0;

	addr = trunc_page(addr);
	if ((int)((end - addr) >> PAGE_SHIFT) > max)
		panic("vm_fault_quick_hold_pages: %d pages are too few", max);
	if (lvk_user_reach("vm_fault_quick_hold_pages", (void *)addr,
	    end - addr, LVK_WIRE, LVK_PC) != end - addr)
		return (-1);
	for (; addr < end; addr += PAGE_SIZE) {
		m = PHYS_TO_VM_PAGE(addr);
		if (m != NULL)
			vm_page_wire(m);
		else
			m = &page_new((void *)addr, true, 1)->pg_page;
		ma[n++] = m;
	}
	return (n);
}

void
vm_page_unhold_pages(vm_page_t *ma, int count)
{
	while (count-- > 0)
		vm_page_unwire(*ma++, 0);
}
