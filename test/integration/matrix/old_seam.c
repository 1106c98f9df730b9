/* SPDX-License-Identifier: BSD-2-Clause */
/* As if the kernel objects were compiled with another seam.h. */
#include "seam.h"

int	__wrap_vnk_seam_version(void);

int
__wrap_vnk_seam_version(void)
{
	return (VNH_SEAM_VERSION + 1);
}
