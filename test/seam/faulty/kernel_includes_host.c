/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernel world that finds libc's headers. */
#include <stdio.h>
