/* SPDX-License-Identifier: BSD-2-Clause */
/* The same, with 100 MB each. */
#define BYTES (100UL << 20)
#include "test_tcp.c"
