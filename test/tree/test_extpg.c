/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tree's unmapped mbufs (M_EXTPG), whose data lies in pages that only the
 * direct map shows.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/mbuf.h>
#include <sys/uio.h>
#include <net/vnet.h>

#include <libvnet/test.h>

#define BYTES (3 * PAGE_SIZE + 100)

static char from[BYTES], to[BYTES];

static struct mbuf *
unmapped(void)
{
	struct iovec iov = { from, sizeof(from) };
	struct uio uio = { .uio_iov = &iov, .uio_iovcnt = 1,
	    .uio_resid = sizeof(from), .uio_segflg = UIO_SYSSPACE,
	    .uio_rw = UIO_WRITE, .uio_td = curthread };
	struct mbuf *m;

	for (u_int i = 0; i < sizeof(from); i++)
		from[i] = (char)(i * 31 + i / 256);
	m = m_uiotombuf(&uio, M_WAITOK, sizeof(from), 0, M_EXTPG);
	assert_non_null(m);
	assert_true((m->m_flags & M_EXTPG) != 0);
	assert_int_equal(m_length(m, NULL), sizeof(from));
	return (m);
}

LIBVNET_TEST(unmapped_mbuf_is_copied_from)
{
	struct mbuf *m = unmapped();

	memset(to, 0, sizeof(to));
	m_copydata(m, 0, sizeof(to), to);
	assert_memory_equal(to, from, sizeof(to));
	m_copydata(m, PAGE_SIZE - 7, 20, to);
	assert_memory_equal(to, from + PAGE_SIZE - 7, 20);
	m_freem(m);
}

LIBVNET_TEST(unmapped_mbuf_goes_to_user_land)
{
	struct iovec iov = { to, sizeof(to) };
	struct uio uio = { .uio_iov = &iov, .uio_iovcnt = 1,
	    .uio_resid = sizeof(to), .uio_segflg = UIO_USERSPACE,
	    .uio_rw = UIO_READ, .uio_td = curthread };
	struct mbuf *m = unmapped();

	memset(to, 0, sizeof(to));
	assert_int_equal(m_mbuftouio(&uio, m, 0), 0);
	assert_memory_equal(to, from, sizeof(to));
	iov = (struct iovec){ to, sizeof(to) };
	uio.uio_iov = &iov;
	uio.uio_iovcnt = 1;
	uio.uio_resid = sizeof(to);
	libvnet_user_bad(to + PAGE_SIZE, 1);
	assert_int_equal(m_mbuftouio(&uio, m, 0), EFAULT);
	m_freem(m);
}

/* Later 14 has it answer an error, where others return the mbuf. */
typedef struct mbuf *one_f(struct mbuf *);
typedef int two_f(struct mbuf *, struct mbuf **);

static struct mbuf *
mapped(struct mbuf *m)
{
	if (_Generic(&mb_unmapped_to_ext, two_f *: true, one_f *: false)) {
		two_f *f = (two_f *)(void *)mb_unmapped_to_ext;

		assert_int_equal(f(m, &m), 0);
		return (m);
	}
	return (((one_f *)(void *)mb_unmapped_to_ext)(m));
}

LIBVNET_TEST(unmapped_mbuf_is_mapped_page_by_page)
{
	struct mbuf *m = mapped(unmapped());
	u_int at = 0;

	assert_non_null(m);
	for (struct mbuf *n = m; n != NULL; n = n->m_next) {
		assert_int_equal(n->m_flags & M_EXTPG, 0);
		assert_memory_equal(mtod(n, char *), from + at,
		    (size_t)n->m_len);
		at += (u_int)n->m_len;
	}
	assert_int_equal(at, sizeof(from));
	m_freem(m);
}
