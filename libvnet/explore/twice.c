/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a schedule that is made again is the same, step by step. */
#include <stdio.h>
#include <stdlib.h>

#include "xp.h"

struct made {
	uintptr_t pc;
	uint64_t full;
	int	 thread;
};
static struct made *log, other;
static unsigned n, at, room;
static bool differs;

void
xp_twice_first(void)
{
	n = 0;
	x.twice = XP_FIRST;
}

void
xp_twice_second(void)
{
	at = 0;
	differs = false;
	x.twice = XP_SECOND;
}

void
xp_twice_step(uintptr_t pc)
{
	struct made m = { pc, x.full, x.cur };

	if (x.twice == XP_SECOND) {
		if (!differs && (at >= n || log[at].full != m.full)) {
			differs = true;
			other = m;
		}
		at += !differs;
		return;
	}
	if (n == room) {
		room = room != 0 ? 2 * room : 1024;
		log = realloc(log, room * sizeof(*log));
		if (log == NULL)
			abort();
	}
	log[n++] = m;
}

bool
xp_twice_same(void)
{
	x.twice = XP_ONCE;
	return (!differs && at == n);
}

static void
where(char *buf, size_t size, const struct made *m)
{
	if (m == NULL)
		snprintf(buf, size, "the end");
	else
		snprintf(buf, size, "of thread \"%s\" in %s",
		    x.thread[m->thread].name, host_symbol(m->pc));
}

void
xp_twice_describe(char *buf, size_t size)
{
	char a[420], b[420];

	where(a, sizeof(a), at < n ? &log[at] : NULL);
	where(b, sizeof(b), differs ? &other : NULL);
	snprintf(buf, size, "the schedule is not the same twice, so something "
	    "else decides too: step %u was %s, and then %s", at + 1, a, b);
}
