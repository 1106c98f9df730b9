/* SPDX-License-Identifier: BSD-2-Clause */
/* User memory: copies and words, faults, and where none may happen. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <sys/uio.h>
#include <vm/vm_extern.h>

#include <libvnet/test.h>

LIBVNET_TEST(copies_both_ways)
{
	char user[16] = "from user land", kernel[16];

	assert_int_equal(copyin(user, kernel, sizeof(user)), 0);
	assert_string_equal(kernel, "from user land");
	kernel[0] = 'F';
	assert_int_equal(copyout(kernel, user, sizeof(user)), 0);
	assert_string_equal(user, "From user land");
	assert_int_equal(copyin(NULL, kernel, 0), 0);
}

LIBVNET_TEST(null_and_low_addresses_fault)
{
	char kernel[8];
	size_t done = 99;

	assert_int_equal(copyin(NULL, kernel, 1), EFAULT);
	assert_int_equal(copyout(kernel, (void *)0x1000, 1), EFAULT);
	assert_int_equal(copyin((void *)~0ul, kernel, 8), EFAULT);
	assert_int_equal(copyinstr(NULL, kernel, sizeof(kernel), &done),
	    EFAULT);
	assert_int_equal(done, 0);
	assert_int_equal(fubyte(NULL), -1);
	assert_int_equal(subyte(NULL, 1), -1);
}

LIBVNET_TEST(bad_range_faults_and_what_lies_before_is_copied)
{
	char user[16] = "0123456789abcde", kernel[16] = "";

	assert_int_equal(libvnet_user_bad(user + 10, 2), 0);
	assert_int_equal(copyin(user, kernel, 10), 0);
	memset(kernel, 0, sizeof(kernel));
	assert_int_equal(copyin(user, kernel, 16), EFAULT);
	assert_string_equal(kernel, "0123456789");
	assert_int_equal(copyin(user + 11, kernel, 1), EFAULT);
	assert_int_equal(copyin(user + 12, kernel, 4), 0);
	assert_int_equal(copyinstr(user, kernel, sizeof(kernel), NULL),
	    EFAULT);
	assert_int_equal(libvnet_user_good(user, sizeof(user)), 0);
	assert_int_equal(copyin(user, kernel, 16), 0);
}

LIBVNET_TEST(bad_ranges_are_limited_and_checked)
{
	char user[64];

	assert_int_equal(libvnet_user_bad(NULL, 1), LIBVNET_EINVAL);
	assert_int_equal(libvnet_user_bad(user, 0), LIBVNET_EINVAL);
	for (int i = 0; i < LIBVNET_USER_BAD; i++)
		assert_int_equal(libvnet_user_bad(user + i, 1), 0);
	assert_int_equal(libvnet_user_bad(user, 1), LIBVNET_ELIMIT);
	assert_int_equal(libvnet_user_good(NULL, 0), 0);
	assert_int_equal(libvnet_user_bad(user, 1), 0);
}

LIBVNET_TEST(string_ends_with_its_nul_or_is_too_long)
{
	char kernel[8];
	size_t done;

	assert_int_equal(copyinstr("abc", kernel, sizeof(kernel), &done), 0);
	assert_int_equal(done, 4);
	assert_string_equal(kernel, "abc");
	assert_int_equal(copyinstr("abcdefghij", kernel, sizeof(kernel),
	    &done), ENAMETOOLONG);
	assert_int_equal(done, 8);
}

LIBVNET_TEST(words_are_fetched_and_stored_whole)
{
	uint64_t user = 0;
	int64_t v64;
	int32_t v32;
	long v;

	assert_int_equal(suword(&user, 0x1122334455667788), 0);
	assert_int_equal(fueword(&user, &v), 0);
	assert_int_equal(v, 0x1122334455667788);
	assert_int_equal(fueword32(&user, &v32), 0);
	assert_int_equal(fueword64(&user, &v64), 0);
	assert_int_equal(v64, v);
	assert_int_equal(subyte(&user, 0xff), 0);
	assert_int_equal(fubyte(&user), 0xff);
	assert_int_equal(suword16(&user, 0x1234), 0);
	assert_int_equal(fuword16(&user), 0x1234);
	assert_int_equal(suword32(&user, -1), 0);
	assert_int_equal(fuword32(&user), -1);
	libvnet_user_bad((char *)&user + 7, 1);
	assert_int_equal(fueword(&user, &v), -1);
	assert_int_equal(fueword32(&user, &v32), 0);
}

LIBVNET_TEST(casueword_says_what_was_there)
{
	uint32_t user = 5, was;

	assert_int_equal(casueword32(&user, 5, &was, 6), 0);
	assert_int_equal(user, 6);
	assert_int_equal(casueword32(&user, 5, &was, 7), 1);
	assert_int_equal(was, 6);
	assert_int_equal(casueword32(NULL, 0, &was, 0), -1);
}

/* ---- a request, and every access of it that can fail */

