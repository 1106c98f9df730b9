/* SPDX-License-Identifier: BSD-2-Clause */
/* The public API: host threads, attached and not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <libvnet/libvnet.h>

#include "test_api.h"

extern void mod_lock(void);	/* module.c: kernel world */

static void *
other_thread(void *arg)
{
	struct vnet *v;
	int *result = arg;

	result[0] = libvnet_create(&v);
	result[1] = libvnet_thread_detach();
	result[2] = libvnet_thread_attach();
	result[3] = libvnet_thread_attach();
	result[4] = a != NULL ? libvnet_enter(a) : 0;
	result[5] = libvnet_thread_detach();
	return (NULL);
}

static void
foreign_thread_is_told_to_attach(void **state)
{
	pthread_t t;
	int r[6];

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, other_thread, r), 0);
	pthread_join(t, NULL);
	assert_int_equal(r[0], LIBVNET_ETHREAD);
	assert_int_equal(r[1], LIBVNET_ETHREAD);
	assert_int_equal(r[2], 0);
	assert_int_equal(r[3], LIBVNET_EBUSY);
	assert_int_equal(r[4], 0);
	assert_int_equal(r[5], 0);
	assert_fails(libvnet_thread_attach(), LIBVNET_EBUSY, "already");
	assert_fails(libvnet_thread_detach(), LIBVNET_EBUSY,
	    "libvnet_shutdown()");
}

/* ---- a thread that runs kernel code and did not attach */

static void *
does_not_attach(void *arg)
{
	(void)arg;
	mod_lock();
	return (NULL);
}

static void
unattached_thread_in_kernel_code_is_named(void **state)
{
	char said[4096];
	pthread_t t;
	ssize_t n, len = 0;
	int fd[2], status;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	pid = fork();
	if (pid == 0) {
		dup2(fd[1], STDERR_FILENO);
		signal(SIGSEGV, SIG_DFL);
		libvnet_abandon();
		if (libvnet_boot(NULL) == 0 &&
		    pthread_create(&t, NULL, does_not_attach, NULL) == 0)
			pthread_join(t, NULL);
		_exit(0);
	}
	close(fd[1]);
	while (len < (ssize_t)sizeof(said) - 1 &&
	    (n = read(fd[0], said + len, sizeof(said) - 1 - (size_t)len)) > 0)
		len += n;
	said[len] = '\0';
	close(fd[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	/* UBSan comes before the fault. */
	if (strstr(said, "runtime error: member access within null") == NULL)
		assert_non_null(strstr(said, "a host thread that is not "
		    "attached runs kernel code; call libvnet_thread_attach()"));
}

static pthread_barrier_t attached, may_go;

static void *
enters_and_waits(void *arg)
{
	int *r = arg;

	*r = libvnet_thread_attach();
	if (*r == 0)
		*r = libvnet_enter(a);
	pthread_barrier_wait(&attached);
	pthread_barrier_wait(&may_go);
	(void)libvnet_leave();
	(void)libvnet_thread_detach();
	return (NULL);
}

static void
vnet_that_another_thread_entered_is_not_destroyed(void **state)
{
	pthread_t t;
	int r = 0;

	(void)state;
	if (a == NULL)
		skip();
	pthread_barrier_init(&attached, NULL, 2);
	pthread_barrier_init(&may_go, NULL, 2);
	assert_int_equal(pthread_create(&t, NULL, enters_and_waits, &r), 0);
	pthread_barrier_wait(&attached);
	assert_int_equal(r, 0);
	assert_fails(libvnet_destroy(a), LIBVNET_EBUSY, "in another thread");
	pthread_barrier_wait(&may_go);
	pthread_join(t, NULL);
	pthread_barrier_destroy(&attached);
	pthread_barrier_destroy(&may_go);
	assert_int_equal(libvnet_destroy(a), 0);
	assert_int_equal(libvnet_create(&a), 0);
}

static void *
attach_and_wait(void *arg)
{
	int *r = arg;

	*r = libvnet_thread_attach();
	pthread_barrier_wait(&attached);
	pthread_barrier_wait(&may_go);
	if (*r == 0)
		*r = libvnet_thread_detach();
	return (NULL);
}

static void
attaching_ends_at_its_limit_and_shutdown_waits(void **state)
{
	enum { N = LIBVNET_ATTACH_MAX + 1 };
	pthread_t t[N];
	int r[N], refused = 0;

	(void)state;
	pthread_barrier_init(&attached, NULL, N + 1);
	pthread_barrier_init(&may_go, NULL, N + 1);
	for (int i = 0; i < N; i++)
		assert_int_equal(pthread_create(&t[i], NULL, attach_and_wait,
		    &r[i]), 0);
	pthread_barrier_wait(&attached);
	for (int i = 0; i < N; i++)
		refused += r[i] == LIBVNET_ELIMIT;
	assert_fails(libvnet_shutdown(), LIBVNET_EBUSY, "detach");
	pthread_barrier_wait(&may_go);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	assert_int_equal(refused, 1);
	pthread_barrier_destroy(&attached);
	pthread_barrier_destroy(&may_go);
}

int
main(void)
{
#define BOOTED(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		BOOTED(foreign_thread_is_told_to_attach),
		BOOTED(unattached_thread_in_kernel_code_is_named),
		BOOTED(vnet_that_another_thread_entered_is_not_destroyed),
		BOOTED(attaching_ends_at_its_limit_and_shutdown_waits),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
