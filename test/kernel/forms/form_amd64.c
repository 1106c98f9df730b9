/* SPDX-License-Identifier: BSD-2-Clause */
#define LIBVNET_COUNTER amd64
#define FETCH_CALLS 0
#define ZERO_CALLS 1
#include "body.h"
