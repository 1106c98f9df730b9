/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmocka runs the tests and prints the results; this is the one file of the
 * runner that sees its header.
 *
 * cmocka 1.1.5 drops the text of fail_msg() in TAP and XML: what is to be
 * kept goes through cm_print_error(), which the library exports though its
 * header does not name it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "coroutine.h"
#include "finding.h"
#include "test.h"

void	libvnet_test_fail(const char *file, int line, const char *format, ...)
	    __attribute__((format(printf, 3, 4)));
void	cm_print_error(const char *format, ...)
	    __attribute__((format(printf, 1, 2)));

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)

/*
 * cmocka measures with strlen() what its own, not instrumented, code wrote.
 * Its calls come here first, and go on with MSan looking away.
 */
void
cm_print_error(const char *format, ...)
{
	static void (*real)(const char *, ...);
	static char text[4096];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "cm_print_error");
	host_foreign_enter();
	real("%s", text);
	host_foreign_exit();
}
#endif
#endif

/*
 * How cmocka leaves a test: by longjmp to its own frame on the test's stack.
 * In a kernel thread the failure comes here first and goes to that stack.
 */
struct leave {
	void	(*real)(const char *, int);
	const char *file;
	int	 line;
};

static void
leave(void *arg)
{
	const struct leave *l = arg;

	l->real(l->file, l->line);
}

static void
leave_from_home(const char *symbol, const char *file, int line)
{
	struct leave l = { .file = file, .line = line };

	if (host_probe() != NULL)
		host_probe()->assertion(file, line);
	*(void **)&l.real = dlsym(RTLD_NEXT, symbol);
	/* From code that is not instrumented. */
	host_initialised(&l, sizeof(l));
	if (host_home_foreign() || l.real == NULL)
		abort();
	host_home_call(leave, &l);
}

void
_fail(const char *const file, const int line)
{
	leave_from_home("_fail", file, line);
	abort();
}

void
_skip(const char *const file, const int line)
{
	leave_from_home("_skip", file, line);
	abort();
}

/* XML keeps the text in CDATA, which "]]>" would end. */
void
cmocka_say(const char *line)
{
	const char *end;

	while ((end = strstr(line, "]]>")) != NULL) {
		cm_print_error("%.*s]] >", (int)(end - line), line);
		line = end + 3;
	}
	cm_print_error("%s\n", line);
}

void
libvnet_test_fail(const char *file, int line, const char *format, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	cmocka_say(text);
	cmocka_fail(file, line);
}

void
cmocka_fail(const char *file, int line)
{
	_fail(file, line);
	abort();
}

void
cmocka_skip(const char *file, int line)
{
	_skip(file, line);
	abort();
}

/* cmocka writes XML to a new file only; standard output gets a copy of it. */
static void
xml_copy(const char *path)
{
	char buf[4096];
	FILE *f = fopen(path, "r");
	size_t n;

	if (f == NULL) {
		fprintf(stderr, "libvnet: no JUnit report was written to %s\n",
		    path);
		return;
	}
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		fwrite(buf, 1, n, stdout);
	fclose(f);
}

/* cmocka wants a file that is not there; what is no plain file stays. */
static bool
file_make_room(const char *file)
{
	struct stat st;

	if (lstat(file, &st) != 0)
		return (true);
	if (!S_ISREG(st.st_mode)) {
		fprintf(stderr, "libvnet: --output=%s: not a plain file; "
		    "without --output the report goes to standard output\n",
		    file);
		return (false);
	}
	return (unlink(file) == 0);
}

static int
run_junit(const struct CMUnitTest *list, size_t n, const char *output)
{
	char dir[] = "/tmp/libvnet.XXXXXX", path[64];
	const char *file = output;
	int failed;

	if (file == NULL) {
		if (mkdtemp(dir) == NULL) {
			perror("libvnet: mkdtemp");
			return (1);
		}
		snprintf(path, sizeof(path), "%s/report.xml", dir);
		file = path;
	} else if (!file_make_room(file))
		return (1);
	setenv("CMOCKA_XML_FILE", file, 1);
	cmocka_set_message_output(CM_OUTPUT_XML);
	failed = _cmocka_run_group_tests("libvnet", list, n, NULL, NULL);
	if (access(file, R_OK) != 0) {
		perror(file);
		failed++;
	}
	if (output == NULL) {
		xml_copy(file);
		(void)unlink(file);
		(void)rmdir(dir);
	}
	return (failed);
}

int
cmocka_group(const struct test *const *tests, size_t n,
    const struct test_args *args)
{
	struct CMUnitTest *list = calloc(n, sizeof(*list));
	int failed;

	if (list == NULL)
		abort();
	for (size_t i = 0; i < n; i++)
		list[i] = (struct CMUnitTest){
			.name = tests[i]->name,
			.test_func = test_body,
			.setup_func = test_setup,
			.teardown_func = test_teardown,
			.initial_state = (void *)(uintptr_t)tests[i]
		};
	host_foreign_enter();
	if (args->format == TEST_JUNIT)
		failed = run_junit(list, n, args->output);
	else {
		cmocka_set_message_output(args->format == TEST_TAP ?
		    CM_OUTPUT_TAP : CM_OUTPUT_STDOUT);
		failed = _cmocka_run_group_tests("libvnet", list, n, NULL,
		    NULL);
	}
	host_foreign_exit();
	free(list);
	return (failed);
}
