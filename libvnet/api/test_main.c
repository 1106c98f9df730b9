/* SPDX-License-Identifier: BSD-2-Clause */
/* main() of every test program. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define EXIT_SKIPPED 77		/* what ctest and automake call a skip */

extern const struct test *const __start_set_libvnet_tests[]
    __attribute__((weak));
extern const struct test *const __stop_set_libvnet_tests[]
    __attribute__((weak));

/* In the order of the source: the linker's own differs by compiler. */
static int
by_place(const void *x, const void *y)
{
	const struct test *a = *(const struct test *const *)x;
	const struct test *b = *(const struct test *const *)y;
	int files = strcmp(a->file, b->file);

	return (files != 0 ? files : a->line - b->line);
}

static const struct test **
choose(const struct test_args *args, size_t *n)
{
	const struct test *const *t = __start_set_libvnet_tests;
	size_t total = (size_t)(__stop_set_libvnet_tests - t);
	const struct test **v = calloc(total * args->repeat + 1, sizeof(*v));

	if (v == NULL)
		abort();
	*n = 0;
	for (size_t i = 0; i < total; i++)
		if (args->filter == NULL ||
		    fnmatch(args->filter, t[i]->name, 0) == 0)
			for (unsigned k = 0; k < args->repeat; k++)
				v[(*n)++] = t[i];
	qsort(v, *n, sizeof(*v), by_place);
	return (v);
}

int
main(int argc, char **argv)
{
	const struct test **v;
	struct test_args args;
	size_t n;
	int r;

	r = test_args_parse(argc, argv, &args);
	if (r != 0)
		return (r - 1);
	v = choose(&args, &n);
	if (args.list) {
		for (size_t i = 0; i < n; i++)
			printf("%s\n", v[i]->name);
		free(v);
		return (0);
	}
	if (n == 0) {
		fprintf(stderr, "%s: no test%s%s\n", argv[0],
		    args.filter != NULL ? " matches " : " is linked in",
		    args.filter != NULL ? args.filter : "");
		free(v);
		return (2);
	}
	test_world_configure(&args);
	r = cmocka_group(v, n, &args);
	free(v);
	if (!test_world_end())
		r = 1;
	test_summary();
	if (r != 0)
		return (1);
	return (test_run_passed() != 0 ? 0 : EXIT_SKIPPED);
}
