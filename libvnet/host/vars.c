/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The V_ variables, from the table that the link step made: the gaps between
 * them are filled and poisoned in each vnet's copy of set_vnet.
 */
#include <string.h>

#include "host.h"

#define FILLER 0xb5

/*
 * Calls `fn' for each gap.  A gap begins on the byte after a variable and
 * ends where the next begins.
 */
typedef const char *gap_fn(const struct vnh_var *before, char *p, size_t n);

static const char *
each_gap(char *base, gap_fn *fn)
{
	size_t total = (size_t)(vnh_manifest.vnet_end - vnh_manifest.vnet);
	const struct vnh_var *v, *before = NULL;
	const char *r;
	size_t end = 0;

	for (v = vnh_manifest.vars; v->name != NULL; v++) {
		if (v->offset > end &&
		    (r = fn(before, base + end, v->offset - end)) != NULL)
			return (r);
		if (v->offset + v->size > end)
			end = v->offset + v->size;
		before = v;
	}
	if (total > end)
		return (fn(before, base + end, total - end));
	return (NULL);
}

static const char *
gap_fill(const struct vnh_var *before, char *p, size_t n)
{
	(void)before;
	memset(p, FILLER, n);
	vnh_poison(p, n);
	return (NULL);
}

static const char *
gap_open(const struct vnh_var *before, char *p, size_t n)
{
	(void)before;
	vnh_unpoison(p, n);
	return (NULL);
}

static const char *
gap_look(const struct vnh_var *before, char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)p[i] != FILLER)
			return (before != NULL ? before->name : "(none)");
	return (NULL);
}

void
vnh_vnet_guard(void *base)
{
	if (vnk_checks())
		each_gap(base, gap_fill);
}

void
vnh_vnet_unguard(void *base)
{
	if (vnk_checks())
		each_gap(base, gap_open);
}

const char *
vnh_vnet_damaged(const void *base)
{
	if (!vnk_checks())
		return (NULL);
	return (each_gap((char *)(uintptr_t)base, gap_look));
}

const struct vnh_var *
host_var_find(const char *name)
{
	const struct vnh_var *v;

	for (v = vnh_manifest.vars; v->name != NULL; v++)
		if (strcmp(v->name, name) == 0)
			return (v);
	return (NULL);
}
