/* SPDX-License-Identifier: BSD-2-Clause */
/* The test runner: what its parts share. */
#ifndef LIBVNET_API_TEST_H
#define LIBVNET_API_TEST_H

#include "api.h"
#include "finding.h"

/* The same layout as in <libvnet/test.h>, which host world cannot include. */
enum test_fixture { TEST_NO_VNET, TEST_ONE_VNET, TEST_TWO_VNETS };
struct test {
	const char *name;
	const char *file;
	int line;
	enum test_fixture fixture;
	void (*fn)(struct vnet *, struct vnet *);
};

enum test_format { TEST_TAP, TEST_JUNIT, TEST_PLAIN };
struct test_args {
	enum test_format format;
	const char *filter;
	const char *output;		/* file for JUnit, NULL: stdout */
	uint64_t seed;
	enum libvnet_threads threads;
	int cpus;
	unsigned repeat;		/* each so many times in a row */
	bool list, verbose;
	bool no_restore;		/* all tests in one world */
};

/* test_args.c: 0 go on, else the exit status + 1 */
int	test_args_parse(int argc, char **argv, struct test_args *args);

/* test_kenv.c: NULL or what is wrong; all of it, NULL where there is none */
const char *test_kenv_add(const char *text);
const char *test_kenv(void);

/* test_run.c: runs one; cmocka's test, setup and teardown functions */
void	test_body(void **state);
int	test_setup(void **state);
int	test_teardown(void **state);
unsigned test_run_passed(void);		/* how many passed so far */

/* test_world.c: the kernel world of a test */
void	test_world_configure(const struct test_args *args);
/* As after boot, with `n' vnets; what fails ends the test. */
void	test_world_enter(int n, struct vnet **vnets);
/* The test is over, its vnets are gone: is anything else left? */
void	test_world_leave(void);
/* After each test, whatever became of it. */
void	test_world_clean(bool passed);
/* Forget the kernel world, and all that was saved of it. */
void	test_world_drop(void);
/* After the last test.  False: the world was not left clean. */
bool	test_world_end(void);

/* test_expect.c */
void	expect_reset(void);
bool	expect_panic_wanted(void);
/* True when the panic was wanted. */
bool	expect_panic_came(const char *message);
enum host_fate expect_finding_came(struct host_finding *);
/* Everything that was not as expected, as lines; returns how many. */
int	expect_verdict(void (*say)(const char *line));
/* The lines of the report after the first: facts and backtrace. */
void	expect_say_trace(struct host_finding *, void (*say)(const char *line));
/* Settles the fate of the test's findings and of its panic, and tells them. */
void	expect_tell(void);

/* test_summary.c: at the end of a run, on stderr */
void	test_summary(void);

/* test_cmocka.c: the only file that includes cmocka.h */
int	cmocka_group(const struct test *const *tests, size_t n,
	    const struct test_args *args);
/* Text for the failing test's report; kept by every output format. */
void	cmocka_say(const char *line);
__attribute__((noreturn)) void cmocka_fail(const char *file, int line);
__attribute__((noreturn)) void cmocka_skip(const char *file, int line);

#endif /* LIBVNET_API_TEST_H */
