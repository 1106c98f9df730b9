/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of callout(9) share. */
#ifndef CALLOUT_TEST_H
#define CALLOUT_TEST_H

#define MS (LIBVNET_NS_PER_SECOND / 1000)

static struct callout co;
static int calls;
static sbintime_t called_at;
static char order[16];

static void
count(void *arg)
{
	calls++;
	called_at = sbinuptime();
	if (arg != NULL)
		strlcat(order, arg, sizeof(order));
}

static void
run_ms(int64_t ms)
{
	assert_int_equal(libvnet_clock_advance_ns(ms * MS), 0);
}

#endif /* CALLOUT_TEST_H */
