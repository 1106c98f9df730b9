/* SPDX-License-Identifier: BSD-2-Clause */
#define LIBVNET_COUNTER i386_nocx8
#define FETCH_CALLS 0
#define ZERO_CALLS 0
#include "body.h"
