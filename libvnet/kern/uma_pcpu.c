/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: uma(9): zones with UMA_ZONE_PCPU, the memory of counter(9).
 * Fidelity: modelled
 * Differs: items have an owner, and free ones are poisoned under
 * AddressSanitizer.  An item may have at most UMA_PCPU_ALLOC_SIZE less
 * SLAB_HEAD bytes.  Init and fini functions are refused.
 *
 * A slab is UMA_PCPU_ALLOC_SIZE bytes a CPU: zpcpu_get_cpu(9) wants the
 * copies of an item that far apart.  The first SLAB_HEAD bytes of each CPU's
 * part hold no item; CPU 0's name the slab.  All slabs of all zones have the
 * same size, and are aligned to the power of two above, so that an item's
 * address leads to its slab, whichever zone it is of:
 *
 *	0	  64	   64 + stride		4096
 *	|  head   | item 0 | item 1 | ...	|  -     | item 0 | ...
 *	`----------- CPU 0 --------------------'`-- CPU 1 -----
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <vm/uma.h>

#include <lvk.h>
#include "uma_int.h"

#define SLAB_HEAD 64
#define SLAB_MAGIC 0x51ab51abu
#define SLABS_KEPT 2		/* empty slabs a zone keeps */
#define WORD_BITS 64
#define OWNER_BUCKETS 1024

struct slab_head {		/* behind what the host keeps for itself */
	char sh_host[VNH_HEAP_RESERVED];
	u_int sh_magic;
	struct pcpu_slab *sh_slab;
};
CTASSERT(sizeof(struct slab_head) <= SLAB_HEAD);

struct pcpu_slab {
	LIST_ENTRY(pcpu_slab) sl_link;
	struct uma_zone *sl_zone;
	char *sl_base;			/* CPU 0's part */
	u_int sl_used;
	u_int sl_hint;			/* words before it have no free item */
	uint64_t *sl_free;		/* a bit an item */
	vnh_uptr *sl_pc;		/* who asked for it */
	int *sl_vnet;			/* its owner */
};

static size_t slab_align;	/* power of two, not below slab_bytes() */

/* Items by owner, so that a vnet without any costs no search. */
static volatile u_int owned[OWNER_BUCKETS];

static __inline volatile u_int *
owned_by(int vnet)
{
	return (&owned[(u_int)(vnet + 1) % OWNER_BUCKETS]);
}

static __inline size_t
slab_bytes(void)
{
	return (((size_t)mp_maxid + 1) * UMA_PCPU_ALLOC_SIZE);
}

static __inline char *
slab_item(const struct pcpu_slab *sl, u_int i)
{
	return (sl->sl_base + SLAB_HEAD + i * sl->sl_zone->uz_stride);
}

void
uma_pcpu_setup(struct uma_zone *zone)
{
	for (slab_align = UMA_PCPU_ALLOC_SIZE; slab_align < slab_bytes();)
		slab_align *= 2;
	zone->uz_stride = roundup2(zone->uz_size, zone->uz_align);
	if (zone->uz_stride > UMA_PCPU_ALLOC_SIZE - SLAB_HEAD ||
	    zone->uz_align > SLAB_HEAD)
		panic("uma_zcreate: zone \"%s\": %zu bytes aligned to %zu are "
		    "too many for an item per CPU", zone->uz_name,
		    zone->uz_size, zone->uz_align);
	KASSERT(zone->uz_keg_init == NULL && zone->uz_keg_fini == NULL,
	    ("uma_zcreate: zone \"%s\": init and fini in a zone per CPU",
	    zone->uz_name));
	zone->uz_per_slab = (u_int)((UMA_PCPU_ALLOC_SIZE - SLAB_HEAD) /
	    zone->uz_stride);
}

/* ---- the copies of one item: open while it is live */

static void
copies_open(const struct uma_zone *zone, char *item)
{
	for (u_int cpu = 0; cpu <= mp_maxid; cpu++) {
		char *copy = zpcpu_get_cpu(item, cpu);

		if (vnh_sanitized() != 0) {
			vnh_unpoison(copy, zone->uz_stride);
			vnh_uninit(copy, zone->uz_size);
		} else if (zone->uz_trash)
			uma_trash_check(zone, copy);
	}
}

static void
copies_close(const struct uma_zone *zone, char *item)
{
	for (u_int cpu = 0; cpu <= mp_maxid; cpu++) {
		char *copy = zpcpu_get_cpu(item, cpu);

		if (vnh_sanitized() != 0)
			vnh_poison(copy, zone->uz_stride);
		else if (zone->uz_trash)
			uma_trash_fill(copy, zone->uz_size);
	}
}

static void
copies_zero(const struct uma_zone *zone, char *item)
{
	for (u_int cpu = 0; cpu <= mp_maxid; cpu++)
		memset(zpcpu_get_cpu(item, cpu), 0, zone->uz_size);
}

