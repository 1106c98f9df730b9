/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: net/vnet.c: vnets, their variables, constructors and destructors.
 * Fidelity: exact
 * Differs: a vnet has a number, a prison and a credential; what it leaves
 * behind is reported when it is destroyed; guards between variables are
 * checked then.  vnet_data_alloc(0) is refused.  Shutdown leaves vnet0 alone
 * where a tree's interfaces are linked.  Used in place of a tree's own file.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/jail.h>
#include <sys/sysctl.h>
#include <sys/sx.h>
#include <sys/syslog.h>
#include <sys/eventhandler.h>
#include <machine/stdarg.h>
#include <net/vnet.h>

#undef malloc
#include <lvk.h>
#include "lvk_boot.h"
#include "lvk_holders.h"

#ifdef VIMAGE

FEATURE(vimage, "VIMAGE kernel virtualization");

static MALLOC_DEFINE(M_VNET, "vnet", "network stack control block");
static MALLOC_DEFINE(M_VNET_DATA, "vnet_data", "VNET data");

/*
 * Both locks are needed exclusively to change the list; either one, shared,
 * is enough to walk it.
 */
struct rwlock vnet_rwlock;
struct sx vnet_sxlock;
struct vnet_list_head vnet_head;
struct vnet *vnet0;

#define VNET_LIST_WLOCK() do {						\
	sx_xlock(&vnet_sxlock);						\
	rw_wlock(&vnet_rwlock);						\
} while (0)
#define VNET_LIST_WUNLOCK() do {					\
	rw_wunlock(&vnet_rwlock);					\
	sx_xunlock(&vnet_sxlock);					\
} while (0)

#define VNET_BYTES (VNET_STOP - VNET_START)

static volatile u_int vnet_next_number;

/* Constructors and destructors, sorted; protected by vnet_sysinit_sxlock. */
TAILQ_HEAD(vnet_sysinit_head, vnet_sysinit);
static struct vnet_sysinit_head vnet_constructors =
    TAILQ_HEAD_INITIALIZER(vnet_constructors);
static struct vnet_sysinit_head vnet_destructors =
    TAILQ_HEAD_INITIALIZER(vnet_destructors);
static struct sx vnet_sysinit_sxlock;

void
vnet_context_fault(const struct vnet *v, const char *name, const char *file,
    int line)
{
	if (v == NULL) {
		lvk_finding("novnet", name, -1, file, line, 0,
		    "V_%s is used with no vnet set; set one with "
		    "CURVNET_SET()", name);
		panic("V_%s used with no vnet set at %s:%d", name, file, line);
	}
	lvk_finding("deadvnet", name, -1, file, line, 0,
	    "V_%s is used in a vnet that was destroyed", name);
	panic("V_%s used in a destroyed vnet at %s:%d", name, file, line);
}

/* Run one constructor or destructor; what it allocates is the vnet's. */
static void
vnet_sysinit_call(struct vnet_sysinit *vs)
{
	int depth = lvk_owner_none_set(0);

	vs->func(vs->arg);
	lvk_owner_none_set(depth);
}

struct vnet *
vnet_alloc(void)
{
	struct vnet *vnet;

	lvk_owner_none_enter();
	vnet = malloc(sizeof(*vnet), M_VNET, M_WAITOK | M_ZERO);
	vnet->vnet_data_mem = malloc(roundup2(VNET_BYTES, PAGE_SIZE),
	    M_VNET_DATA, M_WAITOK);
	lvk_owner_none_exit();
	vnet->vnet_magic_n = VNET_MAGIC_N;
	vnet->vnet_number = (int)atomic_fetchadd_int(&vnet_next_number, 1);
	vnh_copy(vnet->vnet_data_mem, (void *)VNET_START, VNET_BYTES);
	vnh_vnet_guard(vnet->vnet_data_mem);
	vnet->vnet_data_base = (uintptr_t)vnet->vnet_data_mem - VNET_START;
	lvk_prison_create(vnet);

	CURVNET_SET_QUIET(vnet);
	vnet_sysinit();
	CURVNET_RESTORE();

	VNET_LIST_WLOCK();
	LIST_INSERT_HEAD(&vnet_head, vnet, vnet_le);
	VNET_LIST_WUNLOCK();
	return (vnet);
}

