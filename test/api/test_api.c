/* SPDX-License-Identifier: BSD-2-Clause */
/* Every call of the public API, rightly and wrongly used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <libvnet/libvnet.h>

#include "test_api.h"

static void
before_boot_every_call_says_boot_first(void **state)
{
	struct vnet *v = (struct vnet *)(uintptr_t)64;
	size_t size = 0;
	uint64_t u;
	int64_t n;
	void *p;

	(void)state;
#define BOOT_FIRST(call) assert_fails(call, LIBVNET_ENOTBOOTED, "boot")
	BOOT_FIRST(libvnet_shutdown());
	BOOT_FIRST(libvnet_abandon());
	BOOT_FIRST(libvnet_create(&v));
	BOOT_FIRST(libvnet_destroy(v));
	BOOT_FIRST(libvnet_enter(v));
	BOOT_FIRST(libvnet_leave());
	BOOT_FIRST(libvnet_number(v));
	BOOT_FIRST(libvnet_count());
	BOOT_FIRST(libvnet_clock_ns());
	BOOT_FIRST(libvnet_clock_advance_ns(1));
	BOOT_FIRST(libvnet_clock_next_ns());
	BOOT_FIRST(libvnet_run_until_idle());
	BOOT_FIRST(libvnet_sysctl_get(v, "x", &n, NULL));
	BOOT_FIRST(libvnet_sysctl_set(v, "x", 1, NULL));
	BOOT_FIRST(libvnet_sysctl_read(v, "x", NULL, &size, NULL));
	BOOT_FIRST(libvnet_sysctl_write(v, "x", "", 1, NULL));
	BOOT_FIRST(libvnet_counter_get(v, "x", 0, &u));
	BOOT_FIRST(libvnet_variable(v, "x", &p, NULL));
	BOOT_FIRST(libvnet_thread_attach());
	assert_null(libvnet_current());
	assert_null(libvnet_default());
	assert_false(libvnet_booted());
}

static void
boot_refuses_options_out_of_range(void **state)
{
	static const struct libvnet_options bad[] = {
		{ .ncpus = -1 }, { .ncpus = LIBVNET_MAXCPU + 1 },
		{ .hz = -1 }, { .hz = LIBVNET_HZ_MAX + 1 }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_fails(libvnet_boot(&bad[i]), LIBVNET_EINVAL, "give 1 to");
	assert_false(libvnet_booted());
}

static void
boot_refuses_cpus_that_cannot_be(void **state)
{
	static const struct {
		struct libvnet_options options;
		const char *why;
	} bad[] = {
		{ { .cpus = 6 }, "CPU 0, which boots" },
		{ { .cpus = 3, .ncpus = 3 }, "leave ncpus 0" },
		{ { .ncpus = 2, .late_cpus = 1 }, "not CPU 0" },
		{ { .ncpus = 2, .late_cpus = 4 }, "CPUs that there are" },
		{ { .cpu_policy = (enum libvnet_cpu_policy)9 }, "LIBVNET_CPU_" }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_fails(libvnet_boot(&bad[i].options), LIBVNET_EINVAL,
		    bad[i].why);
	assert_false(libvnet_booted());
	assert_int_equal(libvnet_cpus(), 0);
	BOOT_FIRST(libvnet_cpu());
	BOOT_FIRST(libvnet_rendezvous_count(NULL, NULL));
}

/* Of the default boot. */
static void
cpus_are_told_and_counted(void **state)
{
	uint64_t calls, actions;

	(void)state;
	assert_int_equal(libvnet_cpus(), 1);
	assert_int_equal(libvnet_cpu(), 0);
	assert_int_equal(libvnet_rendezvous_count(&calls, &actions), 0);
	assert_true(actions >= calls);
	assert_int_equal(libvnet_cpu_policy(LIBVNET_CPU_RANDOM), 0);
	assert_fails(libvnet_cpu_policy((enum libvnet_cpu_policy)9),
	    LIBVNET_EINVAL, "LIBVNET_CPU_");
	assert_string_equal(libvnet_counter_form(), "amd64");
}

static void
boot_takes_its_limits(void **state)
{
	struct libvnet_options o = {
		.ncpus = LIBVNET_MAXCPU, .hz = LIBVNET_HZ_MAX,
		.kenv = "net.inet.mod.x=1\n\nnonsense\n=\n"
	};

	(void)state;
	assert_int_equal(libvnet_boot(&o), 0);
	assert_int_equal(libvnet_shutdown(), 0);
	o.hz = o.ncpus = 1;
	assert_int_equal(libvnet_boot(&o), 0);
	assert_int_equal(libvnet_clock_advance_ns(10 * S), 0);
	assert_int_equal(libvnet_shutdown(), 0);
}

