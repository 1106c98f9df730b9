/* SPDX-License-Identifier: BSD-2-Clause */
/* alq(9), whose file is the console. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/alq.h>
#include <sys/errno.h>
#include <sys/proc.h>

#include <libvnet/test.h>

static struct alq *q;

static void
post(const char *text, int flags)
{
	struct ale *ale = alq_getn(q, 32, ALQ_WAITOK);

	assert_non_null(ale);
	ale->ae_bytesused = snprintf(ale->ae_data, 32, "%s", text);
	alq_post_flags(q, ale, flags);
}

LIBVNET_TEST(alq_prints_line_by_line)
{
	assert_int_equal(alq_open(&q, "/var/log/x", curthread->td_ucred,
	    ALQ_DEFAULT_CMODE, 256, 0), 0);
	post("one\ntwo\nthr", 0);
	assert_int_equal(libvnet_log_count("^alq /var/log/x: one$"), 1);
	assert_int_equal(libvnet_log_count("^alq /var/log/x: two$"), 1);
	assert_int_equal(libvnet_log_count("thr"), 0);
	post("ee\n", 0);
	assert_int_equal(libvnet_log_count("^alq /var/log/x: three$"), 1);
	alq_close(q);
}

LIBVNET_TEST(alq_waits_for_a_flush_with_NOACTIVATE)
{
	assert_int_equal(alq_open_flags(&q, "x", curthread->td_ucred, 0, 256,
	    ALQ_ORDERED), 0);
	post("later\n", ALQ_NOACTIVATE);
	assert_int_equal(libvnet_log_count("later"), 0);
	alq_flush(q);
	assert_int_equal(libvnet_log_count("^alq x: later$"), 1);
	post("last", ALQ_NOACTIVATE);
	alq_close(q);
	assert_int_equal(libvnet_log_count("^alq x: last$"), 1);
}

LIBVNET_TEST(alq_never_fills)
{
	assert_int_equal(alq_open(&q, "x", curthread->td_ucred, 0, 40, 0), 0);
	for (int i = 0; i < 100; i++)
		post("nothing but text, ", ALQ_NOACTIVATE);
	alq_close(q);
	assert_true(libvnet_log_count("nothing but text") > 40);
}

LIBVNET_TEST(alq_of_entries_has_their_length)
{
	assert_int_equal(alq_open(&q, "x", curthread->td_ucred, 0, 4, 8), 0);
	assert_int_equal(alq_write(q, (char[]){ "abc\n" }, ALQ_WAITOK), 0);
	assert_int_equal(libvnet_log_count("^alq x: abc$"), 1);
	alq_close(q);
	assert_int_equal(alq_open(&q, "x", curthread->td_ucred, 0, 4, -1),
	    EINVAL);
}

#ifdef INVARIANTS
LIBVNET_TEST(alq_getn_of_more_than_the_queue_panics)
{
	libvnet_expect_panic("alq_getn: len 257 not in 1..256");
	alq_open(&q, "x", curthread->td_ucred, 0, 256, 0);
	alq_getn(q, 257, ALQ_NOWAIT);
}

LIBVNET_TEST(alq_post_of_something_else_panics)
{
	struct ale ale = { .ae_bytesused = 0 };

	libvnet_expect_panic("alq_post: not what alq_getn\\(\\) gave");
	alq_open(&q, "x", curthread->td_ucred, 0, 256, 0);
	alq_getn(q, 1, ALQ_NOWAIT);
	alq_post(q, &ale);
}

LIBVNET_TEST(alq_write_without_entries_panics)
{
	libvnet_expect_panic("alq_write: not a queue of fixed length");
	alq_open(&q, "x", curthread->td_ucred, 0, 256, 0);
	alq_write(q, (char[]){ "abc" }, ALQ_NOWAIT);
}
#endif
