/* SPDX-License-Identifier: BSD-2-Clause */
/* Between world.c, which knows what was written, and snapshot.c. */
#ifndef LIBVNET_HOST_WORLD_H
#define LIBVNET_HOST_WORLD_H

#include "pagetrack.h"
#include "snapshot.h"

struct world_range {
	struct host_range r;
	size_t	 len;		/* bytes in use, as of the last look */
	size_t	 high;		/* most it was, or is in a snapshot */
	uintptr_t first;	/* its first page */
	bool	 tracked;
	unsigned char *age;	/* a byte a page: restores it was unchanged */
};

/* What a snapshot has of one range. */
struct piece {
	char	*copy;
	size_t	 len;
	uint64_t *differs;	/* a bit a page; NULL: not tracked */
	uint64_t *guards;	/* the range's, as they were */
	unsigned char fill;	/* what the unused part holds */
};

struct host_snapshot {
	struct host_snapshot *next;
	struct host_snapshot_stats stats;
	struct piece piece[HOST_RANGES_MAX];
};

extern struct world_range world_ranges[HOST_RANGES_MAX];
extern int world_nranges;
extern struct host_snapshot *world_snapshots;

#define WORLD_PAGES(w, len) ((HOST_PAGE_UP((w)->r.start + (len)) - (w)->first) / HOST_PAGE)

/* ---- snapshot_guard.c */
bool	guards_take(const struct world_range *w, struct piece *p);
/* Makes the range's guards those of the take. */
void	guards_restore(const struct world_range *w, const struct piece *p);
bool	guarded(const uint64_t *guards, size_t page);

/* ---- world.c */
/* Take notice of what was written and of the ranges' size now. */
void	world_look(void);
/* Protect all, after the first snapshot was taken. */
void	world_protect(void);
/* Protect pages that are equal to every copy whose bit is clear. */
void	world_protect_run(uintptr_t start, uintptr_t end);
/* Count pages [from, to) of range `i' as written, in every snapshot. */
void	world_written(int i, size_t from, size_t to);

#endif /* LIBVNET_HOST_WORLD_H */
