/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Snapshots of a world: a list of memory ranges.
 *
 * A snapshot holds a full copy of every range, and for the large ranges a
 * bit for each page that may differ from the copy.  Each look at the world
 * (at every take and restore) asks which pages were written and sets their
 * bits in every snapshot, so that any number of them can live, in any order.
 *
 * Protecting a page costs a system call, and its next write a fault; copying
 * it costs a tenth of that.  So a page once written stays unprotected, and is
 * compared at each restore; one that was found unchanged a few times in a row
 * is protected again.
 *
 * A range may grow.  What lies behind the part in use is taken to be as never
 * used, and a restore makes it so.
 *
 * Not thread safe.  Nothing here looks at sanitizers: their shadow is a range
 * like others.
 */
#ifndef LIBVNET_HOST_SNAPSHOT_H
#define LIBVNET_HOST_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_RANGES_MAX 32

struct host_range {
	char	*start;
	size_t	 room;		/* bytes it can have; pages mapped for good */
	size_t	(*used)(void);	/* bytes in use now; NULL: all of room */
	unsigned shift;		/* one byte here stands for 1 << shift of `used' */
	const uint64_t *guards;	/* pages that cannot be touched: a bit each from
				 * `start', which is a page then; or NULL */
	bool	 digest;	/* part of the digest */
	bool	 shadow;	/* unused part holds a sanitizer's mark, not 0 */
};

enum host_mode { HOST_AUTO, HOST_COPY, HOST_TRACK };

/*
 * The world is these ranges from now on; `ranges' is copied.  NULL, or why
 * HOST_TRACK cannot be.  Snapshots of a world before must be gone.
 */
const char *host_world_begin(const struct host_range *ranges, int n,
	    enum host_mode mode);
/* Frees every snapshot. */
void	host_world_end(void);
bool	host_world_tracks(void);
/* Why it does not track, "" when it does or never tried. */
const char *host_world_why(void);
/* XXH64 of all ranges with `digest' set. */
uint64_t host_world_digest(void);

struct host_snapshot;
struct host_snapshot_stats {
	size_t	bytes;		/* saved */
	size_t	pages;		/* of the ranges that are tracked */
	size_t	compared;	/* pages looked at in the last restore */
	size_t	copied;		/* those that differed */
	unsigned long restores;
};

/* NULL for lack of memory. */
struct host_snapshot *host_snapshot_take(void);
void	host_snapshot_restore(struct host_snapshot *s);
void	host_snapshot_free(struct host_snapshot *s);
/* Whether `s' is one: taken in this world and not freed. */
bool	host_snapshot_live(const struct host_snapshot *s);
void	host_snapshot_stats(const struct host_snapshot *s,
	    struct host_snapshot_stats *stats);

/* ---- copy.c: no sanitizer sees these */
void	host_copy(void *dst, const void *src, size_t n);
void	host_fill(void *dst, unsigned char byte, size_t n);
void	host_compare(const void *a, const void *b, size_t n, bool *differ);

/* ---- digest.c: XXH64, unseen too */
void	host_digest(const void *p, size_t n, uint64_t seed, uint64_t *digest);

/* ---- shadow.c */
/* The ranges of sanitizer shadow that go with `r', in `out'; how many, 0 to 2. */
int	host_shadow_ranges(const struct host_range *r, struct host_range *out);

/* ---- ranges.c */
/*
 * The kernel world.  `local' is filled before a look and loaded after a
 * restore by the caller; `enter' is what the API keeps of vnets entered.
 */
struct vnk_local;
int	host_ranges(struct host_range ranges[HOST_RANGES_MAX],
	    struct vnk_local *local, void *enter, size_t enter_size);

/* ---- region.c */
/*
 * The heap's ranges; 0 where the heap cannot be saved because
 * its items are the host's.
 */
#define HOST_HEAP_RANGES 2
int	host_heap_ranges(struct host_range out[HOST_HEAP_RANGES]);

#endif /* LIBVNET_HOST_SNAPSHOT_H */
