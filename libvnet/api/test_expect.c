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

static bool panic_matched;

/* Findings that nobody expected. */
static size_t nsurprises;

void	libvnet_expect_panic(const char *regex);
void	libvnet_expect(const char *kind, const char *regex);

static void
compile(struct expectation *e, const char *kind, const char *pattern)
{
	char reason[128], line[LINE_MAX_];

	if (pattern == NULL) {
		cmocka_say("NULL is expected; give a regular expression");
		cmocka_fail(__FILE__, __LINE__);
	}
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
	panic_came = panic_matched = false;
	nsurprises = 0;
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
	char line[LINE_MAX_];

	if (strcmp(kind, "panic") == 0) {
		libvnet_expect_panic(regex);
		return;
	}
	if (!host_kind_known(kind)) {
		snprintf(line, sizeof(line), "there is no kind of finding "
		    "\"%s\" to expect; there are: %s", kind,
		    host_kind_names());
		cmocka_say(line);
		cmocka_fail(__FILE__, __LINE__);
	}
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
	panic_matched = panic_wanted.kind != NULL &&
	    host_regex_matches(panic_wanted.re, message);
	if (!panic_matched && host_kind_find("panic")->policy == HOST_ABORT)
		host_finding_abort(host_panic_last());
	return (panic_matched);
}

/* The message alone is looked at first: its sites are not looked up then. */
static bool
matches(const struct expectation *e, struct host_finding *h)
{
	return (!e->met && strcmp(e->kind, h->kind) == 0 &&
	    (host_regex_matches(e->re, h->message) ||
	    host_regex_matches(e->re, host_finding_text(h))));
}

enum host_fate
expect_finding_came(struct host_finding *h)
{
	for (int i = 0; i < nwanted; i++)
		if (matches(&wanted[i], h)) {
			wanted[i].met = true;
			return (HOST_EXPECTED);
		}
	if (host_finding_fate(h) == HOST_FAILED)
		nsurprises++;
	return (host_finding_fate(h));
}

/* What led to a wanted panic was wanted too. */
static bool
excused(void)
{
	return (panic_came && panic_wanted.kind != NULL);
}

void
expect_tell(void)
{
	struct host_finding *h;

	for (h = host_findings(); h != NULL; h = h->next) {
		if (h->fate == HOST_FAILED && excused())
			h->fate = HOST_EXPECTED;
		host_finding_tell(h);
	}
	h = host_panic_last();
	if (h == NULL)
		return;
	h->fate = panic_matched ? HOST_EXPECTED : HOST_FAILED;
	host_finding_tell(h);
}

static void
say_lines(const char *before, const char *text, void (*say)(const char *))
{
	char line[LINE_MAX_];

	for (size_t n; *text != '\0'; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%s%.*s", before, (int)n, text);
		say(line);
		before = "";
	}
}

void
expect_say_trace(struct host_finding *h, void (*say)(const char *))
{
	const char *report = host_finding_report(h);

	report = strstr(report, "\n    ");
	if (report != NULL)
		say_lines("", report + 1, say);
}

/* One fault may be met again and again; after so many of a kind it is clear. */
#define MOST_TOLD 10

static size_t
told_before(const struct host_finding *h)
{
	size_t n = 0;

	for (const struct host_finding *i = host_findings(); i != h;
	    i = i->next)
		if (i->fate == HOST_FAILED && strcmp(i->kind, h->kind) == 0)
			n++;
	return (n);
}

static void
say_more(const struct host_finding *h, void (*say)(const char *))
{
	char line[LINE_MAX_];
	size_t n = 0;

	for (const struct host_finding *i = h; i != NULL; i = i->next)
		if (i->fate == HOST_FAILED && strcmp(i->kind, h->kind) == 0)
			n++;
	snprintf(line, sizeof(line), "%zu more findings of kind \"%s\"; "
	    "--findings=json:FILE has them all", n, h->kind);
	say(line);
}

static int
say_surprises(void (*say)(const char *))
{
	struct host_finding *h;
	char line[LINE_MAX_];
	size_t n = 0;

	for (h = host_findings(); h != NULL; h = h->next)
		if (h->fate == HOST_FAILED) {
			if (told_before(h) < MOST_TOLD)
				say_lines("finding: ", host_finding_report(h),
				    say);
			else if (told_before(h) == MOST_TOLD)
				say_more(h, say);
			n++;
		}
	if (n < nsurprises) {
		snprintf(line, sizeof(line), "%zu more findings, cleared by "
		    "the test or too many to keep", nsurprises - n);
		say(line);
	}
	return ((int)nsurprises);
}

int
expect_verdict(void (*say)(const char *))
{
	char line[LINE_MAX_];
	int wrong = 0;

	if (!excused())
		wrong = say_surprises(say);
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
