/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages: allocated, wired, freed; user pages held; moved by a uio. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/proc.h>
#include <sys/uio.h>
#include <vm/vm.h>
#include <vm/vm_param.h>
#include <vm/vm_extern.h>
#include <vm/vm_page.h>

#include <libvnet/test.h>

static vm_page_t
page(void)
{
	vm_page_t m = vm_page_alloc_noobj(VM_ALLOC_WIRED | VM_ALLOC_ZERO);

	assert_non_null(m);
	return (m);
}

static char *
bytes(vm_page_t m)
{
	return ((char *)PHYS_TO_DMAP(VM_PAGE_TO_PHYS(m)));
}

static void
page_end(vm_page_t m)
{
	assert_true(vm_page_unwire_noq(m));
	vm_page_free(m);
}

LIBVNET_TEST(page_is_found_by_any_address_in_it)
{
	vm_page_t a = page(), b = page();
	vm_paddr_t pa = VM_PAGE_TO_PHYS(a);

	assert_int_equal(pa & PAGE_MASK, 0);
	assert_ptr_equal(PHYS_TO_VM_PAGE(pa + 17), a);
	assert_ptr_equal(PHYS_TO_VM_PAGE(VM_PAGE_TO_PHYS(b)), b);
	memset(bytes(a), 1, PAGE_SIZE);
	for (int i = 0; i < PAGE_SIZE; i++)
		assert_int_equal(bytes(b)[i], 0);
	page_end(a);
	assert_null(PHYS_TO_VM_PAGE(pa));
	page_end(b);
}

LIBVNET_TEST(page_freed_while_wired_panics)
{
	vm_page_t m = page();

	libvnet_expect_panic("vm_page_free: page 0x[0-9a-f]+ is wired 2 "
	    "times");
	vm_page_wire(m);
	vm_page_free(m);
}
LIBVNET_TEST(page_unwired_more_often_than_wired_panics)
{
	vm_page_t m = page();

	libvnet_expect_panic("vm_page_unwire: page 0x[0-9a-f]+ is not wired");
	(void)vm_page_unwire_noq(m);
	(void)vm_page_unwire_noq(m);
}
LIBVNET_TEST(page_wired_and_unwired_as_often_is_fine)
{
	vm_page_t m = page();

	vm_page_wire(m);
	assert_false(vm_page_unwire_noq(m));
	page_end(m);
}

LIBVNET_TEST(page_allocation_can_fail)
{
	libvnet_fail_nth(1, "vm_page");
	assert_null(vm_page_alloc_noobj(VM_ALLOC_WIRED));
	libvnet_fail_off();
	page_end(page());
}

static char user[3 * PAGE_SIZE] __aligned(PAGE_SIZE);

LIBVNET_TEST(user_pages_are_held_until_unwired)
{
	vm_offset_t at = (vm_offset_t)user;
	vm_page_t ma[3], again[3];

	assert_int_equal(vm_fault_quick_hold_pages(NULL, at + 10,
	    PAGE_SIZE, VM_PROT_READ, ma, 3), 2);
	assert_ptr_equal(bytes(ma[1]), user + PAGE_SIZE);
	assert_int_equal(vm_fault_quick_hold_pages(NULL, at, 1,
	    VM_PROT_READ, again, 3), 1);
	assert_ptr_equal(again[0], ma[0]);
	vm_page_unwire(again[0], 0);
	assert_ptr_equal(PHYS_TO_VM_PAGE(at), ma[0]);
	vm_page_unhold_pages(ma, 2);
	assert_null(PHYS_TO_VM_PAGE(at));
	assert_null(PHYS_TO_VM_PAGE(at + PAGE_SIZE));
}

LIBVNET_TEST(bad_user_pages_cannot_be_held)
{
	vm_page_t ma[3];

	libvnet_user_bad(user + PAGE_SIZE, 1);
	assert_int_equal(vm_fault_quick_hold_pages(NULL, (vm_offset_t)user,
	    sizeof(user), VM_PROT_READ, ma, 3), -1);
}

LIBVNET_TEST(uio_moves_across_pages_that_lie_apart)
{
	char from[PAGE_SIZE], to[PAGE_SIZE];
	struct iovec iov = { from, sizeof(from) };
	struct uio uio = { &iov, 1, 0, sizeof(from), UIO_SYSSPACE, UIO_WRITE,
	    curthread };
	vm_page_t ma[2] = { page(), page() };

	for (int i = 0; i < PAGE_SIZE; i++)
		from[i] = (char)(i * 7);
	assert_int_equal(uiomove_fromphys(ma, 100, PAGE_SIZE, &uio), 0);
	assert_int_equal(uio.uio_resid, 0);
	assert_memory_equal(bytes(ma[0]) + 100, from, PAGE_SIZE - 100);
	assert_memory_equal(bytes(ma[1]), from + PAGE_SIZE - 100, 100);
	iov = (struct iovec){ to, sizeof(to) };
	uio.uio_resid = sizeof(to);
	uio.uio_rw = UIO_READ;
	assert_int_equal(uiomove_fromphys(ma, 100, PAGE_SIZE, &uio), 0);
	assert_memory_equal(to, from, PAGE_SIZE);
	page_end(ma[0]);
	page_end(ma[1]);
}