static void
vnet_data_check(struct vnet *vnet)
{
	const char *name;

	vnh_vnet_unguard(vnet->vnet_data_mem);
	name = vnh_vnet_damaged(vnet->vnet_data_mem);
	if (name != NULL)
		lvk_finding("overrun", name, vnet->vnet_number, NULL, 0, 0,
		    "the bytes behind V_%s were written in vnet %d: an overrun "
		    "of that variable, or an underrun of the next", name,
		    vnet->vnet_number);
}

static void
sockets_left(const struct vnet *vnet)
{
	char who[160];
	vnh_uptr pc;

	lvk_holders_text(vnet->vnet_cred, vnet, who, sizeof(who), &pc);
	panic("vnet_destroy: vnet still has sockets: %u in vnet %d; close "
	    "them, and let %d s pass where TCP has no peer any more%s",
	    vnet->vnet_sockcnt, vnet->vnet_number, VNH_DESTROY_WAIT_S, who);
}

void
vnet_destroy(struct vnet *vnet)
{
	int number = vnet->vnet_number;
	struct sx *detach = lvk_detach_lock();

	if (vnet->vnet_sockcnt != 0)
		sockets_left(vnet);
	VNET_LIST_WLOCK();
	LIST_REMOVE(vnet, vnet_le);
	VNET_LIST_WUNLOCK();
	vnet->vnet_shutdown = true;

	CURVNET_SET_QUIET(vnet);
	if (detach != NULL)
		sx_xlock(detach);
	vnet_sysuninit();
	if (detach != NULL)
		sx_xunlock(detach);
	CURVNET_RESTORE();
	/* Memory on its way through an epoch, or smr(9), is not a leak. */
	lvk_epoch_flush();
	(void)lvk_smr_run();

	lvk_prison_destroy(vnet);
	vnet_data_check(vnet);
	free(vnet->vnet_data_mem, M_VNET_DATA);
	vnet->vnet_data_mem = NULL;
	vnet->vnet_data_base = 0;
	vnet->vnet_magic_n = 0xdeadbeef;
	free(vnet, M_VNET);
	lvk_leak_report(number);
}

static void
vnet_init_prelink(void *arg __unused)
{
	rw_init(&vnet_rwlock, "vnet_rwlock");
	sx_init(&vnet_sxlock, "vnet_sxlock");
	sx_init(&vnet_sysinit_sxlock, "vnet_sysinit_sxlock");
	LIST_INIT(&vnet_head);
}
SYSINIT(vnet_init_prelink, SI_SUB_VNET_PRELINK, SI_ORDER_FIRST,
    vnet_init_prelink, NULL);

/* Boot code may rely on vnet0 being current, until vnet_init_done. */
static void
vnet0_init(void *arg __unused)
{
	curvnet = prison0.pr_vnet = vnet0 = vnet_alloc();
}
SYSINIT(vnet0_init, SI_SUB_VNET, SI_ORDER_FIRST, vnet0_init, NULL);

static void
vnet_init_done(void *unused __unused)
{
	curvnet = NULL;
}
SYSINIT(vnet_init_done, SI_SUB_VNET_DONE, SI_ORDER_ANY, vnet_init_done, NULL);

/* So that every vnet reaches the final state. */
static void
vnet_sysinit_done(void *unused __unused)
{
}
VNET_SYSINIT(vnet_sysinit_done, SI_SUB_VNET_DONE, SI_ORDER_ANY,
    vnet_sysinit_done, NULL);

/* ---- constructors and destructors */

static void
vnet_sysinit_insert(struct vnet_sysinit_head *head, struct vnet_sysinit *vs)
{
	struct vnet_sysinit *pos;

	TAILQ_FOREACH(pos, head, link)
		if (pos->subsystem > vs->subsystem ||
		    (pos->subsystem == vs->subsystem &&
		    pos->order > vs->order))
			break;
	if (pos != NULL)
		TAILQ_INSERT_BEFORE(pos, vs, link);
	else
		TAILQ_INSERT_TAIL(head, vs, link);
}

static void
vnet_sysinit_everywhere(struct vnet_sysinit *vs)
{
	struct vnet *vnet;

	VNET_FOREACH(vnet) {
		CURVNET_SET_QUIET(vnet);
		vnet_sysinit_call(vs);
		CURVNET_RESTORE();
	}
}

