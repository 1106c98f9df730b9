/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Faults that are known: leaks, and what UBSan and MSan report.  A tree has
 * some of its own, whatever is tested on it; a list names them, so that a new
 * one is seen among them.
 *
 *	VERSIONS KIND NAME FUNCTION MOST WHY
 *
 * VERSIONS is a __FreeBSD_version, LOW-HIGH or *.  # begins a comment.
 *	KIND malloc, zone	NAME is the type's or zone's, in quotes where it
 *				has blanks; FUNCTION who allocated it; MOST how
 *				many a vnet may leave, or *
 *	KIND undefined		NAME is what UBSan calls it, see
 *				sanitizer_report.c; FUNCTION where it is, or
 *				the name of its file; MOST *
 *	KIND uninitialised	NAME is "value", the rest the same
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finding.h"

#define SITES 4			/* remembered for each line */

enum kind { MALLOC, ZONE, UNDEFINED, UNINITIALISED, KINDS };
static const char *const kind_names[KINDS] = { "malloc", "zone", "undefined",
	"uninitialised" };

struct host_known {
	struct host_known *next;
	long	 low, high;		/* of __FreeBSD_version */
	enum kind kind;
	char	*name, *function;
	unsigned long most;		/* of a vnet, 0: any number */
	unsigned long used;		/* of the vnet now */
	unsigned long covered;		/* of all of them */
	uintptr_t site[SITES];		/* known to be in `function' */
};

static struct host_known *list, **tail = &list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- reading a list */

/* Ends the word at *p, behind which *p is then; NULL: there is none. */
static char *
word(char **p)
{
	char *w = *p + strspn(*p, " \t"), end = '\0';

	if (*w == '"')
		end = *w++;
	*p = w + (end != '\0' ? strcspn(w, "\"") : strcspn(w, " \t"));
	if (end != '\0' && **p == '\0')
		return (NULL);
	if (**p != '\0')
		*(*p)++ = '\0';
	return (*w != '\0' ? w : NULL);
}

static bool
number(const char *text, long *n, char **end)
{
	errno = 0;
	*n = strtol(text, end, 10);
	return (errno == 0 && *end != text && *n > 0);
}

static bool
versions(struct host_known *k, const char *text)
{
	char *end;

	k->low = 0;
	k->high = __LONG_MAX__;
	if (strcmp(text, "*") == 0)
		return (true);
	if (!number(text, &k->low, &end))
		return (false);
	k->high = k->low;
	if (*end == '-' && !number(end + 1, &k->high, &end))
		return (false);
	return (*end == '\0' && k->low <= k->high);
}

static bool
most(struct host_known *k, const char *text)
{
	char *end;
	long n;

	if (strcmp(text, "*") == 0)
		return (true);
	if (!number(text, &n, &end) || *end != '\0')
		return (false);
	k->most = (unsigned long)n;
	return (true);
}

static bool
kind(struct host_known *k, const char *text)
{
	for (k->kind = 0; k->kind < KINDS; k->kind++)
		if (strcmp(text, kind_names[k->kind]) == 0)
			return (true);
	return (false);
}

/* NULL or what is wrong. */
static const char *
parse(struct host_known *k, char *p)
{
	char *w[5];

	for (int i = 0; i < 5; i++)
		if ((w[i] = word(&p)) == NULL)
			return ("a line is VERSIONS KIND NAME FUNCTION MOST "
			    "WHY");
	if (!versions(k, w[0]))
		return ("VERSIONS is a __FreeBSD_version, LOW-HIGH or *");
	if (!kind(k, w[1]))
		return ("KIND is malloc, zone, undefined or uninitialised");
	if (!most(k, w[4]) || (k->kind >= UNDEFINED && k->most != 0))
		return ("MOST is how many a vnet leaves, or *; of a "
		    "sanitizer's report it is *");
	if (p[strspn(p, " \t")] == '\0')
		return ("the reason is missing: say in a few words WHY");
	k->name = strdup(w[2]);
	k->function = strdup(w[3]);
	if (k->name == NULL || k->function == NULL)
		abort();
	return (NULL);
}

static const char *
add(char *line)
{
	struct host_known *k;
	const char *wrong;

	line += strspn(line, " \t");
	if (*line == '\0' || *line == '#')
		return (NULL);
	k = calloc(1, sizeof(*k));
	if (k == NULL)
		abort();
	wrong = parse(k, line);
	if (wrong != NULL) {
		free(k);
		return (wrong);
	}
	*tail = k;
	tail = &k->next;
	return (NULL);
}

