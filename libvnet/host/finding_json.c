/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings for programs: one JSON object a line. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "finding.h"

static int out = -1;

const char *
host_json_open(const char *file, bool append)
{
	static char wrong[400];
	int fd = STDERR_FILENO;

	if (file != NULL) {
		fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND |
		    (append ? 0 : O_TRUNC), 0666);
		if (fd < 0) {
			snprintf(wrong, sizeof(wrong), "%s: %s", file,
			    strerror(errno));
			return (wrong);
		}
	}
	if (out > STDERR_FILENO)
		close(out);
	out = fd;
	return (NULL);
}

/* Bytes in the UTF-8 character at `s', 0 where there is none. */
static size_t
utf8(const unsigned char *s)
{
	static const struct { unsigned char first, last, lo, hi, n; } t[] = {
		{ 0x01, 0x7f, 0, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 }
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		if (s[0] < t[i].first || s[0] > t[i].last)
			continue;
		if (t[i].n > 1 && (s[1] < t[i].lo || s[1] > t[i].hi))
			return (0);
		for (size_t j = 2; j < t[i].n; j++)
			if ((s[j] & 0xc0) != 0x80)
				return (0);
		return (t[i].n);
	}
	return (0);
}

void
host_json_string(FILE *f, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n;

	if (s == NULL) {
		fputs("null", f);
		return;
	}
	fputc('"', f);
	for (; *s != '\0'; s += n) {
		n = utf8(s);
		if (n == 0) {
			fputs("\\ufffd", f);
			n = 1;
		} else if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(f, "\\u%04x", *s);
		else
			fwrite(s, 1, n, f);
	}
	fputc('"', f);
}

/* file:line; where the finding has none, its site's or its first frame's. */
struct where {
	const char *file;
	int	 line;
	char	 copy[512];
};

static void
where_frame(uintptr_t pc, const struct host_frame *frame, void *arg)
{
	struct where *w = arg;

	(void)pc;
	if (w->file != NULL || frame->file == NULL)
		return;
	snprintf(w->copy, sizeof(w->copy), "%s", frame->file);
	w->file = w->copy;
	w->line = frame->line;
}

static void
where_site(const struct host_frame *frame, void *arg)
{
	where_frame(0, frame, arg);
}

static void
find_where(const struct host_finding *h, struct where *w)
{
	*w = (struct where){ .file = h->file, .line = h->line };
	if (w->file == NULL && h->pc != 0)
		host_symbolise(h->pc, where_site, w);
	if (w->file == NULL)
		host_finding_trace(h, where_frame, w);
}

struct frames {
	FILE	*f;
	int	 n;
};

static void
write_frame(uintptr_t pc, const struct host_frame *frame, void *arg)
{
	struct frames *to = arg;

	fprintf(to->f, "%s{\"function\":", to->n++ > 0 ? "," : "");
	host_json_string(to->f, frame->function);
	fputs(",\"file\":", to->f);
	host_json_string(to->f, frame->file);
	if (frame->file != NULL)
		fprintf(to->f, ",\"line\":%d", frame->line);
	else
		fputs(",\"line\":null", to->f);
	fprintf(to->f, ",\"pc\":\"%#lx\"}", (unsigned long)pc);
}

static void
write_number(FILE *f, const char *name, long n, bool known)
{
	fprintf(f, ",\"%s\":", name);
	if (known)
		fprintf(f, "%ld", n);
	else
		fputs("null", f);
}

static void
write_text(FILE *f, const char *name, const char *text)
{
	fprintf(f, ",\"%s\":", name);
	host_json_string(f, text);
}

static void
write_site(FILE *f, const char *name, uintptr_t pc)
{
	write_text(f, name, pc != 0 ? host_symbol(pc) : NULL);
}

static void
write_finding(FILE *f, const struct host_finding *h, const char *test)
{
	struct frames frames = { f, 0 };
	struct where w;

	find_where(h, &w);
	fputs("{\"kind\":", f);
	host_json_string(f, h->kind);
	write_text(f, "message", h->message);
	write_number(f, "vnet", h->vnet, h->vnet >= 0);
	write_text(f, "object", h->object);
	write_text(f, "file", w.file);
	write_number(f, "line", w.line, w.file != NULL);
	write_number(f, "cpu", h->cpu, h->cpu >= 0);
	fprintf(f, ",\"seed\":%llu", (unsigned long long)h->seed);
	write_text(f, "test", test);
	fprintf(f, ",\"expected\":%s,\"collected\":%s",
	    h->fate == HOST_EXPECTED ? "true" : "false",
	    h->fate == HOST_COLLECTED ? "true" : "false");
	write_site(f, "caller", host_finding_called(h) ? h->pc : 0);
	write_site(f, "allocated", host_finding_called(h) ? 0 : h->pc);
	write_site(f, "freed", h->freed);
	fputs(",\"backtrace\":[", f);
	host_finding_trace(h, write_frame, &frames);
	fputs("]}\n", f);
}

/* In one write(2): several programs may append to one file. */
void
host_json_write(const struct host_finding *h, const char *test)
{
	char *line = NULL;
	size_t size = 0, done = 0;
	ssize_t n;
	FILE *f;

	if (out < 0)
		return;
	f = open_memstream(&line, &size);
	if (f == NULL)
		abort();
	write_finding(f, h, test);
	if (fclose(f) != 0)
		abort();
	while (done < size) {
		n = write(out, line + done, size - done);
		if (n < 0 && errno != EINTR) {
			perror("libvnet: cannot write findings as JSON");
			break;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	free(line);
}
