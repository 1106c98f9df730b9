/* SPDX-License-Identifier: BSD-2-Clause */
/* Two vnets that have a third one as their neighbour. */
#ifndef STAR_H
#define STAR_H

#include <libvnet/test.h>

struct star {
	struct vnet *a, *b, *c;
};

#define STAR_A "10.0.1.1"	/* a */
#define STAR_B "10.0.2.1"	/* b */
#define STAR_C_A "10.0.1.2"	/* c, as a sees it */
#define STAR_C_B "10.0.2.2"	/* and b */

/*
 * Creates c and both wires; the addresses are on the ends and ARP knows them.
 * star_end() destroys c.
 */
void	star_begin(struct star *, struct vnet *a, struct vnet *b);
void	star_end(struct star *);

/* What ping() answers on that way. */
int	star_a_to_c(struct star *);
int	star_c_to_a(struct star *);
int	star_b_to_c(struct star *);
int	star_c_to_b(struct star *);

/* All four ways are open. */
void	star_assert_open(struct star *);

#endif /* STAR_H */
