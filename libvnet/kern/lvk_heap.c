/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; the layer below malloc(9) and uma(9).
 * Fidelity: exact
 * Differs: every item is its own block of host memory, so that sanitizers
 * see each one; FreeBSD packs items in slabs.
 *
 * Each item carries a header that names its owner: the vnet that was current
 * when it was made, its malloc type or zone, and the code that asked.  Items
 * hang in buckets by owner, so that destroying a vnet looks at its own items
 * only, however many vnets there are.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <net/vnet.h>

#include <lvk.h>

#define OWNER_BUCKETS 1024
#define OWNER_BUCKET(vnet) (&items[(u_int)((vnet) + 1) % OWNER_BUCKETS])
#define LEAK_SITES 64		/* distinct sites listed in one report */

static LIST_HEAD(itemhead, lvk_item) items[OWNER_BUCKETS];
static struct lvk_spin items_lock;
static __thread int owner_none;

static struct lvk_item *
item_of(const void *mem)
{
	return (__DECONST(struct lvk_item *, mem) - 1);
}

static void
header_open(struct lvk_item *it)
{
	vnh_unpoison(it, sizeof(*it));
}

/* Neighbours in a list are written through their headers: open them too. */
static void
link_insert(struct lvk_item *it)
{
	struct itemhead *head = OWNER_BUCKET(it->it_vnet);
	struct lvk_item *next = LIST_FIRST(head);

	if (next != NULL)
		header_open(next);
	LIST_INSERT_HEAD(head, it, it_link);
	if (next != NULL)
		vnh_poison(next, sizeof(*next));
}

static void
link_remove(struct lvk_item *it)
{
	struct itemhead *head = OWNER_BUCKET(it->it_vnet);
	struct lvk_item *next = LIST_NEXT(it, it_link);
	struct lvk_item *prev = LIST_FIRST(head) == it ? NULL :
	    __containerof(it->it_link.le_prev, struct lvk_item,
	    it_link.le_next);

	if (next != NULL)
		header_open(next);
	if (prev != NULL)
		header_open(prev);
	LIST_REMOVE(it, it_link);
	if (next != NULL)
		vnh_poison(next, sizeof(*next));
	if (prev != NULL)
		vnh_poison(prev, sizeof(*prev));
}

int
lvk_owner(void)
{
#ifdef VIMAGE
	struct vnet *v;

	if (owner_none == 0 && curthread != NULL && (v = curvnet) != NULL)
		return (v->vnet_number);
#endif
	return (-1);
}

void
lvk_owner_none_enter(void)
{
	owner_none++;
}

void
lvk_owner_none_exit(void)
{
	owner_none--;
}

int
lvk_owner_none_set(int n)
{
	int old = owner_none;

	owner_none = n;
	return (old);
}

void *
lvk_block_alloc(size_t size, size_t align)
{
	size_t pad = roundup2((size_t)VNH_HEAP_RESERVED, align);

	return ((char *)vnh_heap_alloc(pad + size, align) + pad);
}

void
lvk_block_free(void *mem, size_t align)
{
	vnh_heap_free((char *)mem - roundup2((size_t)VNH_HEAP_RESERVED, align));
}

static void
item_enlist(struct lvk_item *it, vnh_uptr pc)
{
	it->it_pc = pc;
	it->it_vnet = lvk_owner();
	it->it_state = LVK_ITEM_LIVE;
	lvk_spin_lock(&items_lock);
	link_insert(it);
	vnh_poison(it, sizeof(*it));
	lvk_spin_unlock(&items_lock);
}

void *
lvk_item_alloc(size_t size, size_t align, enum lvk_origin kind, void *origin,
    const char *name, vnh_uptr pc)
{
	struct lvk_item *it;
	size_t pad;
	char *block;

	if (align < _Alignof(struct lvk_item))
		align = _Alignof(struct lvk_item);
	pad = roundup2(VNH_HEAP_RESERVED + sizeof(*it), align);
	if (size > SIZE_MAX - pad)
		panic("allocation of %zu bytes for %s cannot fit in memory",
		    size, name);
	block = vnh_heap_alloc(pad + (size != 0 ? size : 1), align);
	it = (struct lvk_item *)(void *)(block + pad) - 1;
	it->it_origin = origin;
	it->it_name = name;
	it->it_size = size;
	it->it_kind = (u_short)kind;
	it->it_pad = (u_int)pad;
	item_enlist(it, pc);
	return (block + pad);
}

void
lvk_item_revive(void *mem, vnh_uptr pc)
{
	struct lvk_item *it = item_of(mem);

	header_open(it);
	item_enlist(it, pc);
}

