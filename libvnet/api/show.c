/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"

void
api_text_add(struct api_text *t, const char *fmt, ...)
{
	va_list ap;
	char *more;
	int n;

	for (;;) {
		va_start(ap, fmt);
		n = vsnprintf(t->at + t->len, t->room - t->len, fmt, ap);
		va_end(ap);
		if (t->full || n < 0)
			return;
		if ((size_t)n < t->room - t->len)
			break;
		more = realloc(t->at, 2 * t->room + (size_t)n);
		if (more == NULL) {
			t->full = true;
			return;
		}
		t->at = more;
		t->room = 2 * t->room + (size_t)n;
	}
	t->len += (size_t)n;
}

static const struct {
	unsigned part;
	int (*show)(struct api_text *);
} parts_known[] = {
	{ LIBVNET_SHOW_INTERFACES, api_show_interfaces },
	{ LIBVNET_SHOW_COUNTERS, api_show_counters },
	{ LIBVNET_SHOW_ROUTES, api_show_routes },
	{ LIBVNET_SHOW_NEIGHBOURS, api_show_neighbours },
	{ LIBVNET_SHOW_SOCKETS, api_show_sockets },
	{ LIBVNET_SHOW_STATISTICS, api_show_statistics },
};

static int
show(struct api_text *t, unsigned parts)
{
	int answer = 0;

	for (size_t i = 0; answer == 0 &&
	    i < sizeof(parts_known) / sizeof(parts_known[0]); i++) {
		if ((parts & parts_known[i].part) == 0)
			continue;
		if (t->len > 0)
			api_text_add(t, "\n");
		answer = parts_known[i].show(t);
	}
	return (answer);
}

const char *
libvnet_show(struct vnet *vnet, unsigned parts)
{
	static const char who[] = "libvnet_show";
	static _Thread_local struct api_text text;
	struct api_was was;

	if (parts == 0 || (parts & ~(unsigned)LIBVNET_SHOW_ALL) != 0) {
		(void)api_fail(LIBVNET_EINVAL, "%s: %#x are no parts; give "
		    "LIBVNET_SHOW_ALL, or some of LIBVNET_SHOW_*", who, parts);
		return (NULL);
	}
	if (text.at == NULL)
		text.room = (text.at = malloc(4096)) != NULL ? 4096 : 0;
	text.len = 0;
	text.full = text.at == NULL;
	if (!text.full) {
		if (api_stack_begin(who, vnet, NULL, &was) != 0)
			return (NULL);
		text.at[0] = '\0';
		if (api_stack_end(who, "", show(&text, parts), NULL, was) != 0)
			return (NULL);
	}
	if (text.full) {
		(void)api_fail(LIBVNET_ELIMIT, "%s: no memory for the text",
		    who);
		return (NULL);
	}
	return (text.at);
}

/* ---- statistics */

static void
print_counter(void *arg, const struct vnk_counter *c)
{
	if (c->value == 0)
		return;
	api_text_add(arg, "%s %s", c->protocol, c->name);
	if (c->index >= 0)
		api_text_add(arg, "[%d]", c->index);
	api_text_add(arg, " %llu\n", (unsigned long long)c->value);
}

int
api_show_statistics(struct api_text *t)
{
	return (vnk_counter_each(print_counter, t));
}

struct search {
	const char *name;
	bool found;
	uint64_t value;
};

static void
look_counter(void *arg, const struct vnk_counter *c)
{
	struct search *s = arg;
	char name[128];
	int n;

	if (s->found)
		return;
	n = snprintf(name, sizeof(name), "%s.%s", c->protocol, c->name);
	if (c->index >= 0 && n > 0 && (size_t)n < sizeof(name))
		snprintf(name + n, sizeof(name) - (size_t)n, "[%d]", c->index);
	s->found = strcmp(name, s->name) == 0;
	s->value = c->value;
}

int
libvnet_statistic(struct vnet *vnet, const char *name, uint64_t *value,
    int *kerr)
{
	static const char who[] = "libvnet_statistic";
	struct search s = { .name = name };
	struct api_was was;
	int error;

	if (name == NULL || value == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: give a name and a place "
		    "for the value, not NULL", who));
	error = api_stack_begin(who, vnet, kerr, &was);
	if (error != 0)
		return (error);
	error = api_stack_end(who, name, vnk_counter_each(look_counter, &s),
	    kerr, was);
	if (error == 0 && !s.found)
		return (api_fail(LIBVNET_ENOENT, "%s: there is no \"%s\"; a "
		    "name is protocol.field, as libvnet_show() prints them",
		    who, name));
	*value = s.value;
	return (error);
}
