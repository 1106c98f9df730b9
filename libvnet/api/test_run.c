/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One test: a fresh kernel world, its vnets, its body, the checks after it.
 *
 * The body may end in three ways: it returns; it panics, which comes back
 * through panic_env; or an assertion of cmocka's fails, which leaves through
 * cmocka's own longjmp and reaches us again in the teardown.
 */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "coroutine.h"
#include "test.h"

static struct vnet *vnets[2];
static jmp_buf panic_env;
static char panic_text[600];
static bool body_done, panicked, body_passed, unmade;
static unsigned passed;

void	libvnet_test_enter(struct vnet *v);
void	libvnet_test_leave(void);
void	libvnet_skip(const char *reason);

static void
caught(const char *message)
{
	struct vnet *v = vnk_vnet_current();

	if (v != NULL && vnk_vnet_alive(v))
		snprintf(panic_text, sizeof(panic_text),
		    "panic: %s (in vnet %d)", message, vnk_vnet_number(v));
	else
		snprintf(panic_text, sizeof(panic_text), "panic: %s", message);
	panicked = true;
	longjmp(panic_env, expect_panic_came(message) ? 2 : 1);
}

/* Run `fn' and come back whatever it does: 0, 1 panic, 2 wanted panic. */
__attribute__((noinline)) static int
guarded(void (*fn)(const struct test *), const struct test *t)
{
	int how = setjmp(panic_env);

	if (how != 0)
		return (how);
	host_panic_catch(caught);
	host_stack_watch();
	/* Backtraces end where the test begins. */
	host_backtrace_end((uintptr_t)fn, (uintptr_t)guarded);
	fn(t);
	host_home_poll();
	host_panic_catch(NULL);
	return (0);
}

/* What guarded() runs stays a function: host_backtrace_end() knows it. */
#define GUARDED __attribute__((noinline)) static void

GUARDED
begin(const struct test *t)
{
	test_world_enter(vnk_vimage() ? (int)t->fixture : 0, vnets);
}

GUARDED
run(const struct test *t)
{
	if (t->fixture == TEST_ONE_VNET && vnets[0] != NULL)
		libvnet_test_enter(vnets[0]);
	t->fn(vnets[0], vnets[1]);
}

/* A finding of the runner's own, about the test as a whole. */
static inline __attribute__((always_inline)) void
found(const struct test *t, const char *kind, const char *text)
{
	vnh_finding(&(struct vnh_finding){
	    .kind = kind, .message = text, .object = t->name,
	    .file = t->file, .line = t->line,
	    .vnet = vnk_vnet_number(vnk_vnet_current()), .cpu = vnk_cpu() });
}

/* What a test must not leave behind. */
GUARDED
look(const struct test *t)
{
	struct vnet *expected = t->fixture == TEST_ONE_VNET ? vnets[0] : NULL;
	struct vnet *v = vnk_vnet_current();
	char text[160];

	if (v != expected) {
		snprintf(text, sizeof(text), "vnet %d is current at the end of "
		    "the test, not %d: is a CURVNET_RESTORE() missing?",
		    vnk_vnet_number(v), vnk_vnet_number(expected));
		found(t, "curvnet", text);
	}
	if (vnk_thread_locks() != 0) {
		snprintf(text, sizeof(text), "%d locks are held at the end of "
		    "the test", vnk_thread_locks());
		found(t, "lock", text);
		vnk_thread_locks_told();
	}
	if (vnk_thread_sections() != 0) {
		snprintf(text, sizeof(text), "%d critical or epoch sections "
		    "are open at the end of the test", vnk_thread_sections());
		found(t, "section", text);
	}
	/* Other threads may be at it. */
	if (vnh_threads() == 1)
		(void)vnk_heap_check();
}

GUARDED
unmake(const struct test *t)
{
	(void)t;
	vnk_vnet_switch(NULL);
	api_enter_reset();
	for (int i = 1; i >= 0; i--)
		if (vnets[i] != NULL && vnk_vnet_alive(vnets[i]))
			vnk_vnet_destroy(vnets[i]);
	vnets[0] = vnets[1] = NULL;
	test_world_leave();
}

