/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "api.h"
#include "seam_stub.h"

_Static_assert(LIBVNET_STUB_ARGS == VNH_STUB_ARGS, "one is the other");

/* The first names, as many as fit. */
static const char *
names(char *text, size_t size)
{
	struct vnh_stub *s;
	size_t used = 0;

	text[0] = '\0';
	for (unsigned long i = 0; (s = vnk_stub_nth(i)) != NULL; i++) {
		if (used + strlen(s->name) + sizeof(" ...") > size) {
			strcpy(text + used, " ...");
			break;
		}
		used += (size_t)sprintf(text + used, "%s%s",
		    i > 0 ? " " : "", s->name);
	}
	return (used > 0 ? text : "none");
}

static int
find(const char *who, const char *name, struct vnh_stub **s)
{
	int error = api_ready(who);
	char text[300];

	if (error != 0)
		return (error);
	*s = name != NULL ? vnk_stub_find(name) : NULL;
	if (*s == NULL)
		return (api_fail(LIBVNET_ENOENT, "%s: there is no stub \"%s\" "
		    "in this program; stubs are: %s", who,
		    name != NULL ? name : "(NULL)",
		    names(text, sizeof(text))));
	return (0);
}

static void
set(struct vnh_stub *s, enum vnh_stub_how how, long value, int argno)
{
	s->value = value;
	s->argno = argno;
	s->how = how;
}

static int
find_and_set(const char *who, const char *name, enum vnh_stub_how how,
    long value)
{
	struct vnh_stub *s;
	int error = find(who, name, &s);

	if (error == 0)
		set(s, how, value, 0);
	return (error);
}

int
libvnet_stub_return(const char *name, long value)
{
	return (find_and_set("libvnet_stub_return", name, VNH_STUB_RETURN,
	    value));
}

int
libvnet_stub_free_mbuf(const char *name, int argno)
{
	struct vnh_stub *s;
	int error = find("libvnet_stub_free_mbuf", name, &s);

	if (error != 0)
		return (error);
	if (argno < 1 || argno > LIBVNET_STUB_ARGS)
		return (api_fail(LIBVNET_EINVAL, "libvnet_stub_free_mbuf: "
		    "arguments are counted from 1 to %d", LIBVNET_STUB_ARGS));
	if (s->freem == NULL)
		return (api_fail(LIBVNET_ENOTSUP, "libvnet_stub_free_mbuf: "
		    "nothing in this program defines m_freem()"));
	set(s, VNH_STUB_FREE_MBUF, 0, argno);
	return (0);
}

int
libvnet_stub_fail(const char *name)
{
	return (find_and_set("libvnet_stub_fail", name, VNH_STUB_FAIL, 0));
}

int
libvnet_stub_given(const char *name)
{
	return (find_and_set("libvnet_stub_given", name, VNH_STUB_GIVEN,
	    0));
}

long
libvnet_stub_calls(const char *name)
{
	struct vnh_stub *s;
	int error = find("libvnet_stub_calls", name, &s);

	return (error != 0 ? error : (long)s->calls);
}
