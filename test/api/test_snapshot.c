/* SPDX-License-Identifier: BSD-2-Clause */
/* Snapshots of a kernel world, by the public API. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <libvnet/libvnet.h>

#include "activity.h"

#define MS INT64_C(1000000)

static struct libvnet_snapshot *
take(void)
{
	struct libvnet_snapshot *s;
	int error = libvnet_snapshot_take(&s);

	if (error == LIBVNET_ENOTSUP)
		skip();		/* another backend of the heap */
	if (error != 0)
		fail_msg("%s", libvnet_error());
	return (s);
}

static void
restore(struct libvnet_snapshot *s)
{
	if (libvnet_snapshot_restore(s) != 0)
		fail_msg("%s", libvnet_error());
}

static uint64_t
digest(void)
{
	uint64_t h;
	int error = libvnet_snapshot_digest(&h);

	if (error == LIBVNET_ENOTSUP)
		skip();
	if (error != 0)
		fail_msg("%s", libvnet_error());
	return (h);
}

static int
setup(void **state)
{
	(void)state;
	/* What activity() leaves in a vnet is no concern here. */
	(void)libvnet_finding_policy("leak", LIBVNET_COLLECT);
	return (libvnet_boot(NULL));
}

static int
teardown(void **state)
{
	(void)state;
	if (libvnet_booted())
		(void)libvnet_abandon();
	libvnet_findings_clear();
	(void)unsetenv("LIBVNET_SNAPSHOT");
	return (0);
}

#define assert_fails(call, code, word) do {				\
	assert_int_equal((call), (code));				\
	if (strstr(libvnet_error(), (word)) == NULL)			\
		fail_msg("\"%s\" does not say \"%s\"", libvnet_error(),	\
		    (word));						\
} while (0)

static void
restore_after_any_activity(void **state)
{
	struct libvnet_snapshot *s;
	uint64_t h;

	(void)state;
	activity(3);
	s = take();
	h = digest();
	for (unsigned i = 0; i < 100; i++) {
		for (unsigned k = 0; k <= i % 4; k++)
			activity(i + k);
		assert_int_equal(libvnet_clock_advance_ns(i % 7 * MS), 0);
		assert_int_not_equal(digest(), h);
		restore(s);
		assert_int_equal(activity_count(), 1);
		assert_true(digest() == h);
	}
}

static void
snapshots_in_any_order(void **state)
{
	struct libvnet_snapshot *s[4];
	uint64_t h[4];

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		s[i] = take();
		h[i] = digest();
		activity(i);
	}
	for (unsigned i = 0; i < 40; i++) {
		unsigned k = i * 7 % 4;

		activity(i);
		restore(s[k]);
		assert_true(digest() == h[k]);
		assert_int_equal(activity_count(), k);
	}
	assert_int_equal(libvnet_snapshot_free(s[1]), 0);
	assert_fails(libvnet_snapshot_restore(s[1]), LIBVNET_EINVAL, "freed");
	restore(s[3]);
	restore(s[0]);
	assert_true(digest() == h[0]);
}

static void
handles_clock_random_and_log_return(void **state)
{
	struct vnet *v = NULL, *w;
	struct libvnet_snapshot *s;
	int64_t now;

	(void)state;
	if (libvnet_has_vimage()) {
		assert_int_equal(libvnet_create(&v), 0);
		assert_int_equal(libvnet_enter(v), 0);
	}
	now = libvnet_clock_ns();
	s = take();
	activity(1);
	assert_int_equal(libvnet_clock_advance_ns(500 * MS), 0);
	if (v != NULL) {
		assert_int_equal(libvnet_leave(), 0);
		assert_int_equal(libvnet_destroy(v), 0);
		assert_int_equal(libvnet_create(&w), 0);
	}
	assert_int_equal(libvnet_log_count("activity"), 1);
	restore(s);
	assert_true(libvnet_clock_ns() == now);
	assert_int_equal(libvnet_log_count("activity"), 0);
	if (v == NULL)
		return;
	assert_ptr_equal(libvnet_current(), v);
	assert_int_equal(libvnet_number(v), 1);
	assert_int_equal(libvnet_leave(), 0);
	assert_int_equal(libvnet_destroy(v), 0);
}

