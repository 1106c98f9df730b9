/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stubs: what a file under test calls and nobody supplies.
 *
 * Code that is tested by itself calls the rest of the stack, which is not
 * there.  Each such function gets a stub, which ends the test with the
 * function's name and its caller (finding "stub", then a panic).  Instead,
 *
 *	define it in a test file		yours is called, a mock with
 *						cmocka's mock() and
 *						check_expected() too
 *	LIBVNET_STUB_RETURN(name, value);	it returns the value
 *	LIBVNET_STUB_NULL(name);		it returns NULL
 *	LIBVNET_STUB_ERROR(name, ENOBUFS);	it returns that errno
 *	LIBVNET_STUB_FREE_MBUF(name, argno);	it frees the chain of mbufs in
 *						that argument, from 1, returns 0
 *	LIBVNET_STUB_MOCK(name);		it returns what the test gave
 *						will_return(name, value)
 *
 * outside functions, once in one of the program's files, for all its tests.
 * `name' must be a stub: where it is not, the build says what it is.  A value
 * is evaluated at each call.
 *
 * Data gets zeroed storage of its own size, in each vnet where it is
 * virtualised; arrays of counters are allocated, malloc types and sysctl
 * nodes are real ones.  --list-undefined of libvnet-cc, or undefined.txt
 * beside the program's kernel object, tells which is which.
 */
#ifndef LIBVNET_STUB_H
#define LIBVNET_STUB_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/*
 * The same for a test while it runs, by name ("tcp_output"); it goes before
 * what the files say, and ends with the test.
 *
 * LIBVNET_ENOENT   there is no such stub; libvnet_error() lists them
 * LIBVNET_EINVAL   argno is not 1 to LIBVNET_STUB_ARGS
 * LIBVNET_ENOTSUP  libvnet_stub_free_mbuf: the program has no m_freem()
 * LIBVNET_ENOTBOOTED, LIBVNET_ETHREAD
 */
#define LIBVNET_STUB_ARGS 6
int	libvnet_stub_return(const char *name, long value);
int	libvnet_stub_free_mbuf(const char *name, int argno);
int	libvnet_stub_fail(const char *name);	/* ends the test */
int	libvnet_stub_given(const char *name);	/* as the files say */

/* How often it was called since the test began, or an error as above. */
long	libvnet_stub_calls(const char *name);

LIBVNET_END

#ifdef _KERNEL		/* test world */

#define LIBVNET_STUB(name, body)					\
	long libvnet_stub_default_##name(const long *);			\
	long								\
	libvnet_stub_default_##name(const long *libvnet_args)		\
	{								\
		(void)libvnet_args;					\
		body							\
	}								\
	struct libvnet_stub_wants_a_semicolon

#define LIBVNET_STUB_RETURN(name, value) \
	LIBVNET_STUB(name, return ((long)(value));)
#define LIBVNET_STUB_NULL(name) LIBVNET_STUB_RETURN(name, 0)
#define LIBVNET_STUB_ERROR(name, error) LIBVNET_STUB_RETURN(name, error)

struct mbuf;
void	m_freem(struct mbuf *);
#define LIBVNET_STUB_FREE_MBUF(name, argno)				\
	_Static_assert((argno) >= 1 && (argno) <= LIBVNET_STUB_ARGS,	\
	    "arguments are counted from 1 to LIBVNET_STUB_ARGS");	\
	LIBVNET_STUB(name,						\
	    m_freem((struct mbuf *)libvnet_args[(argno) - 1]); return (0);)

/* cmocka's own is for a function that has the name itself. */
#define LIBVNET_STUB_MOCK(name) \
	LIBVNET_STUB(name, return ((long)_mock(#name, __FILE__, __LINE__));)

#endif /* _KERNEL */

#endif /* LIBVNET_STUB_H */
