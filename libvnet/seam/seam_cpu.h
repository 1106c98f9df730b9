/* SPDX-License-Identifier: BSD-2-Clause */
/* The seam's part about virtual CPUs. */
#ifndef LIBVNET_SEAM_CPU_H
#define LIBVNET_SEAM_CPU_H

#include "seam.h"

/* Where a thread goes that is neither bound nor pinned, among idle CPUs. */
enum vnk_cpu_policy {
	VNK_CPU_STAY,		/* where it was, or the next one */
	VNK_CPU_FIRST,		/* the lowest */
	VNK_CPU_ROTATE,		/* after the one that was chosen last */
	VNK_CPU_RANDOM		/* any, by the seed */
};
void	 vnk_cpu_policy(int policy, vnh_u64 seed);

/* CPUs there are, as a mask; and the most that the kernel is built for. */
vnh_u64	 vnk_cpus(void);
int	 vnk_maxcpu(void);

/* Since boot: calls of smp_rendezvous(9), and CPUs that were acted on. */
void	 vnk_rendezvous(vnh_u64 *calls, vnh_u64 *actions);

#endif /* LIBVNET_SEAM_CPU_H */
