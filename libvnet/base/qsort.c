/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: qsort, of FreeBSD's libkern.
 * Fidelity: modelled
 * Differs: a heap sort: never quadratic, and as little stable as FreeBSD's,
 * which leaves equal elements in another order.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/libkern.h>

struct array {
	char *base;
	size_t size;
	int (*cmp)(const void *, const void *);
};

static void *
at(const struct array *a, size_t i)
{
	return (a->base + i * a->size);
}

static void
swap(const struct array *a, size_t i, size_t j)
{
	char *p = at(a, i), *q = at(a, j), tmp;

	for (size_t n = a->size; n > 0; n--) {
		tmp = *p;
		*p++ = *q;
		*q++ = tmp;
	}
}

/* Let element `i' of the heap of `n' sink to where it is not below a child. */
static void
sink(const struct array *a, size_t i, size_t n)
{
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && a->cmp(at(a, child), at(a, child + 1)) < 0)
			child++;
		if (a->cmp(at(a, i), at(a, child)) >= 0)
			return;
		swap(a, i, child);
		i = child;
	}
}

void
qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *))
{
	struct array a = { base, size, cmp };

	for (size_t i = n / 2; i-- > 0;)
		sink(&a, i, n);
	while (n > 1) {
		swap(&a, 0, --n);
		sink(&a, 0, n);
	}
}
