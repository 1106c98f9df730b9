/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sanitizers want to be told of flows of control; all weak, as in
 * sanitizer.c.  A handle in struct vnh_co names a place in the table below,
 * and how often that place was used before: one that was put back from a
 * snapshot may be stale, and then the fiber is made anew.  TSan keeps a stack
 * of calls with each fiber, which cannot be put back with the flow: under it
 * a flow must not be restored to where it was before it went on.
 */
#include <stdlib.h>

#include "coroutine.h"

#define WEAK __attribute__((weak))

extern void __sanitizer_start_switch_fiber(void **, const void *, size_t) WEAK;
extern void __sanitizer_finish_switch_fiber(void *, const void **,
    size_t *) WEAK;
extern void *__tsan_get_current_fiber(void) WEAK;
extern void *__tsan_create_fiber(unsigned) WEAK;
extern void __tsan_destroy_fiber(void *) WEAK;
extern void __tsan_switch_to_fiber(void *, unsigned) WEAK;
extern void __tsan_set_fiber_name(void *, const char *) WEAK;

struct place {
	void	*fiber;			/* TSan's */
	char	*stack;
	size_t	 size;
	uint64_t uses;
	unsigned next_free;		/* + 1 */
	bool	 known;
};
static struct place *places;
static unsigned nplaces, free_place;	/* + 1 */

static const void *home_stack;
static size_t home_size;
static void *home_fiber;

#define PLACE_BITS 24
#define PLACE_OF(handle) ((unsigned)((handle) & ((1u << PLACE_BITS) - 1)))
#define USES_OF(handle) ((handle) >> PLACE_BITS)

static bool
watched(void)
{
	return (__sanitizer_start_switch_fiber != NULL ||
	    __tsan_create_fiber != NULL);
}

static struct place *
place_new(uint64_t *handle)
{
	unsigned i;

	if (free_place == 0) {
		unsigned more = nplaces != 0 ? 2 * nplaces : 64;

		places = realloc(places, more * sizeof(*places));
		if (places == NULL)
			abort();
		for (i = nplaces; i < more; i++) {
			places[i] = (struct place){ .next_free = free_place };
			free_place = i + 1;
		}
		nplaces = more;
	}
	i = free_place - 1;
	free_place = places[i].next_free;
	places[i].uses++;
	*handle = places[i].uses << PLACE_BITS | i;
	return (&places[i]);
}

static struct place *
place_find(uint64_t handle)
{
	unsigned i = PLACE_OF(handle);

	if (handle == 0 || i >= nplaces || places[i].uses != USES_OF(handle) ||
	    places[i].stack == NULL)
		return (NULL);
	return (&places[i]);
}

static void
place_drop(struct place *p)
{
	if (p->fiber != NULL)
		__tsan_destroy_fiber(p->fiber);
	p->fiber = NULL;
	p->stack = NULL;
	p->next_free = free_place;
	free_place = (unsigned)(p - places) + 1;
}

/* Whatever an abandoned flow left on this stack. */
void
host_san_create(struct vnh_co *co)
{
	struct place *p;
	uint64_t handle;

	if (!watched())
		return;
	if (co->co_stack == NULL) {
		home_size = 0;
		if (__tsan_get_current_fiber != NULL)
			home_fiber = __tsan_get_current_fiber();
		return;
	}
	vnh_unpoison(co->co_stack, co->co_size);
	p = place_new(&handle);
	p->stack = co->co_stack;
	p->size = co->co_size;
	if (__tsan_create_fiber != NULL) {
		p->fiber = __tsan_create_fiber(0);
		if (__tsan_set_fiber_name != NULL && co->co_name != NULL)
			__tsan_set_fiber_name(p->fiber, co->co_name);
	}
	co->co_handle = handle;
}

void
host_san_destroy(struct vnh_co *co)
{
	struct place *p = watched() ? place_find(co->co_handle) : NULL;

	if (p != NULL) {
		vnh_unpoison(p->stack, p->size);
		place_drop(p);
	}
	co->co_handle = 0;
}

static void *
fiber_of(struct vnh_co *co)
{
	struct place *p;

	if (co->co_stack == NULL)
		return (home_fiber);
	p = place_find(co->co_handle);
	if (p == NULL) {
		host_san_create(co);
		p = place_find(co->co_handle);
	}
	return (p->fiber);
}

void
host_san_leave(struct vnh_co *from, struct vnh_co *to, bool last)
{
	bool home = to->co_stack == NULL;

	if (__sanitizer_start_switch_fiber != NULL)
		__sanitizer_start_switch_fiber(last ? NULL : &from->co_fake,
		    home ? home_stack : to->co_stack,
		    home ? home_size : to->co_size);
	if (__tsan_switch_to_fiber != NULL)
		__tsan_switch_to_fiber(fiber_of(to), 0);
}

/* The first switch of all is home's: it tells where its stack lies. */
void
host_san_arrive(struct vnh_co *self, bool first)
{
	const void *stack;
	size_t size;

	if (__sanitizer_finish_switch_fiber == NULL)
		return;
	__sanitizer_finish_switch_fiber(first ? NULL : self->co_fake, &stack,
	    &size);
	if (home_size == 0) {
		home_stack = stack;
		home_size = size;
	}
}

static void
know(struct vnh_co *co)
{
	struct place *p = place_find(co->co_handle);

	if (p != NULL)
		p->known = true;
}

void
host_san_restored(void)
{
	if (nplaces == 0)
		return;
	vnk_co_each(know);
	for (unsigned i = 0; i < nplaces; i++) {
		if (places[i].stack != NULL && !places[i].known)
			place_drop(&places[i]);
		places[i].known = false;
	}
}

void
host_san_abandon(void)
{
	for (unsigned i = 0; i < nplaces; i++)
		if (places[i].stack != NULL) {
			vnh_unpoison(places[i].stack, places[i].size);
			place_drop(&places[i]);
		}
}