void
lvk_item_retire(void *mem)
{
	struct lvk_item *it = item_of(mem);

	lvk_spin_lock(&items_lock);
	header_open(it);
	link_remove(it);
	it->it_state = LVK_ITEM_FREE;
	vnh_poison(it, sizeof(*it));
	lvk_spin_unlock(&items_lock);
}

void
lvk_item_release(void *mem)
{
	struct lvk_item *it = item_of(mem);

	header_open(it);
	vnh_heap_free((char *)mem - it->it_pad);
}

/*
 * A copy of the header.  Another thread that links a neighbour poisons it
 * again, so that under a sanitizer it is open with the lock held only.
 */
static struct lvk_item
header_read(const struct lvk_item *it)
{
	struct lvk_item copy;

	if (vnh_sanitized() == 0)
		return (*it);
	lvk_spin_lock(&items_lock);
	header_open(__DECONST(struct lvk_item *, it));
	copy = *it;
	vnh_poison(it, sizeof(*it));
	lvk_spin_unlock(&items_lock);
	return (copy);
}

struct lvk_item *
lvk_item_check(void *mem, enum lvk_origin kind, const void *origin,
    const char *what)
{
	struct lvk_item it;

	/*
	 * A wild pointer may fault here: that is its report.  Under ASan this
	 * read of the item itself is: a freed one is reported with the stacks
	 * of its allocation and of its first free.
	 */
	if (vnh_sanitized() != 0)
		(void)*(volatile char *)mem;
	it = header_read(item_of(mem));
	if (it.it_state == LVK_ITEM_FREE)
		panic("%s: %p (%s) was freed before", what, mem, it.it_name);
	if (it.it_state != LVK_ITEM_LIVE)
		panic("%s: %p was never allocated here, or what is before it "
		    "was overwritten", what, mem);
	if (it.it_kind != kind)
		panic("%s: %p comes from %s \"%s\"; give it back there", what,
		    mem, it.it_kind == LVK_MALLOC ? "malloc type" : "UMA zone",
		    it.it_name);
	if (it.it_origin != origin)
		panic("%s: %p belongs to \"%s\"; give it back there", what, mem,
		    it.it_name);
	return (item_of(mem));
}

size_t
lvk_item_size(const void *mem)
{
	return (header_read(item_of(mem)).it_size);
}

/* ---- what a vnet left behind */

struct leak {
	const char *kind;
	const char *name;
	size_t size;
	vnh_uptr pc;
	u_long count;
};

struct leaks {
	u_long total;
	int sites;
	struct leak site[LEAK_SITES];
};

static void
leak_add(const char *kind, const char *name, size_t size, vnh_uptr pc,
    void *arg)
{
	struct leaks *l = arg;
	int i;

	l->total++;
	for (i = 0; i < l->sites; i++)
		if (l->site[i].pc == pc && l->site[i].size == size &&
		    l->site[i].name == name)
			break;
	if (i == l->sites) {
		if (l->sites == LEAK_SITES)
			return;
		l->site[l->sites++] = (struct leak){ kind, name, size, pc, 0 };
	}
	l->site[i].count++;
}

u_long
lvk_leak_report(int number)
{
	static struct leaks l;
	struct lvk_item *it, *next;
	u_long listed = 0;

	memset(&l, 0, sizeof(l));
	lvk_spin_lock(&items_lock);
	for (it = LIST_FIRST(OWNER_BUCKET(number)); it != NULL; it = next) {
		header_open(it);
		next = LIST_NEXT(it, it_link);
		if (it->it_vnet == number) {
			leak_add(it->it_kind == LVK_MALLOC ? "malloc type" :
			    "UMA zone", it->it_name, it->it_size, it->it_pc,
			    &l);
		}
		vnh_poison(it, sizeof(*it));
	}
	lvk_spin_unlock(&items_lock);
	lvk_pcpu_foreach(number, leak_add, &l);

	for (int i = 0; i < l.sites; i++) {
		struct leak *s = &l.site[i];

		listed += s->count;
		lvk_finding("leak", s->name, number, NULL, 0, s->pc,
		    "%lu item%s of %zu bytes of %s \"%s\" still allocated "
		    "after vnet %d was destroyed", s->count,
		    s->count == 1 ? "" : "s", s->size, s->kind, s->name,
		    number);
	}
	if (listed < l.total)
		lvk_finding("leak", NULL, number, NULL, 0, 0,
		    "%lu more items at further sites still allocated after "
		    "vnet %d was destroyed", l.total - listed, number);
	return (l.total);
}