/* ---- slabs */

static struct pcpu_slab *
slab_make(struct uma_zone *zone)
{
	u_int n = zone->uz_per_slab, words = howmany(n, WORD_BITS);
	struct pcpu_slab *sl;
	struct slab_head *head;

	sl = lvk_block_alloc(sizeof(*sl) + words * sizeof(*sl->sl_free) +
	    n * (sizeof(*sl->sl_pc) + sizeof(*sl->sl_vnet)), 16);
	sl->sl_zone = zone;
	sl->sl_used = 0;
	sl->sl_hint = 0;
	sl->sl_free = (uint64_t *)(sl + 1);
	sl->sl_pc = (vnh_uptr *)(sl->sl_free + words);
	sl->sl_vnet = (int *)(sl->sl_pc + n);
	memset(sl->sl_free, 0, words * sizeof(*sl->sl_free));
	for (u_int i = 0; i < n; i++)
		sl->sl_free[i / WORD_BITS] |= (uint64_t)1 << (i % WORD_BITS);
	sl->sl_base = vnh_heap_alloc(slab_bytes(), slab_align);
	head = (struct slab_head *)(void *)sl->sl_base;
	head->sh_magic = SLAB_MAGIC;
	head->sh_slab = sl;
	for (u_int i = 0; i < n; i++)
		copies_close(zone, slab_item(sl, i));
	vnh_poison(sl->sl_base + sizeof(*head), SLAB_HEAD - sizeof(*head));
	return (sl);
}

static void
slab_unmake(struct pcpu_slab *sl)
{
	vnh_unpoison(sl->sl_base + VNH_HEAP_RESERVED,
	    slab_bytes() - VNH_HEAP_RESERVED);
	((struct slab_head *)(void *)sl->sl_base)->sh_magic = 0;
	vnh_heap_free(sl->sl_base);
	lvk_block_free(sl, 16);
}

/* Gives away all empty slabs but some. */
void
uma_pcpu_trim(struct uma_zone *zone, u_int keep)
{
	struct pcpu_slab *sl;

	for (;;) {
		lvk_spin_lock(&zone->uz_lock);
		sl = NULL;
		if (zone->uz_empty_slabs > keep)
			LIST_FOREACH(sl, &zone->uz_partial, sl_link)
				if (sl->sl_used == 0)
					break;
		if (sl != NULL) {
			LIST_REMOVE(sl, sl_link);
			zone->uz_empty_slabs--;
		}
		lvk_spin_unlock(&zone->uz_lock);
		if (sl == NULL)
			return;
		slab_unmake(sl);
	}
}

/* ---- allocating: the zone is locked where nothing else is said */

static u_int
slab_take(struct pcpu_slab *sl)
{
	struct uma_zone *zone = sl->sl_zone;
	u_int word = sl->sl_hint, bit;

	while (sl->sl_free[word] == 0)
		word++;
	bit = (u_int)__builtin_ctzll(sl->sl_free[word]);
	sl->sl_free[word] &= ~((uint64_t)1 << bit);
	sl->sl_hint = word;
	if (sl->sl_used++ == 0)
		zone->uz_empty_slabs--;
	if (sl->sl_used == zone->uz_per_slab) {
		LIST_REMOVE(sl, sl_link);
		LIST_INSERT_HEAD(&zone->uz_full, sl, sl_link);
	}
	return (word * WORD_BITS + bit);
}

/* Unlocked. */
static void
slab_add(struct uma_zone *zone)
{
	struct pcpu_slab *sl = slab_make(zone);

	lvk_spin_lock(&zone->uz_lock);
	LIST_INSERT_HEAD(&zone->uz_partial, sl, sl_link);
	zone->uz_empty_slabs++;
	lvk_spin_unlock(&zone->uz_lock);
}

/* Unlocked. */
static char *
item_take(struct uma_zone *zone, vnh_uptr pc)
{
	int owner = lvk_owner();
	struct pcpu_slab *sl;
	u_int i = 0;

	for (;;) {
		lvk_spin_lock(&zone->uz_lock);
		sl = LIST_FIRST(&zone->uz_partial);
		if (sl != NULL) {
			i = slab_take(sl);
			sl->sl_pc[i] = pc;
			sl->sl_vnet[i] = owner;
		}
		lvk_spin_unlock(&zone->uz_lock);
		if (sl != NULL)
			break;
		slab_add(zone);
	}
	atomic_add_int(owned_by(owner), 1);
	return (slab_item(sl, i));
}

/*
 * Unlocked.  False where the item is free already.  `surplus': more slabs are
 * empty now than a zone should keep.
 */
