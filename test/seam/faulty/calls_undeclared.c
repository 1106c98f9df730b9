/* SPDX-License-Identifier: BSD-2-Clause */
/* A call across the seam that seam.h does not know of. */
void	vnh_undeclared(void);
void	calls_undeclared(void);

void
calls_undeclared(void)
{
	vnh_undeclared();
}
