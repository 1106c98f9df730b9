/* SPDX-License-Identifier: BSD-2-Clause */
/* What test_restore.c remembers from one test to the next. */
#include <stdint.h>

int	digest_is_as_first(int fixture, uint64_t digest);

int
digest_is_as_first(int fixture, uint64_t digest)
{
	static uint64_t first[3];

	if (first[fixture] == 0)
		first[fixture] = digest;
	return (first[fixture] == digest);
}