struct request {
	int count;
	const int *values;
	int *sum;
};

static int
request(const struct request *user)
{
	struct request r;
	int error, value, sum = 0;

	error = copyin(user, &r, sizeof(r));
	for (int i = 0; error == 0 && i < r.count; i++) {
		error = copyin(&r.values[i], &value, sizeof(value));
		sum += value;
	}
	return (error != 0 ? error : copyout(&sum, r.sum, sizeof(sum)));
}

LIBVNET_TEST(every_access_of_a_request_can_fail)
{
	int values[3] = { 1, 2, 3 }, sum = 0, error, tries = 0;
	struct request r = { 3, values, &sum };

	for (uint64_t n = 1;; n++) {
		libvnet_user_fail(n);
		error = request(&r);
		if (libvnet_user_count() < n)
			break;
		assert_int_equal(error, EFAULT);
		tries++;
	}
	libvnet_user_fail(0);
	assert_int_equal(tries, 5);
	assert_int_equal(error, 0);
	assert_int_equal(sum, 6);
}

/* ---- where no fault may happen */

static void
copy_in_section(bool outside)
{
	char user[4] = "abc", kernel[4];

	if (!outside)
		critical_enter();
	assert_int_equal(copyin(user, kernel, sizeof(user)), 0);
	if (!outside)
		critical_exit();
}
LIBVNET_TEST(copy_in_a_critical_section_panics)
{
	libvnet_expect_panic("copyin: may sleep, in a critical section");
	copy_in_section(false);
}
LIBVNET_TEST(copy_outside_a_critical_section_is_fine)
{
	copy_in_section(true);
}

LIBVNET_TEST(copy_in_a_critical_section_with_page_faults_off_is_fine)
{
	char user[4] = "abc", kernel[4];

	critical_enter();
	assert_int_equal(copyin_nofault(user, kernel, sizeof(user)), 0);
	assert_int_equal(copyout_nofault(kernel, user, sizeof(user)), 0);
	assert_int_equal(copyin_nofault(NULL, kernel, sizeof(user)), EFAULT);
	critical_exit();
	copy_in_section(true);
}

/* ---- fetched twice */

struct counted {
	u_int count;
	char text[8];
};

/* The count that was checked is not the one that is used. */
static int
parse(struct counted *user, bool once)
{
	struct counted c;
	u_int n;
	int error;

	if (once) {
		error = copyin(user, &c, sizeof(c));
		n = c.count;
	} else
		error = copyin(&user->count, &n, sizeof(n));
	if (error != 0 || n > sizeof(c.text))
		return (error != 0 ? error : EINVAL);
	if (!once)
		error = copyin(user, &c, sizeof(c));
	return (error != 0 ? error : (int)c.count);
}

