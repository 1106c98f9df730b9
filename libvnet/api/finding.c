/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "finding.h"

_Static_assert((int)LIBVNET_FAIL == (int)HOST_FAIL &&
    (int)LIBVNET_COLLECT == (int)HOST_COLLECT &&
    (int)LIBVNET_ABORT == (int)HOST_ABORT, "the same order");

int
libvnet_finding_policy(const char *kind, enum libvnet_finding_policy policy)
{
	const char *wrong;

	if (policy < LIBVNET_FAIL || policy > LIBVNET_ABORT)
		return (api_fail(LIBVNET_EINVAL, "libvnet_finding_policy: "
		    "%d is no policy; give LIBVNET_FAIL, LIBVNET_COLLECT or "
		    "LIBVNET_ABORT", (int)policy));
	wrong = host_policy_set(kind != NULL ? kind : "all",
	    (enum host_policy)policy);
	if (wrong != NULL)
		return (api_fail(kind != NULL && host_kind_known(kind) ?
		    LIBVNET_EINVAL : LIBVNET_ENOENT,
		    "libvnet_finding_policy: %s", wrong));
	return (0);
}

int
libvnet_finding_kind(unsigned long n, const char **name, const char **meaning)
{
	const struct host_kind *k = host_kind_nth(n);

	if (k == NULL)
		return (api_fail(LIBVNET_ENOENT,
		    "libvnet_finding_kind: there is no kind number %lu", n));
	if (name != NULL)
		*name = k->name;
	if (meaning != NULL)
		*meaning = k->meaning;
	return (0);
}

unsigned long
libvnet_finding_count(void)
{
	return (host_finding_count());
}

static struct host_finding *
nth(unsigned long n)
{
	struct host_finding *h = host_findings();

	while (h != NULL && n-- > 0)
		h = h->next;
	return (h);
}

int
libvnet_finding_get(unsigned long n, const char **kind, const char **text)
{
	struct host_finding *h = nth(n);

	if (h == NULL)
		return (api_fail(LIBVNET_ENOENT, "libvnet_finding_get: there "
		    "are %lu findings", host_finding_count()));
	if (kind != NULL)
		*kind = h->kind;
	if (text != NULL)
		*text = host_finding_text(h);
	return (0);
}

const char *
libvnet_finding_report(unsigned long n)
{
	struct host_finding *h = nth(n);

	if (h == NULL) {
		(void)api_fail(LIBVNET_ENOENT, "libvnet_finding_report: there "
		    "are %lu findings", host_finding_count());
		return (NULL);
	}
	return (host_finding_report(h));
}

void
libvnet_findings_clear(void)
{
	host_findings_reset();
}