static void
say_panic(void)
{
	char line[700];

	if (expect_panic_wanted()) {
		snprintf(line, sizeof(line), "another panic was expected; %s",
		    panic_text);
		cmocka_say(line);
	} else
		cmocka_say(panic_text);
	if (host_panic_last() != NULL)
		expect_say_trace(host_panic_last(), cmocka_say);
}

/* Where an assertion failed. */
static void
say_vnet(void)
{
	struct vnet *v = vnk_vnet_current();
	char line[64];

	if (v == NULL || !vnk_vnet_alive(v))
		return;
	/* cmocka ends its own text without a newline. */
	snprintf(line, sizeof(line), "\nin vnet %d", vnk_vnet_number(v));
	cmocka_say(line);
}

static int
set_up(const struct test *t)
{

	expect_reset();
	host_findings_reset();
	host_finding_test(t->name);
	host_finding_sink(expect_finding_came);
	body_done = panicked = body_passed = unmade = false;
	vnets[0] = vnets[1] = NULL;
	if (guarded(begin, t) != 0) {
		say_panic();
		test_world_clean(false);
		return (-1);
	}
	return (0);
}

static void
body(const struct test *t)
{
	int how;

	if (t->fixture == TEST_TWO_VNETS && !vnk_vimage())
		libvnet_skip("needs option VIMAGE");
	how = guarded(run, t);
	/* A test may shut the kernel world down: then nothing is left to see. */
	if (how == 0 && libvnet_booted()) {
		how = guarded(look, t);
		/* In an open section nothing could be taken down in order. */
		if (how == 0 && vnk_thread_sections() == 0) {
			how = guarded(unmake, t);
			unmade = true;
		}
	}
	body_done = true;
	if (how == 1) {
		say_panic();
		(void)expect_verdict(cmocka_say);
		cmocka_fail(t->file, t->line);
	}
	if (expect_verdict(cmocka_say) != 0)
		cmocka_fail(t->file, t->line);
	passed++;
	body_passed = true;
}

unsigned
test_run_passed(void)
{
	return (passed);
}

/* After a failed assertion the kernel world is as the test left it. */
static void
tear_down(const struct test *t)
{
	host_panic_catch(NULL);
	if (!body_done && libvnet_booted() && !panicked) {
		say_vnet();
		/* What a kernel thread or an interrupt did stays undone. */
		if (vnk_thread_main())
			(void)guarded(unmake, t);
	}
	test_world_clean(body_passed && !panicked && unmade);
	expect_tell();
	host_finding_test(NULL);
	host_finding_sink(NULL);
}

/*
 * What cmocka calls.  Its runner is foreign code to MSan, the test is not; a
 * failed assertion leaves the body without passing its end.
 */
static bool in_body;

int
test_setup(void **state)
{
	int r;

	host_foreign_exit();
	r = set_up(*state);
	host_foreign_enter();
	return (r);
}

void
test_body(void **state)
{
	host_foreign_exit();
	in_body = true;
	body(*state);
	in_body = false;
	host_foreign_enter();
}

int
test_teardown(void **state)
{
	if (!in_body)
		host_foreign_exit();
	in_body = false;
	tear_down(*state);
	host_foreign_enter();
	return (0);
}

void
libvnet_test_enter(struct vnet *v)
{
	if (!vnk_vimage())
		return;
	if (libvnet_enter(v) != 0) {
		cmocka_say(libvnet_error());
		cmocka_fail(__FILE__, __LINE__);
	}
}

void
libvnet_test_leave(void)
{
	if (!vnk_vimage())
		return;
	if (libvnet_leave() != 0) {
		cmocka_say(libvnet_error());
		cmocka_fail(__FILE__, __LINE__);
	}
}

void
libvnet_skip(const char *reason)
{
	/* cmocka 1.1.5 prints no reason; standard output may be XML. */
	fprintf(stderr, "# skipped: %s\n", reason);
	cmocka_skip(__FILE__, __LINE__);
}
