/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: sysctl(9), FreeBSD's kern/kern_sysctl.c: the tree and its requests.
 * Fidelity: modelled
 * Differs: requests are by name and come from the kernel; {0,...} queries,
 * secure levels and privileges are left out.  A variable that is per vnet
 * without CTLFLAG_VNET, or the other way round, panics when it is registered;
 * a handler that keeps a lock or leaves a vnet set panics.
 *
 * The static nodes sit in a linker set and are linked into the tree at
 * SI_SUB_KMEM, before any vnet exists: a tunable of a CTLFLAG_VNET variable is
 * written into the master copy, from which every vnet begins.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#undef malloc
#include <lvk.h>
#include "lvk_handler.h"
#include "kern_sysctl.h"

#define OID_MAX 0x7fffffff

int	lvk_sysctl_kind(const char *);

struct sx lvk_sysctl_lock;
struct sx lvk_sysctl_string_lock;
struct sysctl_oid_list sysctl__children =
    SLIST_HEAD_INITIALIZER(&sysctl__children);
SET_DECLARE(sysctl_set, struct sysctl_oid);

void
sysctl_wlock(void)
{
	sx_xlock(&lvk_sysctl_lock);
}

void
sysctl_wunlock(void)
{
	sx_xunlock(&lvk_sysctl_lock);
}

static bool
is_node(const struct sysctl_oid *oid)
{
	return ((oid->oid_kind & CTLTYPE) == CTLTYPE_NODE);
}

/* ---- names */

struct sysctl_oid *
lvk_sysctl_child(struct sysctl_oid_list *list, const char *name, size_t len)
{
	struct sysctl_oid *oid;

	SLIST_FOREACH(oid, list, oid_link)
		if (strncmp(oid->oid_name, name, len) == 0 &&
		    oid->oid_name[len] == '\0')
			return (oid);
	return (NULL);
}

const char *
lvk_sysctl_path(struct sysctl_oid *oid, char *buf, size_t size)
{
	char *p = buf + size - 1;
	size_t len;

	*p = '\0';
	for (; oid != NULL; oid = SYSCTL_PARENT(oid)) {
		len = strlen(oid->oid_name) + (*p != '\0');
		if (len > (size_t)(p - buf))
			break;
		p -= len;
		memcpy(p, oid->oid_name, strlen(oid->oid_name));
		if (p[len] != '\0')
			p[len - 1] = '.';
	}
	return (p);
}

/* A dot at the end is allowed, as in FreeBSD. */
struct sysctl_oid *
lvk_sysctl_find(const char *name)
{
	struct sysctl_oid_list *list = &sysctl__children;
	struct sysctl_oid *oid;
	size_t len;

	for (int depth = 0; depth < CTL_MAXNAME; depth++) {
		len = strcspn(name, ".");
		oid = lvk_sysctl_child(list, name, len);
		if (oid == NULL)
			return (NULL);
		name += len;
		if (*name == '\0' || *++name == '\0')
			return (oid);
		if (!is_node(oid) || oid->oid_handler != NULL)
			break;
		list = SYSCTL_CHILDREN(oid);
	}
	return (NULL);
}

/* ---- registration */

void
lvk_sysctl_warn_reuse(const char *func, struct sysctl_oid *leaf)
{
	char path[SYSCTL_PATH_MAX];

	printf("%s: can't re-use a leaf (%s)!\n", func,
	    lvk_sysctl_path(leaf, path, sizeof(path)));
}

static void
check_vnet_flag(struct sysctl_oid *oid)
{
#if defined(VIMAGE) && defined(INVARIANTS)
	uintptr_t p = (uintptr_t)oid->oid_arg1;
	bool in_set = p >= VNET_START && p < VNET_STOP;
	bool flag = (oid->oid_kind & CTLFLAG_VNET) != 0;
	char path[SYSCTL_PATH_MAX];

	if (is_node(oid) || p == 0 || in_set == flag)
		return;
	if (flag)
		panic("sysctl %s: CTLFLAG_VNET, but its variable is not a "
		    "VNET_DEFINE one; give &VNET_NAME(variable)",
		    lvk_sysctl_path(oid, path, sizeof(path)));
	panic("sysctl %s: its variable is a VNET_DEFINE one, but CTLFLAG_VNET "
	    "is missing: every vnet would see the master copy",
	    lvk_sysctl_path(oid, path, sizeof(path)));
#endif
}

/* Automatic numbers count down, so that a new node is soon in its place. */
static int
auto_number(void)
{
	static int next = OID_MAX;

	if (next <= CTL_AUTO_START)
		next = OID_MAX;
	return (next--);
}

