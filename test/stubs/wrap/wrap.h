/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef WRAP_H
#define WRAP_H

int	twice(int);		/* twice.c */
int	twice_plus_one(int);	/* plus.c */
void	*keep(int);

#endif /* WRAP_H */
