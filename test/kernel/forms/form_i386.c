/* SPDX-License-Identifier: BSD-2-Clause */
#define LIBVNET_COUNTER i386
#define FETCH_CALLS 1
#define ZERO_CALLS 1
#include "body.h"
