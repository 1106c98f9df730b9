/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel world as a list of ranges. */
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "seam_snapshot.h"
#include "snapshot.h"

struct list {
	struct host_range *r;
	int n;
};

static void
add_one(struct list *l, const struct host_range *r)
{
	if (r->room == 0)
		return;
	if (l->n == HOST_RANGES_MAX)
		abort();
	l->r[l->n++] = *r;
}

static void
add(struct list *l, const struct host_range *r)
{
	struct host_range shadow[2];
	int n;

	if (r->room == 0)
		return;
	add_one(l, r);
	n = host_shadow_ranges(r, shadow);
	for (int i = 0; i < n; i++)
		add_one(l, &shadow[i]);
}

static void
add_section(struct list *l, const char *start, const char *end)
{
	if (start != NULL)
		add(l, &(struct host_range){ .start = (char *)(uintptr_t)start,
		    .room = (size_t)(end - start), .digest = true });
}

/* Host world's variables that belong to the world; always initialised. */
static void
add_variable(struct list *l, void *p, size_t n)
{
	add_one(l, &(struct host_range){ .start = p, .room = n,
	    .digest = true });
}

int
host_ranges(struct host_range ranges[HOST_RANGES_MAX],
    struct vnk_local *local, void *enter, size_t enter_size)
{
	const struct vnh_manifest *m = &vnh_manifest;
	struct list l = { ranges, 0 };
	struct host_range heap[HOST_HEAP_RANGES];
	size_t size;
	void *p;

	add_section(&l, m->data, m->data_end);
	add_section(&l, m->bss, m->bss_end);
	add_section(&l, m->vnet, m->vnet_end);
	for (const struct vnh_set *s = m->sets; s->name != NULL; s++)
		if (strcmp(s->name, "set_pcpu") == 0)
			add_section(&l, s->start, s->stop);
	for (int i = 0, n = host_heap_ranges(heap); i < n; i++)
		add(&l, &heap[i]);
	add_variable(&l, local, sizeof(*local));
	add_variable(&l, enter, enter_size);
	p = host_random_state(&size);
	add_variable(&l, p, size);
	return (l.n);
}