static bool
item_give(struct pcpu_slab *sl, u_int i, bool *surplus)
{
	struct uma_zone *zone = sl->sl_zone;
	uint64_t bit = (uint64_t)1 << (i % WORD_BITS);
	u_int word = i / WORD_BITS;
	bool live;

	lvk_spin_lock(&zone->uz_lock);
	live = (sl->sl_free[word] & bit) == 0;
	if (live) {
		sl->sl_free[word] |= bit;
		sl->sl_hint = MIN(sl->sl_hint, word);
		if (sl->sl_used-- == zone->uz_per_slab) {
			LIST_REMOVE(sl, sl_link);
			LIST_INSERT_HEAD(&zone->uz_partial, sl, sl_link);
		}
		if (sl->sl_used == 0)
			zone->uz_empty_slabs++;
		zone->uz_live--;
	}
	*surplus = zone->uz_empty_slabs > SLABS_KEPT;
	lvk_spin_unlock(&zone->uz_lock);
	return (live);
}

/* ---- the two calls, and the report of what is live */

/* The slab and the number of an item that is being freed. */
static struct pcpu_slab *
item_find(struct uma_zone *zone, char *item, u_int *number)
{
	struct slab_head *head = (struct slab_head *)
	    rounddown2((uintptr_t)item, slab_align);
	struct pcpu_slab *sl;
	size_t offset;

	if (head->sh_magic != SLAB_MAGIC)
		panic("uma_zfree_pcpu: %p was never allocated in a zone per "
		    "CPU", item);
	sl = head->sh_slab;
	if (sl->sl_zone != zone)
		panic("uma_zfree_pcpu: %p belongs to zone \"%s\"; give it back "
		    "there", item, sl->sl_zone->uz_name);
	offset = (size_t)(item - slab_item(sl, 0));
	*number = (u_int)(offset / zone->uz_stride);
	if (offset % zone->uz_stride != 0 || *number >= zone->uz_per_slab)
		panic("uma_zfree_pcpu: %p is not the start of an item of zone "
		    "\"%s\"", item, zone->uz_name);
	return (sl);
}

static void
item_free(struct uma_zone *zone, char *item, struct pcpu_slab *sl, u_int i)
{
	int owner = sl->sl_vnet[i];
	bool surplus;

	copies_close(zone, item);
	if (!item_give(sl, i, &surplus))
		panic("uma_zfree_pcpu: %p (%s) was freed before", item,
		    zone->uz_name);
	atomic_subtract_int(owned_by(owner), 1);
	if (surplus)
		uma_pcpu_trim(zone, SLABS_KEPT);
}

void *
uma_pcpu_alloc(struct uma_zone *zone, void *udata, int flags, vnh_uptr pc)
{
	struct pcpu_slab *sl;
	char *item;
	void *none;
	u_int i;

	if (!uma_take(zone, flags, &none))
		return (NULL);
	item = item_take(zone, pc);
	copies_open(zone, item);
	if (zone->uz_ctor != NULL && zone->uz_ctor(item, (int)zone->uz_size,
	    udata, flags & ~M_ZERO) != 0) {
		sl = item_find(zone, item, &i);
		item_free(zone, item, sl, i);
		return (NULL);
	}
	if ((flags & M_ZERO) != 0)
		copies_zero(zone, item);
	return (item);
}

void
uma_pcpu_free(struct uma_zone *zone, void *item, void *udata)
{
	struct pcpu_slab *sl;
	u_int i;

	sl = item_find(zone, item, &i);
	if (zone->uz_dtor != NULL)
		zone->uz_dtor(item, (int)zone->uz_size, udata);
	item_free(zone, item, sl, i);
}

static void
slabs_report(const struct pcpu_slabs *list, int vnet, lvk_item_cb *cb,
    void *arg)
{
	struct pcpu_slab *sl;

	LIST_FOREACH(sl, list, sl_link)
		for (u_int i = 0; i < sl->sl_zone->uz_per_slab; i++)
			if ((sl->sl_free[i / WORD_BITS] &
			    (uint64_t)1 << (i % WORD_BITS)) == 0 &&
			    sl->sl_vnet[i] == vnet)
				cb("UMA zone", sl->sl_zone->uz_name,
				    sl->sl_zone->uz_size, sl->sl_pc[i], arg);
}

void
lvk_pcpu_foreach(int vnet, lvk_item_cb *cb, void *arg)
{
	struct uma_zone *zone;

	if (atomic_load_int(owned_by(vnet)) == 0)
		return;
	lvk_spin_lock(&uma_zones_lock);
	LIST_FOREACH(zone, &uma_zones, uz_link) {
		if ((zone->uz_flags & UMA_ZONE_PCPU) == 0)
			continue;
		lvk_spin_lock(&zone->uz_lock);
		slabs_report(&zone->uz_partial, vnet, cb, arg);
		slabs_report(&zone->uz_full, vnet, cb, arg);
		lvk_spin_unlock(&zone->uz_lock);
	}
	lvk_spin_unlock(&uma_zones_lock);
}
