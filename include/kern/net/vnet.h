/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Virtual network stacks.
 *
 * A variable defined with VNET_DEFINE lives in the section set_vnet: that is
 * the master copy, which holds its initial value.  Each vnet has a copy of
 * the whole section, laid out alike, so that
 *
 *	address in vnet v  =  address of the master  +  v->vnet_data_base
 *
 * The current vnet belongs to the current thread, which is found through
 * thread-local storage.  Code that runs where a kernel has no current vnet
 * (callouts, epoch callbacks, software interrupts) finds NULL here too, and
 * with option INVARIANTS touching a V_ variable there stops, naming the
 * variable, the file and the line:
 *
 *	static void
 *	foo_timeout(void *arg)
 *	{
 *		V_foo_count++;			// wrong: which vnet's?
 *	}
 *
 *	static void
 *	foo_timeout(void *arg)
 *	{
 *		struct foo *f = arg;
 *
 *		CURVNET_SET(f->f_vnet);
 *		V_foo_count++;
 *		CURVNET_RESTORE();
 *	}
 *
 * With INVARIANTS each variable also has guards around it: an overrun from
 * one into the next is reported by AddressSanitizer at once, and without it
 * when the vnet is destroyed.
 *
 * Without option VIMAGE a V_ variable is a plain global and a VNET_SYSINIT a
 * plain SYSINIT.  This header offers what FreeBSD 13.0 to main offer, and is
 * used instead of a tree's own.
 */
#ifndef _NET_VNET_H_
#define _NET_VNET_H_

#ifdef _KERNEL

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>

#define VNET_SETNAME "set_vnet"
#define VNET_SYMPREFIX "vnet_entry_"
#define VNET_MAGIC_N 0x5e4a6f28

struct ucred;
struct prison;

struct vnet {
	LIST_ENTRY(vnet) vnet_le;	/* list of all vnets */
	u_int vnet_magic_n;		/* VNET_MAGIC_N while alive */
	u_int vnet_ifcnt;		/* interfaces in it */
	u_int vnet_sockcnt;		/* sockets in it */
	u_int vnet_state;		/* SI_SUB_* reached */
	void *vnet_data_mem;		/* the copy of set_vnet */
	uintptr_t vnet_data_base;	/* vnet_data_mem - VNET_START */
	bool vnet_shutdown;		/* vnet_destroy has begun */
	int vnet_number;		/* 0 is vnet0; never used again */
	struct prison *vnet_prison;	/* the prison that owns it */
	struct ucred *vnet_cred;	/* root's credential in there */
} __aligned(CACHE_LINE_SIZE);

/* ---- statistics: an array of counters laid over a struct of uint64_t */

#define VNET_PCPUSTAT_WORDS(type) (sizeof(type) / sizeof(uint64_t))
#define VNET_PCPUSTAT_DECLARE(type, name) \
	VNET_DECLARE(counter_u64_t, name[VNET_PCPUSTAT_WORDS(type)])
#define VNET_PCPUSTAT_DEFINE(type, name) \
	VNET_DEFINE(counter_u64_t, name[VNET_PCPUSTAT_WORDS(type)])
#define VNET_PCPUSTAT_DEFINE_STATIC(type, name) \
	VNET_DEFINE_STATIC(counter_u64_t, name[VNET_PCPUSTAT_WORDS(type)])
#define VNET_PCPUSTAT_ALLOC(name, wait) \
	COUNTER_ARRAY_ALLOC(VNET(name), nitems(VNET(name)), (wait))
#define VNET_PCPUSTAT_FREE(name) \
	COUNTER_ARRAY_FREE(VNET(name), nitems(VNET(name)))
#define VNET_PCPUSTAT_INDEX(type, f) (offsetof(type, f) / sizeof(uint64_t))
#define VNET_PCPUSTAT_ADD(type, name, f, v) \
	counter_u64_add(VNET(name)[VNET_PCPUSTAT_INDEX(type, f)], (v))
