/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sysctl(9).  Static nodes sit in a linker set and are linked into the tree
 * at boot; a node with CTLFLAG_VNET has the master copy's address as its
 * arg1, and is turned into the current vnet's when it is used.
 */
#ifndef _SYS_SYSCTL_H_
#define _SYS_SYSCTL_H_

#include <sys/param.h>
#include <sys/kernel.h>
#include <sys/linker_set.h>
#include <sys/queue.h>

struct thread;

#define CTL_MAXNAME 24
#define CTLTYPE 0xf
#define CTLTYPE_NODE 1
#define CTLTYPE_INT 2
#define CTLTYPE_STRING 3
#define CTLTYPE_S64 4
#define CTLTYPE_OPAQUE 5
#define CTLTYPE_STRUCT CTLTYPE_OPAQUE
#define CTLTYPE_UINT 6
#define CTLTYPE_LONG 7
#define CTLTYPE_ULONG 8
#define CTLTYPE_U64 9
#define CTLTYPE_U8 0xa
#define CTLTYPE_U16 0xb
#define CTLTYPE_S8 0xc
#define CTLTYPE_S16 0xd
#define CTLTYPE_S32 0xe
#define CTLTYPE_U32 0xf

#define CTLFLAG_RD 0x80000000
#define CTLFLAG_WR 0x40000000
#define CTLFLAG_RW (CTLFLAG_RD | CTLFLAG_WR)
#define CTLFLAG_DORMANT 0x20000000
#define CTLFLAG_ANYBODY 0x10000000
#define CTLFLAG_SECURE 0x08000000
#define CTLFLAG_PRISON 0x04000000
#define CTLFLAG_DYN 0x02000000
#define CTLFLAG_SKIP 0x01000000
#define CTLFLAG_TUN 0x00080000
#define CTLFLAG_RDTUN (CTLFLAG_RD | CTLFLAG_TUN)
#define CTLFLAG_RWTUN (CTLFLAG_RW | CTLFLAG_TUN)
#define CTLFLAG_MPSAFE 0x00040000
#define CTLFLAG_VNET 0x00020000
#define CTLFLAG_DYING 0x00010000
#define CTLFLAG_CAPRD 0x00008000
#define CTLFLAG_CAPWR 0x00004000
#define CTLFLAG_STATS 0x00002000
#define CTLFLAG_NOFETCH 0x00001000
#define CTLFLAG_CAPRW (CTLFLAG_CAPRD | CTLFLAG_CAPWR)
#define CTLFLAG_NEEDGIANT 0x00000800

#define OID_AUTO (-1)
#define CTL_AUTO_START 0x100

#define SYSCTL_HANDLER_ARGS						\
	struct sysctl_oid *oidp, void *arg1, intmax_t arg2,		\
	    struct sysctl_req *req

struct sysctl_req {
	struct thread *td;
	int lock;
	void *oldptr;
	size_t oldlen;
	size_t oldidx;
	int (*oldfunc)(struct sysctl_req *, const void *, size_t);
	const void *newptr;
	size_t newlen;
	size_t newidx;
	int (*newfunc)(struct sysctl_req *, void *, size_t);
	size_t validlen;
	int flags;
};

SLIST_HEAD(sysctl_oid_list, sysctl_oid);

struct sysctl_oid {
	struct sysctl_oid_list oid_children;
	struct sysctl_oid_list *oid_parent;
	SLIST_ENTRY(sysctl_oid) oid_link;
	int oid_number;
	u_int oid_kind;
	void *oid_arg1;
	intmax_t oid_arg2;
	const char *oid_name;
	int (*oid_handler)(SYSCTL_HANDLER_ARGS);
	const char *oid_fmt;
	int oid_refcnt;
	u_int oid_running;
	const char *oid_descr;
	const char *oid_label;
};

#define SYSCTL_IN(r, p, l) ((r)->newfunc)((r), (p), (l))
#define SYSCTL_OUT(r, p, l) ((r)->oldfunc)((r), (p), (l))
#define SYSCTL_OUT_STR(r, p) ((r)->oldfunc)((r), (p), strlen(p) + 1)

