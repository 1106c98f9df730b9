/* SPDX-License-Identifier: BSD-2-Clause */
/* Two files of one name, with a V_ variable on the same line. */
#include <sys/param.h>
#include <sys/systm.h>
#include <net/vnet.h>

VNET_DEFINE(int, same_a) = 1;
