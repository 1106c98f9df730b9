/* SPDX-License-Identifier: BSD-2-Clause */
/* Between bench_ops.c (host world) and ops.c (kernel world). */
#ifndef OPS_H
#define OPS_H
struct op {
	const char *name;
	void (*fn)(unsigned long n);	/* does it n times */
};
extern const struct op ops[];		/* ends with name NULL */
#endif
