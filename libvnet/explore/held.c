/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which locks a thread holds, for reports.  A set of locks is written once
 * and known by its number, which an access can keep.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xp.h"

#define HELD_MAX 8

struct held {
	unsigned n;
	const void *lock[HELD_MAX];
	const char *name[HELD_MAX];
};
static struct held *sets;		/* the first is empty */
static unsigned nsets, room;

void
xp_held_reset(void)
{
	nsets = 1;
}

static struct held *
set_new(const struct held *from)
{
	struct held copy = { 0 };

	if (from != NULL)
		copy = *from;
	if (nsets >= room) {
		room = room != 0 ? 2 * room : 256;
		sets = realloc(sets, room * sizeof(*sets));
		if (sets == NULL)
			abort();
		memset(&sets[0], 0, sizeof(sets[0]));
	}
	sets[nsets] = copy;
	return (&sets[nsets++]);
}

void
xp_held(const void *lock, const char *name, bool now)
{
	struct xp_thread *t = &x.thread[x.cur];
	struct held *s = set_new(t->locks != 0 ? &sets[t->locks] : NULL);
	unsigned i = s->n;

	if (now) {
		if (s->n == HELD_MAX)
			return;
		s->lock[s->n] = lock;
		s->name[s->n++] = name;
	} else {
		while (i > 0 && s->lock[i - 1] != lock)
			i--;
		if (i == 0)
			return;
		for (s->n--; i <= s->n; i++) {
			s->lock[i - 1] = s->lock[i];
			s->name[i - 1] = s->name[i];
		}
	}
	t->locks = nsets - 1;
	if (s->n == 0) {
		t->locks = 0;
		nsets--;
	}
}

void
xp_held_names(uint32_t set, char *buf, size_t size)
{
	size_t n;

	if (set == 0 || set >= nsets) {
		snprintf(buf, size, "no lock held");
		return;
	}
	n = (size_t)snprintf(buf, size, "with");
	for (unsigned i = 0; i < sets[set].n && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, " \"%s\"",
		    sets[set].name[i] != NULL ? sets[set].name[i] : "a lock");
}