void
vnet_register_sysinit(void *arg)
{
	struct vnet_sysinit *vs = arg;

	KASSERT(vs->subsystem > SI_SUB_VNET, ("vnet sysinit too early"));
	sx_xlock(&vnet_sysinit_sxlock);
	vnet_sysinit_insert(&vnet_constructors, vs);
	vnet_sysinit_everywhere(vs);
	sx_xunlock(&vnet_sysinit_sxlock);
}

void
vnet_deregister_sysinit(void *arg)
{
	struct vnet_sysinit *vs = arg;

	sx_xlock(&vnet_sysinit_sxlock);
	TAILQ_REMOVE(&vnet_constructors, vs, link);
	sx_xunlock(&vnet_sysinit_sxlock);
}

void
vnet_register_sysuninit(void *arg)
{
	sx_xlock(&vnet_sysinit_sxlock);
	vnet_sysinit_insert(&vnet_destructors, arg);
	sx_xunlock(&vnet_sysinit_sxlock);
}

void
vnet_deregister_sysuninit(void *arg)
{
	struct vnet_sysinit *vs = arg;

	sx_xlock(&vnet_sysinit_sxlock);
	vnet_sysinit_everywhere(vs);
	TAILQ_REMOVE(&vnet_destructors, vs, link);
	sx_xunlock(&vnet_sysinit_sxlock);
}

void
vnet_sysinit(void)
{
	struct vnet_sysinit *vs;

	sx_slock(&vnet_sysinit_sxlock);
	TAILQ_FOREACH(vs, &vnet_constructors, link) {
		curvnet->vnet_state = vs->subsystem;
		vnet_sysinit_call(vs);
	}
	sx_sunlock(&vnet_sysinit_sxlock);
}

void
vnet_sysuninit(void)
{
	struct vnet_sysinit *vs;

	sx_slock(&vnet_sysinit_sxlock);
	TAILQ_FOREACH_REVERSE(vs, &vnet_destructors, vnet_sysinit_head, link) {
		curvnet->vnet_state = vs->subsystem;
		vnet_sysinit_call(vs);
	}
	sx_sunlock(&vnet_sysinit_sxlock);
}

/* ---- events and debugging */

/*
 * As in FreeBSD, the event's own arguments do not reach the handler: it is
 * called with what it registered, once in each vnet.
 */
void
vnet_global_eventhandler_iterator_func(void *arg, ...)
{
	struct eventhandler_entry_vimage *ee = arg;
	VNET_ITERATOR_DECL(vnet_iter);

	VNET_LIST_RLOCK();
	VNET_FOREACH(vnet_iter) {
		CURVNET_SET(vnet_iter);
		((vimage_iterator_func_t)ee->func)(ee->ee_arg);
		CURVNET_RESTORE();
	}
	VNET_LIST_RUNLOCK();
}

#ifdef VNET_DEBUG
#define RECURSIONS_MAX 256	/* distinct places told; later ones are not */

/* Each place is told once, apart for re-entry of the same vnet. */
void
vnet_log_recursion(struct vnet *old, const char *old_fn, int line)
{
	static struct recursion {
		const char *from, *in;
		int line;
		bool same;
	} seen[RECURSIONS_MAX];
	static int nseen;
	const char *in = curthread->td_vnet_lpush;
	bool same = old == curvnet;

	for (int i = 0; i < nseen; i++)
		if (seen[i].from == old_fn && seen[i].in == in &&
		    seen[i].line == line && seen[i].same == same)
			return;
	if (nseen == RECURSIONS_MAX)
		return;
	seen[nseen++] = (struct recursion){ old_fn, in, line, same };
	log(LOG_DEBUG, "CURVNET_SET() recursion in %s() line %d, prev in %s(), "
	    "vnet %d -> %d\n", in, line, old_fn != NULL ? old_fn : "?",
	    old->vnet_number, curvnet->vnet_number);
}
#endif

void
lvk_vnet_shutdown(void)
{
	struct vnet *v, *next;

	curvnet = NULL;
	LIST_FOREACH_SAFE(v, &vnet_head, vnet_le, next)
		if (v != vnet0) {
			lvk_prison_wait(v);
			vnet_destroy(v);
		}
	lvk_sysuninit();
	if (lvk_detach_lock() != NULL)
		return;
	lvk_epoch_flush();
	vnet_data_check(vnet0);
	lvk_leak_report(0);
}

#endif /* VIMAGE */