int	sysctl_handle_bool(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_8(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_16(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_32(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_64(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_int(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_long(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_string(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_opaque(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_counter_u64(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_counter_u64_array(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_uma_zone_max(SYSCTL_HANDLER_ARGS);
int	sysctl_handle_uma_zone_cur(SYSCTL_HANDLER_ARGS);
int	sysctl_msec_to_ticks(SYSCTL_HANDLER_ARGS);

#define SYSCTL_DECL(name) extern struct sysctl_oid sysctl__##name
#define SYSCTL_CHILDREN(oid_ptr) (&(oid_ptr)->oid_children)
#define SYSCTL_PARENT(oid_ptr)						\
	((oid_ptr)->oid_parent != &sysctl__children ?			\
	    __containerof((oid_ptr)->oid_parent, struct sysctl_oid,	\
	    oid_children) : NULL)
#define SYSCTL_STATIC_CHILDREN(oid) (&sysctl__##oid.oid_children)
#define __DESCR(d) d

#define SYSCTL_OID_RAW(id, head, nbr, name, kind, a1, a2, fn, fmt, descr, lbl) \
	struct sysctl_oid id = {					\
		.oid_children = SLIST_HEAD_INITIALIZER(&id.oid_children), \
		.oid_parent = (head),					\
		.oid_number = (nbr),					\
		.oid_kind = (kind),					\
		.oid_arg1 = (a1),					\
		.oid_arg2 = (a2),					\
		.oid_name = (name),					\
		.oid_handler = (fn),					\
		.oid_fmt = (fmt),					\
		.oid_descr = __DESCR(descr),				\
		.oid_label = (lbl),					\
	};								\
	DATA_SET(sysctl_set, id)
#define SYSCTL_OID(parent, nbr, name, kind, a1, a2, handler, fmt, descr) \
	static SYSCTL_OID_RAW(sysctl__##parent##_##name,		\
	    SYSCTL_CHILDREN(&sysctl__##parent), nbr, #name, kind, a1, a2, \
	    handler, fmt, descr, NULL)
#define SYSCTL_ROOT_NODE(nbr, name, access, handler, descr)		\
	SYSCTL_OID_RAW(sysctl___##name, &sysctl__children, nbr, #name,	\
	    CTLTYPE_NODE | (access), NULL, 0, handler, "N", descr, NULL)
#define SYSCTL_NODE(parent, nbr, name, access, handler, descr)		\
	SYSCTL_OID_RAW(sysctl__##parent##_##name,			\
	    SYSCTL_CHILDREN(&sysctl__##parent), nbr, #name,		\
	    CTLTYPE_NODE | (access), NULL, 0, handler, "N", descr, NULL)

/* A leaf: its type, the C type that its variable must have, its handler. */
#define __SYSCTL_LEAF(p, n, name, acc, type, ptr, val, fn, fmt, d)	\
	SYSCTL_OID(p, n, name, (type) | CTLFLAG_MPSAFE | (acc), ptr, val, \
	    fn, fmt, d)
#define SYSCTL_STRING(p, n, name, acc, arg, len, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_STRING, arg, len, \
	    sysctl_handle_string, "A", d)
#define SYSCTL_INT(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_INT, ptr, val, \
	    sysctl_handle_int, "I", d)
#define SYSCTL_UINT(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_UINT, ptr, val, \
	    sysctl_handle_int, "IU", d)
#define SYSCTL_LONG(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_LONG, ptr, val, \
	    sysctl_handle_long, "L", d)
#define SYSCTL_ULONG(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_ULONG, ptr, val, \
	    sysctl_handle_long, "LU", d)
#define SYSCTL_QUAD(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_S64, ptr, val, \
	    sysctl_handle_64, "Q", d)
#define SYSCTL_S64 SYSCTL_QUAD
#define SYSCTL_U64(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_U64, ptr, val, \
	    sysctl_handle_64, "QU", d)
#define SYSCTL_UQUAD SYSCTL_U64
#define SYSCTL_S32(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_S32, ptr, val, \
	    sysctl_handle_32, "I", d)
#define SYSCTL_U32(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_U32, ptr, val, \
	    sysctl_handle_32, "IU", d)
#define SYSCTL_U16(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_U16, ptr, val, \
	    sysctl_handle_16, "SU", d)
#define SYSCTL_U8(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_U8, ptr, val, \
	    sysctl_handle_8, "CU", d)
#define SYSCTL_BOOL(p, n, name, acc, ptr, val, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_U8, ptr, val, \
	    sysctl_handle_bool, "CU", d)
#define SYSCTL_COUNTER_U64(p, n, name, acc, ptr, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_U64 | CTLFLAG_STATS, ptr, 0, \
	    sysctl_handle_counter_u64, "QU", d)
