/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiled without kern_names.h: libc's malloc would answer the kernel's. */
void	*malloc(unsigned long, void *, int);
void	*calls_malloc(void);

void *
calls_malloc(void)
{
	return (malloc(1, 0, 0));
}
