/* SPDX-License-Identifier: BSD-2-Clause */
/* Host world: the captures in the folder that LIBVNET_CAPTURES names. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "captures.h"

static int
is_capture(const struct dirent *d)
{
	const char *dot = strrchr(d->d_name, '.');

	return (d->d_name[0] != '.' && dot != NULL &&
	    (strcmp(dot, ".pcap") == 0 || strcmp(dot, ".pcapng") == 0));
}

bool
captures_nth(unsigned n, char *path, unsigned size)
{
	static struct dirent **list;
	static int count = -1;
	const char *dir = getenv("LIBVNET_CAPTURES");

	if (dir == NULL || *dir == '\0')
		return (false);
	if (count < 0)
		count = scandir(dir, &list, is_capture, alphasort);
	if (count < 0 || n >= (unsigned)count)
		return (false);
	snprintf(path, size, "%s/%s", dir, list[n]->d_name);
	return (true);
}