#define SYSCTL_COUNTER_U64_ARRAY(p, n, name, acc, ptr, len, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_OPAQUE | CTLFLAG_STATS, ptr, \
	    len, sysctl_handle_counter_u64_array, "S", d)
#define SYSCTL_OPAQUE(p, n, name, acc, ptr, len, fmt, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_OPAQUE, ptr, len, \
	    sysctl_handle_opaque, fmt, d)
#define SYSCTL_STRUCT(p, n, name, acc, ptr, type, d) \
	__SYSCTL_LEAF(p, n, name, acc, CTLTYPE_OPAQUE, ptr, \
	    sizeof(struct type), sysctl_handle_opaque, "S," #type, d)
#define SYSCTL_PROC(p, n, name, acc, ptr, arg, handler, fmt, d) \
	SYSCTL_OID(p, n, name, (acc), ptr, arg, handler, fmt, d)
#define SYSCTL_UMA_MAX(p, n, name, acc, ptr, d) \
	SYSCTL_PROC(p, n, name, CTLTYPE_INT | CTLFLAG_MPSAFE | (acc), ptr, \
	    0, sysctl_handle_uma_zone_max, "I", d)
#define SYSCTL_UMA_CUR(p, n, name, acc, ptr, d) \
	SYSCTL_PROC(p, n, name, \
	    CTLTYPE_INT | CTLFLAG_MPSAFE | CTLFLAG_RD | (acc), ptr, 0, \
	    sysctl_handle_uma_zone_cur, "I", d)

#define FEATURE(name, desc)						\
	SYSCTL_INT(_kern_features, OID_AUTO, name,			\
	    CTLFLAG_RD | CTLFLAG_CAPRD, (int *)NULL, 1, desc)

/* Old buffers are kernel memory here: nothing to wire. */
#define sysctl_wire_old_buffer(req, len) ((void)(req), (void)(len), 0)

/* For these two the caller holds sysctl_wlock(). */
void	sysctl_register_oid(struct sysctl_oid *);
void	sysctl_unregister_oid(struct sysctl_oid *);
void	sysctl_wlock(void);
void	sysctl_wunlock(void);
int	sysctl_remove_oid(struct sysctl_oid *, int, int);
int	sysctl_remove_name(struct sysctl_oid *, const char *, int, int);

struct sysctl_ctx_entry {
	struct sysctl_oid *entry;
	TAILQ_ENTRY(sysctl_ctx_entry) link;
};
TAILQ_HEAD(sysctl_ctx_list, sysctl_ctx_entry);
int	sysctl_ctx_init(struct sysctl_ctx_list *);
int	sysctl_ctx_free(struct sysctl_ctx_list *);
struct sysctl_ctx_entry *sysctl_ctx_entry_add(struct sysctl_ctx_list *,
	    struct sysctl_oid *);
struct sysctl_ctx_entry *sysctl_ctx_entry_find(struct sysctl_ctx_list *,
	    struct sysctl_oid *);
int	sysctl_ctx_entry_del(struct sysctl_ctx_list *, struct sysctl_oid *);
struct sysctl_oid *sysctl_add_oid(struct sysctl_ctx_list *,
	    struct sysctl_oid_list *, int, const char *, int, void *, intmax_t,
	    int (*)(SYSCTL_HANDLER_ARGS), const char *, const char *,
	    const char *);
#define SYSCTL_ADD_OID(ctx, parent, nbr, name, kind, a1, a2, fn, fmt, d) \
	sysctl_add_oid((ctx), (parent), (nbr), (name), (kind), (a1), (a2), \
	    (fn), (fmt), __DESCR(d), NULL)
#define SYSCTL_ADD_NODE(ctx, parent, nbr, name, acc, fn, d) \
	SYSCTL_ADD_OID(ctx, parent, nbr, name, CTLTYPE_NODE | (acc), NULL, 0, \
	    fn, "N", d)
#define __SYSCTL_ADD(ctx, par, n, name, acc, type, ptr, val, fn, fmt, d) \
	SYSCTL_ADD_OID(ctx, par, n, name, (type) | CTLFLAG_MPSAFE | (acc), \
	    ptr, val, fn, fmt, d)
#define SYSCTL_ADD_STRING(ctx, par, n, name, acc, arg, len, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_STRING, arg, len, \
	    sysctl_handle_string, "A", d)
