/* SPDX-License-Identifier: BSD-2-Clause */
/* counter(9) as each machine has it: what must be the same, and what differs. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/smp.h>

#include <libvnet/test.h>

#include "form.h"

static const struct form *const forms[] = {
	&form_amd64, &form_i386, &form_i386_nocx8, &form_generic,
	&form_generic32
};
#define EACH(f) \
	(const struct form *const *f##_i = forms, *f; \
	    f##_i < forms + nitems(forms) && (f = *f##_i, true); f##_i++)

static void
boot(uint64_t cpus)
{
	struct libvnet_options options = {
		.cpus = cpus, .threads = libvnet_threads()
	};

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

static int64_t amount;
static const struct form *form;

static void
add_here(void *arg)
{
	form->add(arg, amount << curcpu);
}

LIBVNET_TEST(every_form_adds_on_every_cpu)
{
	counter_u64_t c;

	boot(0x8d);
	c = counter_u64_alloc(M_WAITOK);
	for EACH(f) {
		form = f;
		amount = 3;
		smp_rendezvous(NULL, add_here, NULL, c);
		assert_int_equal(f->fetch(c), 3 * 0x8d);
		amount = -1;
		smp_rendezvous(NULL, add_here, NULL, c);
		assert_int_equal(f->fetch(c), 2 * 0x8d);
		f->zero(c);
		assert_int_equal(f->fetch(c), 0);
		assert_int_equal(counter_u64_fetch(c), 0);
	}
	counter_u64_free(c);
}

LIBVNET_TEST(every_form_carries_between_the_halves)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	for EACH(f) {
		f->add(c, 0xffffffffLL);
		f->add(c, 1);
		assert_int_equal(f->fetch(c), 0x100000000LL);
		f->add(c, -1);
		assert_int_equal(f->fetch(c), 0xffffffffLL);
		f->add(c, 0x123456789abLL);
		f->add(c, -0x123456789abLL);
		assert_int_equal(f->fetch(c), 0xffffffffLL);
		f->add(c, -0x100000000LL);
		assert_int_equal(f->fetch(c), -1);
		f->zero(c);
	}
	counter_u64_free(c);
}

LIBVNET_TEST(forms_differ_in_their_section)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	for EACH(f) {
		f->enter();
		assert_int_equal(curthread->td_critnest, f->critical);
		f->add_protected(c, 2);
		f->exit();
		assert_int_equal(curthread->td_critnest, 0);
		critical_enter();
		f->add_protected(c, 2);	/* as good */
		critical_exit();
		assert_int_equal(f->fetch(c), 4);
		f->zero(c);
	}
	counter_u64_free(c);
}

LIBVNET_TEST(forms_differ_in_rendezvous)
{
	counter_u64_t c;
	uint64_t before, after;

	boot(0x3);
	c = counter_u64_alloc(M_WAITOK);
	for EACH(f) {
		libvnet_rendezvous_count(&before, NULL);
		(void)f->fetch(c);
		libvnet_rendezvous_count(&after, NULL);
		assert_int_equal(after - before, f->fetch_calls);
		f->zero(c);
		libvnet_rendezvous_count(&before, NULL);
		assert_int_equal(before - after, f->zero_calls);
	}
	counter_u64_free(c);
}

LIBVNET_TEST(runtime_names_its_form)
{
	assert_string_equal(libvnet_counter_form(), "amd64");
}

/* ---- threads on all CPUs */

static counter_u64_t shared;

static void
counts(void *arg)
{
	for (int i = 0; i < 300; i++) {
		form->add(shared, 1);
		form->enter();
		form->add_protected(shared, 1);
		form->exit();
		if (i % 10 == 0)
			kern_yield(PRI_UNCHANGED);
	}
	kthread_exit();
}

LIBVNET_TEST(every_form_counts_for_many_threads)
{
	boot(0xf);
	shared = counter_u64_alloc(M_WAITOK);
	for EACH(f) {
		form = f;
		for (int i = 0; i < 16; i++)
			kthread_add(counts, NULL, NULL, NULL, 0, 0, "c%d", i);
		libvnet_run_until_idle();
		assert_int_equal(f->fetch(shared), 16 * 600);
		f->zero(shared);
	}
	counter_u64_free(shared);
}

