/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: CTLFLAG_TUN, FreeBSD's sysctl_load_tunable_by_oid_locked().
 * Fidelity: exact
 * Differs: --
 *
 * A tunable's value goes through the node's own handler, so that the handler
 * can refuse it.  A CTLFLAG_VNET node's handler is given the master copy: the
 * vnets that exist keep what they have, those to come begin with the new
 * value.  That is why a change of the kernel environment after boot is
 * followed for such nodes, and for no others.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kenv.h>
#include <sys/proc.h>
#include <sys/eventhandler.h>
#include <sys/sysctl.h>

#include "kern_sysctl.h"

#define ARRAY_BYTES 512

static const struct {
	short size;
	bool is_signed;
} numbers[CTLTYPE + 1] = {
	[CTLTYPE_INT] = { sizeof(int), GETENV_SIGNED },
	[CTLTYPE_UINT] = { sizeof(int), GETENV_UNSIGNED },
	[CTLTYPE_LONG] = { sizeof(long), GETENV_SIGNED },
	[CTLTYPE_ULONG] = { sizeof(long), GETENV_UNSIGNED },
	[CTLTYPE_S8] = { 1, GETENV_SIGNED },
	[CTLTYPE_S16] = { 2, GETENV_SIGNED },
	[CTLTYPE_S32] = { 4, GETENV_SIGNED },
	[CTLTYPE_S64] = { 8, GETENV_SIGNED },
	[CTLTYPE_U8] = { 1, GETENV_UNSIGNED },
	[CTLTYPE_U16] = { 2, GETENV_UNSIGNED },
	[CTLTYPE_U32] = { 4, GETENV_UNSIGNED },
	[CTLTYPE_U64] = { 8, GETENV_UNSIGNED },
};

static void
load(struct sysctl_oid *oid, const char *path, const void *value, size_t len)
{
	struct sysctl_req req;
	int error;

	lvk_sysctl_req(&req, curthread, NULL, 0, value, len);
	error = lvk_sysctl_handler(oid, oid->oid_arg1, oid->oid_arg2, &req);
	if (error != 0)
		printf("Setting sysctl %s failed: %d\n", path, error);
}

void
lvk_sysctl_load_tunable(struct sysctl_oid *oid)
{
	u_int type = oid->oid_kind & CTLTYPE;
	char name[SYSCTL_PATH_MAX];
	const char *path = lvk_sysctl_path(oid, name, sizeof(name));
	union {
		uint64_t align;
		char text[KENV_MVALLEN + 1];
		char numbers[ARRAY_BYTES];
	} data;
	int len;

	if (type == CTLTYPE_STRING) {
		if (getenv_string(path, data.text, sizeof(data.text)))
			load(oid, path, data.text, strlen(data.text));
	} else if (numbers[type].size != 0) {
		if (getenv_array(path, data.numbers, sizeof(data.numbers),
		    &len, numbers[type].size, numbers[type].is_signed))
			load(oid, path, data.numbers, (size_t)len);
	}
}

#ifdef VIMAGE
static bool
follows(const struct sysctl_oid *oid)
{
	const u_int want = CTLFLAG_VNET | CTLFLAG_TUN;

	return ((oid->oid_kind & CTLTYPE) != CTLTYPE_NODE &&
	    (oid->oid_kind & (want | CTLFLAG_NOFETCH)) == want);
}

static void
env_changed(void *arg __unused, const char *name)
{
	struct sysctl_oid *oid;

	sysctl_wlock();
	oid = lvk_sysctl_find(name);
	if (oid != NULL && follows(oid))
		lvk_sysctl_load_tunable(oid);
	sysctl_wunlock();
}
EVENTHANDLER_DEFINE(setenv, env_changed, NULL, EVENTHANDLER_PRI_ANY);
#endif
