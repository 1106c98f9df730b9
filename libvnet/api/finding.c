/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"

unsigned long
libvnet_finding_count(void)
{
	return (host_finding_count());
}

int
libvnet_finding_get(unsigned long n, const char **kind, const char **text)
{
	const struct host_finding *h = host_findings();

	while (h != NULL && n-- > 0)
		h = h->next;
	if (h == NULL)
		return (api_fail(LIBVNET_ENOENT, "libvnet_finding_get: there "
		    "are %lu findings", host_finding_count()));
	if (kind != NULL)
		*kind = h->kind;
	if (text != NULL)
		*text = h->text;
	return (0);
}

void
libvnet_findings_clear(void)
{
	host_findings_reset();
}