#ifdef INVARIANTS

/* ---- the section is kept on every machine, or it is a finding */

LIBVNET_TEST(protected_outside_of_its_section_is_found_on_every_machine)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	for EACH(f) {
		libvnet_expect("counter", "counter_u64_add_protected\\(\\) "
		    "outside of counter_enter\\(\\) and counter_exit\\(\\), at "
		    ".*body.h:[0-9]+: a machine");
		f->add_protected(c, 1);
		assert_int_equal(f->fetch(c), 1);
		f->zero(c);
	}
	counter_u64_free(c);
}

LIBVNET_TEST(exit_without_enter_is_found)
{
	libvnet_expect("counter", "counter_exit\\(\\) outside");
	form_amd64.exit();
}

LIBVNET_TEST(section_left_open_is_found)
{
	libvnet_expect("section", ".");
	form_amd64.enter();
}

LIBVNET_TEST(sleep_in_the_section_is_found)
{
	libvnet_expect("counter", "sleep on \"napping\": may sleep, between "
	    "counter_enter\\(\\) and counter_exit\\(\\)");
	form_amd64.enter();
	pause("napping", 1);
	form_amd64.exit();
}

LIBVNET_TEST(sleep_in_the_section_panics_where_it_is_critical)
{
	libvnet_expect_panic("sleep on \"napping\": may sleep, in a critical");
	form_generic.enter();
	pause("napping", 1);
}

/* Each thread has a section of its own. */
static void
protects(void *arg)
{
	form_amd64.add_protected(shared, 1);
	kthread_exit();
}

LIBVNET_TEST(section_of_one_thread_is_not_anothers)
{
	libvnet_expect("counter", "outside of counter_enter");
	libvnet_expect("counter", "yield: may sleep, between");
	shared = counter_u64_alloc(M_WAITOK);
	form_amd64.enter();
	kthread_add(protects, NULL, NULL, NULL, 0, 0, "t");
	kern_yield(PRI_UNCHANGED);
	form_amd64.exit();
	libvnet_run_until_idle();
	counter_u64_free(shared);
}

/* ---- gauges */

LIBVNET_TEST(gauge_below_zero_is_found)
{
	counter_u64_t c;

	boot(0x3);
	c = counter_u64_alloc(M_WAITOK);
	if (libvnet_threads() == LIBVNET_THREADS_HOST)
		libvnet_skip("a sum is that of no moment");
	assert_int_equal(libvnet_counter_gauge(c, "users"), 0);
	form = &form_amd64;
	amount = 2;
	smp_rendezvous(NULL, add_here, NULL, c);	/* 2 and 4 */
	counter_u64_add(c, -6);			/* one slot below, the sum not */
	libvnet_expect("gauge", "gauge \"users\" went below zero: it is -1");
	counter_u64_add(c, -1);
	counter_u64_add(c, 1);
	assert_int_equal(libvnet_counter_gauge_end(c), 0);
	counter_u64_add(c, -1);
	counter_u64_free(c);
}

LIBVNET_TEST(freed_gauge_is_none)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	assert_int_equal(libvnet_counter_gauge(c, "users"), 0);
	counter_u64_free(c);
	assert_int_equal(libvnet_counter_gauge_end(c), LIBVNET_ENOENT);
	assert_int_equal(libvnet_counter_gauge(NULL, "x"), LIBVNET_EINVAL);
	assert_int_equal(libvnet_counter_gauge(&c, NULL), LIBVNET_EINVAL);
}

LIBVNET_TEST(gauges_are_limited)
{
	static uint64_t many[LIBVNET_GAUGES_MAX + 1];

	for (int i = 0; i < LIBVNET_GAUGES_MAX; i++)
		assert_int_equal(libvnet_counter_gauge(&many[i], "g"), 0);
	assert_int_equal(libvnet_counter_gauge(&many[LIBVNET_GAUGES_MAX], "g"),
	    LIBVNET_ELIMIT);
	assert_int_equal(libvnet_counter_gauge(&many[0], "again"), 0);
}
#endif
