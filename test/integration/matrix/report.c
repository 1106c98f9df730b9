/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Boots the matrix program and says what became of it: the size of each
 * linker set, how many SYSINITs ran, each V_ variable.  The text must be the
 * same whatever compiler, linker and flags made the program.
 *
 *	report			the report; exit 1 if a variable is not guarded
 *	report over|under	write a byte past, before each variable in turn
 *				(a child each): AddressSanitizer must stop it
 *
 * Exit 3: it would not boot; why is on standard error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libvnet/libvnet.h>
#include "seam.h"

/* Kernel world, one.c. */
int	matrix_check(struct vnet *v);
int	matrix_sysinits(void);
void	matrix_write(char *p);

static int wrong;

static void
set_line(const struct vnh_set *s)
{
	/* How set_vnet is padded is the compiler's business. */
	if (strcmp(s->name, "set_vnet") != 0)
		printf("set %s %zu\n", s->name, s->bytes);
}

/* At least a byte of gap on both sides of each variable. */
static void
guard_line(const struct vnh_var *v, size_t before, size_t total)
{
	size_t end = v->offset + v->size;
	size_t next = v[1].name != NULL ? v[1].offset : total;

	printf("variable %s %zu\n", v->name, v->size);
	if (v->offset > before && next > end)
		return;
	printf("NO GUARD at %s: %zu..%zu %zu..%zu\n", v->name, before,
	    v->offset, end, next);
	wrong = 1;
}

static void
report(struct vnet *a, struct vnet *b)
{
	const struct vnh_manifest *m = &vnh_manifest;
	size_t before = 0;

	for (const struct vnh_set *s = m->sets; s->name != NULL; s++)
		set_line(s);
	for (const struct vnh_var *v = m->vars; v->name != NULL; v++) {
		guard_line(v, before, (size_t)(m->vnet_end - m->vnet));
		before = v->offset + v->size;
	}
	printf("sysinits %d\n", matrix_sysinits());
	printf("wrong %d %d\n", matrix_check(a), matrix_check(b));
	fputs(libvnet_log(), stdout);
}

/* 0 when the write was stopped. */
static int
write_in_child(char *p)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		matrix_write(p);
		_exit(0);
	}
	return (pid < 0 || waitpid(pid, &status, 0) < 0 || status == 0);
}

static void
overrun(struct vnet *v, int past)
{
	const struct vnh_var *var;
	char *p;

	for (var = vnh_manifest.vars; var->name != NULL; var++) {
		p = vnk_vnet_variable(v, var->offset);
		if (write_in_child(past ? p + var->size : p - 1) == 0)
			continue;
		printf("NOT STOPPED: a byte %s %s\n",
		    past ? "past" : "before", var->name);
		wrong = 1;
	}
}

int
main(int argc, char **argv)
{
	struct vnet *a, *b;

	if (libvnet_boot(NULL) != 0 || libvnet_create(&a) != 0 ||
	    libvnet_create(&b) != 0) {
		fprintf(stderr, "%s\n", libvnet_error());
		return (3);
	}
	if (argc == 1)
		report(a, b);
	else
		overrun(a, strcmp(argv[1], "over") == 0);
	return (wrong);
}