LIBVNET_TEST(memory_fetched_twice_is_found_and_names_the_first)
{
	struct counted user = { 3, "abc" };

	libvnet_expect("doublefetch", "copyin: 4 bytes of user memory at "
	    "0x[0-9a-f]+ are fetched again.*first fetch, called by parse");
	libvnet_user_watch(true);
	assert_int_equal(parse(&user, false), 3);
	libvnet_user_watch(false);
}
LIBVNET_TEST(memory_fetched_once_is_fine)
{
	struct counted user = { 3, "abc" };

	libvnet_user_watch(true);
	assert_int_equal(parse(&user, true), 3);
	libvnet_user_watch(false);
}
LIBVNET_TEST(memory_fetched_again_in_the_next_request_is_fine)
{
	struct counted user = { 3, "abc" };

	for (int i = 0; i < 2; i++) {
		libvnet_user_watch(true);
		assert_int_equal(parse(&user, true), 3);
		libvnet_user_watch(false);
	}
}
LIBVNET_TEST(memory_that_the_kernel_wrote_may_be_fetched)
{
	int user = 1, kernel;

	libvnet_user_watch(true);
	assert_int_equal(copyin(&user, &kernel, sizeof(user)), 0);
	assert_int_equal(copyout(&kernel, &user, sizeof(user)), 0);
	assert_int_equal(copyin(&user, &kernel, sizeof(user)), 0);
	libvnet_user_watch(false);
}

LIBVNET_TEST(change_between_two_fetches_is_seen_by_who_fetches_twice)
{
	struct counted user = { 3, "abc" };
	u_int big = 1000;

	assert_int_equal(libvnet_user_change(&user.count, &big, sizeof(big)),
	    0);
	assert_int_equal(parse(&user, false), 1000);
	user.count = 3;
	assert_int_equal(libvnet_user_change(&user.count, &big, sizeof(big)),
	    0);
	assert_int_equal(parse(&user, true), 3);
	assert_int_equal(user.count, 1000);
	assert_int_equal(libvnet_user_change(&user, &big, 0), LIBVNET_EINVAL);
	assert_int_equal(libvnet_user_change(&user, &big,
	    LIBVNET_USER_CHANGE + 1), LIBVNET_EINVAL);
}

/* ---- uio */

static struct uio
uio_make(struct iovec *iov, int n, enum uio_rw rw, enum uio_seg seg)
{
	struct uio uio = { iov, n, 0, 0, seg, rw, curthread };

	for (int i = 0; i < n; i++)
		uio.uio_resid += (ssize_t)iov[i].iov_len;
	return (uio);
}

LIBVNET_TEST(uiomove_goes_through_all_its_pieces)
{
	char a[3], b[4], kernel[] = "abcdefg";
	struct iovec iov[3] = { { a, 3 }, { NULL, 0 }, { b, 4 } };
	struct uio uio = uio_make(iov, 3, UIO_READ, UIO_USERSPACE);

	assert_int_equal(uiomove(kernel, 7, &uio), 0);
	assert_memory_equal(a, "abc", 3);
	assert_memory_equal(b, "defg", 4);
	assert_int_equal(uio.uio_resid, 0);
	assert_int_equal(uio.uio_offset, 7);
}

LIBVNET_TEST(uiomove_stops_at_a_fault)
{
	char a[3] = "ab", b[4] = "cde", kernel[8];
	struct iovec iov[2] = { { a, 3 }, { b, 4 } };
	struct uio uio = uio_make(iov, 2, UIO_WRITE, UIO_USERSPACE);

	libvnet_user_bad(b, 1);
	assert_int_equal(uiomove(kernel, 7, &uio), EFAULT);
	assert_int_equal(uio.uio_resid, 4);
}

LIBVNET_TEST(wiring_memory_looks_whether_it_is_there)
{
	char user[64];

	assert_int_equal(vslock(user, sizeof(user)), 0);
	vsunlock(user, sizeof(user));
	libvnet_user_bad(user + 60, 1);
	assert_int_equal(vslock(user, sizeof(user)), EFAULT);
}
