/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the commands of ddb(4), FreeBSD's ddb/db_command.c, db_lex.c and
 * db_output.c.
 * Fidelity: modelled
 * Differs: a test runs a command by its words; there is no prompt, pager,
 * radix or expression: an address is a number.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/ctype.h>
#include <sys/kdb.h>
#include <sys/queue.h>
#include <machine/stdarg.h>
#include <ddb/ddb.h>

#include <lvk.h>
#include <seam_user.h>

struct command_table db_cmd_table = LIST_HEAD_INITIALIZER(db_cmd_table);
struct command_table db_show_table = LIST_HEAD_INITIALIZER(db_show_table);
struct command_table db_show_all_table =
    LIST_HEAD_INITIALIZER(db_show_all_table);

int db_indent;
volatile int db_pager_quit;

static char line[256];
static char *rest = line;	/* of it, not yet read */

/* ---- tables, in the order of names */

void
db_command_register(struct command_table *list, struct command *cmd)
{
	struct command *c, *last = NULL;

	LIST_FOREACH(c, list, next) {
		if (strcmp(cmd->name, c->name) < 0) {
			LIST_INSERT_BEFORE(c, cmd, next);
			return;
		}
		last = c;
	}
	if (last == NULL)
		LIST_INSERT_HEAD(list, cmd, next);
	else
		LIST_INSERT_AFTER(last, cmd, next);
}

void
db_command_unregister(struct command_table *list, struct command *cmd)
{
	struct command *c;

	LIST_FOREACH(c, list, next)
		if (c == cmd) {
			LIST_REMOVE(cmd, next);
			return;
		}
}

/* ---- output */

int
db_printf(const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vprintf(fmt, ap);
	va_end(ap);
	return (n);
}

void
db_iprintf(const char *fmt, ...)
{
	va_list ap;

	printf("%*s", db_indent, "");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
}

void
db_error(const char *s)
{
	if (s != NULL)
		printf("%s", s);
}

/* ---- input */

char *
db_get_line(void)
{
	return (rest);
}

void
db_skip_to_eol(void)
{
	rest += strlen(rest);
}

static size_t
word(char *buf, size_t len)
{
	size_t n = 0;

	while (isspace(*rest))
		rest++;
	while (*rest != '\0' && *rest != '/' && !isspace(*rest)) {
		if (n + 1 < len)
			buf[n++] = *rest;
		rest++;
	}
	buf[n] = '\0';
	return (n);
}

/* By its name, or the only one that begins so. */
static struct command *
find(struct command_table *list, const char *name)
{
	struct command *c, *found = NULL;

	LIST_FOREACH(c, list, next) {
		if (strcmp(c->name, name) == 0)
			return (c);
		if (strncmp(c->name, name, strlen(name)) != 0)
			continue;
		if (found != NULL)
			return (NULL);
		found = c;
	}
	return (found);
}

static struct command *
command_find(void)
{
	struct command_table *list = &db_cmd_table;
	struct command *c;
	char name[64];

	if (word(name, sizeof(name)) == 0)
		return (NULL);
	if (strcmp(name, "show") == 0) {
		list = &db_show_table;
		if (word(name, sizeof(name)) == 0)
			return (NULL);
		if (strcmp(name, "all") == 0) {
			list = &db_show_all_table;
			if (word(name, sizeof(name)) == 0)
				return (NULL);
		}
	}
	c = find(list, name);
	while (c != NULL && c->fcn == NULL && c->more != NULL)
		c = word(name, sizeof(name)) == 0 ? NULL : find(c->more, name);
	return (c);
}

static void
run(struct command *c)
{
	char modif[16] = "", number[32];
	char *end;
	long addr = 0;
	bool have = false;

	if ((c->flag & CS_OWN) == 0) {
		if (*rest == '/') {
			rest++;
			word(modif, sizeof(modif));
		}
		if (word(number, sizeof(number)) != 0) {
			addr = strtol(number, &end, 0);
			have = *end == '\0';
		}
	}
	(*c->fcn)((db_expr_t)addr, have, -1, modif);
}

/* Its words as at the prompt; ENOENT where there is no such command. */
int
vnk_ddb(const char *words)
{
	struct command *c;
	u_char active = kdb_active;

	strlcpy(line, words, sizeof(line));
	rest = line;
	c = command_find();
	if (c == NULL || c->fcn == NULL)
		return (ENOENT);
	db_pager_quit = 0;
	kdb_active = 1;
	run(c);
	kdb_active = active;
	return (0);
}
