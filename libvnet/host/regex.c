/* SPDX-License-Identifier: BSD-2-Clause */
/* libc's regular expressions, in one place: MSan does not know them. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

struct host_regex {
	regex_t re;
};

struct host_regex *
host_regex_new(const char *pattern, char *reason, size_t size)
{
	struct host_regex *r = malloc(sizeof(*r));
	int error;

	if (r == NULL)
		abort();
	memset(r, 0, sizeof(*r));
	error = regcomp(&r->re, pattern, REG_EXTENDED | REG_NOSUB);
	if (error == 0) {
		host_initialised(r, sizeof(*r));
		return (r);
	}
	regerror(error, &r->re, reason, size);
	host_initialised_string(reason);
	free(r);
	return (NULL);
}

bool
host_regex_matches(const struct host_regex *r, const char *text)
{
	return (regexec(&r->re, text, 0, NULL, 0) == 0);
}

void
host_regex_free(struct host_regex *r)
{
	if (r == NULL)
		return;
	regfree(&r->re);
	free(r);
}