/* The same after each restore: what is done then goes the same way too. */
static void
runs_repeat_after_a_restore(void **state)
{
	struct libvnet_snapshot *s;
	uint64_t h[2];

	(void)state;
	s = take();
	for (int i = 0; i < 2; i++) {
		restore(s);
		for (unsigned k = 0; k < 5; k++)
			activity(k);
		assert_int_equal(libvnet_clock_advance_ns(100 * MS), 0);
		h[i] = digest();
	}
	assert_true(h[0] == h[1]);
}

static uint64_t
digest_in_mode(const char *mode)
{
	struct libvnet_snapshot_stats stats;
	struct libvnet_snapshot *s;
	uint64_t h;

	if (libvnet_booted())
		(void)libvnet_abandon();
	assert_int_equal(setenv("LIBVNET_SNAPSHOT", mode, 1), 0);
	assert_int_equal(libvnet_boot(NULL), 0);
	if (libvnet_snapshot_take(&s) == LIBVNET_ENOTSUP)
		return (0);
	for (unsigned i = 0; i < 30; i++) {
		activity(i);
		restore(s);
	}
	h = digest();
	assert_int_equal(libvnet_snapshot_stats(s, &stats), 0);
	assert_int_equal(stats.restores, 30);
	assert_int_equal(stats.tracking, strcmp(mode, "track") == 0);
	return (h);
}

static void
copying_and_tracking_agree(void **state)
{
	uint64_t copied, tracked;

	(void)state;
	tracked = digest_in_mode("track");
	if (tracked == 0)
		skip();
	copied = digest_in_mode("copy");
	assert_true(copied == tracked);
}

static void
grows_and_shrinks(void **state)
{
	struct libvnet_snapshot *small, *large;
	uint64_t h[2];
	unsigned long sum;

	(void)state;
	small = take();
	h[0] = digest();
	activity_fill(500, 5000);
	large = take();
	h[1] = digest();
	sum = activity_sum();
	for (unsigned i = 0; i < 6; i++) {
		activity_touch(10, i);
		restore(small);
		assert_true(digest() == h[0]);
		restore(large);
		assert_true(digest() == h[1]);
		assert_true(activity_sum() == sum);
	}
}

static void
reset_saves_once(void **state)
{
	uint64_t h;

	(void)state;
	h = digest();
	for (unsigned i = 0; i < 10; i++) {
		assert_int_equal(libvnet_snapshot_reset(), 0);
		assert_int_equal(activity_count(), 0);
		assert_true(digest() == h);
		activity(i);
	}
	assert_int_equal(libvnet_abandon(), 0);
	assert_fails(libvnet_snapshot_reset(), LIBVNET_ENOTBOOTED, "boot");
	assert_int_equal(libvnet_boot(NULL), 0);
	activity(1);
	assert_int_equal(libvnet_snapshot_reset(), 0);
	assert_int_equal(activity_count(), 1);
}

static void
child_after_fork_goes_on(void **state)
{
	struct libvnet_snapshot *s;
	uint64_t h, now;
	int status;
	pid_t pid;

	(void)state;
	activity(1);
	s = take();
	h = digest();
	activity(2);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		for (unsigned i = 0; i < 10; i++) {
			activity(i);
			if (libvnet_snapshot_restore(s) != 0 ||
			    libvnet_snapshot_digest(&now) != 0 || now != h)
				_exit(1);
		}
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	restore(s);
	assert_true(digest() == h);
}

