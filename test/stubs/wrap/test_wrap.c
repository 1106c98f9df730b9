/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that are there, and mocked all the same. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/malloc.h>

#include "wrap.h"
#include <libvnet/test.h>

int	__real_twice(int);
int	__wrap_twice(int);
void	*__real_lvk_malloc(size_t, struct malloc_type *, int);
void	*__wrap_lvk_malloc(size_t, struct malloc_type *, int);

static bool mocked;
static int kept;

int
__wrap_twice(int n)
{
	if (!mocked)
		return (__real_twice(n));
	check_expected(n);
	return ((int)mock());
}

/* What the kernel itself allocates passes. */
void *
__wrap_lvk_malloc(size_t n, struct malloc_type *type, int how)
{
	if (strcmp(type->ks_shortdesc, "keep") != 0)
		return (__real_lvk_malloc(n, type, how));
	kept += (int)n;
	return (NULL);
}

LIBVNET_TEST(a_wrapped_function_is_the_mock)
{
	mocked = true;
	expect_value(__wrap_twice, n, 4);
	will_return(__wrap_twice, 70);
	assert_int_equal(twice_plus_one(4), 71);
}

LIBVNET_TEST(the_function_itself_is_still_there)
{
	assert_int_equal(twice_plus_one(4), 9);
}

LIBVNET_TEST(a_function_with_a_name_of_libc_is_wrapped_too)
{
	assert_null(keep(30));
	assert_int_equal(kept, 30);
}
