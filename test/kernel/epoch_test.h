/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of epoch(9) share. */
#ifndef EPOCH_TEST_H
#define EPOCH_TEST_H

static MALLOC_DEFINE(M_EPOCHTEST, "epochtest", "test");

static int runs;

static void
count(epoch_context_t ctx __unused)
{
	runs++;
}

static void
release(epoch_context_t ctx)
{
	runs++;
	free(ctx, M_EPOCHTEST);
}

#endif /* EPOCH_TEST_H */
