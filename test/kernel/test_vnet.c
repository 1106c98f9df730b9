/* SPDX-License-Identifier: BSD-2-Clause */
/* VNET: variables of every shape, and the ways to reach them. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/queue.h>
#include <net/vnet.h>

#include <libvnet/test.h>

struct pair {
	int left, right;
};
struct node {
	LIST_ENTRY(node) link;
	int value;
};
struct wide {
	char bytes[100];
} __aligned(64);

VNET_DEFINE(int, zero);
VNET_DEFINE(int, seven) = 7;
VNET_DEFINE_STATIC(char, letter) = 'x';
VNET_DEFINE_STATIC(uint64_t, numbers[5]) = { 1, 2, 3, 4, 5 };
VNET_DEFINE_STATIC(struct pair, couple) = { .left = 3, .right = 4 };
VNET_DEFINE_STATIC(LIST_HEAD(, node), nodes) = LIST_HEAD_INITIALIZER(nodes);
VNET_DEFINE_STATIC(struct wide, wide);
VNET_DEFINE_STATIC(char, page[64] __aligned(1024));
VNET_DEFINE(const char *, text) = "text";
#define V_zero VNET(zero)
#define V_seven VNET(seven)
#define V_letter VNET(letter)
#define V_numbers VNET(numbers)
#define V_couple VNET(couple)
#define V_nodes VNET(nodes)
#define V_wide VNET(wide)
#define V_page VNET(page)
#define V_text VNET(text)

VNET_DECLARE(int, seven);

LIBVNET_TEST_VNET(variable_starts_with_its_initial_value, v)
{
	assert_int_equal(V_zero, 0);
	assert_int_equal(V_seven, 7);
	assert_int_equal(V_letter, 'x');
	assert_int_equal(V_numbers[4], 5);
	assert_int_equal(nitems(V_numbers), 5);
	assert_int_equal(V_couple.right, 4);
	assert_true(LIST_EMPTY(&V_nodes));
	assert_string_equal(V_text, "text");
}

LIBVNET_TEST_VNETS(variable_is_separate_in_each_vnet, a, b)
{
	struct node n = { .value = 1 };

	LIBVNET_IN(a) {
		V_seven = 8;
		V_numbers[0] = 100;
		V_couple.left = -1;
		V_letter++;
		LIST_INSERT_HEAD(&V_nodes, &n, link);
	}
	LIBVNET_IN(b) {
		assert_int_equal(V_seven, 7);
		assert_int_equal(V_numbers[0], 1);
		assert_int_equal(V_couple.left, 3);
		assert_int_equal(V_letter, 'x');
		assert_true(LIST_EMPTY(&V_nodes));
	}
	LIBVNET_IN(a) {
		assert_int_equal(V_seven, 8);
		assert_ptr_equal(LIST_FIRST(&V_nodes), &n);
		LIST_REMOVE(&n, link);
	}
}

LIBVNET_TEST_VNETS(new_vnet_gets_the_initial_value_not_the_changed_one, a, b)
{
	struct vnet *c;

	LIBVNET_IN(a)
		V_seven = 99;
	assert_int_equal(libvnet_create(&c), 0);
	LIBVNET_IN(c)
		assert_int_equal(V_seven, 7);
	assert_int_equal(libvnet_destroy(c), 0);
}

LIBVNET_TEST_VNET(over_aligned_variable_is_aligned_in_the_copy, v)
{
	assert_int_equal((uintptr_t)&V_wide % 64, 0);
	assert_int_equal((uintptr_t)V_page % 1024, 0);
}

LIBVNET_TEST_VNET(ptr_forms_reach_the_same_variable, v)
{
	assert_ptr_equal(VNET_PTR(seven), &V_seven);
	assert_ptr_equal(VNET_VNET_PTR(v, seven), &V_seven);
	assert_ptr_equal(&VNET_VNET(v, seven), &V_seven);
}

#ifdef VIMAGE
LIBVNET_TEST_VNETS(vnet_vnet_reaches_another_vnet, a, b)
{
	VNET_VNET(b, seven) = 12;
	LIBVNET_IN(a)
		assert_int_equal(V_seven, 7);
	LIBVNET_IN(b)
		assert_int_equal(V_seven, 12);
}

LIBVNET_TEST_VNET(copy_is_not_the_master, v)
{
	assert_ptr_not_equal(&V_seven, &VNET_NAME(seven));
	V_seven = 1;
	assert_int_equal(VNET_NAME(seven), 7);
}

LIBVNET_TEST_VNET(every_shape_is_in_the_table_by_name, v)
{
	static const struct {
		const char *name;
		size_t size;
	} want[] = {
		{ "zero", sizeof(int) }, { "letter", 1 },
		{ "numbers", 5 * sizeof(uint64_t) },
		{ "couple", sizeof(struct pair) },
		{ "nodes", sizeof(void *) },
		{ "wide", sizeof(struct wide) }, { "page", 64 }
	};
	size_t size;
	void *p;

	for (size_t i = 0; i < nitems(want); i++) {
		assert_int_equal(libvnet_variable(v, want[i].name, &p, &size),
		    0);
		assert_int_equal(size, want[i].size);
	}
	assert_int_equal(libvnet_variable(v, "zero", &p, NULL), 0);
	assert_ptr_equal(p, &V_zero);
}

#ifdef INVARIANTS
LIBVNET_TEST(variable_without_vnet_panics_with_name_file_and_line)
{
	libvnet_expect_panic(
	    "V_seven used with no vnet set at .*test_vnet.c:[0-9]+");
	V_seven++;
}

LIBVNET_TEST(array_element_without_vnet_panics)
{
	libvnet_expect_panic("V_numbers used with no vnet set");
	V_numbers[2] = 1;
}

LIBVNET_TEST(vnet_vnet_of_null_panics)
{
	struct vnet *none = NULL;

	libvnet_expect_panic("V_zero used with no vnet set");
	VNET_VNET(none, zero) = 1;
}

#ifndef __has_feature
#define __has_feature(x) 0
#endif

/* The bytes around a variable are nobody's: found when the vnet dies. */
static void
write_beside(struct vnet *v, char *p)
{
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
	libvnet_skip("AddressSanitizer stops at the write itself");
#endif
	*(volatile char *)p = 1;
}

LIBVNET_TEST_VNET(overrun_by_one_is_found_at_destroy, v)
{
	libvnet_expect("overrun", "behind V_couple were written in vnet");
	write_beside(v, (char *)(&V_couple + 1));
}

LIBVNET_TEST_VNET(underrun_by_one_is_found_at_destroy, v)
{
	libvnet_expect("overrun", "were written in vnet");
	write_beside(v, (char *)&V_couple - 1);
}

LIBVNET_TEST_VNET(write_to_the_last_byte_is_no_overrun, v)
{
	((char *)&V_couple)[sizeof(V_couple) - 1] = 1;
	((char *)&V_couple)[0] = 1;
}
#endif /* INVARIANTS */
#endif /* VIMAGE */
