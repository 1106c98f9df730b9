/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of finding, and what is done about each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finding.h"

/* The table in include/libvnet/finding.h is compared with this one. */
static struct host_kind kinds[] = {
#define KIND(name, meaning) { name, meaning, HOST_FAIL, { 0 } }
	KIND("panic", "panic(9), or a KASSERT that failed"),
	KIND("novnet", "a V_ variable used with no vnet set (then panics)"),
	KIND("deadvnet", "a V_ variable used in a destroyed vnet (then panics)"),
	KIND("leak", "memory of a vnet still allocated when it was destroyed"),
	KIND("overrun", "bytes around a V_ variable or an item of memory were written"),
	KIND("useafterfree", "a freed item was written to (then panics)"),
	KIND("doublefree", "an item was freed twice (then panics)"),
	KIND("badfree", "memory was given back where it did not come from (then panics)"),
	KIND("zone", "a UMA zone destroyed with live items"),
	KIND("lock", "a lock held at the end of a test"),
	KIND("section", "a critical or epoch section open at the end of a test"),
	KIND("curvnet", "a vnet left current at the end of a test"),
	KIND("stack", "a kernel thread overflowed its stack (then panics)"),
	KIND("reference", "a vnet destroyed while its credential is held"),
	KIND("doublefetch", "user memory fetched twice in one request"),
	KIND("sleep", "a sleep, or a lock that may sleep, where that is prohibited"),
	KIND("stub", "a function that nobody supplies was called (then panics)"),
	KIND("counter", "counter(9)'s protected forms outside of their section"),
	KIND("gauge", "a counter that was declared a gauge went below zero"),
	KIND("schedule", "a schedule of an exploration that fails"),
	KIND("race", "a data race: two accesses of one place, and nothing orders them"),
	KIND("percpu", "a data race about a CPU's own data"),
	KIND("undefined", "undefined behaviour of C that UBSan saw"),
	KIND("uninitialised", "an uninitialised value that MSan saw decide something"),
#undef KIND
};
#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/* For a kind that somebody forgot to put there. */
static struct host_kind unlisted = { "unlisted", "", HOST_FAIL, { 0 } };

static const char *const policy_names[] = { "fail", "collect", "abort" };

static struct host_kind *
listed(const char *name, size_t len)
{
	for (size_t i = 0; i < NKINDS; i++)
		if (strncmp(kinds[i].name, name, len) == 0 &&
		    kinds[i].name[len] == '\0')
			return (&kinds[i]);
	return (NULL);
}

struct host_kind *
host_kind_find(const char *name)
{
	struct host_kind *k = listed(name, strlen(name));

	return (k != NULL ? k : &unlisted);
}

struct host_kind *
host_kind_nth(unsigned long n)
{
	return (n < NKINDS ? &kinds[n] : NULL);
}

bool
host_kind_known(const char *name)
{
	return (listed(name, strlen(name)) != NULL);
}

bool
host_finding_called(const struct host_finding *h)
{
	return (strcmp(h->kind, "stub") == 0 ||
	    strcmp(h->kind, "doublefetch") == 0);
}

const char *
host_kind_names(void)
{
	static char names[NKINDS * 16];

	if (names[0] != '\0')
		return (names);
	for (size_t i = 0; i < NKINDS; i++) {
		if (i > 0)
			strcat(names, " ");
		strcat(names, kinds[i].name);
	}
	return (names);
}

const char *
host_policy_name(enum host_policy p)
{
	return (policy_names[p]);
}

static char wrong[400];

static const char *
policy_apply(const char *kind, size_t len, enum host_policy policy)
{
	bool all = len == 3 && strncmp(kind, "all", 3) == 0;
	struct host_kind *k = listed(kind, len);

	if (k == NULL && !all) {
		snprintf(wrong, sizeof(wrong), "there is no kind of finding "
		    "\"%.*s\"; there are: %s", (int)len, kind,
		    host_kind_names());
		return (wrong);
	}
	if (k == &kinds[0] && policy == HOST_COLLECT)
		return ("a panic cannot be collected: there is nothing to go "
		    "on with");
	for (size_t i = 0; i < NKINDS; i++)
		if (&kinds[i] == k ||
		    (all && !(i == 0 && policy == HOST_COLLECT)))
			kinds[i].policy = policy;
	return (NULL);
}

const char *
host_policy_set(const char *kind, enum host_policy policy)
{
	return (policy_apply(kind, strlen(kind), policy));
}

/* One KIND=POLICY of `len' characters. */
static const char *
parse_one(const char *text, size_t len)
{
	const char *eq = memchr(text, '=', len);
	size_t rest;

	if (eq == NULL) {
		snprintf(wrong, sizeof(wrong), "\"%.*s\" is not KIND=POLICY",
		    (int)len, text);
		return (wrong);
	}
	rest = len - (size_t)(eq + 1 - text);
	for (int p = HOST_FAIL; p <= HOST_ABORT; p++)
		if (strlen(policy_names[p]) == rest &&
		    strncmp(policy_names[p], eq + 1, rest) == 0)
			return (policy_apply(text, (size_t)(eq - text),
			    (enum host_policy)p));
	snprintf(wrong, sizeof(wrong), "there is no policy \"%.*s\"; there "
	    "are: fail collect abort", (int)rest, eq + 1);
	return (wrong);
}

const char *
host_policy_parse(const char *text)
{
	const char *error;
	size_t n;

	for (;; text += n + 1) {
		n = strcspn(text, ",");
		error = parse_one(text, n);
		if (error != NULL || text[n] == '\0')
			return (error);
	}
}

const char *
host_policy_environment(void)
{
	static char said[2 * sizeof(wrong)];
	const char *known = getenv("LIBVNET_KNOWN_FAULTS");
	const char *policy = getenv("LIBVNET_FINDINGS");
	const char *json = getenv("LIBVNET_FINDINGS_JSON");
	const char *error = NULL;
	static bool done;

	if (done)
		return (NULL);
	if (policy != NULL && *policy != '\0' &&
	    (error = host_policy_parse(policy)) != NULL) {
		snprintf(said, sizeof(said), "LIBVNET_FINDINGS: %s", error);
		return (said);
	}
	if (json != NULL && *json != '\0' &&
	    (error = host_json_open(strcmp(json, "-") == 0 ? NULL : json,
	    true)) != NULL) {
		snprintf(said, sizeof(said), "LIBVNET_FINDINGS_JSON: %s",
		    error);
		return (said);
	}
	if (known != NULL && *known != '\0' &&
	    (error = host_known_read(known)) != NULL) {
		snprintf(said, sizeof(said), "LIBVNET_KNOWN_FAULTS: %s", error);
		return (said);
	}
	if ((error = host_known_linked()) != NULL)
		return (error);
	done = true;
	return (NULL);
}
