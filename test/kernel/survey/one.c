/* SPDX-License-Identifier: BSD-2-Clause */
/* Has the headers generated that a kernel's build makes. */
#include <sys/param.h>
