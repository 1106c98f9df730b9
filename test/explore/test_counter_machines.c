/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter(9) as each machine has it, under every schedule with a few
 * preemptions: adding loses nothing anywhere; what reading and zeroing from
 * another CPU may see and lose differs, as it does in FreeBSD.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>

#include "explored.h"
#include "../kernel/forms/form.h"

static const struct form *const forms[] = {
	&form_amd64, &form_i386, &form_i386_nocx8, &form_generic,
	&form_generic32
};
#define EACH(f) \
	(const struct form *const *f##_i = forms, *f; \
	    f##_i < forms + nitems(forms) && (f = *f##_i, true); f##_i++)

static const struct form *form;
static counter_u64_t counter;
static int64_t preset;
static uint64_t seen;

static void
boot(void)
{
	reboot_with(2);
	counter = counter_u64_alloc(M_WAITOK);
}

static void
load(void *arg)
{
	form->zero(counter);
	form->add(counter, preset);
	seen = (uint64_t)preset;
}

static void
add_one(void *arg)
{
	form->add(counter, 1);
}

static void
add_protected(void *arg)
{
	form->enter();
	form->add_protected(counter, 1);
	form->exit();
}

static bool
two_more(void *arg)
{
	return (form->fetch(counter) == (uint64_t)preset + 2);
}

/* ---- adding */

LIBVNET_TEST(no_machine_loses_an_add_on_one_cpu)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_one }, { "b", add_protected } },
		.setup = load, .check = two_more,
	};

	boot();
	preset = 0xfffffffe;		/* it carries, too */
	for EACH(f) {
		form = f;
		holds(what, 3);
	}
}

LIBVNET_TEST(no_machine_loses_an_add_of_threads_that_migrate)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_one, NULL, 0 },
		    { "b", add_protected, NULL, 1 } },
		.setup = load, .check = two_more, .migrate = true,
	};

	boot();
	preset = 0xfffffffe;
	for EACH(f) {
		form = f;
		holds_at_random(what, 300);
	}
}

/* The reviewer's point: a slot a CPU is not enough. */
static void
add_unprotected(void *arg)
{
	uint64_t *p = zpcpu_get(counter);

	*p = *p + 1;
}

LIBVNET_TEST(slot_of_a_cpu_without_protection_loses_an_add)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_unprotected }, { "b", add_unprotected } },
		.setup = load, .check = two_more, .races = LIBVNET_RACES_OFF,
	};

	boot();
	form = &form_amd64;
	breaks(what, LIBVNET_SCHEDULE_CHECK, 1000, 2);
}

/* ---- zeroing while another CPU adds: what was there must not come back */

static void
zero_it(void *arg)
{
	form->zero(counter);
}

static bool
one_at_most(void *arg)
{
	return (form->fetch(counter) <= 1);
}

static const struct libvnet_explore zeroing = {
	.threads = { { "adds", add_one, NULL, 0 },
	    { "zeroes", zero_it, NULL, 1 } },
	.setup = load, .check = one_at_most,
};

LIBVNET_TEST(zero_holds_where_an_add_is_one_instruction)
{
	boot();
	preset = 5;
	form = &form_amd64;
	holds(zeroing, 3);
	form = &form_i386;
	holds(zeroing, 3);
}

LIBVNET_TEST(zero_is_undone_by_a_load_and_store_in_a_critical_section)
{
	boot();
	preset = 5;
	form = &form_generic;
	breaks(zeroing, LIBVNET_SCHEDULE_CHECK, 1000, 2);
	form = &form_generic32;
	breaks(zeroing, LIBVNET_SCHEDULE_CHECK, 1000, 2);
	form = &form_i386_nocx8;	/* which has no second CPU */
	breaks(zeroing, LIBVNET_SCHEDULE_CHECK, 1000, 2);
}

/* ---- reading while another CPU carries */

static void
fetch_it(void *arg)
{
	seen = form->fetch(counter);
}

static bool
before_or_after(void *arg)
{
	return (seen == (uint64_t)preset || seen == (uint64_t)preset + 1);
}

static const struct libvnet_explore reading = {
	.threads = { { "adds", add_one, NULL, 0 },
	    { "reads", fetch_it, NULL, 1 } },
	.setup = load, .check = before_or_after,
};

LIBVNET_TEST(fetch_is_whole_where_a_slot_is)
{
	boot();
	preset = 0xffffffff;
	form = &form_amd64;
	holds(reading, 3);
	form = &form_generic;
	holds(reading, 3);
	form = &form_i386;	/* each CPU reads its own */
	holds(reading, 3);
}

LIBVNET_TEST(fetch_is_torn_where_a_slot_is_two_halves)
{
	boot();
	preset = 0xffffffff;
	form = &form_generic32;
	breaks(reading, LIBVNET_SCHEDULE_CHECK, 1000, 2);
	form = &form_i386_nocx8;
	breaks(reading, LIBVNET_SCHEDULE_CHECK, 1000, 2);
}
