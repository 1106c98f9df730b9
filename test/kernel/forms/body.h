/* SPDX-License-Identifier: BSD-2-Clause */
/* With LIBVNET_COUNTER and the calls of fetch and zero defined. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#define IN_SUBR_COUNTER_C
#include <sys/counter.h>

#include "form.h"

static void
add(uint64_t *c, int64_t inc)
{
	counter_u64_add(c, inc);
}

static void
add_protected(uint64_t *c, int64_t inc)
{
	counter_u64_add_protected(c, inc);
}

static void
enter(void)
{
	counter_enter();
}

static void
leave(void)
{
	counter_exit();
}

static uint64_t
fetch(uint64_t *c)
{
	return (counter_u64_fetch_inline(c));
}

static void
zero(uint64_t *c)
{
	counter_u64_zero_inline(c);
}

#define FORM_STRING_(form) #form
#define FORM_STRING(form) FORM_STRING_(form)
#define FORM_NAME_(form) form_##form
#define FORM_NAME(form) FORM_NAME_(form)

const struct form FORM_NAME(LIBVNET_COUNTER) = {
	.name = FORM_STRING(LIBVNET_COUNTER),
	.critical = LVK_COUNTER_CRITICAL,
	.fetch_calls = FETCH_CALLS, .zero_calls = ZERO_CALLS,
	.add = add, .add_protected = add_protected,
	.enter = enter, .exit = leave, .fetch = fetch, .zero = zero
};
