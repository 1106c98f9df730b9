/* SPDX-License-Identifier: BSD-2-Clause */
/* The runtime does not know its users' API. */
#include <libvnet/boot.h>
