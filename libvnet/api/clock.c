/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "seam_thread.h"

int64_t
libvnet_clock_ns(void)
{
	int error = api_ready("libvnet_clock_ns");

	return (error != 0 ? error : vnk_clock_now());
}

int
libvnet_clock_advance_ns(int64_t ns)
{
	int error = api_ready("libvnet_clock_advance_ns");
	int64_t most;

	if (error != 0)
		return (error);
	most = LIBVNET_UPTIME_MAX - vnk_clock_now();
	if (ns < 0 || ns > most)
		return (api_fail(LIBVNET_EINVAL, "libvnet_clock_advance_ns: "
		    "%lld ns; give 0 to %lld, time does not run backwards and "
		    "ends at LIBVNET_UPTIME_MAX", (long long)ns,
		    (long long)most));
	if (!vnk_thread_main())
		return (api_fail(LIBVNET_ETHREAD, "libvnet_clock_advance_ns: "
		    "only the thread that booted moves the clock; let a "
		    "kernel thread pause(9)"));
	vnk_clock_advance(ns);
	return (0);
}

int64_t
libvnet_clock_next_ns(void)
{
	int error = api_ready("libvnet_clock_next_ns");
	int64_t ns;

	if (error != 0)
		return (error);
	ns = vnk_clock_next();
	if (ns < 0)
		return (api_fail(LIBVNET_ENOENT,
		    "libvnet_clock_next_ns: no callout is pending"));
	return (ns);
}

long
libvnet_run_until_idle(void)
{
	int error = api_ready("libvnet_run_until_idle");
	long n;

	if (error != 0)
		return (error);
	if (!vnk_thread_main())
		return (api_fail(LIBVNET_ETHREAD, "libvnet_run_until_idle: "
		    "only the thread that booted may; let a kernel thread "
		    "sleep(9)"));
	n = vnk_run_until_idle(LIBVNET_IDLE_MAX);
	if (n < 0)
		return (api_fail(LIBVNET_ELIMIT, "libvnet_run_until_idle: not "
		    "idle after %ld items; does a handler arm itself for "
		    "\"now\"?", LIBVNET_IDLE_MAX));
	return (n);
}

/* ---- when epoch callbacks run */

int
api_epoch_check(const char *what, enum libvnet_epoch when, int ticks)
{
	if (when < LIBVNET_EPOCH_IDLE || when > LIBVNET_EPOCH_RANDOM)
		return (api_fail(LIBVNET_EINVAL, "%s is %d; give one of "
		    "LIBVNET_EPOCH_*", what, (int)when));
	if (ticks < 0 || (when == LIBVNET_EPOCH_DELAYED && ticks == 0))
		return (api_fail(LIBVNET_EINVAL, "%s: %d ticks; give how many "
		    "ticks callbacks wait", what, ticks));
	return (0);
}

int
libvnet_epoch_set(enum libvnet_epoch when, int ticks)
{
	int error = api_ready("libvnet_epoch_set");

	if (error == 0)
		error = api_epoch_check("libvnet_epoch_set: when", when,
		    ticks);
	if (error == 0)
		vnk_epoch_when((int)when, ticks);
	return (error);
}