static void
end_of_the_boot_ends_snapshots(void **state)
{
	struct libvnet_snapshot_stats stats;
	struct libvnet_snapshot *s;

	(void)state;
	s = take();
	assert_int_equal(libvnet_shutdown(), 0);
	assert_fails(libvnet_snapshot_restore(s), LIBVNET_ENOTBOOTED, "boot");
	assert_fails(libvnet_snapshot_free(s), LIBVNET_EINVAL, "freed");
	assert_int_equal(libvnet_boot(NULL), 0);
	assert_fails(libvnet_snapshot_restore(s), LIBVNET_EINVAL, "this boot");
	assert_fails(libvnet_snapshot_stats(s, &stats), LIBVNET_EINVAL,
	    "this boot");
}

static void *
other_thread(void *arg)
{
	struct libvnet_snapshot *s;
	pthread_barrier_t *b = arg;

	assert_fails(libvnet_snapshot_take(&s), LIBVNET_ETHREAD, "attach");
	assert_int_equal(libvnet_thread_attach(), 0);
	pthread_barrier_wait(b);
	pthread_barrier_wait(b);
	assert_int_equal(libvnet_thread_detach(), 0);
	return (NULL);
}

static void
misuse_is_told(void **state)
{
	struct libvnet_snapshot *s, *t;
	pthread_barrier_t b;
	pthread_t thread;
	uint64_t h;

	(void)state;
	assert_fails(libvnet_snapshot_take(NULL), LIBVNET_EINVAL, "NULL");
	assert_fails(libvnet_snapshot_digest(NULL), LIBVNET_EINVAL, "NULL");
	assert_fails(libvnet_snapshot_restore(NULL), LIBVNET_EINVAL, "not a");
	assert_fails(libvnet_snapshot_free(NULL), LIBVNET_EINVAL, "not a");
	assert_int_equal(setenv("LIBVNET_SNAPSHOT", "some", 1), 0);
	assert_fails(libvnet_snapshot_take(&s), LIBVNET_EINVAL, "\"some\"");
	assert_int_equal(unsetenv("LIBVNET_SNAPSHOT"), 0);
	s = take();
	assert_fails(libvnet_snapshot_stats(s, NULL), LIBVNET_EINVAL, "NULL");

	pthread_barrier_init(&b, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, other_thread, &b), 0);
	pthread_barrier_wait(&b);
	assert_fails(libvnet_snapshot_take(&t), LIBVNET_EBUSY, "attached");
	assert_fails(libvnet_snapshot_restore(s), LIBVNET_EBUSY, "attached");
	assert_fails(libvnet_snapshot_digest(&h), LIBVNET_EBUSY, "attached");
	pthread_barrier_wait(&b);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&b);
	restore(s);
}

static long
resident_pages(void)
{
	long total = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f != NULL && fscanf(f, "%ld %ld", &total, &resident) != 2)
		resident = 0;
	if (f != NULL)
		fclose(f);
	return (resident);
}

/* LIBVNET_TEST_LONG=1: a million. */
static void
memory_is_flat(void **state)
{
	unsigned long n = getenv("LIBVNET_TEST_LONG") != NULL ? 1000000 : 3000;
	struct libvnet_snapshot *s;
	uint64_t h;
	long before = 0;

	(void)state;
	s = take();
	h = digest();
	for (unsigned long i = 0; i < n; i++) {
		activity((unsigned)(i % 1000));
		restore(s);
		if (i == n / 3)
			before = resident_pages();
	}
	assert_true(digest() == h);
	assert_true(resident_pages() - before < 64);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(restore_after_any_activity),
		TEST(snapshots_in_any_order),
		TEST(handles_clock_random_and_log_return),
		TEST(runs_repeat_after_a_restore),
		TEST(copying_and_tracking_agree),
		TEST(grows_and_shrinks),
		TEST(reset_saves_once),
		TEST(child_after_fork_goes_on),
		TEST(end_of_the_boot_ends_snapshots),
		TEST(misuse_is_told),
		TEST(memory_is_flat),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
