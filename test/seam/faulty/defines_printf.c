/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiled without kern_names.h. */
int	printf(const char *, ...);

int
printf(const char *format, ...)
{
	return (format != 0);
}
