/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPLORE_OPS_H
#define EXPLORE_OPS_H

struct libvnet_explore;

void	explore_ops_describe(struct libvnet_explore *what, unsigned accesses);
void	explore_ops_reset(void *arg);

#endif
