/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "coroutine.h"
#include "finding.h"
#include "seam_cpu.h"

static bool booted;

static int
options_check(const struct libvnet_options *o)
{
	if (o->ncpus < 0 || o->ncpus > LIBVNET_MAXCPU)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: ncpus is %d; "
		    "give 1 to %d", o->ncpus, LIBVNET_MAXCPU));
	if (o->cpu_policy < LIBVNET_CPU_STAY ||
	    o->cpu_policy > LIBVNET_CPU_RANDOM)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: cpu_policy is "
		    "%d; give one of LIBVNET_CPU_*", (int)o->cpu_policy));
	if (o->hz < 0 || o->hz > LIBVNET_HZ_MAX)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: hz is %d; "
		    "give 1 to %d", o->hz, LIBVNET_HZ_MAX));
	if (o->threads < LIBVNET_THREADS_COROUTINE ||
	    o->threads > LIBVNET_THREADS_BATON)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: threads is %d; "
		    "give one of LIBVNET_THREADS_*", (int)o->threads));
	return (api_epoch_check("libvnet_boot: epoch", o->epoch,
	    o->epoch_ticks));
}

/* Which CPUs there are to be. */
static int
cpus_check(const struct libvnet_options *o, uint64_t *mask)
{
	int n = o->ncpus != 0 ? o->ncpus : 1, highest;

	*mask = o->cpus;
	if (o->cpus == 0)
		*mask = n == 64 ? ~0ULL : (1ULL << n) - 1;
	else if ((o->cpus & 1) == 0)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: cpus is %#jx; "
		    "CPU 0, which boots, is always there", (uintmax_t)o->cpus));
	else if (o->ncpus != 0 && o->ncpus != __builtin_popcountll(o->cpus))
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: ncpus is %d, "
		    "but cpus has %d bits; leave ncpus 0", o->ncpus,
		    __builtin_popcountll(o->cpus)));
	if ((o->late_cpus & ~*mask) != 0 || (o->late_cpus & 1) != 0)
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: late_cpus is "
		    "%#jx; give CPUs that there are, but not CPU 0",
		    (uintmax_t)o->late_cpus));
	highest = 63 - __builtin_clzll(*mask);
	if (highest >= vnk_maxcpu())
		return (api_fail(LIBVNET_EINVAL, "libvnet_boot: there is to be "
		    "a CPU %d, but the runtime has MAXCPU=%d", highest,
		    vnk_maxcpu()));
	return (0);
}

int
libvnet_boot(const struct libvnet_options *options)
{
	static const struct libvnet_options defaults;
	const struct libvnet_options *o = options ? options : &defaults;
	const char *wrong;
	uint64_t cpus;
	int error;

	if (booted)
		return (api_fail(LIBVNET_EBOOTED, "libvnet_boot: booted "
		    "already; call libvnet_shutdown() before booting again"));
	error = options_check(o);
	if (error == 0)
		error = cpus_check(o, &cpus);
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
	vnk_cpu_policy((int)o->cpu_policy, o->seed);
	vnk_boot(&(struct vnk_boot){
	    .cpus = cpus, .late_cpus = o->late_cpus, .hz = o->hz, .kenv = o->kenv,
	    .carrier = (int)o->threads,
	    .epoch_when = (int)o->epoch, .epoch_ticks = o->epoch_ticks });
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
