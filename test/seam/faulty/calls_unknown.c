/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls a function that neither kernel world nor the seam has. */
int	getpid(void);
int	calls_unknown(void);

int
calls_unknown(void)
{
	return (getpid());
}