/* Put it where its number belongs; a number that is taken is moved on. */
static void
insert_by_number(struct sysctl_oid *oid)
{
	struct sysctl_oid *p, *prev;
	int asked = oid->oid_number;
	int n = asked >= 0 ? asked : auto_number();

again:
	prev = NULL;
	SLIST_FOREACH(p, oid->oid_parent, oid_link) {
		if (p->oid_number == n) {
			n = n < CTL_AUTO_START || n == OID_MAX ?
			    CTL_AUTO_START : n + 1;
			goto again;
		}
		if (p->oid_number > n)
			break;
		prev = p;
	}
	if (asked >= 0 && asked != n)
		printf("sysctl: OID number(%d) is already in use for '%s'\n",
		    asked, oid->oid_name);
	oid->oid_number = n;
	if (prev != NULL)
		SLIST_INSERT_AFTER(prev, oid, oid_link);
	else
		SLIST_INSERT_HEAD(oid->oid_parent, oid, oid_link);
}

void
sysctl_register_oid(struct sysctl_oid *oid)
{
	struct sysctl_oid *old;

	sx_assert(&lvk_sysctl_lock, SA_XLOCKED);
	old = lvk_sysctl_child(oid->oid_parent, oid->oid_name,
	    strlen(oid->oid_name));
	if (old != NULL) {
		if (is_node(old))
			old->oid_refcnt++;
		else
			lvk_sysctl_warn_reuse(__func__, old);
		return;
	}
	check_vnet_flag(oid);
	insert_by_number(oid);
	if (!is_node(oid) && (oid->oid_kind & CTLFLAG_TUN) != 0 &&
	    (oid->oid_kind & CTLFLAG_NOFETCH) == 0) {
		/*
		 * Once, but for a master copy: a later setenv is for the
		 * vnets to come.
		 */
		if ((oid->oid_kind & CTLFLAG_VNET) == 0)
			oid->oid_kind |= CTLFLAG_NOFETCH;
		lvk_sysctl_load_tunable(oid);
	}
}

void
sysctl_unregister_oid(struct sysctl_oid *oid)
{
	struct sysctl_oid *p;

	sx_assert(&lvk_sysctl_lock, SA_XLOCKED);
	SLIST_FOREACH(p, oid->oid_parent, oid_link)
		if (p == oid)
			break;
	if (p != NULL)
		SLIST_REMOVE(oid->oid_parent, oid, sysctl_oid, oid_link);
	else
		printf("%s: failed(%d) to unregister sysctl(%s)\n", __func__,
		    oid->oid_number == OID_AUTO ? EINVAL : ENOENT,
		    oid->oid_name);
}

static void
sysctl_register_all(void *arg __unused)
{
	struct sysctl_oid **oid;

	sx_init(&lvk_sysctl_lock, "sysctl lock");
	sx_init(&lvk_sysctl_string_lock, "sysctl string handler");
	sysctl_wlock();
	SET_FOREACH(oid, sysctl_set)
		sysctl_register_oid(*oid);
	sysctl_wunlock();
}
SYSINIT(sysctl, SI_SUB_KMEM, SI_ORDER_FIRST, sysctl_register_all, NULL);

/* ---- requests */

static int
old_kernel(struct sysctl_req *req, const void *p, size_t l)
{
	size_t room = 0, n;

	if (req->oldptr == NULL) {
		req->oldidx += l;
		return (0);
	}
	if (req->oldlen > req->oldidx)
		room = req->oldlen - req->oldidx;
	n = MIN(l, room);
	if (n > 0)
		memcpy((char *)req->oldptr + req->oldidx, p, n);
	req->oldidx += l;
	return (n == l ? 0 : ENOMEM);
}

static int
new_kernel(struct sysctl_req *req, void *p, size_t l)
{
	if (req->newptr == NULL)
		return (0);
	if (req->newlen - req->newidx < l)
		return (EINVAL);
	memcpy(p, (const char *)req->newptr + req->newidx, l);
	req->newidx += l;
	return (0);
}

void
lvk_sysctl_req(struct sysctl_req *req, struct thread *td, void *old,
    size_t oldlen, const void *newval, size_t newlen)
{
	memset(req, 0, sizeof(*req));
	req->td = td;
	req->oldptr = old;
	req->oldlen = req->validlen = oldlen;
	req->newptr = newval;
	req->newlen = newval != NULL ? newlen : 0;
	req->oldfunc = old_kernel;
	req->newfunc = new_kernel;
}

