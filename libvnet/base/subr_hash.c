/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: hashinit(9), FreeBSD's kern/subr_hash.c.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/malloc.h>
#include <sys/queue.h>

#undef malloc

LIST_HEAD(bucket, bucket_item);

static struct bucket *
table_alloc(size_t n, struct malloc_type *type, int flags)
{
	struct bucket *table;

	table = mallocarray(n, sizeof(*table), type, flags);
	if (table != NULL)
		for (size_t i = 0; i < n; i++)
			LIST_INIT(&table[i]);
	return (table);
}

/* The largest power of two that is not above `elements'. */
void *
hashinit_flags(int elements, struct malloc_type *type, u_long *hashmask,
    int flags)
{
	struct bucket *table;
	size_t n;

	KASSERT(elements > 0, ("%s: bad elements", __func__));
	KASSERT(flags == HASH_WAITOK || flags == HASH_NOWAIT,
	    ("Bad flags (0x%x) passed to hashinit_flags", flags));
	n = (size_t)1 << (fls(elements) - 1);
	table = table_alloc(n, type,
	    (flags & HASH_NOWAIT) != 0 ? M_NOWAIT : M_WAITOK);
	if (table != NULL)
		*hashmask = n - 1;
	return (table);
}

void *
hashinit(int elements, struct malloc_type *type, u_long *hashmask)
{
	return (hashinit_flags(elements, type, hashmask, HASH_WAITOK));
}

void
hashdestroy(void *vtable, struct malloc_type *type, u_long hashmask)
{
	struct bucket *table = vtable;

	for (u_long i = 0; i <= hashmask; i++)
		KASSERT(LIST_EMPTY(&table[i]), ("hashdestroy: hashtbl %p not "
		    "empty (malloc type %s)", table, type->ks_shortdesc));
	free(table, type);
}

/* The sizes that FreeBSD chooses from: the largest not above `elements'. */
static const int primes[] = {
	13, 31, 61, 127, 251, 509, 761, 1021, 1531, 2039, 2557, 3067, 3583,
	4093, 4603, 5119, 5623, 6143, 6653, 7159, 7673, 8191, 12281, 16381,
	24571, 32749
};

void *
phashinit(int elements, struct malloc_type *type, u_long *nentries)
{
	int n = 1;

	KASSERT(elements > 0, ("%s: bad elements", __func__));
	for (u_int i = 0; i < nitems(primes) && primes[i] <= elements; i++)
		n = primes[i];
	*nentries = (u_long)n;
	return (table_alloc((size_t)n, type, M_WAITOK));
}
