/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>

int
wrong_syntax(void)
{

	return (1;
}
