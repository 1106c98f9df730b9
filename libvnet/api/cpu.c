/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "seam_cpu.h"

int
libvnet_cpu_policy(enum libvnet_cpu_policy policy)
{
	static const char who[] = "libvnet_cpu_policy";
	int error = api_ready(who);

	if (error != 0)
		return (error);
	if (policy < LIBVNET_CPU_STAY || policy > LIBVNET_CPU_RANDOM)
		return (api_fail(LIBVNET_EINVAL, "%s: policy is %d; give one "
		    "of LIBVNET_CPU_*", who, (int)policy));
	vnk_cpu_policy((int)policy, vnh_random());
	return (0);
}

int
libvnet_cpu(void)
{
	int error = api_ready("libvnet_cpu");

	return (error != 0 ? error : vnk_cpu());
}

uint64_t
libvnet_cpus(void)
{
	return (libvnet_booted() ? vnk_cpus() : 0);
}

int
libvnet_rendezvous_count(uint64_t *calls, uint64_t *actions)
{
	vnh_u64 c, a;

	if (!libvnet_booted())
		return (api_fail(LIBVNET_ENOTBOOTED, "libvnet_rendezvous_count:"
		    " call libvnet_boot() first"));
	vnk_rendezvous(&c, &a);
	if (calls != NULL)
		*calls = c;
	if (actions != NULL)
		*actions = a;
	return (0);
}
