/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam's part about snapshots: what of kernel world lies neither in its
 * sections nor in its heap.
 */
#ifndef LIBVNET_SEAM_SNAPSHOT_H
#define LIBVNET_SEAM_SNAPSHOT_H

#include "seam.h"

/* The thread-local variables of the calling host thread. */
struct vnk_local {
	void	*thread, *cpu;
	vnh_u64	 owner_none;
};
void	 vnk_local_save(struct vnk_local *);
void	 vnk_local_load(const struct vnk_local *);

#endif /* LIBVNET_SEAM_SNAPSHOT_H */
