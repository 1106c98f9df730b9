/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main() of a fuzz target that is built without a fuzzing engine: runs the
 * inputs that are named, files or folders of files, each once, in the order
 * of their names.  libvnet::replay.
 *
 * Exit status: 0 all ran (a failing input ends the program by a signal),
 * 1 an input cannot be read, 2 wrong usage, 77 there was none.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INPUT_MAX (1 << 20)	/* octets of one input, as AFL++ has it */

int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int	LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

static unsigned long ran;
static bool failed;

static void
complain(const char *path, const char *what)
{
	fprintf(stderr, "%s: %s\n", path, what);
	failed = true;
}

static void
run_file(const char *path)
{
	uint8_t *buf, *input;
	FILE *f = fopen(path, "rb");
	size_t n;

	if (f == NULL) {
		complain(path, strerror(errno));
		return;
	}
	buf = malloc(INPUT_MAX + 1);
	if (buf == NULL)
		abort();
	n = fread(buf, 1, INPUT_MAX + 1, f);
	if (ferror(f))
		complain(path, strerror(errno));
	else if (n > INPUT_MAX)
		complain(path, "is longer than 1 MiB");
	else {
		/* Exactly n octets, so that reading past them is noticed. */
		input = malloc(n != 0 ? n : 1);
		if (input == NULL)
			abort();
		memcpy(input, buf, n);
		(void)LLVMFuzzerTestOneInput(input, n);
		free(input);
		ran++;
	}
	free(buf);
	fclose(f);
}

static int
visible(const struct dirent *d)
{
	return (d->d_name[0] != '.');
}

static void
run_path(const char *path, int depth)
{
	struct dirent **list;
	struct stat st;
	char *name;
	int n;

	if (stat(path, &st) != 0) {
		complain(path, strerror(errno));
		return;
	}
	if (!S_ISDIR(st.st_mode)) {
		run_file(path);
		return;
	}
	n = depth < 8 ? scandir(path, &list, visible, alphasort) : 0;
	if (n < 0) {
		complain(path, strerror(errno));
		return;
	}
	for (int i = 0; i < n; i++) {
		if (asprintf(&name, "%s/%s", path, list[i]->d_name) < 0)
			abort();
		run_path(name, depth + 1);
		free(name);
		free(list[i]);
	}
	if (depth < 8)
		free(list);
}

int
main(int argc, char **argv)
{
	if (argc < 2 || argv[1][0] == '-') {
		fprintf(stderr, "usage: %s FILE-OR-FOLDER ...\n"
		    "Runs each input once.  Exit status: 0 all ran, 1 one "
		    "cannot be read,\n2 wrong usage, 77 there was none.\n",
		    argv[0]);
		return (2);
	}
	if (LLVMFuzzerInitialize != NULL)
		(void)LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++)
		run_path(argv[i], 0);
	printf("%s: %lu inputs\n", argv[0], ran);
	if (failed)
		return (1);
	return (ran != 0 ? 0 : 77);
}
