/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broken rules, as they come in.
 *
 * One lock is held from a finding's arrival until its fate is settled, so
 * that reports of several threads do not mix.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "finding.h"

#define FINDINGS_MAX 1000	/* kept for reading; all are counted */

extern int LLVMFuzzerTestOneInput(const uint8_t *, size_t)
    __attribute__((weak));

static pthread_mutex_t finding_lock = PTHREAD_MUTEX_INITIALIZER;
/* Named at length: the gdb script reads both. */
static struct host_finding *host_finding_list, **tail = &host_finding_list;
static struct host_finding *host_last_panic;
static unsigned long count;
static host_finding_fn *sink;
static const struct host_probe *probe;
static const char *test_name;

bool
host_fuzzing(void)
{
	return (LLVMFuzzerTestOneInput != NULL);
}

static char *
copy(const char *s)
{
	char *p;

	if (s == NULL)
		return (NULL);
	p = strdup(s);
	if (p == NULL)
		abort();
	return (p);
}

/* The addresses are taken here, on the stack that broke the rule. */
static struct host_finding *
host_finding_make(const struct vnh_finding *f)
{
	struct host_finding *h = calloc(1, sizeof(*h));
	uintptr_t pcs[HOST_TRACE_MAX];

	if (h == NULL)
		abort();
	h->kind = copy(f->kind);
	h->message = copy(f->message);
	h->object = copy(f->object);
	h->file = copy(f->file);
	h->line = f->line;
	h->vnet = f->vnet;
	h->cpu = f->cpu;
	h->pc = f->pc;
	h->freed = f->freed;
	h->seed = host_random_seed_get();
	h->depth = host_backtrace(pcs, HOST_TRACE_MAX);
	h->trace = calloc((size_t)h->depth + 1, sizeof(*h->trace));
	if (h->trace == NULL)
		abort();
	memcpy(h->trace, pcs, (size_t)h->depth * sizeof(*pcs));
	return (h);
}

static void
discard(struct host_finding *h)
{
	free(h->kind);
	free(h->message);
	free(h->object);
	free(h->file);
	free(h->text);
	free(h->report);
	free(h->trace);
	free(h);
}

enum host_fate
host_finding_fate(const struct host_finding *h)
{
	if (h->known)
		return (HOST_KNOWN);
	return (host_kind_find(h->kind)->policy == HOST_COLLECT ?
	    HOST_COLLECTED : HOST_FAILED);
}

void
host_finding_tell(struct host_finding *h)
{
	if (h->told)
		return;
	h->told = true;
	host_kind_find(h->kind)->count[h->fate]++;
	host_json_write(h, test_name);
}

void
host_finding_abort(struct host_finding *h)
{
	struct host_finding *i;

	fprintf(stderr, "libvnet: %s", host_finding_report(h));
	for (i = host_finding_list; i != NULL; i = i->next)
		host_finding_tell(i);
	host_finding_tell(h);
	fflush(NULL);
	abort();
}

static bool
fatal(const struct host_finding *h)
{
	return (h->fate == HOST_FAILED &&
	    (host_kind_find(h->kind)->policy == HOST_ABORT ||
	    (sink == NULL && host_fuzzing())));
}

static void
keep(struct host_finding *h)
{
	if (fatal(h))
		host_finding_abort(h);
	if (sink == NULL) {
		if (h->fate == HOST_FAILED)
			fprintf(stderr, "libvnet: %s", host_finding_report(h));
		host_finding_tell(h);
	}
	if (count++ < FINDINGS_MAX) {
		*tail = h;
		tail = &h->next;
	} else {
		host_finding_tell(h);
		discard(h);
	}
}

enum host_fate
host_finding_take(const struct vnh_finding *f, bool known)
{
	struct host_finding *h;
	enum host_fate fate;

	if (probe != NULL) {
		probe->finding(f);
		return (HOST_EXPECTED);
	}
	h = host_finding_make(f);
	h->known = known;
	pthread_mutex_lock(&finding_lock);
	fate = h->fate = sink != NULL ? sink(h) : host_finding_fate(h);
	if (fate == HOST_KNOWN)
		discard(h);
	else
		keep(h);
	pthread_mutex_unlock(&finding_lock);
	return (fate);
}

void
vnh_finding(const struct vnh_finding *f)
{
	(void)host_finding_take(f, false);
}

bool
host_finding_caught(void)
{
	return (sink != NULL);
}

void
host_panic_note(const char *message)
{
	struct vnet *v = vnk_vnet_current();
	struct vnh_finding f = {
		.kind = "panic", .message = message,
		.vnet = v != NULL ? vnk_vnet_number(v) : -1, .cpu = vnk_cpu()
	};

	if (probe != NULL)
		return;
	if (host_last_panic != NULL) {
		host_finding_tell(host_last_panic);
		discard(host_last_panic);
	}
	host_last_panic = host_finding_make(&f);
}

struct host_finding *
host_panic_last(void)
{
	return (host_last_panic);
}

struct host_finding *
host_findings(void)
{
	return (host_finding_list);
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

	host_sanitizer_reset();
	pthread_mutex_lock(&finding_lock);
	while ((h = host_finding_list) != NULL) {
		host_finding_list = h->next;
		host_finding_tell(h);
		discard(h);
	}
	tail = &host_finding_list;
	count = 0;
	if (host_last_panic != NULL) {
		host_finding_tell(host_last_panic);
		discard(host_last_panic);
		host_last_panic = NULL;
	}
	pthread_mutex_unlock(&finding_lock);
}

void
host_probe_set(const struct host_probe *p)
{
	probe = p;
}

const struct host_probe *
host_probe(void)
{
	return (probe);
}

void
host_finding_sink(host_finding_fn *fn)
{
	sink = fn;
}

void
host_finding_test(const char *name)
{
	test_name = name;
}