static void
boot_twice_is_refused(void **state)
{
	(void)state;
	assert_fails(libvnet_boot(NULL), LIBVNET_EBOOTED, "libvnet_shutdown()");
}

static void
boot_and_shutdown_repeat(void **state)
{
	struct vnet *v;

	(void)state;
	for (int i = 0; i < 100; i++) {
		assert_int_equal(libvnet_boot(NULL), 0);
		assert_int_equal(libvnet_clock_ns(), S);
		if (libvnet_has_vimage()) {
			assert_int_equal(libvnet_create(&v), 0);
			assert_int_equal(libvnet_number(v), 1);
		}
		if (i % 2 == 0)
			assert_int_equal(libvnet_shutdown(), 0);
		else
			assert_int_equal(libvnet_abandon(), 0);
	}
	assert_int_equal(libvnet_finding_count(), 0);
}

static void
vnets_have_numbers_and_are_counted(void **state)
{
	struct vnet *c;

	(void)state;
	need_vimage();
	assert_int_equal(libvnet_count(), 3);
	assert_int_equal(libvnet_number(libvnet_default()), 0);
	assert_int_equal(libvnet_number(b), libvnet_number(a) + 1);
	assert_int_equal(libvnet_destroy(b), 0);
	assert_int_equal(libvnet_create(&c), 0);
	assert_int_equal(libvnet_number(c), 3);
	assert_int_equal(libvnet_count(), 3);
}

static void
destroy_refuses_what_is_not_a_vnet_or_in_use(void **state)
{
	(void)state;
	need_vimage();
	assert_fails(libvnet_destroy(NULL), LIBVNET_ENOVNET, "not a vnet");
	assert_fails(libvnet_destroy((struct vnet *)(uintptr_t)1),
	    LIBVNET_ENOVNET, "not a vnet");
	assert_fails(libvnet_destroy(libvnet_default()), LIBVNET_EBUSY,
	    "vnet0");
	assert_int_equal(libvnet_enter(a), 0);
	assert_fails(libvnet_destroy(a), LIBVNET_EBUSY, "libvnet_leave()");
	assert_int_equal(libvnet_enter(b), 0);
	assert_fails(libvnet_destroy(a), LIBVNET_EBUSY, "libvnet_leave()");
	assert_int_equal(libvnet_leave(), 0);
	assert_int_equal(libvnet_leave(), 0);
	assert_int_equal(libvnet_destroy(a), 0);
	assert_fails(libvnet_destroy(a), LIBVNET_ENOVNET, "destroyed");
	assert_fails(libvnet_enter(a), LIBVNET_ENOVNET, "destroyed");
	assert_fails(libvnet_number(a), LIBVNET_ENOVNET, "destroyed");
}

static void
create_without_place_or_vimage_is_refused(void **state)
{
	struct vnet *v;

	(void)state;
	assert_fails(libvnet_create(NULL), LIBVNET_EINVAL, "not NULL");
	if (!libvnet_has_vimage())
		assert_fails(libvnet_create(&v), LIBVNET_ENOTSUP, "VIMAGE");
}

static void
enter_and_leave_nest_to_their_limit(void **state)
{
	(void)state;
	need_vimage();
	assert_fails(libvnet_leave(), LIBVNET_EINVAL, "libvnet_enter()");
	for (int i = 0; i < LIBVNET_ENTER_MAX; i++)
		assert_int_equal(libvnet_enter(i % 2 ? a : b), 0);
	assert_fails(libvnet_enter(a), LIBVNET_ELIMIT, "libvnet_leave()");
	assert_ptr_equal(libvnet_current(), a);
	for (int i = 0; i < LIBVNET_ENTER_MAX; i++)
		assert_int_equal(libvnet_leave(), 0);
	assert_null(libvnet_current());
}

