/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUOTA_H
#define QUOTA_H

VNET_DECLARE(u_int, quota_left);
#define V_quota_left VNET(quota_left)

int	quota_take(u_int n);

#endif
