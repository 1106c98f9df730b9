/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Guard pages inside a range: they cannot be read or written, so neither a
 * take nor a restore touches them; where they lie is part of the snapshot.
 */
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "world.h"

#define WORDS(pages) (((pages) + 63) / 64)

bool
guarded(const uint64_t *guards, size_t page)
{
	return (guards != NULL && (guards[page / 64] >> page % 64 & 1) != 0);
}

bool
guards_take(const struct world_range *w, struct piece *p)
{
	size_t n = WORDS(WORLD_PAGES(w, p->len)) * sizeof(uint64_t);

	if (w->r.guards == NULL)
		return (true);
	p->guards = malloc(n);
	if (p->guards == NULL)
		return (false);
	memcpy(p->guards, w->r.guards, n);
	return (true);
}

void
guards_restore(const struct world_range *w, const struct piece *p)
{
	size_t pages = WORLD_PAGES(w, p->len), high = WORLD_PAGES(w, w->high);

	if (w->r.guards == NULL)
		return;
	for (size_t i = 0; i < WORDS(high > pages ? high : pages); i++) {
		uint64_t was = i < WORDS(pages) && p->guards != NULL ?
		    p->guards[i] : 0;
		uint64_t change = w->r.guards[i] ^ was;

		for (; change != 0; change &= change - 1) {
			size_t bit = (size_t)__builtin_ctzll(change);

			vnh_protect(w->r.start + (i * 64 + bit) * HOST_PAGE,
			    HOST_PAGE, (int)(was >> bit & 1));
		}
	}
}
