/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel world's data as it was before boot, so that it can begin anew,
 * and the check that nothing of it was lost at link time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

struct part {
	char	*start, *end, *copy;
};
static struct part parts[3];
static bool saved;

const char *
host_image_check(void)
{
	static char text[256];
	const struct vnh_set *s;

	if (vnh_manifest.version != VNH_SEAM_VERSION ||
	    vnk_seam_version() != VNH_SEAM_VERSION) {
		snprintf(text, sizeof(text), "the kernel object was made for "
		    "seam version %d, this library speaks %d: build the "
		    "runtime again", vnk_seam_version(), VNH_SEAM_VERSION);
		return (text);
	}
	for (s = vnh_manifest.sets; s->name != NULL; s++) {
		size_t have = s->start != NULL ?
		    (size_t)(s->stop - s->start) : 0;

		if (have == s->bytes)
			continue;
		snprintf(text, sizeof(text), "linker set %s has %zu bytes in "
		    "the program but %zu in the kernel object: the linker "
		    "dropped or added members; link with "
		    "-Wl,-z,nostart-stop-gc", s->name, have, s->bytes);
		return (text);
	}
	return (NULL);
}

void
host_image_save(void)
{
	const struct vnh_manifest *m = &vnh_manifest;

	if (saved)
		return;
	parts[0] = (struct part){ m->data, m->data_end, NULL };
	parts[1] = (struct part){ m->bss, m->bss_end, NULL };
	parts[2] = (struct part){ m->vnet, m->vnet_end, NULL };
	for (int i = 0; i < 3; i++) {
		size_t n = (size_t)(parts[i].end - parts[i].start);

		if (n == 0)
			continue;
		parts[i].copy = malloc(n);
		if (parts[i].copy == NULL)
			abort();
		vnh_copy(parts[i].copy, parts[i].start, n);
	}
	saved = true;
}

void
host_image_restore(void)
{
	for (int i = 0; i < 3; i++)
		if (parts[i].copy != NULL)
			vnh_copy(parts[i].start, parts[i].copy,
			    (size_t)(parts[i].end - parts[i].start));
}
