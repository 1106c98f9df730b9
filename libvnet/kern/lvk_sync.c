/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; what stands below the kernel's own locks.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <machine/stdarg.h>

#include "lvk_explore.h"
#include "lvk_heap.h"
#include "lvk_held.h"
#undef lvk_spin_lock
#undef lvk_spin_unlock

/*
 * Where one host thread is attached it takes no atomic operation: see
 * lvk_single in lvk_heap.h.
 */
volatile int lvk_spin_in;

static __always_inline bool
lock_alone(struct lvk_spin *l)
{
	bool done;

	if (__predict_false(atomic_load_int(&lvk_single) == 0))
		return (false);
	lvk_spin_in = 1;
	atomic_interrupt_fence();
	done = atomic_load_int(&lvk_single) != 0 &&
	    atomic_load_int(&l->ls_word) == 0;
	if (__predict_true(done))
		atomic_store_int(&l->ls_word, 1);
	atomic_store_rel_int((volatile u_int *)&lvk_spin_in, 0);
	return (done);
}

void
lvk_spin_lock(struct lvk_spin *l)
{
	if (__predict_true(lock_alone(l)))
		return;
	while (atomic_cmpset_acq_int(&l->ls_word, 0, 1) == 0)
		if (lvk_explored)
			lvk_explorer_block(l);
		else
			vnh_yield();
}

void
lvk_spin_unlock(struct lvk_spin *l)
{
	atomic_store_rel_int(&l->ls_word, 0);
}

/*
 * For files whose accesses an explorer sees: there a thread may lose its CPU
 * while it has the lock.
 */
void
lvk_spin_lock_seen(struct lvk_spin *l)
{
	LVK_EVENT(VNH_EV_SPIN, l);
	lvk_spin_lock(l);
	LVK_EVENT(VNH_EV_SPUN, l);
}

void
lvk_spin_unlock_seen(struct lvk_spin *l)
{
	lvk_spin_unlock(l);
	LVK_EVENT(VNH_EV_UNSPIN, l);
}

bool
lvk_switch_may(void)
{
	struct thread *td = curthread;

#ifdef INVARIANTS
	if (lvk_counter_depth > 0)
		return (false);
#endif
	return (td->td_critnest == 0 && td->td_no_sleeping == 0 &&
	    !lvk_in_intr());
}

void
lvk_switch_check(const char *what)
{
	struct thread *td = curthread;

	if (lvk_in_intr())
		panic("%s: may sleep, in an interrupt context", what);
	if (td->td_critnest > 0)
		panic("%s: may sleep, in a critical section", what);
#ifdef INVARIANTS
	if (lvk_counter_depth > 0)
		lvk_counter_sleeps(what);
#endif
	if (td->td_no_sleeping > 0)
		panic("%s: may sleep, where sleeping is prohibited "
		    "(in an epoch section?)", what);
}

/*
 * Callbacks of epoch(9) run in a taskqueue's thread and may sleep; 13's
 * in_pcbfree_deferred() takes an sx lock there.  Ours have no stack of their
 * own: they may what may sleep, and panic where they must.
 */
static bool
in_callback(struct thread *td)
{
	return (lvk_in_intr() && (td->td_pflags & TDP_ITHREAD) == 0 &&
	    td->td_critnest == 0 && td->td_no_sleeping == 0);
}

void
lvk_sleep_check(const char *what)
{
	if (!in_callback(curthread))
		lvk_switch_check(what);
	lvk_held_check(what, NULL);
}

/*
 * A lock that may sleep, but finds nobody in its way, is no panic in FreeBSD,
 * only a bug that waits for its day.
 */
void
lvk_sleepable_check(const struct lock_object *lo, const char *what,
    const char *file, int line)
{
	struct thread *td = curthread;

	if (td->td_no_sleeping == 0 || td->td_critnest > 0 || lvk_in_intr()) {
		lvk_sleep_check(what);
		return;
	}
	lvk_finding("sleep", lo->lo_name, lvk_owner(), file, line, 0,
	    "%s of \"%s\": may sleep, where sleeping is prohibited (in an "
	    "epoch section?) @ %s:%d", what, lo->lo_name, file, line);
}

static void
lvk_finding_send(struct vnh_finding *f, const char *fmt, va_list ap)
{
	char text[512];

	vsnprintf(text, sizeof(text), fmt, ap);
	f->message = text;
	f->cpu = vnk_cpu();
	vnh_finding(f);
}

void
lvk_finding(const char *kind, const char *object, int vnet, const char *file,
    int line, vnh_uptr pc, const char *fmt, ...)
{
	struct vnh_finding f = {
		.kind = kind, .object = object, .file = file, .line = line,
		.vnet = vnet, .pc = pc
	};
	va_list ap;

	va_start(ap, fmt);
	lvk_finding_send(&f, fmt, ap);
	va_end(ap);
}

void
lvk_finding_sites(const char *kind, const char *object, int vnet,
    vnh_uptr pc, vnh_uptr freed, const char *fmt, ...)
{
	struct vnh_finding f = {
		.kind = kind, .object = object, .vnet = vnet, .pc = pc,
		.freed = freed
	};
	va_list ap;

	va_start(ap, fmt);
	lvk_finding_send(&f, fmt, ap);
	va_end(ap);
}