#define SYSCTL_ADD_INT(ctx, par, n, name, acc, ptr, val, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_INT, ptr, val, \
	    sysctl_handle_int, "I", d)
#define SYSCTL_ADD_UINT(ctx, par, n, name, acc, ptr, val, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_UINT, ptr, val, \
	    sysctl_handle_int, "IU", d)
#define SYSCTL_ADD_LONG(ctx, par, n, name, acc, ptr, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_LONG, ptr, 0, \
	    sysctl_handle_long, "L", d)
#define SYSCTL_ADD_ULONG(ctx, par, n, name, acc, ptr, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_ULONG, ptr, 0, \
	    sysctl_handle_long, "LU", d)
#define SYSCTL_ADD_S64(ctx, par, n, name, acc, ptr, val, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_S64, ptr, val, \
	    sysctl_handle_64, "Q", d)
#define SYSCTL_ADD_U64(ctx, par, n, name, acc, ptr, val, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_U64, ptr, val, \
	    sysctl_handle_64, "QU", d)
#define SYSCTL_ADD_QUAD(ctx, par, n, name, acc, ptr, d) \
	SYSCTL_ADD_S64(ctx, par, n, name, acc, ptr, 0, d)
#define SYSCTL_ADD_UQUAD(ctx, par, n, name, acc, ptr, d) \
	SYSCTL_ADD_U64(ctx, par, n, name, acc, ptr, 0, d)
#define SYSCTL_ADD_S32(ctx, par, n, name, acc, ptr, val, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_S32, ptr, val, \
	    sysctl_handle_32, "I", d)
#define SYSCTL_ADD_U32(ctx, par, n, name, acc, ptr, val, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_U32, ptr, val, \
	    sysctl_handle_32, "IU", d)
#define SYSCTL_ADD_U16(ctx, par, n, name, acc, ptr, val, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_U16, ptr, val, \
	    sysctl_handle_16, "SU", d)
#define SYSCTL_ADD_U8(ctx, par, n, name, acc, ptr, val, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_U8, ptr, val, \
	    sysctl_handle_8, "CU", d)
#define SYSCTL_ADD_BOOL(ctx, par, n, name, acc, ptr, val, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_U8, ptr, val, \
	    sysctl_handle_bool, "CU", d)
#define SYSCTL_ADD_COUNTER_U64(ctx, par, n, name, acc, ptr, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_U64 | CTLFLAG_STATS, \
	    ptr, 0, sysctl_handle_counter_u64, "QU", d)
#define SYSCTL_ADD_COUNTER_U64_ARRAY(ctx, par, n, name, acc, ptr, len, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_OPAQUE | CTLFLAG_STATS, \
	    ptr, len, sysctl_handle_counter_u64_array, "S", d)
#define SYSCTL_ADD_OPAQUE(ctx, par, n, name, acc, ptr, len, fmt, d) \
	__SYSCTL_ADD(ctx, par, n, name, acc, CTLTYPE_OPAQUE, ptr, len, \
	    sysctl_handle_opaque, fmt, d)
#define SYSCTL_ADD_PROC(ctx, par, n, name, acc, ptr, arg, fn, fmt, d) \
	SYSCTL_ADD_OID(ctx, par, n, name, acc, ptr, arg, fn, fmt, d)

int	kernel_sysctlbyname(struct thread *, char *, void *, size_t *, void *,
	    size_t, size_t *, int);

extern struct sysctl_oid_list sysctl__children;
SYSCTL_DECL(_kern);
SYSCTL_DECL(_kern_features);
SYSCTL_DECL(_kern_ipc);
SYSCTL_DECL(_vm);
SYSCTL_DECL(_net);
SYSCTL_DECL(_net_inet);
SYSCTL_DECL(_net_inet6);
SYSCTL_DECL(_net_link);
SYSCTL_DECL(_debug);
SYSCTL_DECL(_security);

#endif /* _SYS_SYSCTL_H_ */
