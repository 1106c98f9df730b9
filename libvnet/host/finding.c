/* SPDX-License-Identifier: BSD-2-Clause */
/* Broken rules, as they come in. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

#define FINDINGS_MAX 1000	/* kept for reading; all are counted */

static pthread_mutex_t finding_lock = PTHREAD_MUTEX_INITIALIZER;
static struct host_finding *head, **tail = &head;
static unsigned long count;

static void
to_stderr(const char *kind, const char *text)
{
	fprintf(stderr, "libvnet: %s: %s\n", kind, text);
}
static host_finding_fn *sink = to_stderr;

static void
keep(const char *kind, const char *text, int vnet)
{
	struct host_finding *h;

	if (count > FINDINGS_MAX)
		return;
	h = calloc(1, sizeof(*h));
	if (h == NULL || (h->kind = strdup(kind)) == NULL ||
	    (h->text = strdup(text)) == NULL)
		abort();
	h->vnet = vnet;
	*tail = h;
	tail = &h->next;
}

void
vnh_finding(const struct vnh_finding *f)
{
	char where[512] = "", text[1200];

	if (f->file != NULL)
		snprintf(where, sizeof(where), ", at %s:%d", f->file, f->line);
	else if (f->pc != 0)
		snprintf(where, sizeof(where), ", allocated by %s",
		    host_symbol(f->pc));
	snprintf(text, sizeof(text), "%s%s", f->message, where);
	pthread_mutex_lock(&finding_lock);
	count++;
	keep(f->kind, text, f->vnet);
	pthread_mutex_unlock(&finding_lock);
	sink(f->kind, text);
}

const struct host_finding *
host_findings(void)
{
	return (head);
}

unsigned long
host_finding_count(void)
{
	return (count);
}

void
host_findings_reset(void)
{
	struct host_finding *h;

	while ((h = head) != NULL) {
		head = h->next;
		free(h->kind);
		free(h->text);
		free(h);
	}
	tail = &head;
	count = 0;
}

void
host_finding_sink(host_finding_fn *fn)
{
	sink = fn != NULL ? fn : to_stderr;
}