static const char *
read_all(FILE *f, const char *file)
{
	static char said[500];
	const char *wrong = NULL;
	size_t size = 0;
	char *line = NULL;
	ssize_t n;

	for (int i = 1; wrong == NULL && (n = getline(&line, &size, f)) > 0;
	    i++) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		wrong = add(line);
		if (wrong != NULL)
			snprintf(said, sizeof(said), "%s:%d: %s", file, i,
			    wrong);
	}
	free(line);
	fclose(f);
	return (wrong != NULL ? said : NULL);
}

const char *
host_known_read(const char *file)
{
	static char said[300];
	FILE *f = fopen(file, "r");

	if (f != NULL)
		return (read_all(f, file));
	snprintf(said, sizeof(said), "%s: %s", file, strerror(errno));
	return (said);
}

/* What the program was linked with.  Lines are told as the list has them. */
const char *
host_known_linked(void)
{
	const char *text = vnh_manifest.known;
	FILE *f;

	if (text == NULL || *text == '\0')
		return (NULL);
	f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	if (f == NULL)
		abort();
	return (read_all(f, "known-faults"));
}

/* ---- asking it */

struct search {
	const char *function;
	bool	 found;
};

static void
compare(const struct host_frame *f, void *arg)
{
	struct search *s = arg;
	size_t n = strlen(s->function);
	const char *file = f->file != NULL ? strrchr(f->file, '/') : NULL;

	if (file != NULL && strcmp(file + 1, s->function) == 0)
		s->found = true;
	if (f->function != NULL && strncmp(f->function, s->function, n) == 0 &&
	    strchr("+.", f->function[n]) != NULL)
		s->found = true;
}

/* The place is in a function, or in one that was inlined there. */
static bool
made_by(struct host_known *k, uintptr_t pc)
{
	struct search s = { k->function, false };
	int i;

	for (i = 0; i < SITES && k->site[i] != 0; i++)
		if (k->site[i] == pc)
			return (true);
	host_symbolise(pc, compare, &s);
	if (s.found && i < SITES)
		k->site[i] = pc;
	return (s.found);
}

void
vnh_leaks_begin(void)
{
	pthread_mutex_lock(&lock);
	for (struct host_known *k = list; k != NULL; k = k->next)
		k->used = 0;
	pthread_mutex_unlock(&lock);
}

/* For who has the lock.  The line for such leaks: with room for these, or any. */
static struct host_known *
line_for(const struct vnh_leak *l, bool room)
{
	struct host_known *k;

	for (k = list; k != NULL; k = k->next)
		if (l->version >= k->low && l->version <= k->high &&
		    k->kind == (l->type != 0 ? MALLOC : ZONE) &&
		    strcmp(l->name, k->name) == 0 &&
		    (!room || k->most == 0 || k->used + l->count <= k->most) &&
		    made_by(k, l->pc))
			break;
	return (k);
}

int
vnh_leak_known(const struct vnh_leak *l)
{
	struct host_known *k;

	pthread_mutex_lock(&lock);
	k = line_for(l, true);
	if (k != NULL) {
		k->used += l->count;
		k->covered += l->count;
	}
	pthread_mutex_unlock(&lock);
	return (k != NULL);
}

vnh_u64
vnh_leak_most(const struct vnh_leak *l)
{
	struct host_known *k;
	vnh_u64 most;

	pthread_mutex_lock(&lock);
	k = line_for(l, false);
	most = k != NULL ? k->most : 0;
	pthread_mutex_unlock(&lock);
	return (most);
}

struct host_known *
host_known_report(const char *kind, const char *name, uintptr_t pc)
{
	struct host_known *k;
	int version = vnk_version();

	pthread_mutex_lock(&lock);
	for (k = list; k != NULL; k = k->next)
		if (strcmp(kind_names[k->kind], kind) == 0 &&
		    version >= k->low && version <= k->high &&
		    strcmp(k->name, name) == 0 && made_by(k, pc))
			break;
	pthread_mutex_unlock(&lock);
	return (k);
}

void
host_known_covers(struct host_known *k)
{
	pthread_mutex_lock(&lock);
	k->covered++;
	pthread_mutex_unlock(&lock);
}

unsigned long
host_known_count(bool reports, unsigned long *lines)
{
	unsigned long items = 0;

	*lines = 0;
	for (struct host_known *k = list; k != NULL; k = k->next) {
		if ((k->kind >= UNDEFINED) != reports)
			continue;
		items += k->covered;
		*lines += k->covered != 0;
	}
	return (items);
}
