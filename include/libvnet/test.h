/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests in one file.
 *
 * Include the kernel headers that the code under test wants, then this.  It
 * brings cmocka's assertions and mocks, and the API of libvnet.  No main()
 * and no table is needed: a test is
 *
 *	LIBVNET_TEST(name) { ... }		no vnet is set
 *	LIBVNET_TEST_VNET(name, v) { ... }	a new vnet v, current
 *	LIBVNET_TEST_VNETS(name, a, b) { ... }	two new vnets, none current
 *
 * Every test starts in a freshly booted kernel world and ends with its vnets
 * destroyed; a leak, a held lock or another finding fails it, and so does a
 * panic or failed KASSERT, with its message.  The other tests run on.
 *
 * The world is booted once and put back from a snapshot before each test, in
 * microseconds; the vnets of the fixture are in it.  With --no-restore (or
 * LIBVNET_NO_RESTORE=1) the tests run one after another in one world, each
 * with vnets of its own, to find those that depend on each other; after a
 * test that fails the world is booted again, so that one failure makes no
 * others.
 *
 * Tunables for the boot of all tests are given by the runner's
 * --kenv=NAME=VALUE, several with ';' between, and by lines or the same in
 * the environment variable LIBVNET_KENV; what is given first counts, and the
 * command line is before the environment.  A test with an environment of its
 * own shuts the world down and boots it again.
 *
 * In a runtime without VIMAGE there are no vnets: v is NULL and V_ variables
 * are globals; tests with two vnets are skipped.
 *
 * Everything that the kernel world holds, statics of this file included,
 * is as at program start when a test begins.
 */
#ifndef LIBVNET_TEST_H
#define LIBVNET_TEST_H

#ifndef _KERNEL
#error "<libvnet/test.h> is for files compiled against kernel headers; use libvnet_add_test()"
#endif

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <net/vnet.h>

#include <libvnet/boot.h>
#include <libvnet/clock.h>
#include <libvnet/device.h>
#include <libvnet/counter.h>
#include <libvnet/cpu.h>
#include <libvnet/cred.h>
#include <libvnet/ddb.h>
#include <libvnet/error.h>
#include <libvnet/explore.h>
#include <libvnet/fail.h>
#include <libvnet/finding.h>
#include <libvnet/heap.h>
#include <libvnet/interface.h>
#include <libvnet/link.h>
#include <libvnet/log.h>
#include <libvnet/random.h>
#include <libvnet/route.h>
#include <libvnet/show.h>
#include <libvnet/snapshot.h>
#include <libvnet/socket.h>
#include <libvnet/stub.h>
#include <libvnet/sysctl.h>
#include <libvnet/thread.h>
#include <libvnet/user.h>
#include <libvnet/vnet.h>

/*
 * What cmocka.h wants of libc, in a file that may not include libc.  The
 * size of jmp_buf does not matter: only an extern one is named.
 */
#ifndef __WORDSIZE
#define __WORDSIZE (8 * __SIZEOF_POINTER__)
#endif
#define _UINTPTR_T
#define _UINTPTR_T_DEFINED
struct _jmp_buf {
	long libvnet_opaque[64];
};
typedef struct _jmp_buf libvnet_jmp_buf[1];
#define jmp_buf libvnet_jmp_buf
#ifndef va_list
#include <machine/stdarg.h>
#endif
#undef setjmp
#define setjmp _setjmp
int	_setjmp(struct _jmp_buf *) __returns_twice;
#include <libvnet_cmocka/cmocka.h>
#undef jmp_buf
#undef setjmp

/* cmocka 1.1.5 loses the text of its own in TAP and XML. */
void	libvnet_test_fail(const char *file, int line, const char *format, ...)
	    __attribute__((__format__(__printf__, 3, 4)));
#undef fail_msg
#define fail_msg(...) libvnet_test_fail(__FILE__, __LINE__, __VA_ARGS__)

enum libvnet_fixture {
	LIBVNET_NO_VNET,
	LIBVNET_ONE_VNET,
	LIBVNET_TWO_VNETS
};

struct libvnet_test {
	const char *name;
	const char *file;
	int line;
	enum libvnet_fixture fixture;
	void (*fn)(struct vnet *, struct vnet *);
};

#define LIBVNET_TEST_ENTRY(id, fixture, a, b)				\
	static void id(struct vnet *, struct vnet *);			\
	static const struct libvnet_test libvnet_test_##id = {		\
		#id, __FILE__, __LINE__, fixture, id			\
	};								\
	static const struct libvnet_test *const libvnet_testp_##id	\
	    __attribute__((__section__("set_libvnet_tests"), __used__)) = \
	    &libvnet_test_##id;						\
	static void							\
	id(struct vnet *a __unused, struct vnet *b __unused)

#define LIBVNET_TEST(name) \
	LIBVNET_TEST_ENTRY(name, LIBVNET_NO_VNET, libvnet_a, libvnet_b)
#define LIBVNET_TEST_VNET(name, v) \
	LIBVNET_TEST_ENTRY(name, LIBVNET_ONE_VNET, v, libvnet_b)
#define LIBVNET_TEST_VNETS(name, a, b) \
	LIBVNET_TEST_ENTRY(name, LIBVNET_TWO_VNETS, a, b)

/*
 * LIBVNET_IN(v) { ... }: the block runs with v current.  Leave it at its
 * end only, not by return, goto or break.
 */
#define LIBVNET_IN(v)							\
	for (int libvnet_once = (libvnet_test_enter(v), 1);		\
	    libvnet_once != 0; libvnet_once = (libvnet_test_leave(), 0))

/*
 * This test must end in a panic (or a failed KASSERT) whose message matches
 * the POSIX extended regular expression; no panic, or another, fails it.
 * The findings that lead to the panic are expected with it.
 */
void	libvnet_expect_panic(const char *regex);

/*
 * One finding of this kind, matching the regular expression, must come
 * before the test's vnets are gone.  At most LIBVNET_EXPECT_MAX a test.
 */
#define LIBVNET_EXPECT_MAX 32
void	libvnet_expect(const char *kind, const char *regex);

/* Skip this test, saying why. */
void	libvnet_skip(const char *reason);

/* For the macros above: enter and leave, failing the test on an error. */
void	libvnet_test_enter(struct vnet *v);
void	libvnet_test_leave(void);

#endif /* LIBVNET_TEST_H */
