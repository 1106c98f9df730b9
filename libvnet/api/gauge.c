/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "seam_counter.h"

const char *
libvnet_counter_form(void)
{
	return (vnk_counter_form());
}

int
libvnet_counter_gauge(void *counter, const char *name)
{
	static const char who[] = "libvnet_counter_gauge";
	int error = api_ready(who);

	if (error != 0)
		return (error);
	if (counter == NULL || name == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: %s is NULL", who,
		    counter == NULL ? "counter" : "name"));
	if (vnk_gauge_add(counter, name) != 0)
		return (api_fail(LIBVNET_ELIMIT, "%s: there are %d gauges "
		    "already", who, LIBVNET_GAUGES_MAX));
	return (0);
}

int
libvnet_counter_gauge_end(void *counter)
{
	static const char who[] = "libvnet_counter_gauge_end";
	int error = api_ready(who);

	if (error != 0)
		return (error);
	if (counter == NULL || vnk_gauge_remove(counter) != 0)
		return (api_fail(LIBVNET_ENOENT, "%s: %p is no gauge", who,
		    counter));
	return (0);
}
