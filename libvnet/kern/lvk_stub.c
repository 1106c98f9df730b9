/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; functions that nobody supplies.
 * Fidelity: exact
 * Differs: --
 *
 * A stub is generated (cmake/stubs.sh).  What it does when it is called is
 * what the running test said last, or else what a test file said
 * (<libvnet/stub.h>), or else it ends the test.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/linker_set.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <net/vnet.h>

#include <lvk.h>
#include <seam_stub.h>

SET_DECLARE(libvnet_stubs, struct vnh_stub);

struct vnh_stub *
vnk_stub_find(const char *name)
{
	struct vnh_stub **s;

	SET_FOREACH(s, libvnet_stubs)
		if (strcmp((*s)->name, name) == 0)
			return (*s);
	return (NULL);
}

struct vnh_stub *
vnk_stub_nth(unsigned long n)
{
	struct vnh_stub **s;

	SET_FOREACH(s, libvnet_stubs)
		if (n-- == 0)
			return (*s);
	return (NULL);
}

static void
lvk_stub_refuse(const struct vnh_stub *s, vnh_uptr pc)
{
	if (!s->whole)
		lvk_finding("stub", s->name, vnk_vnet_number(curvnet), NULL, 0,
		    pc, "%s() is called, and nobody supplies it: define it in "
		    "the test, or say what it shall do with "
		    "LIBVNET_STUB_RETURN(%s, ...) or another of "
		    "<libvnet/stub.h>", s->name, s->name);
	panic("%s() is called, and nobody supplies it", s->name);
}

long
lvk_stub_called(struct vnh_stub *s, const long *args, vnh_uptr pc)
{
	s->calls++;
	switch (s->how) {
	case VNH_STUB_RETURN:
		return (s->value);
	case VNH_STUB_FREE_MBUF:
		s->freem((void *)args[s->argno - 1]);
		return (s->value);
	case VNH_STUB_GIVEN:
		if (s->given != NULL)
			return (s->given(args));
		/* FALLTHROUGH */
	default:
		lvk_stub_refuse(s, pc);
		return (0);
	}
}
