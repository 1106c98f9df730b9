/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/* Between bench_forward.c (kernel world) and bench_ipfw_counters.c (host). */
#ifndef BENCH_H
#define BENCH_H

/* The firewall off, then with each form of the counters. */
extern const char *const bench_names[];		/* ends with NULL */
#define BENCH_COUNTS 2				/* the first that counts */

/* Rules for the current vnet; 0 or an errno. */
int	bench_rules(void);
/* From now on it is bench_names[which]; then threads forward packets in it. */
void	bench_begin(int which);
void	bench_forward(unsigned long packets);
/* How many of them this form has counted so far, where it counts. */
unsigned long bench_counted(int which);

#endif /* BENCH_H */
