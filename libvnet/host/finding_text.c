/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings for people. */
#include <stdlib.h>
#include <string.h>

#include "finding.h"

/* The machinery of reporting, on top of each trace. */
static bool
ours(const char *function)
{
	static const char *const prefixes[] = {
		"host_finding_", "host_sanitizer_", "__wrap___ubsan_",
		"__wrap___msan_", "host_panic_note", "vnh_finding",
		"vnh_panic", "lvk_finding", "vnet_context_fault",
		"vnet_checked_base", "lvk_stub_", "libvnet_stub_"
	};

	if (function == NULL)
		return (false);
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strncmp(function, prefixes[i], strlen(prefixes[i])) == 0)
			return (true);
	return (strcmp(function, "panic") == 0);
}

struct walk {
	host_trace_fn *fn;
	void	*arg;
	uintptr_t pc;
	bool	 top, over;
};

static void
visit(const struct host_frame *f, void *arg)
{
	struct walk *w = arg;

	if (w->over || (w->top && ours(f->function)))
		return;
	w->top = false;
	w->fn(w->pc, f, w->arg);
	/* What called main() is the same every time. */
	w->over = f->function != NULL && strcmp(f->function, "main") == 0;
}

void
host_finding_trace(const struct host_finding *h, host_trace_fn *fn, void *arg)
{
	struct walk w = { fn, arg, 0, true, false };

	for (int i = 0; i < h->depth && !w.over; i++) {
		w.pc = h->trace[i];
		host_symbolise(w.pc, visit, &w);
	}
}

static void
place(FILE *f, const struct host_finding *h)
{
	if (h->file != NULL)
		fprintf(f, ", at %s:%d", h->file, h->line);
	if (h->pc != 0)
		fprintf(f, ", %s by %s", host_finding_called(h) ? "called" :
		    "allocated", host_symbol(h->pc));
	if (h->freed != 0)
		fprintf(f, ", freed by %s", host_symbol(h->freed));
}

/* A stream into memory, and the text in it. */
static FILE *
text_open(char **text, size_t *size)
{
	FILE *f = open_memstream(text, size);

	if (f == NULL)
		abort();
	return (f);
}

static const char *
text_close(FILE *f, char *const *text)
{
	if (fclose(f) != 0)
		abort();
	return (*text);
}

const char *
host_finding_text(struct host_finding *h)
{
	size_t size;
	FILE *f;

	if (h->text != NULL)
		return (h->text);
	f = text_open(&h->text, &size);
	fputs(h->message, f);
	place(f, h);
	return (text_close(f, &h->text));
}

struct lines {
	FILE	*f;
	int	 n;
};

static void
print_frame(uintptr_t pc, const struct host_frame *frame, void *arg)
{
	struct lines *l = arg;

	fprintf(l->f, "    #%-2d ", l->n++);
	if (frame->function != NULL)
		fputs(frame->function, l->f);
	else
		fprintf(l->f, "%#lx", (unsigned long)pc);
	if (frame->file != NULL)
		fprintf(l->f, " at %s:%d", frame->file, frame->line);
	fputc('\n', l->f);
}

const char *
host_finding_report(struct host_finding *h)
{
	struct lines l = { NULL, 0 };
	size_t size;

	if (h->report != NULL)
		return (h->report);
	(void)host_finding_text(h);
	l.f = text_open(&h->report, &size);
	fprintf(l.f, "%s: %s\n    ", h->kind, h->text);
	if (h->vnet >= 0)
		fprintf(l.f, "vnet %d, ", h->vnet);
	if (h->object != NULL)
		fprintf(l.f, "object \"%s\", ", h->object);
	if (h->cpu >= 0)
		fprintf(l.f, "CPU %d, ", h->cpu);
	fprintf(l.f, "seed %llu\n", (unsigned long long)h->seed);
	host_finding_trace(h, print_frame, &l);
	return (text_close(l.f, &h->report));
}
