/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is said when the stack of a kernel thread overflows.
 *
 * Below each stack lies a page that cannot be touched.  The fault there is
 * caught on a stack of its own; from there the flow goes home and panics, as
 * it could not go on anyhow.  Other faults go where they went before, which
 * under the test runner is cmocka: it catches faults itself, anew in each
 * phase of each test, and so does this.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coroutine.h"

#define GUARD 4096
#define SIGNAL_STACK (64 * 1024)

/*
 * FreeBSD's are of 16 KiB.  Ours carry calls of libc besides, and with
 * sanitizers their frames and their reports.
 */
#define STACK_PLAIN (32 * 1024)
#define STACK_SANITIZED (256 * 1024)

extern void *__tsan_create_fiber(unsigned) __attribute__((weak));

vnh_size_t
vnh_stack_default(void)
{
	return (vnh_sanitized() || __tsan_create_fiber != NULL ? STACK_SANITIZED :
	    STACK_PLAIN);
}

/* ---- overflow */

static struct sigaction before[2];	/* SIGSEGV, SIGBUS */
static char message[160];

/* The flow whose stack has its guard there. */
static const struct vnh_co *
overflowed(const char *address)
{
	const struct vnh_co *co = host_co_current();

	if (co == NULL || co->co_stack == NULL ||
	    address >= co->co_stack + 256 || address < co->co_stack - GUARD)
		return (NULL);
	return (co);
}

/* On the test's own stack. */
static void
report(void *arg)
{
	const struct vnh_co *co = arg;

	snprintf(message, sizeof(message), "kernel thread \"%s\" overflowed "
	    "its stack of %zu bytes", co->co_name, (size_t)co->co_size);
	vnh_finding(&(struct vnh_finding){ .kind = "stack",
	    .message = message, .object = co->co_name, .vnet = -1 });
	vnh_panic(message);
}

/*
 * curthread and the current CPU are NULL in a host thread that did not attach:
 * say so before it goes down.
 */
static void
unattached(const char *address)
{
	static const char text[] = "libvnet: a host thread that is not "
	    "attached runs kernel code; call libvnet_thread_attach() in it "
	    "first\n";

	if (!host_home_foreign() || (uintptr_t)address >= 65536 ||
	    vnk_thread_attached())
		return;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		abort();
}

/* Elsewhere than at home: to the one who would have caught it there. */
static void
elsewhere(void *arg)
{
	int sig = *(const int *)arg;

	before[sig == SIGBUS].sa_handler(sig);
}

static void
fault(int sig, siginfo_t *info, void *context)
{
	struct sigaction *old = &before[sig == SIGBUS];
	const struct vnh_co *co = overflowed(info->si_addr);
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	/* Never to return: the flow ends where it stands. */
	if (co != NULL) {
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
		host_home_call(report, (void *)co);
	}
	unattached(info->si_addr);
	if ((old->sa_flags & SA_SIGINFO) != 0)
		old->sa_sigaction(sig, info, context);
	else if (old->sa_handler == SIG_DFL || old->sa_handler == SIG_IGN)
		sigaction(sig, old, NULL);	/* and again */
	else if (host_home_here() || host_home_foreign())
		old->sa_handler(sig);
	else {
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
		host_home_call(elsewhere, &sig);
	}
}

static void
watch(int sig)
{
	struct sigaction sa = { .sa_sigaction = fault,
	    .sa_flags = SA_SIGINFO | SA_ONSTACK }, old;

	if (sigaction(sig, NULL, &old) != 0 || old.sa_sigaction == fault)
		return;
	before[sig == SIGBUS] = old;
	sigemptyset(&sa.sa_mask);
	sigaction(sig, &sa, NULL);
}

void
host_stack_watch(void)
{
	static __thread char *alternate;
	stack_t st;

	if (alternate == NULL && sigaltstack(NULL, &st) == 0 &&
	    (st.ss_flags & SS_DISABLE) != 0) {
		alternate = malloc(SIGNAL_STACK);
		st = (stack_t){ .ss_sp = alternate, .ss_size = SIGNAL_STACK };
		if (alternate == NULL || sigaltstack(&st, NULL) != 0)
			return;
	}
	watch(SIGSEGV);
	watch(SIGBUS);
}
