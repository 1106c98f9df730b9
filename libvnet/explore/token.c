/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A schedule as text: "x1-HASH-" and then for each choice that was not the
 * default the steps since the last one, in decimal, and the thread as a
 * letter; "@CPU" where it went to another one.  HASH is of the steps' kinds
 * and threads, in which addresses have no part: so it holds in a rebuild.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xp.h"

static const char letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+_";
#define VERSION "x1-"

static size_t
one(char *buf, size_t size, const struct xp_deviation *d, uint32_t from)
{
	char text[40];
	int n;

	n = snprintf(text, sizeof(text), "%u.%c", d->step - from,
	    letters[d->thread]);
	if (d->cpu >= 0)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "@%d.",
		    d->cpu);
	if ((size_t)n >= size)
		return (0);
	memcpy(buf, text, (size_t)n + 1);
	return ((size_t)n);
}

/* Where it does not fit: "x1-HASH-!", which nobody can replay. */
void
xp_token(const struct xp_schedule *s, char *buf, size_t size)
{
	size_t n = (size_t)snprintf(buf, size, VERSION "%08x-", s->hash), m;
	size_t head = n;
	uint32_t from = 0;

	for (unsigned i = 0; i < s->n; i++) {
		m = one(buf + n, size - n, &s->dev[i], from);
		if (m == 0) {
			strcpy(buf + head, "!");
			return;
		}
		n += m;
		from = s->dev[i].step;
	}
}

static void
add(struct xp_schedule *s, struct xp_deviation d)
{
	if (s->n == s->room) {
		s->room = s->room != 0 ? 2 * s->room : 64;
		s->dev = realloc(s->dev, s->room * sizeof(*s->dev));
		if (s->dev == NULL)
			abort();
	}
	s->dev[s->n++] = d;
}

const char *
xp_token_parse(const char *text, struct xp_schedule *s)
{
	struct xp_deviation d;
	uint64_t step = 0;
	const char *letter;
	char *end;

	s->n = 0;
	if (strncmp(text, VERSION, sizeof(VERSION) - 1) != 0)
		return ("it does not begin with \"" VERSION "\", the version "
		    "that this libvnet writes");
	text += sizeof(VERSION) - 1;
	s->hash = (uint32_t)strtoul(text, &end, 16);
	if (end - text != 8 || *end != '-')
		return ("after the version there is no hash of 8 digits");
	for (text = end + 1; *text != '\0';) {
		if (!isdigit((unsigned char)*text))
			return (*text == '!' ? "the schedule was too long to "
			    "write down" : "a number of steps is missing");
		step += strtoul(text, &end, 10);
		if (*end != '.' || end[1] == '\0' || step > UINT32_MAX ||
		    (letter = strchr(letters, end[1])) == NULL)
			return ("a thread's letter is missing");
		d = (struct xp_deviation){ (uint32_t)step,
		    (int16_t)(letter - letters), -1 };
		text = end + 2;
		if (*text == '@') {
			d.cpu = (int16_t)strtoul(text + 1, &end, 10);
			if (*end != '.' || d.cpu >= x.ncpus || d.cpu < 0)
				return ("there is no such CPU");
			text = end + 1;
		}
		add(s, d);
	}
	return (NULL);
}
