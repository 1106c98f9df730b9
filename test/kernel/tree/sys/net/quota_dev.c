/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>

#include "quota_if.h"

int	quota_dev_methods(void);

int
quota_dev_methods(void)
{

	return (QUOTA_METHODS);
}