#define VNET_PCPUSTAT_FETCH(type, name, f) \
	counter_u64_fetch(VNET(name)[VNET_PCPUSTAT_INDEX(type, f)])
#define VNET_PCPUSTAT_SYSINIT(name)					\
	static void							\
	vnet_##name##_init(const void *unused __unused)			\
	{								\
		VNET_PCPUSTAT_ALLOC(name, M_WAITOK);			\
	}								\
	VNET_SYSINIT(vnet_##name##_init, SI_SUB_INIT_IF,		\
	    SI_ORDER_FIRST, vnet_##name##_init, NULL)
#define VNET_PCPUSTAT_SYSUNINIT(name)					\
	static void							\
	vnet_##name##_uninit(const void *unused __unused)		\
	{								\
		VNET_PCPUSTAT_FREE(name);				\
	}								\
	VNET_SYSUNINIT(vnet_##name##_uninit, SI_SUB_INIT_IF,		\
	    SI_ORDER_FIRST, vnet_##name##_uninit, NULL)

/* Reading copies the totals out, writing anything zeroes them. */
#define SYSCTL_VNET_PCPUSTAT(parent, nbr, name, type, array, desc)	\
	static int							\
	array##_sysctl(SYSCTL_HANDLER_ARGS)				\
	{								\
		type totals;						\
									\
		CTASSERT(VNET_PCPUSTAT_WORDS(type) ==			\
		    nitems(VNET(array)));				\
		COUNTER_ARRAY_COPY(VNET(array), &totals,		\
		    VNET_PCPUSTAT_WORDS(type));				\
		if (req->newptr != NULL)				\
			COUNTER_ARRAY_ZERO(VNET(array),			\
			    VNET_PCPUSTAT_WORDS(type));			\
		return (SYSCTL_OUT(req, &totals, sizeof(totals)));	\
	}								\
	SYSCTL_PROC(parent, nbr, name, CTLFLAG_VNET | CTLTYPE_OPAQUE |	\
	    CTLFLAG_RW | CTLFLAG_NEEDGIANT, NULL, 0, array##_sysctl, "I", desc)

#ifdef VIMAGE

#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/proc.h>
#include <sys/rwlock.h>
#include <sys/sx.h>

#if __has_attribute(__retain__) && !defined(LIBVNET_NO_RETAIN)
#define VNET_KEEP __used __attribute__((__retain__))
#else
#define VNET_KEEP __used
#endif

extern uintptr_t *__start_set_vnet;
extern uintptr_t *__stop_set_vnet;
#define VNET_START ((uintptr_t)&__start_set_vnet)
#define VNET_STOP ((uintptr_t)&__stop_set_vnet)

struct vnet *vnet_alloc(void);
void	vnet_destroy(struct vnet *);

/* ---- the current vnet */

#define curvnet curthread->td_vnet

#if defined(INVARIANTS) || defined(VNET_DEBUG)
#define VNET_ASSERT(exp, msg) do {					\
	if (__predict_false(!(exp)))					\
		panic msg;						\
} while (0)
#else
#define VNET_ASSERT(exp, msg) do { } while (0)
#endif

#define VNET_ALIVE(v) ((v) != NULL && (v)->vnet_magic_n == VNET_MAGIC_N)

/*
 * SET declares variables, so one per scope; RESTORE may stand on as many
 * ways out as the function has.
 */
#ifdef VNET_DEBUG
void	vnet_log_recursion(struct vnet *, const char *, int);
#define VNET_DEBUG_PUSH							\
	const char *saved_vnet_lpush __unused = curthread->td_vnet_lpush; \
	curthread->td_vnet_lpush = __func__;
#define VNET_DEBUG_POP curthread->td_vnet_lpush = saved_vnet_lpush;
#define VNET_DEBUG_RECURSION						\
	if (saved_vnet != NULL)						\
		vnet_log_recursion(saved_vnet, saved_vnet_lpush, __LINE__);
#else
#define VNET_DEBUG_PUSH
#define VNET_DEBUG_POP
#define VNET_DEBUG_RECURSION
#endif

#define CURVNET_SET_QUIET(arg)						\
	VNET_ASSERT(VNET_ALIVE(arg),					\
	    ("CURVNET_SET at %s:%d %s() curvnet=%p vnet=%p",		\
	    __FILE__, __LINE__, __func__, curvnet, (arg)));		\
	struct vnet *saved_vnet = curvnet;				\
	VNET_DEBUG_PUSH							\
	curvnet = (arg);
#define CURVNET_SET_VERBOSE(arg)					\
	CURVNET_SET_QUIET(arg)						\
	VNET_DEBUG_RECURSION
#define CURVNET_SET(arg) CURVNET_SET_VERBOSE(arg)
#define CURVNET_RESTORE()						\
	VNET_ASSERT(curvnet != NULL && (saved_vnet == NULL ||		\
	    saved_vnet->vnet_magic_n == VNET_MAGIC_N),			\
	    ("CURVNET_RESTORE at %s:%d %s() curvnet=%p saved_vnet=%p",	\
	    __FILE__, __LINE__, __func__, curvnet, saved_vnet));	\
	curvnet = saved_vnet;						\
	VNET_DEBUG_POP
#define CURVNET_ASSERT_SET()						\
	VNET_ASSERT(curvnet != NULL,					\
	    ("vnet is not set at %s:%d %s()", __FILE__, __LINE__, __func__))

extern struct vnet *vnet0;
#define IS_DEFAULT_VNET(arg) ((arg) == vnet0)

#define CRED_TO_VNET(cr) (cr)->cr_prison->pr_vnet
#define TD_TO_VNET(td) CRED_TO_VNET((td)->td_ucred)
#define P_TO_VNET(p) CRED_TO_VNET((p)->p_ucred)

/* True from the start of vnet_destroy until interfaces may no longer leave. */
#ifdef LIBVNET_BASE
#define VNET_IS_SHUTTING_DOWN(v) \
	((v)->vnet_shutdown && (v)->vnet_state < SI_SUB_VNET_DONE)
#endif

/* ---- the list of all vnets: either lock, shared, is enough to walk it */

LIST_HEAD(vnet_list_head, vnet);
extern struct vnet_list_head vnet_head;
extern struct rwlock vnet_rwlock;
extern struct sx vnet_sxlock;
#define VNET_LIST_RLOCK() sx_slock(&vnet_sxlock)
#define VNET_LIST_RUNLOCK() sx_sunlock(&vnet_sxlock)
#define VNET_LIST_RLOCK_NOSLEEP() rw_rlock(&vnet_rwlock)
#define VNET_LIST_RUNLOCK_NOSLEEP() rw_runlock(&vnet_rwlock)
#define VNET_ITERATOR_DECL(arg) struct vnet *arg
#define VNET_FOREACH(arg) LIST_FOREACH((arg), &vnet_head, vnet_le)

/* ---- variables */

#define VNET_NAME(n) vnet_entry_##n
#define VNET_DECLARE(t, n) extern t VNET_NAME(n)

/*
 * A guard before each variable.  In which order a compiler emits variables is
 * its own affair: by kind, by first use, last one first, in LTO by none that
 * a source could tell.  So each variable has an input section to itself and
 * its guard has another, whose names sort one behind the other; the link step
 * (kernlink.ld) sorts them into set_vnet, puts room behind the last, and
 * refuses a variable that came out without a gap on both sides.  A guard is a
 * multiple of 8 bytes, which also makes variables 8-aligned, as
 * AddressSanitizer's shadow wants it.
 */
#ifdef INVARIANTS
#define VNET_GUARD_BYTES 16
#ifdef LIBVNET_UNIT	/* the build's own, for files of one name */
#define VNET_UNIT LIBVNET_UNIT
#elif defined(__FILE_NAME__)
#define VNET_UNIT __FILE_NAME__
#else
#define VNET_UNIT ""
#endif
#ifdef __clang__	/* whose AddressSanitizer would pad each section */
#define VNET_UNPADDED __attribute__((no_sanitize("address")))
#else
#define VNET_UNPADDED
#endif
#define VNET_PART(c, part)						\
	__section(VNET_SETNAME "." VNET_UNIT "." __XSTRING(__LINE__) "." \
	    __XSTRING(c) "." part) VNET_KEEP VNET_UNPADDED
#define VNET_GUARD(c)							\
	static char __CONCAT(vnet_guard_, c)[VNET_GUARD_BYTES]		\
	    __aligned(8) VNET_PART(c, "0");
#define VNET_PLACE(c) VNET_PART(c, "1")
#else
#define VNET_GUARD(c)
#define VNET_PLACE(c) __section(VNET_SETNAME) VNET_KEEP
#endif
/* A type may be a macro that has commas in it. */
#define VNET_VARIABLE(c, storage, ...) \
	VNET_GUARD(c) storage __VA_ARGS__ VNET_PLACE(c)

/* struct _hack: VNET_DEFINE cannot be prefixed with static. */
#define VNET_DEFINE(t, n) \
	struct _hack; VNET_VARIABLE(__COUNTER__, , t VNET_NAME(n))
#define VNET_DEFINE_STATIC(t, n) \
	VNET_VARIABLE(__COUNTER__, static, t VNET_NAME(n))

#ifdef INVARIANTS
void	vnet_context_fault(const struct vnet *, const char *, const char *,
	    int) __dead2;
static __inline uintptr_t
vnet_checked_base(const struct vnet *v, const char *name, const char *file,
    int line)
{
	if (__predict_false(!VNET_ALIVE(v)))
		vnet_context_fault(v, name, file, line);
	return (v->vnet_data_base);
}
#define _VNET_BASE(v, n) vnet_checked_base((v), #n, __FILE__, __LINE__)
#else
#define _VNET_BASE(v, n) ((v)->vnet_data_base)
#endif

#define _VNET_PTR(b, n) \
	((__typeof(VNET_NAME(n)) *)((b) + (uintptr_t)&VNET_NAME(n)))
#define _VNET(b, n) (*_VNET_PTR(b, n))
#define VNET_VNET_PTR(vnet, n) _VNET_PTR(_VNET_BASE(vnet, n), n)
#define VNET_VNET(vnet, n) (*_VNET_PTR(_VNET_BASE(vnet, n), n))
#define VNET_PTR(n) _VNET_PTR(_VNET_BASE(curvnet, n), n)
#define VNET(n) (*_VNET_PTR(_VNET_BASE(curvnet, n), n))

/* Space for the variables of loaded modules (the kernel linker's side). */
void	*vnet_data_alloc(int);
void	vnet_data_copy(void *, int);
void	vnet_data_free(void *, int);
/* The masters' initial values, which tunables change: kept, and put back. */
void	vnet_save_init(void *, size_t);
void	vnet_restore_init(void *, size_t);

/* ---- constructors and destructors of each vnet */

struct vnet_sysinit {
	enum sysinit_sub_id subsystem;
	enum sysinit_elem_order order;
	sysinit_cfunc_t func;
	const void *arg;
	TAILQ_ENTRY(vnet_sysinit) link;
};

#define _VNET_SYSINIT(kind, ident, subsys, ord, fn, argument)		\
	CTASSERT((subsys) > SI_SUB_VNET && (subsys) <= SI_SUB_VNET_DONE); \
	static struct vnet_sysinit ident##_vnet_##kind = {		\
		.subsystem = (subsys),					\
		.order = (ord),						\
		.func = (sysinit_cfunc_t)(sysinit_nfunc_t)fn,		\
		.arg = (argument)					\
	};								\
	SYSINIT(vnet_##kind##_##ident, subsys, ord,			\
	    vnet_register_sys##kind, &ident##_vnet_##kind);		\
	SYSUNINIT(vnet_##kind##_##ident, subsys, ord,			\
	    vnet_deregister_sys##kind, &ident##_vnet_##kind)
#define VNET_SYSINIT(ident, subsystem, order, func, arg) \
	_VNET_SYSINIT(init, ident, subsystem, order, func, arg)
#define VNET_SYSUNINIT(ident, subsystem, order, func, arg) \
	_VNET_SYSINIT(uninit, ident, subsystem, order, func, arg)

void	vnet_sysinit(void);
void	vnet_sysuninit(void);
void	vnet_register_sysinit(void *);
void	vnet_register_sysuninit(void *);
void	vnet_deregister_sysinit(void *);
void	vnet_deregister_sysuninit(void *);

/* ---- an event handler that runs once in every vnet */

#include <sys/eventhandler.h>

void	vnet_global_eventhandler_iterator_func(void *, ...);
#define VNET_GLOBAL_EVENTHANDLER_REGISTER_TAG(tag, name, func, arg, pri) do { \
	if (IS_DEFAULT_VNET(curvnet))					\
		(tag) = vimage_eventhandler_register(NULL, #name, func,	\
		    arg, pri, vnet_global_eventhandler_iterator_func);	\
} while (0)
#define VNET_GLOBAL_EVENTHANDLER_REGISTER(name, func, arg, pri) do {	\
	if (IS_DEFAULT_VNET(curvnet))					\
		vimage_eventhandler_register(NULL, #name, func, arg,	\
		    pri, vnet_global_eventhandler_iterator_func);	\
} while (0)

#else /* !VIMAGE */

#define curvnet ((struct vnet *)NULL)
#define VNET_ASSERT(exp, msg) do { } while (0)
#define CURVNET_SET(arg)
#define CURVNET_SET_QUIET(arg)
#define CURVNET_SET_VERBOSE(arg)
#define CURVNET_RESTORE()
#define CURVNET_ASSERT_SET() do { } while (0)
#define IS_DEFAULT_VNET(arg) 1
#define CRED_TO_VNET(cr) ((struct vnet *)NULL)
#define TD_TO_VNET(td) ((struct vnet *)NULL)
#define P_TO_VNET(p) ((struct vnet *)NULL)
#define VNET_IS_SHUTTING_DOWN(v) 0

#define VNET_LIST_RLOCK()
#define VNET_LIST_RUNLOCK()
#define VNET_LIST_RLOCK_NOSLEEP()
#define VNET_LIST_RUNLOCK_NOSLEEP()
#define VNET_ITERATOR_DECL(arg) int arg __unused
/* One pass, as in 14 and later (13 leaves the statement alone: the same). */
#define VNET_FOREACH(arg) for ((arg) = 0; (arg) < 1; (arg)++)

#define VNET_NAME(n) n
#define VNET_DECLARE(t, n) extern t n
#define VNET_DEFINE(t, n) struct _hack; t n
#define VNET_DEFINE_STATIC(t, n) static t n
#define _VNET_PTR(b, n) (&VNET_NAME(n))
#define VNET_VNET_PTR(vnet, n) (&(n))
#define VNET_VNET(vnet, n) (n)
#define VNET_PTR(n) (&(n))
#define VNET(n) (n)

#define VNET_SYSINIT(ident, subsystem, order, func, arg) \
	SYSINIT(ident, subsystem, order, func, arg)
#define VNET_SYSUNINIT(ident, subsystem, order, func, arg) \
	SYSUNINIT(ident, subsystem, order, func, arg)

#define VNET_GLOBAL_EVENTHANDLER_REGISTER_TAG(tag, name, func, arg, pri) \
	((tag) = eventhandler_register(NULL, #name, func, arg, pri))
#define VNET_GLOBAL_EVENTHANDLER_REGISTER(name, func, arg, pri) \
	eventhandler_register(NULL, #name, func, arg, pri)

#endif /* VIMAGE */
#endif /* _KERNEL */
#endif /* _NET_VNET_H_ */
