/* SPDX-License-Identifier: BSD-2-Clause */
/* Between activity.c (kernel world) and its callers of either world. */
#ifndef ACTIVITY_H
#define ACTIVITY_H

/*
 * Some of everything that changes a kernel world: allocations kept and freed,
 * zones, callouts, locks left held, vnets, random numbers, printf.
 */
void	activity(unsigned seed);
/* What it leaves visible. */
int	activity_count(void);
/* `n' allocations of `size' bytes, kept and written; then their sum. */
void	activity_fill(int n, unsigned long size);
unsigned long activity_sum(void);
/* Write a byte in `pages' of them, chosen by `seed'. */
void	activity_touch(int pages, unsigned seed);

#endif /* ACTIVITY_H */
