/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "coroutine.h"
#include "finding.h"

static bool booted;

static int
options_check(const struct libvnet_options *o)
{
	if (o->ncpus < 0 || o->ncpus > LIBVNET_MAXCPU)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: ncpus is %d; "
		    "give 1 to %d", o->ncpus, LIBVNET_MAXCPU));
	if (o->hz < 0 || o->hz > LIBVNET_HZ_MAX)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: hz is %d; "
		    "give 1 to %d", o->hz, LIBVNET_HZ_MAX));
	if (o->threads < LIBVNET_THREADS_COROUTINE ||
	    o->threads > LIBVNET_THREADS_BATON)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: threads is %d; "
		    "give one of LIBVNET_THREADS_*", (int)o->threads));
	return (0);
}

int
libvnet_boot(const struct libvnet_options *options)
{
	static const struct libvnet_options defaults;
	const struct libvnet_options *o = options ? options : &defaults;
	const char *wrong;
	int error;

	if (booted)
		return (api_fail(LIBVNET_EBOOTED, "libvnet_boot: booted "
		    "already; call libvnet_shutdown() before booting again"));
	error = options_check(o);
	if (error != 0)
		return (error);
	wrong = host_policy_environment();
	if (wrong != NULL)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: %s", wrong));
	wrong = host_image_check();
	if (wrong != NULL)
		return (api_fail(LIBVNET_ELINK, "libvnet_boot: %s", wrong));
	wrong = host_heap_configure((int)o->heap, o->quarantine);
	if (wrong != NULL)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: %s", wrong));
	host_report_init();
	host_image_save();
	host_findings_reset();
	host_console_reset();
	host_console_echo(o->verbose);
	host_random_seed(o->seed != 0 ? o->seed : 1);
	host_thread_count(1);
	booted = true;
	vnk_boot(&(struct vnk_boot){
	    .ncpus = o->ncpus, .hz = o->hz, .kenv = o->kenv,
	    .carrier = (int)o->threads });
	return (0);
}

int
libvnet_abandon(void)
{
	if (!booted)
		return (api_fail(LIBVNET_ENOTBOOTED,
		    "libvnet_abandon: nothing is booted"));
	api_snapshot_forget();
	host_co_abandon();
	host_thread_count(-vnh_threads());
	vnk_forget();
	api_enter_reset();
	host_heap_reset();
	host_image_restore();
	booted = false;
	return (0);
}

int
libvnet_shutdown(void)
{
	int error = api_ready("libvnet_shutdown");

	if (error != 0)
		return (error);
	if (vnh_threads() > 1)
		return (api_fail(LIBVNET_EBUSY, "libvnet_shutdown: %d other "
		    "threads are attached; let them detach first",
		    vnh_threads() - 1));
	vnk_shutdown();
	return (libvnet_abandon());
}

enum libvnet_threads
libvnet_threads(void)
{
	return ((enum libvnet_threads)host_co_carrier);
}

bool
libvnet_booted(void)
{
	return (booted);
}

bool
libvnet_has_vimage(void)
{
	return (vnk_vimage() != 0);
}

bool
libvnet_has_checks(void)
{
	return (vnk_checks() != 0);
}
