/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The end of a run, in lines on stderr: what was found, how many leaks were
 * known, and what was switched off and so found nothing.  They read as comments of TAP.
 */
#include <stdio.h>

#include "test.h"

static void
findings(void)
{
	static const char *const fates[HOST_FATES] = {
		[HOST_FAILED] = "failed", [HOST_EXPECTED] = "expected",
		[HOST_COLLECTED] = "collected"
	};
	const char *before = "# libvnet: findings: ";
	const struct host_kind *k;

	for (unsigned long n = 0; (k = host_kind_nth(n)) != NULL; n++) {
		const char *comma = "";

		for (int i = 0; i < HOST_FATES; i++) {
			if (k->count[i] == 0)
				continue;
			if (*comma == '\0')
				fprintf(stderr, "%s%s ", before, k->name);
			fprintf(stderr, "%s%lu %s", comma, k->count[i],
			    fates[i]);
			comma = ", ";
			before = "; ";
		}
	}
	if (*before == ';')
		fputc('\n', stderr);
}

static void
known(bool reports, const char *what, const char *item)
{
	unsigned long lines, items = host_known_count(reports, &lines);

	if (items != 0)
		fprintf(stderr, "# libvnet: known %s: %lu kind%s, %lu "
		    "%s%s\n", what, lines, lines == 1 ? "" : "s", items,
		    item, items == 1 ? "" : "s");
}

static const char *off_before;

static void
off(const char *what)
{
	fprintf(stderr, "%s%s", off_before, what);
	off_before = ", ";
}

static void
switched_off(void)
{
	const struct host_kind *k;
	char text[64];

	off_before = "# libvnet: off: ";
	if (!vnk_vimage())
		off("VIMAGE");
	if (!vnk_checks())
		off("kernel checks (no INVARIANTS)");
	if (!host_sanitizer())
		off("sanitizers");
	for (unsigned long n = 0; (k = host_kind_nth(n)) != NULL; n++) {
		if (k->policy != HOST_COLLECT)
			continue;
		snprintf(text, sizeof(text), "failing for %s", k->name);
		off(text);
	}
	if (*off_before == ',')
		fputc('\n', stderr);
}

void
test_summary(void)
{
	host_findings_reset();		/* tells what is not told yet */
	findings();
	known(false, "leaks", "item");
	known(true, "faults", "report");
	switched_off();
}