static int
call(struct sysctl_oid *oid, void *arg1, intmax_t arg2, struct sysctl_req *req)
{
#ifdef INVARIANTS
	struct handler_state before = handler_enter();
	char path[SYSCTL_PATH_MAX];
	const char *wrong;
#endif
	int error;

	error = oid->oid_handler(oid, arg1, arg2, req);
#ifdef INVARIANTS
	wrong = handler_exit(&before, 0);
	if (wrong != NULL)
		panic("sysctl handler of %s returned %s",
		    lvk_sysctl_path(oid, path, sizeof(path)), wrong);
#endif
	return (error);
}

int
lvk_sysctl_handler(struct sysctl_oid *oid, void *arg1, intmax_t arg2,
    struct sysctl_req *req)
{
	bool dyn = (oid->oid_kind & CTLFLAG_DYN) != 0;
	/* Tunables are loaded before there are locks, and nobody else runs. */
	bool giant = mtx_initialized(&Giant) &&
	    ((oid->oid_kind & CTLFLAG_NEEDGIANT) != 0 ||
	    (oid->oid_kind & CTLFLAG_MPSAFE) == 0);
	bool exclusive = sx_xlocked(&lvk_sysctl_lock);
	int error;

	if (dyn)
		atomic_add_int(&oid->oid_running, 1);
	sx_unlock(&lvk_sysctl_lock);
	if (giant)
		mtx_lock(&Giant);
	error = call(oid, arg1, arg2, req);
	if (giant)
		mtx_unlock(&Giant);
	if (exclusive)
		sx_xlock(&lvk_sysctl_lock);
	else
		sx_slock(&lvk_sysctl_lock);
	if (dyn)
		atomic_subtract_int(&oid->oid_running, 1);
	return (error);
}

static int
request(struct sysctl_oid *oid, struct sysctl_req *req)
{
	void *arg1 = oid->oid_arg1;
	int noname[1] = { 0 };

	KASSERT(req->td != NULL, ("sysctl: called without a thread"));
	if (is_node(oid) && oid->oid_handler == NULL)
		return (EISDIR);
	if ((oid->oid_kind & CTLFLAG_DORMANT) != 0)
		return (ENOENT);
	if (req->newptr != NULL && (oid->oid_kind & CTLFLAG_WR) == 0)
		return (EPERM);
	if (oid->oid_handler == NULL)
		return (EINVAL);
	/* A node's handler gets the numbers behind its own name: none. */
	if (is_node(oid))
		return (lvk_sysctl_handler(oid, noname, 0, req));
#ifdef VIMAGE
	if ((oid->oid_kind & CTLFLAG_VNET) != 0 && arg1 != NULL) {
#ifdef INVARIANTS
		if (curvnet == NULL)
			vnet_context_fault(NULL, oid->oid_name, __FILE__,
			    __LINE__);
#endif
		arg1 = (void *)(curvnet->vnet_data_base + (uintptr_t)arg1);
	}
#endif
	return (lvk_sysctl_handler(oid, arg1, oid->oid_arg2, req));
}

int
kernel_sysctlbyname(struct thread *td, char *name, void *old, size_t *oldlenp,
    void *newval, size_t newlen, size_t *retval, int flags)
{
	struct sysctl_oid *oid;
	struct sysctl_req req;
	int error;

	if (strlen(name) >= MAXPATHLEN)
		return (ENAMETOOLONG);
	lvk_sysctl_req(&req, td, old, oldlenp != NULL ? *oldlenp : 0, newval,
	    newlen);
	req.flags = flags;
	sx_slock(&lvk_sysctl_lock);
	oid = lvk_sysctl_find(name);
	error = oid != NULL ? request(oid, &req) : ENOENT;
	sx_sunlock(&lvk_sysctl_lock);
	if (error != 0 && error != ENOMEM)
		return (error);
	if (retval != NULL)
		*retval = req.oldptr != NULL ?
		    MIN(req.oldidx, req.validlen) : req.oldidx;
	return (error);
}

/* CTLTYPE_* of the name, 0 where there is none. */
int
lvk_sysctl_kind(const char *name)
{
	struct sysctl_oid *oid;
	int kind = 0;

	sx_slock(&lvk_sysctl_lock);
	oid = lvk_sysctl_find(name);
	if (oid != NULL)
		kind = (int)(oid->oid_kind & CTLTYPE);
	sx_sunlock(&lvk_sysctl_lock);
	return (kind);
}
