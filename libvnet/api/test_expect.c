/* SPDX-License-Identifier: BSD-2-Clause */
/* What a test said it expects, and what came. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define EXPECT_MAX 32		/* LIBVNET_EXPECT_MAX */
#define LINE_MAX_ 1400

struct expectation {
	char	*kind, *pattern;
	struct host_regex *re;
	bool	 met;
};
static struct expectation wanted[EXPECT_MAX];
static int nwanted;
static struct expectation panic_wanted;
static bool panic_came;

/* Findings that nobody expected, in order. */
static char **surprises;
static size_t nsurprises;

void	libvnet_expect_panic(const char *regex);
void	libvnet_expect(const char *kind, const char *regex);

static void
compile(struct expectation *e, const char *kind, const char *pattern)
{
	char reason[128], line[LINE_MAX_];

	e->kind = strdup(kind);
	e->pattern = strdup(pattern);
	e->met = false;
	e->re = host_regex_new(pattern, reason, sizeof(reason));
	if (e->re != NULL)
		return;
	snprintf(line, sizeof(line), "the expected %s is not a regular "
	    "expression: \"%s\": %s", kind, pattern, reason);
	free(e->kind);
	free(e->pattern);
	e->kind = NULL;
	cmocka_say(line);
	cmocka_fail(__FILE__, __LINE__);
}

static void
discard(struct expectation *e)
{
	if (e->kind == NULL)
		return;
	host_regex_free(e->re);
	free(e->kind);
	free(e->pattern);
	e->kind = NULL;
}

void
expect_reset(void)
{
	for (int i = 0; i < nwanted; i++)
		discard(&wanted[i]);
	nwanted = 0;
	discard(&panic_wanted);
	panic_came = false;
	while (nsurprises > 0)
		free(surprises[--nsurprises]);
}

void
libvnet_expect_panic(const char *regex)
{
	discard(&panic_wanted);
	compile(&panic_wanted, "panic", regex);
}

void
libvnet_expect(const char *kind, const char *regex)
{
	if (nwanted == EXPECT_MAX) {
		cmocka_say("more than 32 findings are expected in one test");
		cmocka_fail(__FILE__, __LINE__);
	}
	compile(&wanted[nwanted], kind, regex);
	nwanted++;
}

bool
expect_panic_wanted(void)
{
	return (panic_wanted.kind != NULL);
}

bool
expect_panic_came(const char *message)
{
	panic_came = true;
	return (panic_wanted.kind != NULL &&
	    host_regex_matches(panic_wanted.re, message));
}

void
expect_finding_came(const char *kind, const char *text)
{
	char line[LINE_MAX_];
	char **more;

	for (int i = 0; i < nwanted; i++)
		if (!wanted[i].met && strcmp(wanted[i].kind, kind) == 0 &&
		    host_regex_matches(wanted[i].re, text)) {
			wanted[i].met = true;
			return;
		}
	snprintf(line, sizeof(line), "finding: %s: %s", kind, text);
	more = realloc(surprises, (nsurprises + 1) * sizeof(*more));
	if (more == NULL || (more[nsurprises] = strdup(line)) == NULL)
		abort();
	surprises = more;
	nsurprises++;
}

int
expect_verdict(void (*say)(const char *))
{
	char line[LINE_MAX_];
	int wrong = 0;

	/* What led to a wanted panic was wanted too. */
	if (!(panic_came && panic_wanted.kind != NULL))
		for (size_t i = 0; i < nsurprises; i++, wrong++)
			say(surprises[i]);
	for (int i = 0; i < nwanted; i++) {
		if (wanted[i].met)
			continue;
		snprintf(line, sizeof(line), "expected finding did not come: "
		    "%s: %s", wanted[i].kind, wanted[i].pattern);
		say(line);
		wrong++;
	}
	if (panic_wanted.kind != NULL && !panic_came) {
		snprintf(line, sizeof(line), "expected panic did not come: %s",
		    panic_wanted.pattern);
		say(line);
		wrong++;
	}
	return (wrong);
}
