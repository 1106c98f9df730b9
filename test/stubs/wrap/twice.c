/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>

#include "wrap.h"

int
twice(int n)
{
	return (2 * n);
}
