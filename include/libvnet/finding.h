/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Findings: broken kernel rules.  The kinds:
 *
 *	panic		panic(9), or a KASSERT that failed
 *	novnet		a V_ variable used with no vnet set (then panics)
 *	deadvnet	a V_ variable used in a destroyed vnet (then panics)
 *	leak		memory of a vnet still allocated when it was destroyed
 *	overrun		bytes around a V_ variable or an item of memory were written
 *	useafterfree	a freed item was written to (then panics)
 *	doublefree	an item was freed twice (then panics)
 *	badfree		memory was given back where it did not come from (then panics)
 *	zone		a UMA zone destroyed with live items
 *	lock		a lock held at the end of a test
 *	section		a critical or epoch section open at the end of a test
 *	curvnet		a vnet left current at the end of a test
 *	stack		a kernel thread overflowed its stack (then panics)
 *	reference	a vnet destroyed while its credential is held
 *	doublefetch	user memory fetched twice in one request
 *	sleep		a sleep, or a lock that may sleep, where that is prohibited
 *	stub		a function that nobody supplies was called (then panics)
 *	counter		counter(9)'s protected forms outside of their section
 *	gauge		a counter that was declared a gauge went below zero
 *	schedule	a schedule of an exploration that fails
 *	race		a data race: two accesses of one place, and nothing orders them
 *	percpu		a data race about a CPU's own data
 *	undefined	undefined behaviour of C that UBSan saw
 *	uninitialised	an uninitialised value that MSan saw decide something
 *
 * What is done about a finding is a matter of its kind's policy:
 *
 *	fail		the test fails, unless it was expected; in a fuzz
 *			target: report and abort(); elsewhere: report and go on
 *	collect		it is listed and counted, and nothing fails
 *	abort		report and abort(), unless it was expected
 *
 * "fail" holds where nothing else is said: by libvnet_finding_policy(), by
 * the runner's --policy=KIND=POLICY, or by the environment,
 *
 *	LIBVNET_FINDINGS=leak=collect,novnet=abort
 *
 * where "all" stands for every kind.  A panic cannot be collected: there is
 * nothing to go on with.
 *
 * What UBSan and MSan report is a finding like any other, once a test for each
 * place; where nobody expected it their own report is printed too.  In a
 * program without tests it ends the program, unless UBSAN_OPTIONS or
 * MSAN_OPTIONS has halt_on_error=0.  AddressSanitizer's reports end it anyway.
 *
 * LIBVNET_KNOWN_FAULTS=FILE names faults that are known, one a line: a tree may
 * have some of its own, and a new one is to be seen among them.
 *
 *	VERSIONS KIND NAME FUNCTION MOST WHY
 *	1300000-1300999 malloc "two words" thing_alloc 2 thing_uninit forgets it
 *	* undefined shift thing_scale * shifts by a packet's word
 *
 * VERSIONS is a __FreeBSD_version, LOW-HIGH or *.  Of leaks KIND is malloc or
 * zone, NAME the type's or zone's, FUNCTION who allocated it, MOST how many
 * each vnet may leave, * any number.  Of reports KIND is undefined, NAME
 * alignment, null, object-size, overflow, divide, shift, bounds, vla-bound,
 * float-cast-overflow, value, builtin, nonnull-attribute,
 * returns-nonnull-attribute or pointer-overflow; or uninitialised, NAME value;
 * FUNCTION where it is or the name of its file, MOST *.
 *
 * What a line covers is counted and told at the end of a run, and is no
 * finding, unless the test expects it; more leaks than MOST are.  A line that
 * covers nothing does no harm.  Programs on a kernel tree have such a list
 * built in, libvnet/cmake/known-faults; the file is added to it.
 *
 * LIBVNET_FINDINGS_JSON=FILE appends each finding to FILE as a line of JSON
 * ("-" is stderr); the runner's --findings=json[:FILE] does the same.
 */
#ifndef LIBVNET_FINDING_H
#define LIBVNET_FINDING_H

#include <libvnet/types.h>

LIBVNET_BEGIN

enum libvnet_finding_policy {
	LIBVNET_FAIL,
	LIBVNET_COLLECT,
	LIBVNET_ABORT
};

/*
 * For this process, until changed.  NULL for `kind' is every kind; panic is
 * then left alone where the policy does not suit it.  Call before other
 * threads run kernel code.
 *
 * LIBVNET_ENOENT  there is no such kind; libvnet_error() lists them
 * LIBVNET_EINVAL  no such policy, or it does not suit the kind
 */
int	libvnet_finding_policy(const char *kind,
	    enum libvnet_finding_policy policy);

/*
 * The n-th kind, from 0: its name and what it means, constant strings;
 * either pointer may be NULL.  LIBVNET_ENOENT: there is none.
 */
int	libvnet_finding_kind(unsigned long n, const char **name,
	    const char **meaning);

/*
 * How many there were since boot (in a test: since it began).  Panics are
 * not among them.
 */
unsigned long libvnet_finding_count(void);

/*
 * The n-th, from 0: its kind and text; either pointer may be NULL.  Valid
 * until libvnet_findings_clear().  LIBVNET_ENOENT: there is none; after 1000
 * they are reported and counted, but not kept.
 */
int	libvnet_finding_get(unsigned long n, const char **kind,
	    const char **text);

/*
 * All that is known of the n-th, for people: lines with its text, the vnet,
 * object, CPU and seed, and the backtrace.  Valid as above.  NULL: there is
 * none.
 */
const char *libvnet_finding_report(unsigned long n);

void	libvnet_findings_clear(void);

LIBVNET_END

#endif /* LIBVNET_FINDING_H */