static void
clock_moves_only_when_told(void **state)
{
	(void)state;
	assert_int_equal(libvnet_clock_ns(), S);
	assert_int_equal(libvnet_run_until_idle(), 0);
	assert_int_equal(libvnet_clock_ns(), S);
	assert_true(libvnet_clock_next_ns() > 0);
	assert_int_equal(libvnet_clock_advance_ns(0), 0);
	assert_int_equal(libvnet_clock_advance_ns(5 * S), 0);
	assert_in_range(libvnet_clock_ns(), 6 * S - 1, 6 * S);
	assert_fails(libvnet_clock_advance_ns(-1), LIBVNET_EINVAL,
	    "backwards");
	assert_fails(libvnet_clock_advance_ns(LIBVNET_UPTIME_MAX),
	    LIBVNET_EINVAL, "give 0 to");
	assert_fails(libvnet_clock_advance_ns(INT64_MAX), LIBVNET_EINVAL,
	    "give 0 to");
}

static void
callouts_run_per_vnet_as_time_passes(void **state)
{
	int64_t n;

	(void)state;
	assert_int_equal(libvnet_clock_advance_ns(10 * S + S / 2), 0);
	if (libvnet_has_vimage()) {
		assert_int_equal(libvnet_sysctl_get(a, "net.inet.mod.ticks", &n,
		    NULL), 0);
		assert_int_equal(n, 10);
		assert_int_equal(libvnet_sysctl_get(libvnet_default(),
		    "net.inet.mod.ticks", &n, NULL), 0);
	} else
		assert_int_equal(libvnet_sysctl_get(NULL, "net.inet.mod.ticks",
		    &n, NULL), 0);
	assert_int_equal(n, 10);
}

static void
log_is_kept_counted_and_cleared(void **state)
{
	(void)state;
	assert_int_equal(libvnet_log_count("mod:"), 0);
	assert_int_equal(libvnet_sysctl_set(a, "net.inet.mod.random", 5, NULL),
	    0);
	assert_int_equal(libvnet_log_count("^mod:"), 2);
	assert_int_equal(libvnet_log_count("^mod: value 5$"), 1);
	assert_non_null(strstr(libvnet_log(), "mod: done\n"));
	libvnet_log_clear();
	assert_string_equal(libvnet_log(), "");
	assert_fails(libvnet_log_count("("), LIBVNET_EINVAL, "(");
	assert_fails(libvnet_log_count(NULL), LIBVNET_EINVAL, "expression");
}

static void
draw(int64_t out[3])
{
	for (int i = 0; i < 3; i++)
		assert_int_equal(libvnet_sysctl_get(a, "net.inet.mod.random",
		    &out[i], NULL), 0);
}

static void
seed_repeats_the_run(void **state)
{
	int64_t x[3], y[3], z[3];

	(void)state;
	libvnet_seed(42);
	assert_int_equal(libvnet_seed_get(), 42);
	draw(x);
	libvnet_seed(42);
	draw(y);
	libvnet_seed(43);
	draw(z);
	assert_memory_equal(x, y, sizeof(x));
	assert_memory_not_equal(x, z, sizeof(x));
}

static void
every_error_has_a_text(void **state)
{
	(void)state;
	for (int e = 0; e >= LIBVNET_EPANIC; e--) {
		assert_non_null(libvnet_strerror(e));
		assert_string_not_equal(libvnet_strerror(e), "unknown error");
	}
	assert_string_equal(libvnet_strerror(1), "unknown error");
	assert_string_equal(libvnet_strerror(LIBVNET_EPANIC - 1),
	    "unknown error");
	assert_string_equal(libvnet_strerror(INT32_MIN), "unknown error");
}

static void
finding_beyond_the_last_is_refused(void **state)
{
	(void)state;
	assert_fails(libvnet_finding_get(0, NULL, NULL), LIBVNET_ENOENT,
	    "0 findings");
}

int
main(void)
{
#define BOOTED(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_boot_every_call_says_boot_first),
		cmocka_unit_test(boot_refuses_options_out_of_range),
		cmocka_unit_test(boot_refuses_cpus_that_cannot_be),
		cmocka_unit_test(boot_takes_its_limits),
		cmocka_unit_test(boot_and_shutdown_repeat),
		cmocka_unit_test(every_error_has_a_text),
		BOOTED(boot_twice_is_refused),
		BOOTED(vnets_have_numbers_and_are_counted),
		BOOTED(destroy_refuses_what_is_not_a_vnet_or_in_use),
		BOOTED(create_without_place_or_vimage_is_refused),
		BOOTED(enter_and_leave_nest_to_their_limit),
		BOOTED(clock_moves_only_when_told),
		BOOTED(callouts_run_per_vnet_as_time_passes),
		BOOTED(log_is_kept_counted_and_cleared),
		BOOTED(seed_repeats_the_run),
		BOOTED(cpus_are_told_and_counted),
		BOOTED(finding_beyond_the_last_is_refused),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
