/* SPDX-License-Identifier: BSD-2-Clause */
/* The whole process would get this one. */
void	*fopen(const char *, const char *);

void *
fopen(const char *path, const char *mode)
{
	return (path == mode ? (void *)0 : (void *)1);
}
