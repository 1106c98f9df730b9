/* SPDX-License-Identifier: BSD-2-Clause */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"

const char *
libvnet_log(void)
{
	return (host_console_text(NULL));
}

void
libvnet_log_clear(void)
{
	host_console_reset();
}

void
libvnet_log_echo(bool on)
{
	host_console_echo(on);
}

int
libvnet_log_count(const char *regex)
{
	char reason[128], *copy, *line, *rest;
	regex_t re;
	int error, n = 0;

	if (regex == NULL)
		return (api_fail(LIBVNET_EINVAL,
		    "libvnet_log_count: no expression given"));
	error = regcomp(&re, regex, REG_EXTENDED | REG_NOSUB);
	if (error != 0) {
		regerror(error, &re, reason, sizeof(reason));
		return (api_fail(LIBVNET_EINVAL, "libvnet_log_count: \"%s\": "
		    "%s", regex, reason));
	}
	copy = rest = strdup(libvnet_log());
	if (copy == NULL)
		abort();
	while ((line = strsep(&rest, "\n")) != NULL)
		if (*line != '\0' && regexec(&re, line, 0, NULL, 0) == 0)
			n++;
	free(copy);
	regfree(&re);
	return (n);
}
